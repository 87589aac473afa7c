// A file that is made once has to be there after a loss of power: with its name, which lies in its folder.
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeOnce } from '../../src/lib/io/make-once.js'
import { removeDir } from '../remove-dir.js'

const { steps } = vi.hoisted(() => ({ steps: [] as string[] }))

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  return {
    ...fs,
    fsyncSync: (fd: number) => {
      steps.push(fs.fstatSync(fd).isDirectory() ? 'sync folder' : 'sync file')
      fs.fsyncSync(fd)
    },
    linkSync: (from: string, to: string) => {
      steps.push('name')
      fs.linkSync(from, to)
    },
  }
})

test('is on the disk with its name, whoever was first', () => {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-once-'))
  onTestFinished(() => removeDir(dir))
  const path = join(dir, 'key')
  makeOnce(path, 'one')
  makeOnce(path, 'two')
  const once = ['sync file', 'name', 'sync folder']
  expect(steps).toEqual([...once, ...once])
  expect(readFileSync(path, 'utf8')).toBe('one')
  expect(readdirSync(dir)).toEqual(['key'])
})
