// Random histories: machines come, go and change, units too, and the engine decides now and then.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Explainer } from '../../src/engine/explain.js'
import type { EngineAction } from '../../src/engine/pass-decisions.js'
import { toEnd } from '../../src/lib/sliced-work.js'
import type { MachineId, MachineSettings } from '../../src/model/machine.js'
import type { DesiredState, DesiredUnit, InstanceRef } from '../../src/model/unit.js'
import { keys, putOf } from '../../src/store/records.js'
import { matchGlob } from '../../src/unit/glob.js'
import { asUnitName } from '../../src/unit/name.js'
import { unitHash } from '../../src/unit/print.js'
import type { Requirements } from '../../src/unit/requirements.js'
import { randomRuns } from '../random-runs.js'
import { World } from '../world/world.js'
import { plan } from './plan.js'

type Event =
  | { readonly do: 'machine'; readonly which: number; readonly rack: string; readonly memoryMb: number }
  | { readonly do: 'cordon'; readonly which: number; readonly cordoned: boolean; readonly drained: boolean }
  | { readonly do: 'lose'; readonly which: number }
  | {
      readonly do: 'unit'
      readonly which: number
      readonly lines: readonly string[]
      readonly desired: DesiredState
    }
  | { readonly do: 'destroy'; readonly which: number }
  | { readonly do: 'report'; readonly which: number; readonly active: 'active' | 'inactive' }
  | { readonly do: 'pass' }

const machineCount = 5
const names = [
  'web@1',
  'web@2',
  'web@3',
  'db',
  'cache',
  'app.0',
  'app.1',
  'job@1',
  'job@2',
  'one',
  'two',
].map((name) => asUnitName(`${name}.service`))

const options = [
  'Memory=300',
  'Memory=600',
  'Cpu=100',
  'Port=80/tcp',
  'Port=0:9/tcp',
  'Label=role=db',
  'Affinity=role==db',
  'Affinity=role!=db',
  'Affinity=role==~db',
  'Affinity=role!=~db',
  'Affinity=role!=db by=rack',
  'Affinity=role==db by=rack',
  'Affinity=machine.rack!=r1',
  'Affinity=machine.rack==~r2',
  'Affinity=instance!=web*',
  'Affinity=service==web',
  'Spread=rack',
  '[X-Fleet]\nMachineOf=db.service',
  '[X-Fleet]\nMachineOf=one.service',
  '[X-Fleet]\nMachineOf=two.service',
  '[X-Fleet]\nMachineOf=job@%i.service',
  '[X-Fleet]\nConflicts=web@*.service',
  '[X-Fleet]\nConflicts=db.*',
  '[X-Fleet]\nConflicts=*e.service',
  'Affinity=service==~job by=rack',
  'Affinity=instance==one.service',
  'HealthCheck=type=http port=80 network=back',
  '[X-Fleet]\nReplaces=app.0.service',
  '[X-Fleet]\nReplaces=app.1.service',
  '[X-Fleet]\nReplaces=o*.service',
  '[X-Fleet]\nMachineMetadata=rack=r1',
  '[X-Fleet]\nMachineMetadata="rack=r1" "rack=r2"',
  '[X-Fleet]\nGlobal=true',
  `[X-Fleet]\nMachineID=${'m1'.padEnd(32, '0')}`,
]

const machine = fc.integer({ min: 0, max: machineCount - 1 })
const unit = fc.integer({ min: 0, max: names.length - 1 })
const unitEvent = fc.record({
  do: fc.constant('unit' as const),
  which: unit,
  lines: fc.array(fc.constantFrom(...options), { maxLength: 3 }),
  desired: fc.constantFrom<DesiredState>('launched', 'launched', 'launched', 'loaded', 'inactive'),
})
const events: fc.Arbitrary<readonly Event[]> = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant('machine' as const),
      which: machine,
      rack: fc.constantFrom('', 'r1', 'r2'),
      memoryMb: fc.constantFrom(500, 1000, 2000),
    }),
    unitEvent,
    unitEvent,
    fc.record({ do: fc.constant('destroy' as const), which: unit }),
    fc.record({ do: fc.constant('lose' as const), which: machine }),
    fc.record({
      do: fc.constant('cordon' as const),
      which: machine,
      cordoned: fc.boolean(),
      drained: fc.boolean(),
    }),
    fc.record({
      do: fc.constant('report' as const),
      which: unit,
      active: fc.constantFrom('active' as const, 'inactive' as const),
    }),
    fc.constant({ do: 'pass' as const }),
    fc.constant({ do: 'pass' as const }),
  ),
  { minLength: 5, maxLength: 60 },
)

function happen(world: World, event: Event): readonly EngineAction[] {
  world.now += 1
  switch (event.do) {
    case 'machine':
      world.machine(`m${event.which}`, {
        memoryMb: event.memoryMb,
        metadata:
          event.rack === ''
            ? {}
            : { rack: event.rack, ...(event.rack === 'r1' && { 'network.back': '10.0.0.1' }) },
      })
      return []
    case 'cordon':
      world.apply([putOf('order', orderOf(event))])
      return []
    case 'lose':
      world.loseMachine(idOf(event.which))
      return []
    case 'unit':
      submit(world, event.which, event.lines, event.desired)
      return []
    case 'destroy':
      world.apply([{ op: 'delete', key: keys.unit(nameOf(event.which)) }])
      return []
    case 'report':
      report(world, event.which, event.active)
      return []
    case 'pass':
      return world.enginePass()
  }
}

function orderOf({ which, cordoned, drained }: Event & { readonly do: 'cordon' }): MachineSettings {
  const id = idOf(which)
  return cordoned && drained ? { id, cordoned, drain: { since: 0, parallel: 1 } } : { id, cordoned }
}

function idOf(which: number): MachineId {
  return `m${which}`.padEnd(32, '0') as MachineId
}

function nameOf(which: number) {
  return names[which] ?? asUnitName('none.service')
}

function submit(world: World, which: number, lines: readonly string[], desired: DesiredState): void {
  const name = nameOf(which)
  const own = lines.filter((line) => !line.startsWith('[')).join('\n')
  const fleet = lines.filter((line) => line.startsWith('[')).join('\n')
  const text = `[Service]\nExecStart=/bin/x\n[X-Mariposa]\n${own}\n${fleet}\n`
  const hash = unitHash(text)
  const n = /@(\d)/.exec(name)?.[1]
  const instance: InstanceRef | null =
    n === undefined
      ? null
      : {
          project: 'default',
          service: name.slice(0, 3),
          name: `${name.slice(0, 3)}-${n}`,
          n: Number(n),
          uuid: name,
          version: '1',
        }
  const createdAt = world.view.units.get(name)?.createdAt ?? world.now
  world.apply([putOf('file', { hash, text }), putOf('unit', { name, hash, desired, instance, createdAt })])
}

function report(world: World, which: number, active: 'active' | 'inactive'): void {
  const placement = world.view.placements.get(nameOf(which))
  if (placement === undefined) return
  const key = keys.report(placement.machine, placement.unit)
  const entry = { machine: placement.machine, name: placement.unit, active, failure: null }
  world.apply([{ op: 'put', key, value: JSON.stringify(entry) }])
}

/** What holds after every pass, whatever came before. */
function checkSafety(world: World): void {
  for (const id of world.view.machines.keys()) checkMachine(world, id)
  for (const one of world.view.units.values()) {
    const { fleet } = world.units.needs(one)
    const placement = world.view.placements.get(one.name)
    // An instance that is not to run stays where it is, and goes nowhere.
    if (one.instance !== null && one.desired === 'loaded') continue
    if (one.desired === 'inactive' || fleet.global) expect(placement).toBeUndefined()
    else expect(placement !== undefined || world.view.waiting.has(one.name)).toBe(true)
    for (const target of placement === undefined ? [] : fleet.machineOf) {
      expect(world.view.placements.get(asUnitName(target))?.machine).toBe(placement?.machine)
    }
  }
}

function checkMachine(world: World, id: MachineId): void {
  const here = tenantsOf(world, id)
  const machineHere = world.view.machines.get(id)
  const sum = (of: (needs: Requirements) => number) => here.reduce((all, { needs }) => all + of(needs), 0)
  expect(sum((needs) => needs.memoryMb)).toBeLessThanOrEqual(machineHere?.capacity.memoryMb ?? 0)
  expect(sum((needs) => needs.cpu)).toBeLessThanOrEqual(100 * (machineHere?.capacity.cpus ?? 0))
  const ports = here.flatMap(({ unit: { name } }) => world.view.placedOn(id).get(name)?.ports ?? [])
  expect(new Set(ports.map(({ host }) => host)).size).toBe(ports.length)
  for (const { unit: one, needs } of here) {
    for (const { unit: other } of here) {
      if (one === other) continue
      expect(needs.fleet.conflicts.some((pattern) => matchGlob(pattern, other.name))).toBe(false)
    }
    for (const [key, wanted] of Object.entries(needs.fleet.metadata))
      expect(wanted).toContain(machineHere?.metadata[key])
    if (needs.fleet.machineId !== null) expect(needs.fleet.machineId).toBe(id)
  }
}

/** Those that take up room: all but instances that have stopped for good. */
function tenantsOf(world: World, id: MachineId): readonly { unit: DesiredUnit; needs: Requirements }[] {
  return [...world.view.placedOn(id).keys()].flatMap((name) => {
    const one = world.view.units.get(name)
    if (one === undefined) return []
    const active = world.view.reportsOf(id).get(name)?.active
    if (one.instance !== null && one.desired === 'loaded' && active !== 'active') return []
    return [{ unit: one, needs: world.units.needs(one) }]
  })
}

/** SCHEDULER_RUNS=20000 looks longer. */
const runs = randomRuns('SCHEDULER_RUNS', 500)

describe('whatever happens', { timeout: 60_000 + 60 * runs }, () => {
  test('a scheduler that follows the view decides what one that starts on it would', () => {
    fc.assert(
      fc.property(events, (list) => {
        const world = new World()
        for (const event of [...list, { do: 'pass' } as const]) {
          if (event.do === 'pass') {
            world.now += 1
            const fromScratch = plan(world.view, (one) => world.units.needs(one), world.now).actions
            expect(world.enginePass()).toEqual(fromScratch)
          } else happen(world, event)
        }
      }),
      { numRuns: runs },
    )
  })

  test('nothing is promised twice, conflicts are kept and followers are with their targets', () => {
    fc.assert(
      fc.property(events, (list) => {
        const world = new World()
        for (const event of [...list, { do: 'pass' } as const]) {
          happen(world, event)
          if (event.do === 'pass') checkSafety(world)
        }
      }),
      { numRuns: runs },
    )
  })

  test('explain says the same whether it has followed the view or looks for the first time', () => {
    fc.assert(
      fc.property(events, (list) => {
        const world = new World()
        for (const event of [...list, { do: 'pass' } as const]) {
          happen(world, event)
          if (event.do !== 'pass') continue
          const fresh = new Explainer(world.view, world.units.needs)
          for (const one of world.view.units.values()) {
            // One who has told of another unit just before may remember it.
            const first = new Explainer(world.view, world.units.needs).explain(one)
            expect(world.explainer.explain(one)).toEqual(first)
          }
          for (const id of world.view.machines.keys())
            expect(world.explainer.leaving(id)).toEqual(fresh.leaving(id))
        }
      }),
      { numRuns: runs / 5 },
    )
  })

  test('explain says the same where it got ready in steps, while the cluster went on', () => {
    fc.assert(
      fc.property(events, events, (before, meanwhile) => {
        const world = new World()
        for (const event of before) happen(world, event)
        const explainer = new Explainer(world.view, world.units.needs)
        world.followedBy(explainer)
        const steps = explainer.takeIn(1)
        let isReady = false
        for (const event of meanwhile) {
          isReady ||= steps.next(true).done === true
          happen(world, event)
        }
        if (!isReady) toEnd(steps)
        for (const one of world.view.units.values()) {
          const first = new Explainer(world.view, world.units.needs).explain(one)
          expect(explainer.explain(one)).toEqual(first)
        }
      }),
      { numRuns: runs / 5 },
    )
  })

  test('it is at rest after one pass', () => {
    fc.assert(
      fc.property(events, (list) => {
        const world = new World()
        for (const event of list) happen(world, event)
        world.enginePass()
        expect(world.enginePass()).toEqual([])
      }),
      { numRuns: runs },
    )
  })
})
