// Volumes of slots and where they are: what the planners promise together, whatever machines and operators do.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { explain } from '../../src/api/explain.js'
import { isProblem } from '../../src/changes/problem.js'
import type { MachineId } from '../../src/model/machine.js'
import { keys, putOf } from '../../src/store/records.js'
import { serviceKey } from '../../src/store/view.js'
import { randomRuns } from '../random-runs.js'
import { project, World } from '../world/world.js'

const manifest = (version: string, onLost = 'wait', more = ''): string =>
  `compute_type: process\ncommand: [/bin/db, ${version}]\nmemory: 100M\n${more}volumes: [{name: data, path: /data, on_lost: ${onLost}}]\n`

const homes = (world: World): readonly (readonly [number, MachineId | null, number])[] =>
  [...world.view.volumesOf(serviceKey(project, 'web')).values()]
    .map(({ slot, machine, generation }) => [slot, machine, generation] as const)
    .sort(([a], [b]) => a - b)

const places = (world: World): readonly (readonly [number, MachineId | null])[] =>
  world
    .live('web')
    .map(({ slot = -1, unit }) => [slot, world.view.placements.get(unit)?.machine ?? null] as const)
    .sort(([a], [b]) => a - b)

/** What machines say to the instance of a slot. */
function told(world: World, slot: number): readonly string[] {
  const said = explain(world.view, world.explainer, project, 'web', world.now)
  if (isProblem(said)) throw new Error(said.message)
  const name = world.live('web').find((one) => one.slot === slot)?.name
  return said.instances.find((one) => one.name === name)?.machines.map(({ reason }) => reason) ?? []
}

function cluster(scale: number, text = manifest('1')): { world: World; a: MachineId; b: MachineId } {
  const world = new World()
  const [a, b] = [world.machine('a'), world.machine('b')]
  world.deploy(text, { scale })
  world.settle()
  return { world, a, b }
}

test('the next instance of a slot goes where its volume is, and waits for that machine', () => {
  const { world, a, b } = cluster(2)
  expect(places(world)).toEqual([
    [0, a],
    [1, b],
  ])
  world.delete('web')
  world.settle()
  world.loseMachine(a)
  world.deploy(manifest('2'), { scale: 2 })
  world.settle()
  expect(places(world)).toEqual([
    [0, null],
    [1, b],
  ])
  expect(told(world, 0)).toEqual(['cannot take it: its volume data is on machine a0000000, which is away'])
  const [waiting] = world.view.waiting.values()
  expect(waiting?.refusals[0]?.refusal).toMatchObject({
    kind: 'volume-elsewhere',
    volume: 'data',
    away: true,
  })
  world.machine('a')
  world.settle()
  expect(places(world)).toEqual([
    [0, a],
    [1, b],
  ])
})

test('a slot whose volumes came to lie on two machines says so, and what brings them together', () => {
  const { world, a, b } = cluster(1)
  world.apply([putOf('order', { id: a, cordoned: true })])
  world.scale('web', 0)
  world.settle()
  const other = manifest('2').replace('name: data, path: /data', 'name: wal, path: /wal')
  world.deploy(other, { scale: 1 })
  world.settle()
  expect(places(world)).toEqual([[0, b]])
  world.scale('web', 0)
  world.settle()
  world.apply([putOf('order', { id: a, cordoned: false })])
  const both = manifest('3').replace('volumes: [', 'volumes: [{name: wal, path: /wal}, ')
  world.deploy(both, { scale: 1 })
  world.settle()
  expect(places(world)).toEqual([[0, null]])
  const on = (volume: string, machine: string, more: string) =>
    `cannot take it: its volume ${volume} is on machine ${machine}${more}: mariposa volume move brings them together`
  expect(told(world, 0)).toEqual([
    on('wal', 'b', ', and its volume data on a'),
    on('data', 'a', ', and its volume wal on b'),
  ])
  const [waiting] = world.view.waiting.values()
  expect(waiting?.refusals[0]?.refusal).toMatchObject({ apart: { volume: 'data', hostname: 'a' } })
})

test('a slot whose machine is lost begins anew where it may, and does not go back to what it had', () => {
  const { world, a, b } = cluster(1, manifest('1', 'fresh'))
  world.loseMachine(a)
  world.settle()
  expect(places(world)).toEqual([[0, b]])
  expect(homes(world)).toEqual([[0, b, 1]])
  world.machine('a')
  world.settle()
  expect(places(world)).toEqual([[0, b]])
  world.loseMachine(b)
  world.settle()
  // The machine that had the first volume gets a third one: what lies there is older.
  expect(homes(world)).toEqual([[0, a, 2]])
})

test('a deploy is refused where the machine of the volume could not take it', () => {
  const { world, a } = cluster(1)
  const problem = world.tryDeploy(manifest('2').replace('100M', '3G'))
  expect(problem).toBeNull()
  world.settle()
  world.machine('a', { memoryMb: 3500 })
  const refused = world.tryDeploy(manifest('3').replace('100M', '3900M'))
  expect(refused).toMatchObject({ code: 'deploy/no-machine' })
  expect(refused?.details?.map(({ message }) => message)).toEqual([
    expect.stringContaining('memory') as string,
    expect.stringContaining('its volume data is on machine a') as string,
  ])
  expect(places(world)).toEqual([[0, a]])
})

test('a record that says where a volume is and cannot be read keeps its slot from beginning anew', () => {
  const { world, a } = cluster(1)
  world.stop('web')
  world.settle()
  const key = keys.volume(project, 'web', 'data', 0)
  const value = JSON.stringify([...world.view.volumesOf(serviceKey(project, 'web')).values()][0])
  world.start('web')
  world.servicePass()
  world.servicePass()
  world.apply([{ op: 'put', key, value: 'nonsense' }])
  world.settle()
  expect(world.view.placements.size).toBe(0)
  world.apply([{ op: 'put', key, value: JSON.stringify({ v: 1, ...(JSON.parse(value) as object) }) }])
  world.settle()
  expect(places(world)).toEqual([[0, a]])
})

type Step = { readonly do: 'lose' | 'return' | 'deploy' | 'scale' | 'delete' | 'pass'; readonly n: number }

test('what serves without a slot outlives a lower scale, where the slots of a new version find no place', () => {
  const plain = 'compute_type: process\ncommand: [/bin/db]\nmemory: 100M\n'
  const { world } = cluster(1, plain)
  world.deploy(manifest('2').replace('100M', '1000000M'), { scale: 4, waitForRoom: true })
  world.settle()
  expect(world.live('web').map(({ slot }) => slot)).toEqual([undefined, 0, 1, 2])
  world.scale('web', 2)
  world.settle()
  expect(world.live('web').map(({ slot }) => slot)).toEqual([undefined, 0])
  expect(world.serving('web')).toHaveLength(1)
})

test('what is lost is not one too many beside what serves, where slots take the place of both', () => {
  const world = new World()
  const [a = '', , c = ''] = ['a', 'b', 'c'].map((name) => world.machine(name))
  world.deploy('compute_type: process\ncommand: [/bin/db]\nmemory: 100M\n', { scale: 6 })
  world.settle()
  world.apply([
    putOf('order', { id: c as MachineId, cordoned: true, drain: { since: world.now, parallel: 2 } }),
  ])
  world.servicePass()
  world.enginePass()
  expect(world.live('web')).toHaveLength(8)
  world.loseMachine(a as MachineId)
  const serving = world.serving('web').length
  world.deploy(manifest('2'), { rolling: 1 })
  world.servicePass()
  expect(world.serving('web')).toHaveLength(serving)
})

test('what serves is not stopped for a slot whose machine is lost, when the scale is lowered', () => {
  const { world } = cluster(2, 'compute_type: process\ncommand: [/bin/db]\nmemory: 100M\n')
  const c = world.machine('c')
  world.deploy(manifest('2'), { scale: 3 })
  world.servicePass()
  world.enginePass()
  expect(places(world).find(([slot]) => slot === 0)?.[1]).toBe(c)
  world.loseMachine(c)
  world.scale('web', 2)
  world.servicePass()
  expect(world.serving('web')).toHaveLength(2)
})

const history = fc.record({
  fresh: fc.boolean(),
  scale: fc.integer({ min: 1, max: 4 }),
  steps: fc.array(
    fc.record({
      do: fc.constantFrom(
        ...(['lose', 'return', 'deploy', 'scale', 'delete', 'pass', 'pass', 'pass'] as const),
      ),
      n: fc.nat(6),
    }),
    { maxLength: 20 },
  ),
})

test('whatever happens, an instance is only placed where the store says its volume is, and runs there alone', () => {
  const runs = randomRuns('SLOT_RUNS', 100)
  fc.assert(
    fc.property(history, ({ fresh, scale, steps }) => {
      const world = new World()
      for (const name of ['a', 'b', 'c']) world.machine(name)
      const onLost = fresh ? 'fresh' : 'wait'
      world.deploy(manifest('0', onLost), { scale })
      const before = new Map<string, string>()
      for (const [index, step] of steps.entries()) {
        play(world, step, manifest(String(index + 1), onLost))
        judge(world, fresh, before)
      }
      for (const name of ['a', 'b', 'c']) world.machine(name)
      world.settle()
      judge(world, fresh, before)
      const service = world.view.services.get(serviceKey(project, 'web'))
      if (service === undefined) return
      const slots = Array.from({ length: service.scale }, (_, slot) => slot)
      expect(
        world
          .serving('web')
          .map(({ slot }) => slot)
          .sort(),
      ).toEqual(slots)
    }),
    { numRuns: runs },
  )
})

function play(world: World, { do: what, n }: Step, text: string): void {
  const name = ['a', 'b', 'c'][n % 3] ?? 'a'
  if (what === 'lose') world.loseMachine(world.machine(name))
  else if (what === 'return') world.machine(name)
  else if (what === 'deploy') world.tryDeploy(text, { rolling: 1 })
  else if (what === 'delete') {
    const service = world.view.services.get(serviceKey(project, 'web'))
    if (n === 0 && service?.deleting === false) world.delete('web')
  } else if (what === 'scale') world.tryScale('web', Math.max(1, n % 5))
  else
    for (let round = 0; round <= n; round++) {
      world.servicePass()
      world.enginePass()
      world.agentPass({ healthy: () => true })
      world.now += 3000
    }
}

/** `before`: where volumes were, by their keys. */
function judge(world: World, fresh: boolean, before: Map<string, string>): void {
  const { view } = world
  const known = view.volumesOf(serviceKey(project, 'web'))
  for (const [key, { machine, generation }] of known) {
    const now = `${machine ?? ''} ${generation}`
    if (!fresh && before.has(key))
      expect(now, 'a volume that is waited for stays where it is').toBe(before.get(key))
    before.set(key, now)
  }
  const having = new Map<string, number>()
  for (const { unit, slot = -1, retired } of world.all('web')) {
    const placement = view.placements.get(unit)
    if (placement === undefined) continue
    const home = known.get(keys.volume(project, 'web', 'data', slot))
    if (retired === null && view.machines.has(placement.machine) && !fresh)
      expect(placement.machine, 'placed where its volume is').toBe(home?.machine)
    const report = view.reportOf(unit)
    const mayWrite = report === null ? retired === null : report.active !== 'inactive'
    const key = `${slot} ${placement.machine}`
    if (mayWrite) having.set(key, (having.get(key) ?? 0) + 1)
  }
  for (const [key, count] of having) expect(count, `writers of ${key}`).toBe(1)
}

test("what a machine that is away still has is nobody's again when the service was deleted with its volumes", () => {
  const { world, a, b } = cluster(2)
  world.loseMachine(a)
  world.delete('web', true)
  world.settle()
  expect(homes(world)).toEqual([[0, null, 1]])
  const stays = world.told.filter((message) => message.includes('is kept'))
  expect(stays).toEqual(['the volume web.data.0 is kept on a0000000, which is away'])
  world.machine('a')
  world.deploy(manifest('2'), { scale: 2 })
  world.settle()
  expect(homes(world)).toEqual([
    [0, a, 1],
    [1, b, 0],
  ])
})

test("what a slot had left elsewhere is nobody's again either", () => {
  const { world, a, b } = cluster(1, manifest('1', 'fresh'))
  expect(homes(world)).toEqual([[0, a, 0]])
  world.loseMachine(a)
  world.settle()
  expect(homes(world)).toEqual([[0, b, 1]])
  world.delete('web', true)
  world.settle()
  expect(homes(world)).toEqual([[0, null, 2]])
})

test('a deploy goes on beside a machine that takes nothing new, whose slot waits', () => {
  const { world, a, b } = cluster(2)
  world.apply([putOf('order', { id: b, cordoned: true })])
  expect(world.tryDeploy(manifest('2'))).toBeNull()
  world.settle()
  expect(places(world)).toEqual([
    [0, a],
    [1, b],
  ])
  const versions = new Map(world.live('web').map(({ slot, version }) => [slot, version]))
  expect(versions.get(0)).not.toBe(versions.get(1))
})
