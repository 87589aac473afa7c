// What is stopping takes no longer than the version that is current now allows.
import { describe, expect, test } from 'vitest'
import type { Instance } from '../../src/model/service.js'
import { serviceKey } from '../../src/store/view.js'
import { project, World } from '../world/world.js'

const text = (timeout: number | string, mark = ''): string =>
  `compute_type: process\ncommand: [/bin/web, "${mark}"]\nstop: {timeout: ${timeout}}\n`

/** A service at scale 2, one of which was told to stop and does not. */
function stopping(timeout: number | string): { readonly world: World; readonly instance: Instance } {
  const world = new World()
  world.machine('a')
  world.deploy(text(timeout), { scale: 2 })
  world.settle()
  world.scale('web', 1)
  world.servicePass()
  const instance = world.all('web').find(({ retired }) => retired !== null)
  if (instance === undefined) throw new Error('none is stopping')
  world.observe(instance, { active: 'deactivating', sub: 'stop-sigterm', launched: false })
  return { world, instance }
}

const limitOf = (world: World, instance: Instance): number | undefined =>
  world.view.units.get(instance.unit)?.stopWithinMs

describe('an instance that is stopping', () => {
  test.each([-1, 600])(
    'and may take %d s is held to the smaller timeout of the version that comes',
    (own) => {
      const { world, instance } = stopping(own)
      world.servicePass()
      expect(limitOf(world, instance)).toBeUndefined()
      world.deploy(text(5))
      world.servicePass()
      expect(limitOf(world, instance)).toBe(5000)
      expect(world.servicePass().filter(({ kind }) => kind === 'limit-stop')).toEqual([])
    },
  )

  test.each([
    [5, 5],
    [5, 6],
    [5, -1],
    [-1, -1],
  ])('and may take %d s goes on as it was beside a version with %d s', (own, current) => {
    const { world, instance } = stopping(own)
    world.deploy(text(current, 'other'))
    world.servicePass()
    expect(limitOf(world, instance)).toBeUndefined()
  })

  test('may take as long as it says itself once its own version is current again', () => {
    const { world, instance } = stopping(-1)
    world.deploy(text(5))
    world.servicePass()
    expect(limitOf(world, instance)).toBe(5000)
    world.tryRevert('web', { version: '1' })
    world.servicePass()
    expect(world.view.units.get(instance.unit)).not.toHaveProperty('stopWithinMs')
    expect(world.view.units.get(instance.unit)?.desired).toBe('loaded')
  })

  test('may have to be killed at once', () => {
    const { world, instance } = stopping(60)
    world.deploy(text(0))
    world.servicePass()
    expect(limitOf(world, instance)).toBe(1)
  })

  test('is held to what the metadata says of it', () => {
    const world = new World()
    world.machine('a')
    world.meta('patience', '600')
    world.deploy(text('"{{ .meta.patience }}"'), { scale: 2 })
    world.settle()
    world.scale('web', 1)
    world.servicePass()
    const instance = world.all('web').find(({ retired }) => retired !== null)
    if (instance === undefined) throw new Error('none is stopping')
    world.meta('patience', '3')
    world.servicePass()
    expect(limitOf(world, instance)).toBe(3000)
  })

  test('is left alone once it has stopped', () => {
    const { world, instance } = stopping(-1)
    world.deploy(text(5))
    world.observe(instance, { active: 'inactive', sub: 'dead' })
    const kinds = world
      .servicePass()
      .flatMap((one) => ('instance' in one && one.instance.n === instance.n ? [one.kind] : []))
    expect(kinds).toEqual(['unload'])
  })

  test('is left as it is while the service is frozen', () => {
    const { world, instance } = stopping(-1)
    world.deploy(text(5))
    world.freeze('web')
    world.servicePass()
    expect(limitOf(world, instance)).toBeUndefined()
    expect(world.view.services.get(serviceKey(project, 'web'))?.scale).toBe(1)
  })
})

test('what a rollout stops takes no longer than the version that it brings allows', () => {
  const world = new World()
  world.machine('a')
  world.deploy(text(-1))
  world.settle()
  world.deploy(text(5))
  let limit: number | undefined
  for (let round = 0; round < 20 && limit === undefined; round++) {
    world.servicePass()
    const old = world.all('web').find(({ retired }) => retired !== null)
    limit = old === undefined ? undefined : limitOf(world, old)
    world.enginePass()
    if (old === undefined) world.agentPass({ healthy: () => true })
    world.now += 500
  }
  expect(limit).toBe(5000)
})
