// What an agent tells of a unit that could not be started because its driver went away just then.
import { expect, test } from 'vitest'
import { type Driver, DriverError } from '../../src/agent/driver.js'
import { startAgent } from '../../src/agent/io/agent.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { silentLog } from '../../src/lib/io/log.js'
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

const machine = idOf('m')
const name = asUnitName('web.service')
const text = '[Container]\nImage=app:1\n'

test('a unit whose driver goes away while it is loaded is unknown, and loaded when that is back', async () => {
  const registry = await openRegistry(openMemoryStore({ clock: systemClock }), { onError: () => {} })
  const hash = unitHash(text)
  await registry.commit(
    [],
    [
      putOf('file', { hash, text }),
      putOf('unit', { name, hash, desired: 'loaded', instance: null, createdAt: 0 }),
      putOf('placement', { unit: name, machine, ports: [], cause: { kind: 'new' }, at: 0 }),
    ],
  )
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
  const agent = await startAgent({
    machine,
    registry,
    drivers: new Map<DriverKind, Driver>([['docker', driver]]),
    units: openUnitReader((one) => registry.view.files.get(one)),
    events: openEventLog(systemClock, machine),
    secrets: {} as SecretBox,
    clock: systemClock,
    log: silentLog,
  })
  await unknown
  expect(told.filter(({ failure }) => failure !== null)).toEqual([])
  isAway = false
  await loaded
  expect(tries).toBe(2)
  await agent.stop()
  await registry.close()
})

const idle = {
  kind: 'docker',
  observe: async () => null,
  watch: () => {},
  start: async () => {},
  stop: async () => {},
  unload: async () => {},
  close: async () => {},
} as unknown as Omit<Driver, 'load' | 'list'>
