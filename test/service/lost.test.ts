// Machines that go away and come back (contract §3), with the real planners on a cluster in memory.
import { describe, expect, test } from 'vitest'
import type { Instance } from '../../src/model/service.js'
import { returnSettleMs } from '../../src/service/assess.js'
import { lostKeptMs } from '../../src/service/retire.js'
import { replacementsAtOnce, replacementsPerSecond } from '../../src/service/storm.js'
import { absencesOf } from '../../src/service/writes.js'
import { holdMs } from '../../src/store/losses.js'
import { keys, putOf } from '../../src/store/records.js'
import { serviceKey } from '../../src/store/view.js'
import { idOf, lossWindowMs, project, World } from '../world/world.js'

const manifest = (mark: string, extra = ''): string =>
  `compute_type: process\ncommand: [/bin/web, "${mark}"]\nhealthchecks:\n  - {type: http, port: 80, path: /}\n${extra}`

const ok = { healthy: () => true }

function spread(machines: readonly string[], scale: number): World {
  const world = new World()
  for (const name of machines) world.machine(name)
  world.deploy(manifest('1'), { scale })
  world.settle()
  return world
}

function pass(world: World, ms = 500): void {
  world.servicePass()
  world.enginePass()
  world.agentPass(ok)
  world.now += ms
}

const numbers = (instances: readonly Instance[]): readonly number[] => instances.map(({ n }) => n)
const on = (world: World, machine: string): readonly Instance[] =>
  world.live('web').filter(({ unit }) => world.view.placements.get(unit)?.machine === idOf(machine))
const task = (world: World) => world.view.tasksOf(serviceKey(project, 'web')).at(-1)

describe('a machine that goes away', () => {
  test('leaves its instances lost, and new ones take their place as a task of its own', () => {
    const world = spread(['a', 'b'], 4)
    const lost = numbers(on(world, 'a'))
    world.loseMachine(idOf('a'))
    world.settle()
    expect(world.serving('web')).toHaveLength(4)
    expect(numbers(on(world, 'a'))).toEqual(lost)
    expect(on(world, 'a').every((one) => one.lost !== null && one.retired === null)).toBe(true)
    expect(task(world)).toMatchObject({ kind: 'replace', state: 'completed' })
  })

  test('keeps no later service of the same name from being deleted by what it last reported', () => {
    const world = spread(['a', 'b'], 4)
    world.loseMachine(idOf('a'))
    world.delete('web')
    world.settle()
    expect(world.view.services.size).toBe(0)
    world.deploy(manifest('2'), { scale: 4 })
    world.settle()
    expect(world.serving('web')).toHaveLength(4)
    world.delete('web')
    world.settle()
    expect(world.view.services.size).toBe(0)
  })

  test('and comes back with what it ran ends at the scale, and never below it on the way', () => {
    const world = spread(['a', 'b'], 4)
    world.loseMachine(idOf('a'))
    world.settle()
    world.machine('a')
    const from = world.now
    for (let round = 0; round < 60; round++) {
      pass(world)
      expect(world.serving('web').length).toBeGreaterThanOrEqual(4)
      if (world.now < from + returnSettleMs) expect(world.live('web')).toHaveLength(6)
    }
    // The oldest of all go, wherever they run.
    expect(numbers(world.all('web'))).toEqual([3, 4, 5, 6])
  })

  test('and comes back has what is too many told as that, and not as a scale that was lowered', () => {
    const world = spread(['a', 'b'], 4)
    world.loseMachine(idOf('a'))
    world.settle()
    world.machine('a')
    world.settle()
    const told = world.told.filter((line) => line.includes('is to stop'))
    expect(told).toHaveLength(2)
    for (const line of told)
      expect(line).toMatch(/^web-\d is to stop: more instances run than the scale requires$/)
    world.scale('web', 3)
    world.settle()
    expect(world.told.filter((line) => line.includes('the scale was lowered'))).toHaveLength(1)
  })

  test('and comes back while the scale is being raised has none told that it was lowered', () => {
    const world = spread(['a', 'b'], 4)
    world.loseMachine(idOf('a'))
    world.settle()
    world.apply([putOf('order', { id: idOf('b'), cordoned: true })])
    world.scale('web', 5)
    world.settle()
    expect(task(world)).toMatchObject({ kind: 'scale', state: 'active' })
    world.machine('a')
    world.apply([putOf('order', { id: idOf('a'), cordoned: true })])
    world.settle()
    const told = world.told.filter((line) => line.includes('is to stop'))
    expect(told.length).toBeGreaterThan(0)
    expect(told.filter((line) => line.includes('the scale was lowered'))).toEqual([])
  })

  test('and comes back without what it ran costs nobody else their place', () => {
    const world = spread(['a', 'b'], 4)
    const away = on(world, 'a')
    world.loseMachine(idOf('a'))
    world.settle()
    world.machine('a')
    pass(world)
    // What its agent reports a moment later: it was started anew, and its programs with it are gone.
    const exit = { code: null, signal: null, oom: false, at: world.now }
    for (const one of away) world.observe(one, { active: 'failed', exit })
    for (let round = 0; round < 60; round++) {
      pass(world)
      expect(world.serving('web').length).toBeGreaterThanOrEqual(4)
    }
    expect(world.live('web')).toHaveLength(4)
  })

  test('before its replacements are up takes their place again', () => {
    const world = spread(['a', 'b'], 2)
    world.loseMachine(idOf('a'))
    world.servicePass()
    expect(world.live('web')).toHaveLength(3)
    world.machine('a')
    for (let round = 0; round < 40; round++) {
      world.servicePass()
      world.now += 500
    }
    expect(numbers(world.live('web'))).toEqual([1, 2])
  })

  test('for good is forgotten after an hour', () => {
    const world = spread(['a', 'b'], 2)
    world.loseMachine(idOf('a'))
    world.settle()
    expect(world.all('web')).toHaveLength(3)
    world.now += lostKeptMs
    world.settle()
    expect(world.all('web')).toHaveLength(2)
    expect(world.view.units.size).toBe(2)
  })

  test('during a rollout does not hold it up, and what comes back of the old version goes', () => {
    const world = spread(['a', 'b'], 4)
    world.deploy(manifest('2'))
    pass(world)
    world.loseMachine(idOf('a'))
    world.settle()
    expect(task(world)).toMatchObject({ kind: 'deploy', state: 'completed' })
    world.machine('a')
    world.settle()
    expect(world.live('web').map(({ ordinal }) => ordinal)).toEqual([2, 2, 2, 2])
    expect(world.serving('web')).toHaveLength(4)
  })
})

describe('many machines that go away at once', () => {
  const crowd = (): World => spread(['a', 'b', 'c', 'd', 'e'], 10)

  test('are waited for: nothing is replaced until the time is up', () => {
    const world = crowd()
    for (const name of ['a', 'b', 'c']) world.loseMachine(idOf(name))
    const from = world.now
    while (world.now < from + holdMs - 1000) pass(world, 10_000)
    expect(world.live('web')).toHaveLength(10)
    world.now = from + holdMs + 1000
    world.settle()
    expect(world.serving('web')).toHaveLength(10)
  })

  test('and are back soon change nothing at all', () => {
    const world = crowd()
    const before = numbers(world.live('web'))
    for (const name of ['a', 'b', 'c']) world.loseMachine(idOf(name))
    for (let round = 0; round < 10; round++) pass(world)
    for (const name of ['a', 'b', 'c']) world.machine(name)
    world.settle()
    expect(numbers(world.all('web'))).toEqual(before)
  })

  test('seconds apart are no less together: nothing is replaced, and nothing is too many when they are back', () => {
    const world = spread(['a', 'b', 'c', 'd', 'e'], 6)
    const before = numbers(world.live('web'))
    const passFor = (ms: number): void => {
      for (let waited = 0; waited < ms; waited += 500) pass(world)
    }
    for (const name of ['a', 'b', 'c']) {
      world.loseMachine(idOf(name))
      passFor(3000)
    }
    passFor(15_000)
    for (const name of ['c', 'a', 'b']) {
      world.machine(name)
      passFor(20_000)
      expect(numbers(world.all('web'))).toEqual(before)
    }
    expect(world.serving('web')).toHaveLength(6)
  })

  test('are held for as long as they are away, though some of them are back', () => {
    const world = crowd()
    for (const name of ['a', 'b', 'c']) world.loseMachine(idOf(name))
    const from = world.now
    pass(world)
    world.machine('a')
    while (world.now < from + holdMs - 1000) pass(world, 10_000)
    expect(world.live('web')).toHaveLength(10)
    world.now = from + holdMs + 1000
    world.settle()
    expect(world.serving('web')).toHaveLength(10)
    expect(world.all('web').length).toBeGreaterThan(10)
  })

  test('hold nobody else: a machine that is lost alone is replaced while the others are waited for', () => {
    const world = spread(['a', 'b', 'c', 'd', 'e'], 10)
    for (const name of ['a', 'b', 'c']) world.loseMachine(idOf(name))
    pass(world)
    for (const name of ['a', 'b']) world.machine(name)
    for (let waited = 0; waited < 2 * lossWindowMs; waited += 500) pass(world)
    world.loseMachine(idOf('d'))
    for (let waited = 0; waited < 3 * lossWindowMs; waited += 500) pass(world)
    expect(world.live('web').length).toBe(10 + on(world, 'd').length)
  })

  test('are not waited for when an operator says so', () => {
    const world = crowd()
    for (const name of ['a', 'b', 'c']) world.loseMachine(idOf(name))
    pass(world)
    world.release()
    world.settle()
    expect(world.serving('web')).toHaveLength(10)
  })

  test('are replaced at a limited rate', () => {
    const world = new World()
    for (const name of ['a', 'b', 'c']) world.machine(name, { cpus: 100, memoryMb: 100_000 })
    world.deploy(manifest('1'), { scale: 150 })
    world.settle()
    const there = world.live('web').length
    world.loseMachine(idOf('a'))
    world.now += lossWindowMs
    world.servicePass()
    const atOnce = world.live('web').length - there
    expect(atOnce).toBe(replacementsAtOnce)
    for (let second = 0; second < 2; second++) {
      world.now += 1000
      world.servicePass()
    }
    expect(world.live('web').length - there).toBe(replacementsAtOnce + 2 * replacementsPerSecond)
    world.settle()
    expect(world.serving('web')).toHaveLength(150)
  })
})

test('what is given up with a machine is given up only while that is away', () => {
  const world = spread(['a', 'b'], 4)
  const instances = on(world, 'a')
  const actions = instances.map(
    (instance) => ({ kind: 'retire', instance, cause: 'lost', reason: '' }) as const,
  )
  expect(absencesOf(world.view, { actions })).toEqual([])
  world.loseMachine(idOf('a'))
  expect(absencesOf(world.view, { actions })).toEqual([keys.machine(idOf('a'))])
})
