// Who is to stop leaves the names first, and is stopped when nobody remembers it any more.
import { describe, expect, test } from 'vitest'
import type { Instance } from '../../src/model/service.js'
import { asUnitName } from '../../src/unit/name.js'
import { World } from '../world/world.js'

const text = (more = 'ports: [8080]', mark = ''): string =>
  `compute_type: process\ncommand: [/bin/web, "${mark}"]\n${more}\n`

function running(more?: string, scale = 3): World {
  const world = new World()
  for (const name of 'abcdef') world.machine(name)
  world.deploy(text(more), { scale })
  world.settle()
  return world
}

/** Those that are to stop: after how long each may be stopped, in seconds; null: at once. */
const stops = (world: World): readonly (number | null)[] =>
  world.all('web').flatMap((instance) => (instance.retired === null ? [] : [stopOf(world, instance)]))

function stopOf(world: World, { unit }: Instance): number | null {
  const ms = world.view.units.get(unit)?.stopAfterMs
  return ms === undefined ? null : ms / 1000
}

describe('an instance that is to stop', () => {
  test('stops half a second after nobody remembers it', () => {
    const world = running()
    world.scale('web', 2)
    world.servicePass()
    expect(stops(world)).toEqual([5.5])
  })

  test.each([
    ['cns: {ttl: 1}\nports: [8080]', 1.5],
    ['cns: {ttl: 3600}\nports: [8080]', 60],
    ['cns: {ttl: 0}\nports: [8080]', null],
    ['cns: {disable: true}\nports: [8080]', null],
    ['labels: {triton.cns.status: down}\nports: [8080]', null],
    ['cns: {services: ["metrics:9100"]}', 5.5],
    ['', null],
    ['ports: [8080]\nentry: {drain: 20}', 21],
    ['ports: [8080]\nentry: {drain: 1}', 5.5],
    ['cns: {ttl: 0}\nports: [8080]\nentry: {drain: 0}', 1],
    ['cns: {ttl: 0}\nports: [8080]\nentry: {drain: 60}', 60],
    ['cns: {ttl: 0}\nports: [8080]\nentry: {host: a.example, redirect: "https://b.example"}', null],
  ])('with %s waits for %s s', (more, seconds) => {
    const world = running(more)
    world.scale('web', 2)
    world.servicePass()
    expect(stops(world)).toEqual([seconds])
  })

  test.each([
    ['ports: [8080]\nentry: {drain: 20}', 5.5],
    ['cns: {ttl: 0}\nports: [8080]\nentry: {drain: 20}', 1],
    // There is nothing to win.
    ['ports: [8080]\nentry: {drain: 1}', null],
    ['ports: [8080]', null],
  ])('with %s may stop after %s s where nothing is under way', (more, seconds) => {
    const world = running(more)
    world.scale('web', 2)
    world.servicePass()
    const [gone] = world.all('web').filter(({ retired }) => retired !== null)
    const ms = world.view.units.get(gone?.unit ?? asUnitName('none.service'))?.stopWhenIdleAfterMs
    expect(ms === undefined ? null : ms / 1000).toBe(seconds)
  })

  test('waits where a rollout replaces it', () => {
    const world = running()
    world.deploy(text(undefined, 'other'))
    for (let round = 0; stops(world).length === 0 && round < 20; round++) {
      world.settle(undefined, 1)
    }
    expect(stops(world)).toEqual([5.5])
  })

  test('waits for nobody where the whole service stops, or is deleted', () => {
    for (const end of ['stop', 'delete'] as const) {
      const world = running()
      world[end]('web')
      world.servicePass()
      expect(stops(world)).toEqual([null, null, null])
    }
  })

  test('waits no longer once the whole service stops, or is deleted', () => {
    for (const end of ['stop', 'delete'] as const) {
      const world = running()
      world.scale('web', 2)
      world.servicePass()
      expect(stops(world)).toEqual([5.5])
      world[end]('web')
      world.servicePass()
      expect(stops(world)).toEqual([null, null, null])
      expect(world.servicePass().filter(({ kind }) => kind === 'stop-at-once')).toEqual([])
    }
  })

  test('waits where only its version stops and others serve', () => {
    const world = running()
    world.deploy(text(undefined, 'other'), { canary: 1 })
    world.settle()
    world.tryStop('web', '1')
    world.servicePass()
    expect(stops(world)).toEqual([5.5, 5.5])
  })

  test('that serves nobody is stopped at once', () => {
    const world = running()
    const [first, second] = world.live('web')
    for (const instance of [first, second])
      if (instance !== undefined) world.observe(instance, { active: 'activating' })
    world.scale('web', 1)
    world.servicePass()
    expect(stops(world)).toEqual([null, null])
    expect(world.serving('web')).toHaveLength(1)
  })

  test('waits for nobody where no other serves meanwhile', () => {
    const world = new World()
    world.machine('a')
    world.deploy(text())
    world.settle()
    world.deploy(text(undefined, 'other'))
    for (let round = 0; stops(world).length === 0 && round < 20; round++) world.settle(undefined, 1)
    expect(stops(world)).toEqual([null])
  })

  test('waits for nobody where it is unhealthy', () => {
    const world = running()
    const [sick] = world.live('web')
    if (sick !== undefined) world.observe(sick, { health: 'unhealthy', healthReason: 'no' })
    world.servicePass()
    expect(stops(world)).toEqual([null])
  })
})
