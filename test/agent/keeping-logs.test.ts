// Copies of logs, made as instances leave: of what drivers tell, or fail to tell.
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Driver, LogLine, LogQuery } from '../../src/agent/driver.js'
import { type KeptLogs, openKeptLogs } from '../../src/agent/io/kept-logs.js'
import { defaultLogRetention } from '../../src/agent/kept-logs.js'
import { sha1 } from '../../src/lib/hash.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { DriverError } from '../../src/model/driver-error.js'
import { asUnitName } from '../../src/unit/name.js'
import { removeDir } from '../remove-dir.js'
import { unsetClock } from '../unset-clock.js'

const unit = asUnitName('default.web.v1@1.service')
const live = new AbortController().signal
let dir: string
let said: string[]
const opened: KeptLogs[] = []

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'kept-logs-'))
  said = []
})

afterEach(async () => {
  for (const logs of opened.splice(0)) await logs.stop()
  removeDir(dir)
})

type Tell = (query: LogQuery, signal: AbortSignal) => AsyncIterable<readonly LogLine[]>

const driverOf = (logs: Tell, more: Partial<Driver> = {}): Driver =>
  ({
    kind: 'docker',
    logs: (_: unknown, query: LogQuery, signal: AbortSignal) => logs(query, signal),
    ...more,
  }) as Driver

async function* tell(...lines: readonly LogLine[]): AsyncGenerator<readonly LogLine[]> {
  yield lines
}

async function open(driver: Driver, clock = systemClock): Promise<KeptLogs> {
  const log = {
    info: () => {},
    debug: () => {},
    error: () => {},
    warn: (_: string, text: string) => said.push(text),
  }
  const logs = await openKeptLogs({
    ...{
      dir: join(dir, 'kept'),
      retention: () => defaultLogRetention,
      clock,
      clockWatch: unsetClock,
      log,
    },
    drivers: new Map([[driver.kind, driver]]),
  })
  opened.push(logs)
  return logs
}

async function read(logs: KeptLogs, since: number | null = null): Promise<readonly LogLine[]> {
  const all: LogLine[] = []
  for (const stream of logs.lines(logs.named('default', 'web-1'), since, live))
    for await (const lines of stream) all.push(...lines.map(({ line }) => line))
  return all
}

const now = Date.now()
const line = (at: number, text: string): LogLine => ({ at: now + at, stream: 'stdout', line: text })

test('of a long log the last part is kept', async () => {
  const long = 'x'.repeat(1024 * 1024)
  const driver = driverOf(async function* () {
    for (let n = 0; n < 40; n += 1) yield [line(n, `${n} ${long}`)]
  })
  const logs = await open(driver)
  await logs.keep(unit, driver, live)
  const numbers = (await read(logs)).map((one) => Number.parseInt(one.line, 10))
  expect(numbers.at(-1)).toBe(39)
  expect(numbers).toEqual(numbers.map((_, index) => 40 - numbers.length + index))
  expect(numbers.length).toBeGreaterThanOrEqual(8)
  expect(numbers.length).toBeLessThanOrEqual(17)
})

test('what is copied once more, after a daemon that ended in between, is there once', async () => {
  const driver = driverOf(() => tell(line(0, 'one'), line(1, 'two')))
  await (await open(driver)).keep(unit, driver, live)
  const logs = await open(driver)
  await logs.keep(unit, driver, live)
  expect((await read(logs)).map((one) => one.line)).toEqual(['one', 'two'])
  expect((await read(logs, now + 1)).map((one) => one.line)).toEqual(['two'])
})

function placed(uuid: string) {
  const instance = { project: 'default', service: 'web', name: 'web-1', n: 1, uuid, version: 'v' }
  return { name: unit, hash: '', desired: 'launched' as const, instance, createdAt: now }
}

test('what is copied once more, as its driver did not let go of it, is still that of its instance', async () => {
  const driver = driverOf(() => tell(line(0, 'one')))
  const logs = await open(driver)
  logs.note(placed('0123456789'))
  await logs.keep(unit, driver, live)
  await logs.keep(unit, driver, live)
  expect(logs.named('default', '0123456789')).toHaveLength(1)
  logs.forget(unit)
  await logs.keep(unit, driver, live)
  expect(logs.named('default', 'web-1').map(({ uuid }) => uuid)).toEqual([null])
})

test('what an earlier instance of the name wrote at a later time, as the clock was set back, stays, also where both are kept at one time', async () => {
  const [first, second] = [driverOf(() => tell(line(60, 'first'))), driverOf(() => tell(line(0, 'second')))]
  const logs = await open(first, { ...systemClock, now: () => now })
  for (const [uuid, driver] of [
    ['0123456789', first],
    ['9876543210', second],
  ] as const) {
    logs.note(placed(uuid))
    await logs.keep(unit, driver, live)
    logs.forget(unit)
  }
  expect((await read(logs)).map((one) => one.line).sort()).toEqual(['first', 'second'])
})

test('a copy stays until the next one is there as a whole', async () => {
  let at = now
  const driver = driverOf(() => tell(line(0, 'one')))
  const logs = await open(driver, { ...systemClock, now: () => at })
  await logs.keep(unit, driver, live)
  at = now + 5
  mkdirSync(join(dir, 'kept', `${sha1(`${unit} ${at}`).slice(0, 20)}.json`))
  await logs.keep(unit, driver, live)
  expect(said).toEqual([expect.stringContaining('its log is not kept: ')])
  expect((await read(logs)).map((one) => one.line)).toEqual(['one'])
})

test('two lives of a unit of the same name are two', async () => {
  const [first, second] = [driverOf(() => tell(line(0, 'first'))), driverOf(() => tell(line(5, 'second')))]
  const logs = await open(first, { ...systemClock, now: () => now })
  await logs.keep(unit, first, live)
  await logs.keep(unit, second, live)
  expect((await read(logs)).map((one) => one.line)).toEqual(['first', 'second'])
})

test('what a driver keeps by itself is read there, and only of the time when the instance was here', async () => {
  const driver = driverOf(
    () => tell(line(-9, 'of another'), line(-3, 'own'), line(90_000, 'of a later one')),
    {
      keepsLogs: true,
    },
  )
  const logs = await open(driver)
  const instance = { project: 'default', service: 'web', name: 'web-1', n: 1, uuid: 'u', version: 'v' }
  logs.note({ name: unit, hash: '', desired: 'launched', instance, createdAt: now - 5 })
  await logs.keep(unit, driver, live)
  expect((await read(logs)).map((one) => one.line)).toEqual(['own'])
})

test('what is in a journal from the beginning of an instance is kept, though who made it has a clock that is ahead', async () => {
  let at = now
  const driver = driverOf(() => tell(line(1, 'first'), line(2, 'last')), { keepsLogs: true })
  const logs = await open(driver, { ...systemClock, now: () => at })
  const ahead = { ...placed('0123456789'), createdAt: now + 5000 }
  logs.note(ahead)
  at = now + 9000
  // It is started anew.
  logs.note(ahead)
  await logs.keep(unit, driver, live)
  expect((await read(logs)).map((one) => one.line)).toEqual(['first', 'last'])
})

test('what is in a journal of an instance is kept, though an earlier one of its name seems to be of a later time', async () => {
  let at = now + 60_000
  const driver = driverOf(() => tell(line(1, 'own')), { keepsLogs: true })
  const logs = await open(driver, { ...systemClock, now: () => at })
  await logs.keep(unit, driver, live)
  at = now
  logs.note(placed('0123456789'))
  at = now + 10
  await logs.keep(unit, driver, live)
  const [own] = logs.named('default', '0123456789')
  expect(own).toMatchObject({ from: now, until: now + 10 })
})

test('what comes into the journal a moment after the end belongs to the instance', async () => {
  let last: LogLine | null = null
  const driver = driverOf(
    async function* () {
      // The clock goes on before the journal takes it in.
      for (const before = Date.now(); Date.now() <= before; ) await new Promise(setImmediate)
      last ??= { at: Date.now(), stream: 'stdout', line: 'last words' }
      yield [last]
    },
    { keepsLogs: true },
  )
  const logs = await open(driver)
  await logs.keep(unit, driver, live)
  expect((await read(logs)).map((one) => one.line)).toEqual(['last words'])
})

test('a place in the journal is kept though it cannot be read at the moment', async () => {
  let refuses = true
  const driver = driverOf(
    () => {
      if (refuses) throw new DriverError('systemd/no-journal', 'not now')
      return tell(line(0, 'one'))
    },
    { keepsLogs: true },
  )
  const logs = await open(driver)
  await logs.keep(unit, driver, live)
  refuses = false
  expect((await read(logs)).map((one) => one.line)).toEqual(['one'])
})

test('a log that cannot be read, or written, or takes too long keeps nothing from going', async () => {
  const refuses = driverOf(() => {
    throw new DriverError('docker/failed', 'no log here')
  })
  const unknown = driverOf(() => {
    throw new DriverError('docker/unknown-unit', 'not loaded')
  })
  const hangs = driverOf(async function* (_, signal) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    yield []
  })
  let hurry = 1
  const clock = { ...systemClock, after: (ms: number, run: () => void) => systemClock.after(ms / hurry, run) }
  const logs = await open(refuses, clock)
  for (const driver of [refuses, unknown]) await logs.keep(unit, driver, live)
  hurry = 1000
  await logs.keep(unit, hangs, live)
  hurry = 1
  removeDir(join(dir, 'kept'))
  writeFileSync(join(dir, 'kept'), 'no directory')
  const driver = driverOf(() => tell(line(0, 'one')))
  await logs.keep(unit, driver, live)
  expect(said).toEqual([
    expect.stringContaining('its log is not kept: no log here'),
    expect.stringContaining('its log is not kept: that takes too long'),
    expect.stringContaining('its log is not kept: '),
  ])
  expect(await read(logs)).toEqual([])
})

test('what is left of a copy that was cut off is removed', async () => {
  const driver = driverOf(async function* () {
    yield [line(0, 'x'.repeat(1024 * 1024))]
    throw new DriverError('docker/failed', 'the log was cut off')
  })
  const logs = await open(driver)
  await logs.keep(unit, driver, live)
  expect(readdirSync(join(dir, 'kept'))).toEqual([])
  for (const file of ['abc.log', 'abc.json']) writeFileSync(join(dir, 'kept', file), 'x')
  await open(driver)
  expect(readdirSync(join(dir, 'kept'))).toEqual([])
})
