// Records that a restore has brought back say that a unit runs which an agent has stopped since.
import { afterEach, expect, test } from 'vitest'
import type { Driver } from '../../src/agent/driver.js'
import type { Agent, AgentOptions } from '../../src/agent/io/agent.js'
import { absentUnit, freshMemory, reportOf } from '../../src/agent/report.js'
import { StopsAsked } from '../../src/agent/stops-asked.js'
import { runHash } from '../../src/agent/unit-to-run.js'
import { systemClock } from '../../src/lib/io/clock.js'
import type { ObservedUnit, UnitReport } from '../../src/model/unit.js'
import type { Registry } from '../../src/store/io/registry.js'
import { putOf } from '../../src/store/records.js'
import { unitHash } from '../../src/unit/print.js'
import { idle, machine, name, openRecords, startWith, want } from './small-agent.js'

const text = '[Service]\nExecStart=/bin/web\n'
const exit = { code: null, signal: 'SIGTERM', oom: false, at: 5 }
const hash = runHash(unitHash(text), {
  ...{ unit: name, machine, ports: [], cause: { kind: 'new' }, at: 0 },
})
const seen = (change: Partial<ObservedUnit>): ObservedUnit => ({
  ...absentUnit(name, 'docker'),
  ...{ load: 'loaded', hash, since: 1 },
  ...change,
})

const ending: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

/** An agent that finds a unit ended which its records say was launched, and what it did and told then. */
async function openScene(found: Partial<ObservedUnit>, more: Partial<AgentOptions> = {}) {
  const registry: Registry = await openRecords()
  await want(registry, text, 'launched')
  const before = reportOf(machine, seen({ active: 'active', sub: 'running' }), {
    ...freshMemory,
    launched: true,
  })
  await registry.commit([], [putOf('report', before)])
  const reported: UnitReport[] = []
  const started = new Promise<void>((resolve) => {
    let observed = seen({ active: 'inactive', sub: 'dead', since: 5, exit, ...found })
    const driver: Driver = {
      ...idle,
      load: async () => {},
      list: async () => [observed],
      observe: async () => observed,
      start: async () => {
        observed = seen({ active: 'active', sub: 'running', since: 9 })
        resolve()
      },
    }
    registry.onChange(() => void reported.push(...registry.view.reportsOf(machine).values()))
    startWith(registry, driver, more).then((agent: Agent) => {
      ending.push(async () => {
        await agent.stop()
        await registry.close()
        await registry.store.close()
      })
    }, resolve)
  })
  const toldOfEnd = new Promise<void>((resolve) => {
    registry.onChange(() => {
      const report = registry.view.reportsOf(machine).get(name)
      if (report?.active === 'inactive' && report.launched) resolve()
    })
  })
  return { started, toldOfEnd, told: reported }
}

test('it is started again, and its end is nobody’s failure: the driver knows', async () => {
  const { started, told: reported } = await openScene({ stopAsked: true })
  await started
  expect(reported.filter(({ active, launched }) => launched && active === 'inactive')).toEqual([])
})

test('it is started again: an agent before this one has asked for it', async () => {
  const stopsAsked = new StopsAsked()
  stopsAsked.note(name, systemClock.steady())
  const { started, told: reported } = await openScene({}, { stopsAsked })
  await started
  expect(reported.filter(({ active, launched }) => launched && active === 'inactive')).toEqual([])
})

test('what has ended by itself is told of as that', async () => {
  const { toldOfEnd } = await openScene({})
  await toldOfEnd
})

test('a stop counts for as long as it may be what a unit ends by, and until it is started', () => {
  const stops = new StopsAsked()
  stops.note(name, 0)
  expect([stops.has(name, 60_000), stops.has(name, 3_600_000), stops.has(name, 60_000)]).toEqual([
    true,
    false,
    false,
  ])
  stops.note(name, 0)
  stops.forget(name)
  expect(stops.has(name, 0)).toBe(false)
})
