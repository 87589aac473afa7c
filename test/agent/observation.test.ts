// What is known of units while their drivers take long to answer.
import { expect, test } from 'vitest'
import type { Driver } from '../../src/agent/driver.js'
import { Observation } from '../../src/agent/io/observation.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { silentLog } from '../../src/lib/io/log.js'
import type { ActiveState, ObservedUnit, UnitName } from '../../src/model/unit.js'
import { asUnitName } from '../../src/unit/name.js'
import { idle } from './small-agent.js'

const [slow, quick] = [asUnitName('slow.service'), asUnitName('quick.service')]
const signal = new AbortController().signal

function seen(name: UnitName, active: ActiveState): ObservedUnit {
  return {
    ...{ name, hash: '', driver: 'docker', load: 'loaded', active, sub: '', since: 1, pid: 1 },
    ...{ containerId: null, address: null, restarts: 0, exit: null, failure: null },
  }
}

/** An answer that is given when it is time. */
function later<T>(): { readonly given: Promise<T>; readonly give: (value: T) => void } {
  let give = (_: T): void => {}
  const given = new Promise<T>((resolve) => (give = resolve))
  return { given, give }
}

/** Observes a driver, and counts how often a pass is asked for. */
function observing(driver: Driver) {
  const wakes = { count: 0 }
  const observation = new Observation({
    ...{ drivers: new Map([['docker', driver]]), clock: systemClock, log: silentLog, signal },
    ...{ driverOf: () => driver, shown: (unit) => unit, onFirstList: () => {} },
    wake: () => {
      wakes.count += 1
    },
  })
  return { observation, wakes }
}

test('what changes while a driver takes long to list its units is looked at once it has', async () => {
  const list = later<readonly ObservedUnit[]>()
  const driver = {
    ...idle,
    list: () => list.given,
    observe: async () => seen(slow, 'failed'),
  } as unknown as Driver
  const { observation } = observing(driver)
  observation.noteChanged(driver, null)
  await observation.look(1)
  observation.noteChanged(driver, slow)
  await observation.look(1)
  list.give([seen(slow, 'active')])
  await new Promise(setImmediate)
  await observation.look(1000)
  expect(observation.units.get(slow)?.active).toBe('failed')
})

test('what changed while it was looked at wakes a pass, though another waits for something else just then', async () => {
  const [first, other] = [later<ObservedUnit>(), later<ObservedUnit>()]
  const driver = {
    ...idle,
    observe: (name: UnitName) => (name === slow ? first : other).given,
  } as unknown as Driver
  const { observation, wakes } = observing(driver)
  observation.noteChanged(driver, null)
  await observation.look(1000)
  observation.noteChanged(driver, slow)
  await observation.look(1)
  observation.noteChanged(driver, slow)
  observation.noteChanged(driver, quick)
  const looking = observation.look(1000)
  wakes.count = 0
  first.give(seen(slow, 'active'))
  await new Promise(setImmediate)
  other.give(seen(quick, 'active'))
  await looking
  expect(observation.isStale(slow)).toBe(true)
  expect(wakes.count).toBeGreaterThan(0)
})

test('what has changed at a driver that does not answer wakes no pass: each would ask it again at once', async () => {
  const driver = { ...idle, list: () => Promise.reject(new Error('gone')) } as unknown as Driver
  const { observation, wakes } = observing(driver)
  observation.noteChanged(driver, null)
  observation.noteChanged(driver, slow)
  wakes.count = 0
  await observation.look(1000)
  expect(observation.isStale(slow)).toBe(true)
  expect(wakes.count).toBe(0)
})
