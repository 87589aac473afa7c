// A machine whose lease had ended is back: what waits for its place since, and runs on here, is left running until the
// engine has looked at the machine again.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Driver } from '../../src/agent/driver.js'
import type { Agent } from '../../src/agent/io/agent.js'
import { absentUnit } from '../../src/agent/report.js'
import type { DesiredState, ObservedUnit, UnitName } from '../../src/model/unit.js'
import type { Registry } from '../../src/store/io/registry.js'
import { keys, putOf } from '../../src/store/records.js'
import type { Op } from '../../src/store/store.js'
import { asUnitName } from '../../src/unit/name.js'
import { unitHash } from '../../src/unit/print.js'
import { idOf } from '../world/world.js'
import { idle, machine, name, openRecords, reported, startWith, want } from './small-agent.js'

const text = '[Container]\nImage=app:1\n'
const place = (on = machine): Op =>
  putOf('placement', { unit: name, machine: on, ports: [], cause: { kind: 'new' }, at: 0 })
const leave: Op = { op: 'delete', key: keys.placement(name) }
const wait = (lostOn?: typeof machine): Op =>
  putOf('waiting', { unit: name, since: 0, refusals: [], ...(lostOn !== undefined && { lostOn }) })
const waitNoMore: Op = { op: 'delete', key: keys.waiting(name) }

let registry: Registry
let agent: Agent | null
/** What the driver was told of the unit, in order. */
let told: string[]
let units: Map<UnitName, ObservedUnit>
let watcher: (name: UnitName | null) => void
beforeEach(async () => {
  registry = await openRecords()
  agent = null
  told = []
  units = new Map()
  watcher = () => {}
})
afterEach(async () => {
  await agent?.stop()
  await registry.close()
})

function change(unit: UnitName, what: string, more: Partial<ObservedUnit>): void {
  if (unit === name) told.push(what)
  units.set(unit, { ...(units.get(unit) ?? absentUnit(unit, 'docker')), ...more })
  watcher(unit)
}

const driver: Driver = {
  ...idle,
  list: async () => [...units.values()],
  observe: async (unit) => units.get(unit) ?? null,
  watch: (onChange) => {
    watcher = onChange
  },
  load: async ({ name: unit, hash }) => change(unit, 'load', { load: 'loaded', hash }),
  start: async (unit) => change(unit, 'start', { active: 'active', sub: 'running', since: 1 }),
  stop: async (unit) => change(unit, 'stop', { active: 'inactive', sub: 'dead' }),
  unload: async (unit) => {
    told.push('unload')
    units.delete(unit)
    watcher(unit)
  },
}

async function running(): Promise<void> {
  const isUp = reported(registry, ({ active }) => active === 'active')
  await want(registry, text, 'launched')
  await isUp
  told = []
}

/** Resolves when the agent has acted on all that was written before. */
async function hasLooked(next: string): Promise<void> {
  const unit = asUnitName(next)
  const isUp = reported(registry, ({ active }) => active === 'active', unit)
  await want(registry, text, 'launched', unit)
  await isUp
}

async function gone(): Promise<void> {
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (registry.view.reportsOf(machine).has(name)) return
      end()
      resolve()
    }
    const end = registry.onChange(look)
    look()
  })
}

test('what lost its place with the machine runs on until it has it again', async () => {
  agent = await startWith(registry, driver)
  await running()
  await registry.commit([], [leave, wait(machine)])
  await hasLooked('after-the-loss.service')
  expect(registry.view.reportsOf(machine).get(name)?.active).toBe('active')
  await registry.commit([], [place(), waitNoMore])
  await hasLooked('after-the-return.service')
  expect(told).toEqual([])
})

test('so it does under an agent that is started meanwhile', async () => {
  agent = await startWith(registry, driver)
  await running()
  await agent.stop()
  await registry.commit([], [leave, wait(machine)])
  agent = await startWith(registry, driver)
  await hasLooked('after-the-loss.service')
  await registry.commit([], [place(), waitNoMore])
  await hasLooked('after-the-return.service')
  expect(told).toEqual([])
})

const wanted = (desired: DesiredState): Op =>
  putOf('unit', { name, hash: unitHash(text), desired, instance: null, createdAt: 0 })

test.each<[string, readonly Op[]]>([
  ['the engine does not take it back', [wait()]],
  ['it goes to another machine', [place(idOf('other')), waitNoMore]],
  ['it is to be nowhere', [wanted('inactive'), waitNoMore]],
  ['it is to stop', [wanted('loaded')]],
  ['it is destroyed', [{ op: 'delete', key: keys.unit(name) }]],
])('it is stopped where %s', async (_, ops) => {
  agent = await startWith(registry, driver)
  await running()
  await registry.commit([], [leave, wait(machine)])
  await hasLooked('after-the-loss.service')
  expect(told).toEqual([])
  await registry.commit([], ops)
  await gone()
  expect(told).toEqual(['stop', 'unload'])
})

test('what waits since another machine was lost is stopped here', async () => {
  agent = await startWith(registry, driver)
  await running()
  await registry.commit([], [leave, wait(idOf('other'))])
  await gone()
  expect(told).toEqual(['stop', 'unload'])
})
