import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { makeDataDir } from '../../src/main/data-dir.js'
import { removeDir } from '../remove-dir.js'

const uid = process.getuid?.() ?? 0
const ending: (() => void)[] = []
afterEach(() => {
  for (const end of ending.splice(0)) end()
})

function newPlace(): string {
  const place = mkdtempSync(join(tmpdir(), 'mariposa-data-'))
  ending.push(() => removeDir(place))
  return place
}

test('a data directory is made for its daemon alone', async () => {
  const dir = join(newPlace(), 'a', 'b')
  await makeDataDir(dir, uid)
  expect(statSync(dir).mode & 0o777).toBe(0o700)
  await makeDataDir(dir, uid)
})

test('one that another user owns is refused; what root owns, only root writes to', async () => {
  const dir = newPlace()
  const owner = uid === 0 ? 4711 : uid
  if (uid === 0) {
    await makeDataDir(dir, owner)
    chownSync(dir, owner, owner)
  }
  await expect(makeDataDir(dir, uid === 0 ? 0 : uid + 1)).rejects.toMatchObject({
    code: 'daemon/data-dir',
    message: expect.stringContaining(`belongs to user ${owner}`),
  })
})

test('one that everybody may write to is refused, with the way out', async () => {
  const dir = join(newPlace(), 'open')
  mkdirSync(dir)
  chmodSync(dir, 0o777)
  await expect(makeDataDir(dir, uid)).rejects.toMatchObject({
    code: 'daemon/data-dir',
    hint: `chmod o-w ${dir}`,
  })
})

test('one that cannot be made is an error of the operator', async () => {
  const file = join(newPlace(), 'file')
  writeFileSync(file, '')
  await expect(makeDataDir(join(file, 'data'), uid)).rejects.toMatchObject({ code: 'daemon/data-dir' })
})

/** Links that belong to somebody else are made by root alone: elsewhere it is the daemon that is another. */
function linkOfAnother(target: string, path: string): { readonly daemon: number; readonly owner: number } {
  symlinkSync(target, path)
  if (uid !== 0) return { daemon: uid + 1, owner: uid }
  lchownSync(path, 4711, 4711)
  return { daemon: 0, owner: 4711 }
}

test('one that is reached through a link of another user is refused, and nothing is made behind that', async () => {
  const place = newPlace()
  mkdirSync(join(place, 'real'))
  const link = join(place, 'link')
  const { daemon, owner } = linkOfAnother('real', link)
  for (const dir of [link, join(link, 'data'), join(link, 'a', 'b')]) {
    await expect(makeDataDir(dir, daemon)).rejects.toMatchObject({
      code: 'daemon/data-dir',
      message: `the data directory ${dir} is reached through the symbolic link ${link} of user ${owner}, who could make this daemon run any program as user ${daemon}`,
    })
  }
  expect(existsSync(join(place, 'real', 'data'))).toBe(false)
})

test('likewise where a link of our own leads to one of another user', async () => {
  const place = newPlace()
  mkdirSync(join(place, 'real'))
  const theirs = join(place, 'theirs')
  const { daemon } = linkOfAnother(join(place, 'real'), theirs)
  symlinkSync('./theirs', join(place, 'ours'))
  // To another daemon than root's, ours is of another user as well.
  const first = uid === 0 ? theirs : join(place, 'ours')
  await expect(makeDataDir(join(place, 'ours', 'data'), daemon)).rejects.toMatchObject({
    message: expect.stringContaining(`the symbolic link ${first} of user`),
  })
})

test('links of our own, and of root, lead on', async () => {
  const place = newPlace()
  mkdirSync(join(place, 'real'))
  symlinkSync(join('..', place.split('/').at(-1) ?? '', 'real'), join(place, 'link'))
  await makeDataDir(join(place, 'link', 'data'), uid)
  expect(statSync(join(place, 'real', 'data')).isDirectory()).toBe(true)
})

test('links that lead in a circle are an error of the operator', async () => {
  const place = newPlace()
  symlinkSync('b', join(place, 'a'))
  symlinkSync('a', join(place, 'b'))
  await expect(makeDataDir(join(place, 'a', 'data'), uid)).rejects.toMatchObject({ code: 'daemon/data-dir' })
})

/** A directory of another user than the daemon's, which root alone can make: elsewhere it is the daemon that is another. */
function directoryOfAnother(path: string, mode: number): { readonly daemon: number; readonly owner: number } {
  mkdirSync(path)
  chmodSync(path, mode)
  if (uid !== 0) return { daemon: uid + 1, owner: uid }
  chownSync(path, 4711, 4711)
  return { daemon: 0, owner: 4711 }
}

test('one below a directory of another user is refused, who may swap it, and nothing is made there', async () => {
  // With the sticky bit too: the owner of such a directory may rename what is in it.
  for (const mode of [0o755, 0o1777]) {
    const theirs = join(newPlace(), 'theirs')
    const { daemon, owner } = directoryOfAnother(theirs, mode)
    const first = uid === 0 ? theirs : dirname(theirs)
    for (const dir of [join(theirs, 'data'), join(theirs, 'a', 'b')]) {
      await expect(makeDataDir(dir, daemon)).rejects.toMatchObject({
        code: 'daemon/data-dir',
        message: `the data directory ${dir} is below ${first} of user ${owner}, who could put another in its place and make this daemon run any program as user ${daemon}`,
      })
    }
    expect(readdirSync(theirs)).toEqual([])
  }
})

test('one below a directory where everybody may write is refused, unless each may remove their own alone there', async () => {
  const open = join(newPlace(), 'open')
  mkdirSync(open)
  chmodSync(open, 0o777)
  mkdirSync(join(open, 'data'))
  for (const dir of [join(open, 'data'), join(open, 'data', 'deeper'), join(open, 'new')]) {
    await expect(makeDataDir(dir, uid)).rejects.toMatchObject({
      code: 'daemon/data-dir',
      message: `the data directory ${dir} is below ${open}, where everybody may write and put another in its place`,
      hint: `chmod o-w ${open}, or give another: --data-dir DIR`,
    })
  }
  expect(readdirSync(open)).toEqual(['data'])
  chmodSync(open, 0o1777)
  await makeDataDir(join(open, 'data', 'deeper'), uid)
})

test('what a link leads through counts as well', async () => {
  const place = newPlace()
  const open = join(place, 'open')
  mkdirSync(join(open, 'real'), { recursive: true })
  chmodSync(open, 0o777)
  symlinkSync('open/real', join(place, 'link'))
  for (const dir of [join(place, 'link'), join(place, 'link', 'data')])
    await expect(makeDataDir(dir, uid)).rejects.toMatchObject({
      message: expect.stringContaining(`is below ${open},`),
    })
})
