// Which machines may still have a unit that has its place on another one.
import { beforeEach, expect, test } from 'vitest'
import { absentUnit, freshMemory, reportOf } from '../../src/agent/report.js'
import type { MachineId } from '../../src/model/machine.js'
import { keys, putOf } from '../../src/store/records.js'
import { LeftPlaces, reportedElsewhere, saidWithinMs } from '../../src/store/still-elsewhere.js'
import type { Change } from '../../src/store/store.js'
import { asUnitName } from '../../src/unit/name.js'
import { World } from '../world/world.js'

const unit = asUnitName('web.service')
let world: World
let here: MachineId
let there: MachineId
let left: LeftPlaces
beforeEach(() => {
  world = new World()
  here = world.machine('here')
  there = world.machine('there')
  left = new LeftPlaces(here)
})

const entry = (machine: MachineId, global = false) => {
  const op = putOf('placement', {
    ...{ unit, machine, ports: [], cause: { kind: 'new' }, at: 0 },
    ...(global && { global: true as const }),
  })
  if (op.op !== 'put') throw new Error('a put')
  return { key: op.key, value: op.value, revision: 1, created: 1, lease: null } as never
}
const lost = (machine: MachineId, global = false): Change => ({
  type: 'delete',
  key: global ? keys.globalPlacement(unit, machine) : keys.placement(unit),
  previous: entry(machine, global),
})
const moved = (from: MachineId, to: MachineId): Change => ({
  type: 'put',
  key: keys.placement(unit),
  entry: entry(to),
  previous: entry(from),
})
const report = (machine: MachineId, change = {}) =>
  world.apply([
    putOf('report', { ...reportOf(machine, absentUnit(unit, 'process'), freshMemory), ...change }),
  ])
const waits = (steady: number) => left.waitsUntil(unit, world.view, steady)

test('the one that still reports it', () => {
  expect(reportedElsewhere(world.view, unit, here)).toBeNull()
  report(here)
  expect(reportedElsewhere(world.view, unit, here)).toBeNull()
  report(there)
  expect(reportedElsewhere(world.view, unit, here)).toBe(there)
  report(there, { purged: true })
  expect(reportedElsewhere(world.view, unit, here)).toBeNull()
})

test('not one that is lost', () => {
  report(there)
  world.apply([{ op: 'delete', key: keys.machine(there) }])
  expect(reportedElsewhere(world.view, unit, here)).toBeNull()
})

test.each(['is destroyed', 'is moved'])('the one that it has just left, where it %s', (how) => {
  left.note([how === 'is moved' ? moved(there, here) : lost(there)], world.view, 100)
  expect(waits(100)).toBe(100 + saidWithinMs)
  expect(waits(99 + saidWithinMs)).toBe(100 + saidWithinMs)
  expect(waits(100 + saidWithinMs)).toBeNull()
})

test('not one that has said by then that it is gone, nor one that is lost', () => {
  left.note([lost(there)], world.view, 100)
  left.note([{ type: 'delete', key: keys.report(there, unit), previous: null }], world.view, 101)
  expect(waits(102)).toBeNull()
  left.note([lost(there)], world.view, 200)
  world.apply([{ op: 'delete', key: keys.machine(there) }])
  expect(waits(201)).toBeNull()
})

test('not the machine itself, one that has told of it, or those of global units', () => {
  left.note([lost(here), lost(there, true), moved(there, there)], world.view, 100)
  expect(waits(100)).toBeNull()
  report(there)
  left.note([lost(there)], world.view, 100)
  expect(waits(100)).toBeNull()
})
