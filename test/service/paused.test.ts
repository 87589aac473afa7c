// What somebody has paused on its machine, as `docker pause` does: it serves nothing, and is replaced by the usual rules alone.
import { describe, expect, it } from 'vitest'
import { instanceBodyOf } from '../../src/api/bodies.js'
import type { Instance } from '../../src/model/service.js'
import { World } from '../world/world.js'

const manifest = (more = ''): string =>
  `name: web\ncompute_type: process\ncommand: [/bin/true]\nmemory: 64M\n${more}`
const checked = 'healthchecks: [{type: command, command: "true", poll: 2}]\n'

function worldOf(text: string): World {
  const world = new World()
  world.machine('a1')
  world.deploy(text, { scale: 2 })
  world.settle()
  return world
}

function pause(world: World, instance: Instance | undefined): Instance {
  if (instance === undefined) throw new Error('there is no such instance')
  world.observe(instance, { driver: 'docker', sub: 'paused' })
  return instance
}

const names = (world: World): readonly string[] => world.live('web').map(({ name }) => name)

describe('an instance that is paused', () => {
  it('is told as that, and is neither up nor replaced', () => {
    const world = worldOf(manifest())
    const paused = pause(world, world.live('web')[0])
    expect(instanceBodyOf(world.view, paused, world.now)).toMatchObject({
      state: 'paused',
      startedAt: null,
      reason: 'it is paused on its machine: docker unpause resumes it',
    })
    world.now += 3_600_000
    world.settle()
    expect(names(world)).toEqual(['web-1', 'web-2'])
    world.observe(paused, { sub: 'running' })
    expect(instanceBodyOf(world.view, paused, world.now)).toMatchObject({ state: 'running', reason: '' })
  })

  it('is replaced once its checks have found it unhealthy', () => {
    const world = worldOf(manifest(checked))
    const paused = pause(world, world.live('web')[0])
    world.settle()
    expect(names(world)).toEqual(['web-1', 'web-2'])
    world.observe(paused, { health: 'unhealthy' })
    world.settle()
    expect(names(world)).toEqual(['web-2', 'web-3'])
  })

  it('is told as paused for a backup under every driver where that is so', () => {
    const world = worldOf(manifest(checked))
    const [instance] = world.live('web')
    if (instance === undefined) throw new Error('there is no such instance')
    world.observe(instance, { driver: 'process', sub: 'paused-for-backup' })
    expect(instanceBodyOf(world.view, instance, world.now)).toMatchObject({
      state: 'paused',
      reason: expect.stringContaining('while a backup of its volume is read') as string,
    })
    world.now += 3_600_000
    world.settle()
    expect(names(world)).toEqual(['web-1', 'web-2'])
  })

  it('holds a rollout up while it is a new one, and goes first when fewer are asked for', () => {
    const world = worldOf(manifest())
    world.deploy(manifest('environment: {A: "2"}\n'), { scale: 2 })
    const isNew = ({ n }: Instance): boolean => n > 2
    const isReported = (one: Instance): boolean => isNew(one) && world.report(one) !== null
    for (let round = 0; round < 50 && !world.live('web').some(isReported); round += 1)
      world.settle({ healthy: () => true }, 1)
    const held = pause(world, world.live('web').find(isNew))
    world.now += 60_000
    world.settle({ healthy: () => true }, 20)
    expect(world.view.services.get('default/web')?.rollout).not.toBeNull()
    world.observe(held, { sub: 'running' })
    world.settle()
    expect(world.view.services.get('default/web')?.rollout).toBeNull()
    const [first, second] = world.live('web')
    pause(world, second)
    world.scale('web', 1)
    world.settle()
    expect(names(world)).toEqual([first?.name])
  })
})
