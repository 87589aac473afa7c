import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ownersOfFiles } from '../../src/drivers/io/file-owners.js'
import { type OwnedFile, openPlacedFiles } from '../../src/drivers/io/placed-files.js'
import { systemdUnitText } from '../../src/drivers/systemd/unit-text.js'
import { toUnitName } from '../../src/unit/name.js'
import { parseUnit } from '../../src/unit/parse.js'
import { valuesOf } from '../../src/unit/values.js'
import { removeDir } from '../remove-dir.js'

const name = toUnitName('shop.web.v1@7.service') ?? expect.fail()
const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
const file = (path: string, text: string, mode = 0o400): OwnedFile => ({
  ...{ path, mode, ...own },
  content: new TextEncoder().encode(text),
})

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'placed-'))
})
afterEach(() => removeDir(dir))

test('files are where their paths say below a directory of the unit, with their permissions', () => {
  const placed = openPlacedFiles(join(dir, 'run/files'))
  placed.write(name, [
    file('a/b', 'one', 0o644),
    file('/run/secrets/key', 'two'),
    file('/etc/shadow', 'three'),
  ])
  const { own: files, secrets } = placed.at(name)
  expect(readFileSync(join(files, 'a/b'), 'utf8')).toBe('one')
  expect(statSync(join(files, 'a/b')).mode & 0o7777).toBe(0o644)
  expect(readFileSync(join(secrets, 'key'), 'utf8')).toBe('two')
  expect(statSync(join(secrets, 'key')).mode & 0o7777).toBe(0o400)
  expect(readFileSync(placed.pathOf(name, '/etc/shadow'), 'utf8')).toBe('three')
  expect(placed.pathOf(name, '/etc/shadow').startsWith(`${dir}/run/files/${name}/`)).toBe(true)
  // Who may pass through sees no names.
  expect(statSync(join(dir, 'run/files')).mode & 0o777).toBe(0o711)
  expect(statSync(join(dir, 'run/files', name)).mode & 0o777).toBe(0o711)
  expect(readdirSync(join(dir, 'run/files', name)).sort()).toEqual(['files', 'root', 'secrets'])
})

test('what has not changed stays the same file, and what is wanted no more goes', () => {
  const placed = openPlacedFiles(join(dir, 'files'))
  placed.write(name, [file('same', 'a'), file('changed', 'b'), file('gone/deep', 'c')])
  const inode = (path: string): number => lstatSync(placed.pathOf(name, path)).ino
  const before = inode('same')
  placed.write(name, [file('same', 'a'), file('changed', 'other'), file('gone', 'now a file')])
  expect(inode('same')).toBe(before)
  expect(readFileSync(placed.pathOf(name, 'changed'), 'utf8')).toBe('other')
  expect(readFileSync(placed.pathOf(name, 'gone'), 'utf8')).toBe('now a file')
  placed.remove(name)
  expect(readdirSync(dir)).toEqual([])
})

test('a link that somebody left in the place of a file is replaced, and where it leads is left alone', () => {
  const placed = openPlacedFiles(join(dir, 'files'))
  placed.write(name, [file('a', 'x')])
  const elsewhere = join(dir, 'elsewhere')
  writeFileSync(elsewhere, 'mine')
  const at = placed.pathOf(name, 'b')
  symlinkSync(elsewhere, at)
  placed.write(name, [file('a', 'x'), file('b', 'ours')])
  expect(readFileSync(elsewhere, 'utf8')).toBe('mine')
  expect(lstatSync(at).isFile()).toBe(true)
})

test('no other unit is touched', () => {
  const placed = openPlacedFiles(join(dir, 'files'))
  const other = toUnitName('shop.web.v1@8.service') ?? expect.fail()
  placed.write(name, [file('a', 'x')])
  placed.write(other, [file('a', 'y')])
  placed.remove(name)
  expect(readFileSync(placed.pathOf(other, 'a'), 'utf8')).toBe('y')
})

test('a path that is too long for the host is told with a code', () => {
  const placed = openPlacedFiles(join(dir, 'files'))
  expect(() => placed.write(name, [file('x'.repeat(300), 'a')])).toThrow('ENAMETOOLONG')
})

test('files belong to whom the unit runs as, secrets to nobody else, and names are looked up', () => {
  const given = { path: 'a', content: new Uint8Array(), mode: null, owner: null, secret: false }
  expect(
    ownersOfFiles([given, { ...given, secret: true, mode: '0440' }, { ...given, secret: true }], own),
  ).toMatchObject([
    { ...own, mode: 0o444 },
    { ...own, mode: 0o440 },
    { ...own, mode: 0o400 },
  ])
  expect(() => ownersOfFiles([{ ...given, owner: 'nobody-of-that-name' }], own)).toThrow('give a number')
})

test('a unit of systemd that shows files at other paths gets no rights by programs that would trust those', () => {
  const shown = (service: string, path: string): readonly (readonly string[])[] => {
    const { file: parsed } = parseUnit(`[Service]\nExecStart=/bin/true\n${service}`)
    const unit = { name, hash: 'h', file: parsed, instance: null, ports: [], environment: {} }
    const text = systemdUnitText(unit, null, undefined, [{ source: '/run/m/x', path }])
    const { file: written } = parseUnit(text)
    return ['BindReadOnlyPaths', 'NoNewPrivileges'].map((option) => valuesOf(written, 'Service', option))
  }
  expect(shown('User=nobody\nNoNewPrivileges=no\n', '/etc/shadow')).toEqual([
    ['/run/m/x:/etc/shadow'],
    ['no', 'yes'],
  ])
  expect(shown('', '/etc/shadow')).toEqual([['/run/m/x:/etc/shadow'], []])
  expect(shown('User=nobody\n', '/run/secrets')).toEqual([['/run/m/x:/run/secrets'], []])
})

test('a file is replaced as a whole in its directory, and written over where it is mounted by itself', () => {
  const placed = openPlacedFiles(join(dir, 'files'))
  const paths = ['a', '/run/secrets/b', '/etc/c', 'other']
  const all = (text: string): readonly OwnedFile[] => paths.map((path) => file(path, text))
  const inode = (path: string): number => statSync(placed.pathOf(name, path)).ino
  const read = (path: string): string => readFileSync(placed.pathOf(name, path), 'utf8')
  placed.write(name, all('a longer text'))
  const [before, byItself] = [inode('a'), inode('/etc/c')]
  expect(placed.replace(name, all('a longer text').slice(0, 3))).toEqual([])
  expect(placed.replace(name, all('short').slice(0, 3))).toEqual(['a', '/run/secrets/b', '/etc/c'])
  expect(paths.map(read)).toEqual(['short', 'short', 'short', 'a longer text'])
  expect(inode('a')).not.toBe(before)
  expect(inode('/etc/c')).toBe(byItself)
  expect(statSync(placed.pathOf(name, '/etc/c')).mode & 0o7777).toBe(0o400)
})

test('what was replaced is known until it is taken, or all is written for a start', () => {
  const placed = openPlacedFiles(join(dir, 'files'))
  placed.write(name, [file('a', '1'), file('b', '1')])
  placed.replace(name, [file('a', '2'), file('b', '1')])
  // As a daemon after one that was killed would open it.
  const again = openPlacedFiles(join(dir, 'files'))
  expect(again.replace(name, [file('a', '2'), file('b', '3')])).toEqual(['a', 'b'])
  again.taken(name)
  expect(again.replace(name, [file('a', '2'), file('b', '3')])).toEqual([])
  again.replace(name, [file('a', '4')])
  again.write(name, [file('a', '4'), file('b', '3')])
  expect(again.replace(name, [file('a', '4'), file('b', '3')])).toEqual([])
})
