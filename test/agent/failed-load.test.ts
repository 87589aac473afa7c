// What an agent reports of a unit that its driver cannot load: it stays told, and is told once.
import { expect, test } from 'vitest'
import type { Driver } from '../../src/agent/driver.js'
import { DriverError } from '../../src/model/driver-error.js'
import type { UnitReport } from '../../src/model/unit.js'
import { decode, keys } from '../../src/store/records.js'
import { idle, machine, name, openRecords, startWith, want } from './small-agent.js'

const text = '[Service]\nExecStart=/bin/true\n'

test('a unit that cannot be loaded is reported with the reason, and the report stays', async () => {
  const registry = await openRecords()
  await want(registry, text, 'launched')
  const key = keys.report(machine, name)
  const history: (UnitReport | null)[] = []
  let tried = 0
  const again = new Promise<void>((resolve, reject) => {
    const driver: Driver = {
      ...idle,
      kind: 'process',
      load: async () => {
        tried += 1
        if (tried === 3) resolve()
        throw new DriverError('process/refused', 'there is no such thing')
      },
    }
    registry.onChange((_, changes) => {
      for (const change of changes)
        if (change.key === key) history.push(change.type === 'put' ? decode('report', change.entry) : null)
    })
    startWith(registry, driver).then((agent) => again.then(() => agent.stop()), reject)
  })
  await again
  expect(history.length).toBeGreaterThan(0)
  expect(history).not.toContain(null)
  expect(history.at(-1)?.failure?.message).toContain('there is no such thing')
  await registry.close()
})

test('a volume that its program cannot reach is the failure of the unit, not of the driver, with its reason once', async () => {
  const registry = await openRecords()
  await want(registry, text, 'launched')
  const message = 'a directory above it is closed'
  const refused = new DriverError('volume/unreachable', message, {
    permanent: true,
    cause: new Error(message),
  })
  const driver: Driver = { ...idle, kind: 'process', load: () => Promise.reject(refused) }
  const reported = new Promise<UnitReport>((resolve) => {
    registry.onChange((_, changes) => {
      for (const change of changes)
        if (change.key === keys.report(machine, name) && change.type === 'put')
          resolve(decode('report', change.entry))
    })
  })
  const agent = await startWith(registry, driver)
  expect((await reported).failure).toMatchObject({ code: 'volume/unreachable', message, permanent: true })
  await agent.stop()
  await registry.close()
})
