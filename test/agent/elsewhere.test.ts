// A unit that another machine has not let go of is not started beside it; and an instance that is being started when it is
// retired is not told to have stopped.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Driver } from '../../src/agent/driver.js'
import type { Agent } from '../../src/agent/io/agent.js'
import { absentUnit, freshMemory, reportOf } from '../../src/agent/report.js'
import { hasStopped } from '../../src/model/instance-state.js'
import type { MachineId } from '../../src/model/machine.js'
import type { DesiredState, ObservedUnit, UnitName } from '../../src/model/unit.js'
import type { Registry } from '../../src/store/io/registry.js'
import { keys, putOf } from '../../src/store/records.js'
import { unitHash } from '../../src/unit/print.js'
import { idOf } from '../world/world.js'
import { idle, machine, name, openRecords, startWith, want } from './small-agent.js'

const text = '[Container]\nImage=app:1\n'
const other = idOf('other')

let registry: Registry
let agent: Agent | null
/** What the driver was told, in order. */
let told: string[]
let units: Map<UnitName, ObservedUnit>
let watcher: (name: UnitName | null) => void
/** What a start waits for. */
let gate: Promise<void>
beforeEach(async () => {
  registry = await openRecords()
  agent = null
  told = []
  units = new Map()
  watcher = () => {}
  gate = Promise.resolve()
})
afterEach(async () => {
  await agent?.stop()
  await registry.close()
})

/** A driver of Docker's that does what it is told, once a start may go on. */
const driver: Driver = {
  ...idle,
  list: async () => [...units.values()],
  observe: async (unit) => units.get(unit) ?? null,
  watch: (onChange) => {
    watcher = onChange
  },
  load: async (unit) => {
    told.push('load')
    units.set(unit.name, { ...absentUnit(unit.name, 'docker'), load: 'loaded', hash: unit.hash })
    watcher(unit.name)
  },
  start: async (unit) => {
    told.push('start')
    await gate
    change(unit, { active: 'active', sub: 'running', since: 1 })
    told.push('started')
  },
  stop: async (unit) => {
    told.push('stop')
    change(unit, { active: 'inactive', sub: 'dead' })
  },
}

function change(unit: UnitName, more: Partial<ObservedUnit>): void {
  const known = units.get(unit)
  if (known !== undefined) units.set(unit, { ...known, ...more })
  watcher(unit)
}

function until(holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!holds()) return
      end()
      resolve()
    }
    const end = registry.onChange(look)
    look()
  })
}

const report = () => registry.view.reportsOf(machine).get(name)

async function otherIsThere(): Promise<void> {
  const record = {
    ...{ id: other, hostname: 'other', ip: '10.0.0.2', metadata: {}, drivers: [], version: '0', bootedAt: 0 },
    capacity: { cpus: 1, memoryMb: 100, diskMb: 100 },
  }
  await registry.commit([], [putOf('machine', record)])
}

const otherReports = async (): Promise<void> => {
  const running = { ...absentUnit(name, 'docker'), load: 'loaded', active: 'active' } as const
  await registry.commit([], [putOf('report', reportOf(other, running, freshMemory))])
}

test('a unit is made ready while another machine has it, and started when that has let go of it', async () => {
  await otherIsThere()
  await otherReports()
  await want(registry, text, 'launched')
  agent = await startWith(registry, driver)
  await until(() => report()?.hash === unitHash(text))
  expect(told).toEqual(['load'])
  await registry.commit([], [{ op: 'delete', key: keys.report(other, name) }])
  await until(() => report()?.active === 'active')
  expect(told.filter((what) => what === 'start')).toEqual(['start'])
})

test('a unit is started when the machine that had it is lost', async () => {
  await otherIsThere()
  await otherReports()
  await want(registry, text, 'launched')
  agent = await startWith(registry, driver)
  await until(() => report()?.hash === unitHash(text))
  expect(told).not.toContain('start')
  await registry.commit([], [{ op: 'delete', key: keys.machine(other) }])
  await until(() => report()?.active === 'active')
})

test('a unit that ran here before a loss of power is started once the other machine has let go of it', async () => {
  await otherIsThere()
  await otherReports()
  await want(registry, text, 'launched')
  const ran = {
    ...absentUnit(name, 'docker'),
    hash: unitHash(text),
    load: 'loaded',
    active: 'active',
  } as const
  await registry.commit([], [putOf('report', reportOf(machine, ran, { ...freshMemory, launched: true }))])
  agent = await startWith(registry, driver)
  await until(() => report()?.active === 'inactive')
  expect(told).toEqual(['load'])
  await registry.commit([], [{ op: 'delete', key: keys.report(other, name) }])
  await until(() => report()?.active === 'active')
})

test('a unit waits for a machine that it has just left and that has not said anything of it yet', async () => {
  await otherIsThere()
  agent = await startWith(registry, driver)
  await want(registry, text, 'launched')
  await until(() => report()?.active === 'active')
  // It goes there and comes back at once.
  const place = (on: MachineId) =>
    putOf('placement', { unit: name, machine: on, ports: [], cause: { kind: 'new' }, at: 0 })
  await registry.commit([], [place(other)])
  units.clear()
  watcher(name)
  await until(() => report() === undefined)
  told = []
  await registry.commit([], [place(machine)])
  await until(() => report()?.hash === unitHash(text))
  expect(told).toEqual(['load'])
  await otherReports()
  await registry.commit([], [{ op: 'delete', key: keys.report(other, name) }])
  await until(() => report()?.active === 'active')
})

test('an instance that is being started when it is retired has not stopped before its agent knows', async () => {
  let open = (): void => {}
  gate = new Promise((resolve) => {
    open = resolve
  })
  const wanted = (desired: DesiredState) =>
    putOf('unit', {
      ...{ name, hash: unitHash(text), desired, createdAt: 0 },
      instance: { project: 'default', service: 'web', name: 'web-1', n: 1, uuid: 'u', version: 'v' },
    })
  await want(registry, text, 'launched')
  await registry.commit([], [wanted('launched')])
  agent = await startWith(registry, driver)
  await until(() => report()?.hash === unitHash(text))
  expect(report()).toMatchObject({ active: 'inactive', launched: false, mayStart: true })
  await registry.commit([], [wanted('loaded')])
  const seen: boolean[] = []
  const end = registry.onChange(() => {
    const now = report()
    if (now !== undefined && !told.includes('started')) seen.push(hasStopped(now))
  })
  open()
  await until(() => told.includes('stop') && report()?.active === 'inactive')
  end()
  expect(seen).not.toContain(true)
  const last = report()
  expect(last).not.toHaveProperty('mayStart')
  expect(last !== undefined && hasStopped(last)).toBe(true)
})
