// Units that are frozen for backups: by whom, for how long, and that all of them go on.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Driver } from '../../src/agent/driver.js'
import { Pauses } from '../../src/agent/io/pauses.js'
import { type Log, silentLog } from '../../src/lib/io/log.js'
import type { Time } from '../../src/lib/time.js'
import { DriverError } from '../../src/model/driver-error.js'
import type { ObservedUnit, UnitName } from '../../src/model/unit.js'
import { removeDir } from '../remove-dir.js'

const [one, two] = ['db@1.service' as UnitName, 'db@2.service' as UnitName]
const signal = new AbortController().signal
const user = (name: string) => ({ driver: 'process', name }) as const

const all: Pauses[] = []
let dir: string
let file: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mariposa-pauses-'))
  file = join(dir, 'paused-units.json')
})
afterEach(async () => {
  await Promise.all(all.splice(0).map((pauses) => pauses.stop()))
  removeDir(dir)
})

/** A driver whose units run, with what was asked of it. */
function driverOf(more: Partial<Driver> = {}) {
  const frozen = new Set<string>()
  const told: string[] = []
  let changed: (name: UnitName) => void = () => {}
  const units = new Map<string, Partial<ObservedUnit>>(
    [one, two].map((name) => [name, { active: 'active', pid: 7 }]),
  )
  const driver = {
    kind: 'process',
    watch: (onChange: typeof changed) => {
      changed = onChange
    },
    observe: (name: UnitName) => Promise.resolve(units.has(name) ? { name, ...units.get(name) } : null),
    freeze: (name: UnitName) => {
      told.push(`noted ${readFileSync(file, 'utf8').includes(name)}`)
      frozen.add(name)
      return Promise.resolve()
    },
    thaw: (name: UnitName) => {
      frozen.delete(name)
      return Promise.resolve()
    },
    isFrozen: (name: UnitName) => Promise.resolve(frozen.has(name)),
    ...more,
  } as unknown as Driver
  return { driver, frozen, told, units, change: (name: UnitName) => changed(name) }
}

function pausesOf(driver: Driver, log: Log = silentLog) {
  const timers: { ms: number; run: () => void }[] = []
  const after = (ms: number, run: () => void) => {
    const timer = { ms, run }
    timers.push(timer)
    const cancel = () => timers.splice(timers.indexOf(timer), 1)
    // What nobody stays for ends what was asked of a driver that does not answer.
    return { cancel, unref: cancel }
  }
  const clock = { after } as unknown as Time
  const drivers = new Map([[driver.kind, driver]])
  const pauses = new Pauses({ drivers, clock, log, file, onChange: () => {} })
  all.push(pauses)
  return { pauses, timers }
}

const noted = (): unknown => (JSON.parse(readFileSync(file, 'utf8')) as { units: unknown }).units

test('what is frozen is noted before, and thawed when the last backup that needs it is over', async () => {
  const { driver, frozen, told } = driverOf()
  const { pauses } = pausesOf(driver)
  await pauses.open()
  const first = await pauses.begin([user(one), user(two)], 1000, signal)
  expect(told).toEqual(['noted true', 'noted true'])
  const second = await pauses.begin([user(one)], 1000, signal)
  await first.confirm()
  await first.end()
  expect([...frozen]).toEqual([one])
  expect(noted()).toEqual([{ name: one, driver: 'process' }])
  await second.confirm()
  await second.end()
  await second.end()
  expect([...frozen]).toEqual([])
  expect(noted()).toEqual([])
})

test('it goes on after its time, and the backup is told why', async () => {
  const { driver, frozen } = driverOf()
  const { pauses, timers } = pausesOf(driver)
  await pauses.open()
  const pause = await pauses.begin([user(one)], 1000, signal)
  const late = timers.find(({ ms }) => ms === 1000)
  late?.run()
  await expect(pause.confirm()).rejects.toMatchObject({ code: 'volume/pause-ended' })
  expect(pause.signal.reason).toMatchObject({ message: expect.stringContaining('within 1 s') as string })
  await pause.end()
  expect([...frozen]).toEqual([])
})

test('another run of a unit, one that was thawed by somebody, and one that is to stop end the pause', async () => {
  const { driver, frozen, units, change } = driverOf()
  const { pauses } = pausesOf(driver)
  await pauses.open()
  const ended = async (what: () => unknown): Promise<void> => {
    const pause = await pauses.begin([user(one)], 1000, signal)
    const over = new Promise((resolve) => pause.signal.addEventListener('abort', resolve))
    await what()
    await over
    await expect(pause.confirm()).rejects.toMatchObject({ code: 'volume/pause-ended' })
    await pause.end()
    expect([...frozen]).toEqual([])
  }
  await ended(() => {
    units.set(one, { active: 'active', pid: 8 })
    change(one)
  })
  await ended(() => {
    frozen.delete(one)
    change(one)
  })
  await ended(() => pauses.release(one, 'it is stopped'))
})

test('nothing stays frozen where one of several cannot be', async () => {
  const { driver, frozen } = driverOf()
  const freeze = driver.freeze?.bind(driver)
  const failing = Object.assign(driver, {
    freeze: async (name: UnitName) => {
      if (name === two) throw new DriverError('volume/cannot-pause', 'it has a watchdog')
      await freeze?.(name, signal)
    },
  })
  const { pauses } = pausesOf(failing)
  await pauses.open()
  const begun = pauses.begin([user(one), user(two)], 1000, signal)
  await expect(begun).rejects.toMatchObject({ code: 'volume/cannot-pause', message: 'it has a watchdog' })
  await pauses.stop()
  expect([...frozen]).toEqual([])
  expect(noted()).toEqual([])
})

test.each([
  ['is no unit of ours', 'other', {}],
  ['is being started', one, { active: 'activating' }],
  ['is paused by somebody', one, { active: 'active', driver: 'docker', sub: 'paused' }],
])('nothing is frozen where what has the volume %s', async (_, name, seen) => {
  const { driver, frozen, units } = driverOf()
  if (name === one) units.set(one, seen as Partial<ObservedUnit>)
  const { pauses } = pausesOf(driver)
  await pauses.open()
  const begun = pauses.begin([user(two), user(name)], 1000, signal)
  await expect(begun).rejects.toMatchObject({ code: 'volume/cannot-pause' })
  expect([...frozen]).toEqual([])
})

test('what a daemon that was killed has left frozen goes on first of all, as soon as its driver answers', async () => {
  writeFileSync(file, JSON.stringify({ units: [{ name: one, driver: 'process' }, { name: 3 }] }))
  let answers = false
  const { driver, frozen } = driverOf({
    thaw: (name: UnitName) => {
      if (!answers) return Promise.reject(new DriverError('process/unreachable', 'it does not answer'))
      frozen.delete(name)
      return Promise.resolve()
    },
  })
  frozen.add(one)
  const { pauses, timers } = pausesOf(driver)
  await pauses.open()
  const unit = { name: one, active: 'active', sub: 'running' } as ObservedUnit
  expect(pauses.shown(unit).sub).toBe('paused-for-backup')
  answers = true
  timers.shift()?.run()
  await pauses.stop()
  expect([...frozen]).toEqual([])
  expect(pauses.shown(unit).sub).toBe('running')
  expect(noted()).toEqual([])
})

test('why a unit does not go on is said once, however often it is tried, and that it does in the end', async () => {
  const told: string[] = []
  const log: Log = {
    ...silentLog,
    info: (_, text) => void told.push(text),
    warn: (_, text) => void told.push(text),
  }
  let why: string | null = 'its process is not ours'
  const thaw = () => (why === null ? Promise.resolve() : Promise.reject(new Error(why)))
  const { pauses, timers } = pausesOf(driverOf({ thaw }).driver, log)
  const pause = await pauses.begin([user(one)], 60_000, signal)
  await pause.end()
  const again = async (): Promise<void> => {
    timers.at(-1)?.run()
    await pauses.stop()
  }
  const before = timers.length
  timers.at(-1)?.run()
  await expect.poll(() => timers.length).toBeGreaterThan(before)
  expect(told.filter((text) => text.includes('resumed'))).toEqual([
    `${one} cannot be resumed: its process is not ours; retrying`,
  ])
  why = null
  await again()
  expect(told.at(-1)).toBe(`${one}: resumed`)
})

test('nothing is frozen that cannot be noted', async () => {
  const { driver, frozen } = driverOf()
  const { pauses } = pausesOf(driver)
  await pauses.open()
  removeDir(dir)
  const begun = pauses.begin([user(one)], 1000, signal)
  await expect(begun).rejects.toMatchObject({ code: 'volume/cannot-pause' })
  expect([...frozen]).toEqual([])
})
