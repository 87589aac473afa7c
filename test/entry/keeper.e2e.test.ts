// The process that keeps the proxy, on a disk that fails for a while.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { endKeeper, stateOfKeeper, tellTcp, tellUpstreams } from '../../src/entry/io/keeper-client.js'
import { removeDir } from '../remove-dir.js'

test('what it was told while it could not write is kept as soon as it can', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-keeper-'))
  onTestFinished(() => removeDir(dir))
  // A folder in the place of the file that is to be written.
  const inTheWay = join(dir, 'upstreams.json.new')
  mkdirSync(inTheWay)
  const program = join(dirname(inject('program')), 'entry-keeper.mjs')
  const keeper = spawn(process.execPath, [program, dir], { stdio: ['ignore', 'ignore', 'pipe'] })
  keeper.on('error', () => {})
  onTestFinished(() => void keeper.kill('SIGKILL'))
  let log = ''
  keeper.stderr.on('data', (data: Buffer) => {
    log += data.toString()
  })
  await expect.poll(() => stateOfKeeper(dir)).not.toBeNull()
  const table = JSON.stringify({ g: [{ address: '10.0.0.1', port: 80, copies: 1 }] })
  await tellUpstreams(dir, table)
  await expect.poll(() => log).toContain('cannot keep what is served')
  rmdirSync(inTheWay)
  await expect.poll(() => textOf(join(dir, 'upstreams.json'))).toBe(table)
  await tellTcp(dir, '[ ]')
  await endKeeper(dir)
  expect(textOf(join(dir, 'tcp.json'))).toBe('[ ]')
})

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
