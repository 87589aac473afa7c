// Archives of volumes, by the tar and zstd of this machine.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { replaceData, unpack } from '../../src/agent/io/volume-archive.js'
import { removeDir } from '../remove-dir.js'

let dir = ''
const signal = new AbortController().signal
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mariposa-archive-'))
  mkdirSync(join(dir, 'data'))
  chmodSync(join(dir, 'data'), 0o750)
  writeFileSync(join(dir, 'data/kept'), 'kept')
})
afterEach(() => {
  vi.unstubAllEnvs()
  removeDir(dir)
})

const replaced = (archive: Buffer): Promise<void> =>
  replaceData(join(dir, 'data'), (incoming) =>
    unpack(incoming, Readable.from([archive]), { compressed: true, signal }),
  )
const compressed = (bytes: Buffer): Buffer => execFileSync('zstd', ['--quiet', '--stdout'], { input: bytes })
const tarOf = (...args: readonly string[]): Buffer =>
  compressed(execFileSync('tar', ['--create', '--file=-', ...args]))
const isAsBefore = (): void => {
  expect(readdirSync(dir)).toEqual(['data'])
  expect(readFileSync(join(dir, 'data/kept'), 'utf8')).toBe('kept')
}

it.each([
  ['nothing at all', () => Buffer.alloc(0)],
  ['nothing but zeroes', () => Buffer.alloc(10_240)],
])('does not take %s for a volume that is empty', async (_what, bytes) => {
  await expect(replaced(compressed(bytes()))).rejects.toMatchObject({ code: 'volume/bad-archive' })
  isAsBefore()
})

it('takes an archive of an empty directory for a volume that is empty', async () => {
  mkdirSync(join(dir, 'empty'))
  await replaced(tarOf(`--directory=${join(dir, 'empty')}`, '.'))
  expect(readdirSync(join(dir, 'data'))).toEqual([])
})

it('leaves the directory to whoever had it where an archive has files alone', async () => {
  writeFileSync(join(dir, 'file'), 'new')
  const isRoot = process.geteuid?.() === 0
  if (isRoot) execFileSync('chown', ['1234:1235', join(dir, 'data')])
  const before = statSync(join(dir, 'data'))
  await replaced(tarOf(`--directory=${dir}`, 'file'))
  expect(readdirSync(join(dir, 'data'))).toEqual(['file'])
  const { uid, gid, mode } = statSync(join(dir, 'data'))
  expect({ uid, gid, mode }).toEqual({ uid: before.uid, gid: before.gid, mode: before.mode })
})

it('leaves all as it was where the disk does not take what was written', async () => {
  const bin = join(dir, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'sync'), '#!/bin/sh\necho "no space" >&2\nexit 1\n', { mode: 0o755 })
  writeFileSync(join(dir, 'file'), 'new')
  const archive = tarOf(`--directory=${dir}`, 'file')
  vi.stubEnv('PATH', `${bin}:${process.env.PATH}`)
  await expect(replaced(archive)).rejects.toMatchObject({ code: 'volume/failed' })
  expect(readFileSync(join(dir, 'data/kept'), 'utf8')).toBe('kept')
})
