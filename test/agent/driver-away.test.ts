// What an agent tells of a unit that could not be started because its driver went away just then.
import { expect, test } from 'vitest'
import { type Driver, DriverError } from '../../src/agent/driver.js'
import type { UnitReport } from '../../src/model/unit.js'
import { decode, keys } from '../../src/store/records.js'
import { idle, machine, name, openRecords, startWith, want } from './small-agent.js'

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
  const told: UnitReport[] = []
  const unknown = new Promise<void>((resolve) => {
    registry.onChange((_, changes) => {
      for (const change of changes) {
        if (change.key !== keys.report(machine, name) || change.type !== 'put') continue
        told.push(decode('report', change.entry))
        if (told.at(-1)?.unknownSince !== undefined) resolve()
      }
    })
  })
  const agent = await startWith(registry, driver)
  await unknown
  expect(told.filter(({ failure }) => failure !== null)).toEqual([])
  isAway = false
  await loaded
  expect(tries).toBe(2)
  await agent.stop()
  await registry.close()
})
