// What an operator is told of a process that is to keep the proxy and does not come up.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findOrStartKeeper } from '../../src/entry/io/keeper-client.js'
import { removeDir } from '../remove-dir.js'

test('one that is slow to start is told from one that ends, and that it is tried again is told of both', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-keeper-'))
  const started = (...command: readonly string[]) => findOrStartKeeper(dir, command, false, 200)
  const log = `trying again: see ${join(dir, 'keeper.log')}`
  await expect(started('/bin/sh', '-c', 'exec sleep 5')).rejects.toThrow(
    `the process that keeps the proxy has not come up within 0.2 s; ${log}`,
  )
  await expect(started('/nonexistent/program')).rejects.toThrow(
    `the process that keeps the proxy ends when it is started; ${log}`,
  )
  removeDir(dir)
})
