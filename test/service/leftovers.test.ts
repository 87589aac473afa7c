// What is left of services and instances whose records an operator removed.
import { describe, expect, test } from 'vitest'
import { clearService, clearUnit } from '../../src/service/leftovers.js'
import { keys } from '../../src/store/records.js'
import { project, World } from '../world/world.js'

const manifest = (version = '1'): string =>
  `compute_type: process\ncommand: [/bin/web]\nmemory: 16M\nenvironment: {V: "${version}"}\n`

/** The service `web` at scale 3, all of it up. */
function deployed(): World {
  const world = new World()
  world.machine('a')
  world.deploy(manifest(), { scale: 3 })
  world.settle()
  return world
}

const remove = (world: World, ...gone: readonly string[]): void =>
  world.apply(gone.map((key) => ({ op: 'delete', key })))
const names = (world: World): readonly string[] => world.all('web').map(({ name }) => name)

describe('a service whose record is gone', () => {
  const gone = (): World => {
    const world = deployed()
    remove(world, keys.service(project, 'web'))
    return world
  }

  test('goes with all that belongs to it', () => {
    const world = gone()
    const cleared = clearService(world.view, 'default/web')
    expect(cleared?.events.map(({ message }) => message)).toContain(
      'web-1 is removed: there is no record of its service',
    )
    world.apply(cleared?.ops ?? [])
    world.settle(undefined, 50)
    expect([world.view.instances.size, world.view.units.size, world.view.placements.size]).toEqual([0, 0, 0])
    expect(world.view.versionsOf('default/web')).toEqual([])
    expect(clearService(world.view, 'default/web')).toBeNull()
  })

  test('is left alone where its record is there, or cannot be read', () => {
    expect(clearService(deployed().view, 'default/web')).toBeNull()
    const world = deployed()
    world.apply([{ op: 'put', key: keys.service(project, 'web'), value: '[]' }])
    expect(clearService(world.view, 'default/web')).toBeNull()
  })

  test('is replaced, number by number, by one of its name that is deployed meanwhile', () => {
    const world = gone()
    world.deploy(manifest('2'), { scale: 3 })
    expect(world.view.services.get('default/web')).toMatchObject({ lastInstance: 3, lastOrdinal: 2 })
    world.settle()
    expect(names(world)).toEqual(['web-4', 'web-5', 'web-6'])
    expect(world.view.units.size).toBe(3)
  })
})

describe('a unit whose instance has no record', () => {
  test('serves on until another is up in its place, and goes then', () => {
    const world = deployed()
    const [first] = world.all('web')
    if (first === undefined) throw new Error('no instance')
    remove(world, keys.instance(project, 'web', first.n))
    expect(clearUnit(world.view, first.unit)).toBeNull()
    world.settle(undefined, 50)
    expect(names(world)).toEqual(['web-2', 'web-3', 'web-4'])
    world.apply(clearUnit(world.view, first.unit)?.ops ?? [])
    world.settle(undefined, 50)
    expect(world.view.units.has(first.unit)).toBe(false)
    expect(world.view.reportOf(first.unit)).toBeNull()
    expect(names(world)).toEqual(['web-2', 'web-3', 'web-4'])
  })

  test('makes room at once where the one in its place has none', () => {
    const world = new World()
    world.machine('a', { memoryMb: 48 })
    world.deploy(manifest(), { scale: 3 })
    world.settle()
    const [first] = world.all('web')
    if (first === undefined) throw new Error('no instance')
    remove(world, keys.instance(project, 'web', first.n))
    world.settle(undefined, 20)
    world.apply(clearUnit(world.view, first.unit)?.ops ?? [])
    world.settle(undefined, 50)
    expect(world.serving('web').map(({ name }) => name)).toEqual(['web-2', 'web-3', 'web-4'])
  })

  test('is left alone while the record cannot be read, and so is one that is no instance of anything', () => {
    const world = deployed()
    const [first] = world.all('web')
    if (first === undefined) throw new Error('no instance')
    world.apply([{ op: 'put', key: keys.instance(project, 'web', first.n), value: '{}' }])
    world.settle(undefined, 50)
    expect(clearUnit(world.view, first.unit)).toBeNull()
    expect(world.all('web').map(({ unit }) => clearUnit(world.view, unit))).toEqual([null, null])
  })
})
