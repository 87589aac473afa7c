// What the keeper of the proxy finds on disk, after a full disk or a failing one as well.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { KeptWriter, keptFiles, keptIn, keptListens, keptTable } from '../../src/entry/io/kept-files.js'
import { TcpProxies } from '../../src/entry/io/tcp-proxies.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { describeError, silentLog } from '../../src/lib/io/log.js'
import type { Time, Timer } from '../../src/lib/time.js'
import { removeDir } from '../remove-dir.js'

function folderWith(texts: Partial<Record<keyof typeof keptFiles, string>>): string {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-kept-files-'))
  onTestFinished(() => removeDir(dir))
  for (const [file, text] of Object.entries(texts))
    writeFileSync(join(dir, keptFiles[file as keyof typeof keptFiles]), text)
  return dir
}

test('what was told last is there', () => {
  const listens = [{ host: '', port: 5432, group: 'g' }]
  const table = { g: [{ address: '10.0.0.1', port: 5432, copies: 1 }] }
  const dir = folderWith({ tcp: JSON.stringify(listens), upstreams: JSON.stringify(table) })
  expect([keptListens(dir), keptTable(dir), keptIn(dir)]).toEqual([listens, table, { hasTcp: true }])
})

test('a keeper begins with nothing where that is damaged, and does not fail for ever', async () => {
  for (const text of ['', '[{"ho', 'null', '"x"', '7']) {
    const dir = folderWith({ tcp: text, upstreams: text })
    expect([keptListens(dir), keptTable(dir), keptIn(dir)]).toEqual([[], {}, null])
    const kept = { write: () => {} }
    await new TcpProxies({ dir, log: silentLog, table: () => keptTable(dir), kept }).close()
  }
})

interface Waited {
  readonly ms: number
  readonly run: () => void
}

/** A writer of a folder, whose time goes by where the test says so. */
function writerIn(dir: string) {
  const waited: Waited[] = []
  const failures: string[] = []
  const clock: Time = {
    ...systemClock,
    steady: () => 0,
    after: (ms, run, latestMs) => {
      if (ms <= 0) return systemClock.after(ms, run, latestMs)
      waited.push({ ms, run })
      const timer: Timer = { cancel: () => {}, unref: () => timer }
      return timer
    },
  }
  const onError = (error: unknown): void => void failures.push(describeError(error))
  const writer = new KeptWriter({ dir, clock, onError })
  return { writer, waited, failures, textOf: (file: string) => readFileSync(join(dir, file), 'utf8') }
}

test('what could not be written is tried again, the newest of it, and holds up nothing else', async () => {
  const dir = folderWith({ config: 'old' })
  mkdirSync(join(dir, 'config.json.new'))
  const { writer, waited, failures, textOf } = writerIn(dir)
  writer.write('config.json', 'new')
  writer.write('upstreams.json', '{}')
  await expect.poll(() => failures).toEqual([expect.stringContaining('EISDIR')])
  await expect.poll(() => textOf('upstreams.json')).toBe('{}')
  expect(textOf('config.json')).toBe('old')
  writer.write('config.json', 'newer')
  rmdirSync(join(dir, 'config.json.new'))
  await expect.poll(() => waited.at(-1)?.ms).toBe(5000)
  for (const { run } of waited) run()
  await expect.poll(() => textOf('config.json')).toBe('newer')
  await writer.close()
})

test('of many at once the newest is on disk in the end, as a whole, and at the latest with the end', async () => {
  const dir = folderWith({})
  const { writer, failures, textOf } = writerIn(dir)
  for (let n = 0; n < 100; n++) {
    writer.write('upstreams.json', JSON.stringify({ n, filler: 'x'.repeat(1000 * (100 - n)) }))
    await Promise.resolve()
  }
  await writer.close()
  expect(JSON.parse(textOf('upstreams.json'))).toMatchObject({ n: 99 })
  expect([failures, readdirSync(dir)]).toEqual([[], ['upstreams.json']])
})
