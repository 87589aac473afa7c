// A supervisor that is slow to start, as on a machine that has too much to do: it is waited for while it lives.
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findOrStart } from '../../../src/drivers/process/io/find-supervisor.js'
import { systemClock } from '../../../src/lib/io/clock.js'
import type { Home } from '../../../src/supervisor/io/home.js'
import { removeDir } from '../../remove-dir.js'

test('one that lives is waited for longer than those that end, and is the only one', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-slow-start-'))
  onTestFinished(() => removeDir(dir))
  const lines = join(dir, 'lines')
  const script = 'echo begun >> "$0"; sleep 1; echo ended >> "$0"'
  const options = {
    home: { id: 'slow', paths: { dir, log: join(dir, 'log') } } as Home,
    clock: systemClock,
    log: { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} },
    command: ['/bin/sh', '-c', script, lines],
    ...{ onChange: () => {}, onSilence: () => {} },
  }
  const limits = { triesForMs: 1, livesForMs: 120_000 }
  const found = findOrStart(options, new AbortController().signal, limits)
  await expect(found).rejects.toThrow('the process supervisor does not start: its log is empty')
  expect(readFileSync(lines, 'utf8')).toBe('begun\nended\n')
})
