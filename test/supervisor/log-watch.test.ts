// Log files that are full, on a disk that has no room for what is made of them.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { silentLog } from '../../src/lib/io/log.js'
import { LogKeeper } from '../../src/supervisor/io/log-keeper.js'
import { LogWatch } from '../../src/supervisor/io/log-watch.js'
import { removeDir } from '../remove-dir.js'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mariposa-log-watch-'))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  removeDir(dir)
})

test('a file that cannot be rotated is tried again once a second, not all the time', async () => {
  const [stdout, stderr] = [join(dir, 'out'), join(dir, 'err')]
  writeFileSync(stdout, 'x'.repeat(1000))
  const rotate = vi.spyOn(LogKeeper.prototype, 'rotate').mockRejectedValue(new Error('no space left'))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const watch = new LogWatch({ maxBytes: 500, files: 3 }, silentLog)
  watch.begin({ stdout, stderr })
  await vi.advanceTimersByTimeAsync(10_000)
  watch.close()
  expect(rotate.mock.calls.length).toBeGreaterThan(5)
  expect(rotate.mock.calls.length).toBeLessThan(20)
})

test('of a file whose copy has room in part nothing is cut, and the copy goes', async () => {
  const root = resolve(import.meta.dirname, '../..')
  const script = join(dir, 'rotate.mjs')
  const log = join(dir, 'out')
  await build({
    stdin: {
      contents: `import { LogKeeper } from './src/supervisor/io/log-keeper.ts'
await new LogKeeper({ maxBytes: 50_000, files: 3 }).rotate(process.argv[2], () => false)`,
      resolveDir: root,
    },
    ...{ bundle: true, platform: 'node', format: 'esm', target: 'node20', outfile: script },
  })
  const lines = Array.from({ length: 1000 }, (_, n) => `${n} ${'x'.repeat(45)}\n`).join('')
  writeFileSync(log, lines)
  // A file may have no more: as on a disk that is nearly full, a part of the last write is taken without a word.
  const { status, stderr } = spawnSync('prlimit', ['--fsize=30000', process.execPath, script, log], {
    encoding: 'utf8',
  })
  expect(stderr).toContain('EFBIG')
  expect(status).not.toBe(0)
  expect(readFileSync(log, 'utf8')).toBe(lines)
  expect(readdirSync(dir).sort()).toEqual(['out', 'rotate.mjs'])
  execFileSync(process.execPath, [script, log])
  expect(readFileSync(`${log}.1`, 'utf8')).toBe(lines)
})
