// What an agent tells of a unit that could not be started because its driver went away just then.
import { expect, test } from 'vitest'
import type { Driver } from '../../src/agent/driver.js'
import { absentUnit, freshMemory, reportOf } from '../../src/agent/report.js'
import { DriverError } from '../../src/model/driver-error.js'
import { describeTrouble } from '../../src/model/instance-state.js'
import type { ObservedUnit, UnitReport } from '../../src/model/unit.js'
import { decode, keys, prefixes, putOf } from '../../src/store/records.js'
import { hasty, idle, machine, name, openRecords, startWith, want } from './small-agent.js'

const text = '[Container]\nImage=app:1\n'

test('a unit whose driver goes away while it is loaded is unknown, and loaded when that is back', async () => {
  const registry = await openRecords()
  await want(registry, text, 'loaded')
  const gone = new DriverError('docker/unreachable', 'no container was made')
  let isAway = false
  let tries = 0
  let isLoaded = (): void => {}
  const loaded = new Promise<void>((resolve) => {
    isLoaded = resolve
  })
  const driver: Driver = {
    ...idle,
    list: () => (isAway ? Promise.reject(gone) : Promise.resolve([])),
    load: () => {
      tries += 1
      if (tries > 1) return Promise.resolve(isLoaded())
      isAway = true
      return Promise.reject(gone)
    },
  }
  const reported: UnitReport[] = []
  const unknown = new Promise<void>((resolve) => {
    registry.onChange((_, changes) => {
      for (const change of changes) {
        if (change.key !== keys.report(machine, name) || change.type !== 'put') continue
        reported.push(decode('report', change.entry))
        if (reported.at(-1)?.unknownSince !== undefined) resolve()
      }
    })
  })
  const agent = await startWith(registry, driver)
  await unknown
  expect(reported.filter(({ failure }) => failure !== null)).toEqual([])
  isAway = false
  await loaded
  expect(tries).toBe(2)
  await agent.stop()
  await registry.close()
})

/** What a unit's tries of a start are met with, in turn; then it starts. Resolves to the reports up to there. */
async function reportsOf(tries: readonly DriverError[]): Promise<readonly UnitReport[]> {
  const registry = await openRecords()
  await want(registry, text, 'launched')
  const reported: UnitReport[] = []
  registry.onChange((_, changes) => {
    for (const change of changes)
      if (change.key === keys.report(machine, name) && change.type === 'put')
        reported.push(decode('report', change.entry))
  })
  const left = [...tries]
  let isStarted = (): void => {}
  const started = new Promise<void>((resolve) => {
    isStarted = resolve
  })
  const start = (): Promise<void> => {
    const error = left.shift()
    return error === undefined ? Promise.resolve(isStarted()) : Promise.reject(error)
  }
  const agent = await startWith(registry, { ...idle, load: async () => {}, start }, { clock: hasty })
  await started
  await agent.stop()
  await registry.close()
  return reported
}

test('what a start meets that its driver left half done is no failure, unless it stays', async () => {
  const cutOff = new DriverError('docker/unreachable', 'socket hang up')
  const left = new DriverError('docker/failed', 'failed to start shim: mkdir /run/c: file exists')
  const permanent = new DriverError('docker/command-not-found', 'no such program', { permanent: true })
  const failures = async (...tries: readonly DriverError[]) =>
    (await reportsOf(tries)).flatMap(({ failure }) => (failure === null ? [] : [failure.code]))
  expect(await failures(cutOff, left)).toEqual([])
  expect(await failures(cutOff, left, left, left)).toContain('docker/failed')
  expect(await failures(left)).toContain('docker/failed')
  expect(await failures(cutOff, permanent)).toContain('docker/command-not-found')
})

test('of a run that has just begun it is told at once that its driver is silent, before it is taken for up', async () => {
  const registry = await openRecords()
  await want(registry, text, 'launched')
  const since = Date.now()
  const young: ObservedUnit = {
    ...{ name, hash: '', driver: 'docker', load: 'loaded', active: 'active', sub: 'running', since, pid: 1 },
    ...{ containerId: 'c', address: null, restarts: 0, exit: null, failure: null },
  }
  let isAway = false
  let changed: (unit: null) => void = () => {}
  let asked = 0
  const list = (): Promise<readonly ObservedUnit[]> => {
    if (!isAway) return Promise.resolve([young])
    asked += 1
    return Promise.reject(new DriverError('docker/unreachable', 'gone'))
  }
  const watch: Driver['watch'] = (onChange) => {
    changed = onChange
  }
  const agent = await startWith(registry, { ...idle, load: async () => {}, list, watch })
  const unknown = new Promise<UnitReport>((resolve) => {
    registry.onChange((_, changes) => {
      for (const change of changes) {
        if (change.key !== keys.report(machine, name) || change.type !== 'put') continue
        const report = decode('report', change.entry)
        if (report.unknownSince !== undefined) resolve(report)
      }
    })
  })
  isAway = true
  changed(null)
  await unknown
  expect(asked).toBe(1)
  await agent.stop()
  await registry.close()
})

test('the history says that a driver does not answer, with why, and that it does again', async () => {
  const registry = await openRecords()
  await want(registry, text, 'loaded')
  let isAway = true
  const gone = new DriverError('docker/unreachable', 'Docker accepts connections but does not answer')
  const list = (): Promise<readonly ObservedUnit[]> => (isAway ? Promise.reject(gone) : Promise.resolve([]))
  const told: string[] = []
  const isBack = new Promise<void>((resolve) => {
    registry.onChange((_, changes) => {
      for (const change of changes) {
        if (!change.key.startsWith(prefixes.event) || change.type !== 'put') continue
        const events = decode('event', change.entry)
        told.push(...events.filter(({ kind }) => kind === 'machine').map(({ message }) => message))
        isAway = false
        if (told.length === 2) resolve()
      }
    })
  })
  const agent = await startWith(registry, { ...idle, load: async () => {}, list })
  await isBack
  expect(told).toEqual([
    expect.stringContaining(
      'docker does not answer: Docker accepts connections but does not answer; the state of its units',
    ),
    expect.stringMatching(/docker answers again, after \d+ s$/),
  ])
  await agent.stop()
  await registry.close()
})

test('a unit of a machine that was away is unseen only until its driver is known not to answer', async () => {
  const registry = await openRecords()
  await want(registry, text, 'launched')
  const before = reportOf(machine, { ...absentUnit(name, 'docker'), active: 'active' }, freshMemory)
  await registry.commit([], [putOf('report', { ...before, unknownSince: 1, unseen: true })])
  const silent = new Promise<UnitReport>((resolve) => {
    registry.onChange((_, changes) => {
      for (const change of changes)
        if (change.key === keys.report(machine, name) && change.type === 'put')
          resolve(decode('report', change.entry))
    })
  })
  const list = () => Promise.reject(new DriverError('docker/unreachable', 'gone'))
  const agent = await startWith(registry, { ...idle, load: async () => {}, list }, { clock: hasty })
  expect(describeTrouble(await silent, 0)).toContain('docker does not answer on that machine')
  await agent.stop()
  await registry.close()
})
