import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { removeTree } from '../../src/lib/io/remove-tree.js'
import { removeDir } from '../remove-dir.js'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mariposa-remove-'))
})
afterEach(() => removeDir(dir))

it('removes many files, deep directories, and names that are no UTF-8', async () => {
  const tree = join(dir, 'tree')
  mkdirSync(join(tree, 'a/b/c'), { recursive: true })
  for (const at of ['.', 'a/b/c'])
    for (let n = 0; n < 150; n += 1) writeFileSync(join(tree, at, String(n)), '')
  const strange = Buffer.concat([Buffer.from(`${tree}/a/`), Buffer.from([0xff, 0xfe, 0x41])])
  mkdirSync(strange)
  writeFileSync(Buffer.concat([strange, Buffer.from([0x2f, 0xe9])]), '')
  await removeTree(tree)
  expect(readdirSync(dir)).toEqual([])
})

it('removes a link, and leaves what it leads to', async () => {
  mkdirSync(join(dir, 'kept'))
  writeFileSync(join(dir, 'kept/file'), '')
  mkdirSync(join(dir, 'tree'))
  symlinkSync(join(dir, 'kept'), join(dir, 'tree/link'))
  await removeTree(join(dir, 'tree'))
  symlinkSync(join(dir, 'kept'), join(dir, 'link'))
  await removeTree(join(dir, 'link'))
  expect(readdirSync(dir)).toEqual(['kept'])
  expect(existsSync(join(dir, 'kept/file'))).toBe(true)
})

it('removes a file, a pipe, and nothing', async () => {
  writeFileSync(join(dir, 'file'), '')
  mkdirSync(join(dir, 'tree'))
  execFileSync('mkfifo', [join(dir, 'tree/pipe')])
  for (const name of ['file', 'tree', 'nothing']) await removeTree(join(dir, name))
  expect(readdirSync(dir)).toEqual([])
})

it('says what cannot be removed', async () => {
  await expect(removeTree('/proc/self/fdinfo')).rejects.toMatchObject({ code: expect.any(String) })
})
