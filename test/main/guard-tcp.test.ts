// The token that a daemon keeps for callers over TCP where nobody has said who is let in.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { guardTcp } from '../../src/main/guard-tcp.js'
import { removeDir } from '../remove-dir.js'

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const dataDir = mkdtempSync(join(tmpdir(), 'mariposa-token-'))
afterAll(() => removeDir(dataDir))
const guard = () =>
  guardTcp({
    ...{ dataDir, log, endpoints: ['http://127.0.0.1:7070'] },
    access: { tls: null, tokens: [], insecure: false, advertise: null },
  })

test('it is kept, and what is no regular file in its place is refused', async () => {
  const token = await guard()
  expect(token).toMatchObject({ role: 'write' })
  expect(await guard()).toEqual(token)
  rmSync(join(dataDir, 'token'))
  execFileSync('mkfifo', ['-m', '600', join(dataDir, 'token')])
  await expect(guard()).rejects.toThrow('it is a FIFO, and no regular file')
})
