import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { makeDataDir } from '../../src/main/data-dir.js'

const uid = process.getuid?.() ?? 0
const ending: (() => void)[] = []
afterEach(() => {
  for (const end of ending.splice(0)) end()
})

function newPlace(): string {
  const place = mkdtempSync(join(tmpdir(), 'mariposa-data-'))
  ending.push(() => rmSync(place, { recursive: true, force: true }))
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
