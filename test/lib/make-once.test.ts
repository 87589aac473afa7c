// A file that is made once has to be there after a loss of power: with its name, which lies in its folder.
import fs, { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeOnce } from '../../src/lib/io/make-once.js'
import { removeDir } from '../remove-dir.js'

/** What is named and synced from now on until the test is over, whoever does it. */
function stepsFromNow(): readonly string[] {
  const steps: string[] = []
  const { fsyncSync, linkSync } = fs
  fs.fsyncSync = (fd) => {
    steps.push(fs.fstatSync(fd).isDirectory() ? 'sync folder' : 'sync file')
    fsyncSync(fd)
  }
  fs.linkSync = (from, to) => {
    steps.push('name')
    linkSync(from, to)
  }
  syncBuiltinESMExports()
  onTestFinished(() => {
    Object.assign(fs, { fsyncSync, linkSync })
    syncBuiltinESMExports()
  })
  return steps
}

test('is on the disk with its name, whoever was first', () => {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-once-'))
  onTestFinished(() => removeDir(dir))
  const path = join(dir, 'key')
  const steps = stepsFromNow()
  makeOnce(path, 'one')
  makeOnce(path, 'two')
  const once = ['sync file', 'name', 'sync folder']
  expect(steps).toEqual([...once, ...once])
  expect(readFileSync(path, 'utf8')).toBe('one')
  expect(readdirSync(dir)).toEqual(['key'])
})
