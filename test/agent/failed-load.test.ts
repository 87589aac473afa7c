// What an agent reports of a unit that its driver cannot load: it stays told, and is told once.
import { expect, test } from 'vitest'
import { type Driver, DriverError } from '../../src/agent/driver.js'
import { startAgent } from '../../src/agent/io/agent.js'
import { systemClock } from '../../src/lib/io/clock.js'
import type { DriverKind } from '../../src/model/driver-kind.js'
import type { UnitReport } from '../../src/model/unit.js'
import { openEventLog } from '../../src/store/io/event-log.js'
import { openMemoryStore } from '../../src/store/io/memory.js'
import { openRegistry } from '../../src/store/io/registry.js'
import type { SecretBox } from '../../src/store/io/secret-box.js'
import { decode, keys, putOf } from '../../src/store/records.js'
import { asUnitName } from '../../src/unit/name.js'
import { unitHash } from '../../src/unit/print.js'
import { openUnitReader } from '../../src/unit/reader.js'
import { idOf } from '../world/world.js'

const log = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} }
const machine = idOf('m')
const name = asUnitName('web.service')
const text = '[Service]\nExecStart=/bin/true\n'

test('a unit that cannot be loaded is reported with the reason, and the report stays', async () => {
  const store = openMemoryStore({ clock: systemClock })
  const registry = await openRegistry(store, { onError: () => {} })
  const hash = unitHash(text)
  await registry.store.txn(
    [],
    [
      putOf('file', { hash, text }),
      putOf('unit', { name, hash, desired: 'launched', instance: null, createdAt: 0 }),
      putOf('placement', { unit: name, machine, ports: [], cause: { kind: 'new' }, at: 0 }),
    ],
  )
  const key = keys.report(machine, name)
  const history: (UnitReport | null)[] = []
  let tried = 0
  const again = new Promise<void>((resolve, reject) => {
    const driver: Driver = {
      ...refusing,
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
    startAgent({
      machine,
      registry,
      drivers: new Map<DriverKind, Driver>([['process', driver]]),
      units: openUnitReader((one) => registry.view.files.get(one)),
      events: openEventLog(systemClock, machine),
      secrets: {} as SecretBox,
      clock: systemClock,
      log,
    }).then((agent) => again.then(() => agent.stop()), reject)
  })
  await again
  expect(history.length).toBeGreaterThan(0)
  expect(history).not.toContain(null)
  expect(history.at(-1)?.failure?.message).toContain('there is no such thing')
  await registry.close()
})

const refusing: Omit<Driver, 'load'> = {
  kind: 'process',
  list: async () => [],
  observe: async () => null,
  watch: () => {},
  start: async () => {},
  stop: async () => {},
  unload: async () => {},
  logs: async function* () {},
  exec: () => Promise.reject(new Error('nothing runs')),
  stats: async () => null,
  close: async () => {},
} as unknown as Omit<Driver, 'load'>
