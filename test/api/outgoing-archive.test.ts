// Archives that outlive the connection they are sent over, by the tar of this machine.
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { filesHere } from '../../src/agent/io/volume-files.js'
import { type OutgoingArchive, openOutgoing } from '../../src/api/io/outgoing-archive.js'
import { removeDir } from '../remove-dir.js'

const never = new AbortController().signal

/** An archive of random data, and how often tar was started. */
function opened(bytes: number) {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-outgoing-'))
  onTestFinished(() => {
    vi.unstubAllEnvs()
    removeDir(dir)
  })
  const data = join(dir, 'data')
  mkdirSync(data)
  writeFileSync(join(data, 'large'), randomBytes(bytes))
  writeFileSync(join(data, 'small'), 'small')
  const path = process.env['PATH'] ?? ''
  mkdirSync(join(dir, 'bin'))
  const shim = `#!/bin/sh\necho >>'${dir}/starts'\nPATH='${path}' exec tar "$@"\n`
  writeFileSync(join(dir, 'bin/tar'), shim, { mode: 0o755 })
  vi.stubEnv('PATH', `${join(dir, 'bin')}:${path}`)
  const open = (): OutgoingArchive => {
    const archive = openOutgoing(filesHere, data)
    onTestFinished(() => archive.end())
    return archive
  }
  return { data, open, starts: (): number => readFileSync(join(dir, 'starts'), 'utf8').length }
}

/** What comes until so many bytes are there; then the connection is gone. */
async function readUntil(archive: OutgoingArchive, offset: number, bytes: number): Promise<Buffer> {
  const gone = new AbortController()
  const parts: Uint8Array[] = []
  let come = 0
  const reading = (async () => {
    for await (const part of archive.behind(offset, gone.signal)) {
      parts.push(part)
      come += part.length
      if (come >= bytes) gone.abort()
    }
  })()
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
  return Buffer.concat(parts)
}

test('what was lost on the way comes again, and the rest behind it, without being made anew', async () => {
  const { data, open, starts } = opened(6_000_000)
  const archive = open()
  const first = await readUntil(archive, 0, 3_000_000)
  const came = first.length - 1_234_567
  expect(archive.reaches(came)).toBe(true)
  const second = await readUntil(archive, came, 1_500_000)
  const again = came + second.length
  const rest = await buffer(archive.behind(again, never))
  const whole = Buffer.concat([first.subarray(0, came), second, rest])
  expect(archive.sha256()).toBe(createHash('sha256').update(whole).digest('hex'))
  expect(starts()).toBe(1)
  const unpacked = execFileSync('tar', ['--extract', '--to-stdout', './large'], {
    input: whole,
    maxBuffer: 2 ** 26,
  })
  expect(unpacked.equals(readFileSync(join(data, 'large')))).toBe(true)
  // Its end may have been lost as well.
  expect(archive.reaches(whole.length)).toBe(true)
  expect(await buffer(archive.behind(whole.length, never))).toEqual(Buffer.alloc(0))
})

test('one that is made anew is the same, and is skipped to where the other side is', async () => {
  const { open } = opened(2_000_000)
  const whole = await buffer(open().behind(0, never))
  const anew = open()
  expect((await buffer(anew.behind(1_500_001, never))).equals(whole.subarray(1_500_001))).toBe(true)
})

test('what was sent long ago is not held', async () => {
  const { open } = opened(34_000_000)
  const archive = open()
  await buffer(archive.behind(0, never))
  expect([archive.reaches(0), archive.reaches(10_000_000)]).toEqual([false, true])
})

test('one that was ended, or of data that were changed meanwhile, is not gone on with', async () => {
  const { data, open } = opened(2_000_000)
  const ended = open()
  await readUntil(ended, 0, 100_000)
  ended.end()
  expect(ended.reaches(100_000)).toBe(false)

  const changed = open()
  await readUntil(changed, 0, 100_000)
  appendFileSync(join(data, 'large'), 'more')
  await expect(buffer(changed.behind(0, never))).rejects.toThrow('was changed while it was read')
  expect(changed.reaches(0)).toBe(false)
})
