// A service whose current version has no record, as where an operator removed one that could not be read.
import { describe, expect, test } from 'vitest'
import { versionIsGone } from '../../src/service/situation.js'
import { keys } from '../../src/store/records.js'
import { bodiesOf } from '../world/bodies.js'
import { project, World } from '../world/world.js'

const manifest = 'compute_type: process\ncommand: [/bin/web]\nmemory: 16M\n'

/** At scale 2, both of it up. */
function without(): World {
  const world = new World()
  world.machine('a')
  world.deploy(manifest, { scale: 2 })
  world.settle()
  world.apply([{ op: 'delete', key: keys.version(project, 'web', 1) }])
  world.settle(undefined, 50)
  return world
}

const names = (world: World): readonly string[] => world.all('web').map(({ name }) => name)

describe('a service whose version has no record', () => {
  test('goes on as it is, and says what to do', () => {
    const world = without()
    expect(world.serving('web')).toHaveLength(2)
    const service = world.view.services.get('default/web')
    expect(service && bodiesOf(world.view, world.now).service(service)).toMatchObject({
      status: 'running',
      reason: versionIsGone,
    })
  })

  test('is stopped, scaled down and deleted like any other', () => {
    const world = without()
    world.scale('web', 1)
    world.settle(undefined, 50)
    expect(names(world)).toHaveLength(1)
    world.stop('web')
    world.settle(undefined, 50)
    expect(names(world)).toEqual([])
    const other = without()
    other.delete('web')
    other.settle(undefined, 50)
    expect(other.view.services.size).toBe(0)
  })

  test('says why it makes no more', () => {
    const world = without()
    world.scale('web', 3)
    world.settle(undefined, 50)
    const [failed] = [...world.view.tasks.values()].filter(({ kind }) => kind === 'scale')
    expect(failed).toMatchObject({
      state: 'failed',
      error: `no instance of web can be created: ${versionIsGone}`,
    })
    expect(names(world)).toHaveLength(2)
  })

  test('is well again once it is deployed, and no number is used again', () => {
    const world = without()
    world.deploy(manifest)
    world.settle()
    expect(names(world)).toEqual(['web-3', 'web-4'])
    expect(world.view.services.get('default/web')).toMatchObject({ scale: 2, lastOrdinal: 2, blocked: null })
  })
})
