// A pass over services plans those of which something has changed. That it misses none, every pass of the world in these tests
// tells, which plans all of them and throws where nothing has led to what it finds; here is what it leaves out.
import { expect, test } from 'vitest'
import type { Service } from '../../src/model/service.js'
import { forgivenAfterMs } from '../../src/service/retire.js'
import { lookAtPortionEveryMs, ServicesToPlan } from '../../src/service/services-to-plan.js'
import { putOf } from '../../src/store/records.js'
import { type ServiceKey, serviceKey } from '../../src/store/view.js'
import { idOf, project, World } from '../world/world.js'

const text = 'compute_type: process\ncommand: [/bin/web]\nmemory: 16M\n'

/** Four services that run, and what follows them, all of it planned. */
function settled(): { readonly world: World; readonly toPlan: ServicesToPlan } {
  const world = new World()
  world.machine('a')
  world.machine('b')
  for (const name of ['db', 'api', 'web', 'mail'])
    world.tryDeploy(text, { sources: [{ file: `${name}.yml`, text, name }], scale: 2 })
  world.settle()
  const toPlan = new ServicesToPlan(world.view)
  world.onChange((change) => toPlan.note([change]))
  for (const key of toPlan.due(world.now)) planned(toPlan, key)
  return { world, toPlan }
}

function planned(toPlan: ServicesToPlan, key: ServiceKey, wakeAt: number | null = null): void {
  toPlan.planned(key, { wakeAt, readsAlso: 'nothing', isUnderWay: false }, false)
}

test('a change of one service plans that one', () => {
  const { world, toPlan } = settled()
  expect(toPlan.due(world.now)).toEqual([])
  const [instance] = world.live('web')
  if (instance !== undefined) world.observe(instance, { health: 'unhealthy' })
  expect(toPlan.due(world.now)).toEqual(['default/web'])
  planned(toPlan, 'default/web')
  expect(toPlan.due(world.now)).toEqual([])
})

test('what is to be written is planned again', () => {
  const { world, toPlan } = settled()
  toPlan.planned('default/web', { wakeAt: null, readsAlso: 'nothing', isUnderWay: false }, true)
  expect(toPlan.due(world.now)).toEqual(['default/web'])
})

test('a machine that goes plans what is on it', () => {
  const { world, toPlan } = settled()
  const here = new Set(
    [...world.view.placedOn(idOf('a')).keys()].map((unit) => {
      const instance = world.view.instances.get(unit)
      return serviceKey(project, instance?.service ?? '')
    }),
  )
  world.loseMachine(idOf('a'))
  expect(new Set(toPlan.due(world.now))).toEqual(here)
})

test('a freeze of the project, its metadata and the text of a unit plan what reads them', () => {
  const { world, toPlan } = settled()
  world.freeze('')
  expect(toPlan.due(world.now)).toHaveLength(4)
  for (const key of toPlan.due(world.now)) planned(toPlan, key)
  world.meta('colour', 'red')
  expect(toPlan.due(world.now)).toHaveLength(4)
  for (const key of toPlan.due(world.now)) planned(toPlan, key)
  const hash = world.view.units.get(world.live('web')[0]?.unit ?? ('' as never))?.hash ?? ''
  world.apply([{ op: 'delete', key: `files/${hash}` }])
  expect(toPlan.due(world.now)).toContain('default/web')
})

test('a text that is written again, as with each unit that has it, plans nothing', () => {
  const { world, toPlan } = settled()
  const { unit } = world.live('web')[0] ?? {}
  const hash = (unit && world.view.units.get(unit)?.hash) ?? ''
  const { key, value } = putOf('file', { hash, text: world.view.files.get(hash) ?? '' })
  const entry = { key, value, createRevision: 1, modRevision: 2, lease: null }
  toPlan.note([{ type: 'put', key, entry, previous: { ...entry, modRevision: 1 } }])
  expect(toPlan.due(world.now)).toEqual([])
})

test('a plan that has read others of its project is made again when one of them changes', () => {
  const { world, toPlan } = settled()
  toPlan.planned('default/db', { wakeAt: null, readsAlso: 'project', isUnderWay: false }, false)
  toPlan.planned('default/api', { wakeAt: null, readsAlso: 'cluster', isUnderWay: false }, false)
  expect(toPlan.due(world.now)).toEqual(['default/api'])
  const [instance] = world.live('web')
  if (instance !== undefined) world.observe(instance, { health: 'unhealthy' })
  expect([...toPlan.due(world.now)].sort()).toEqual(['default/api', 'default/db', 'default/web'])
})

test('a plan is made again when its time has come, again and again where it cannot be made', () => {
  const { world, toPlan } = settled()
  planned(toPlan, 'default/web', world.now + 1000)
  expect(toPlan.wakeAt()).toBe(world.now + 1000)
  expect(toPlan.due(world.now + 999)).toEqual([])
  expect(toPlan.due(world.now + 1000)).toEqual(['default/web'])
  expect(toPlan.wakeAt()).toBeNull()
  expect(toPlan.due(world.now + 1001)).toEqual(['default/web'])
})

test('within a minute each is looked at once, and what is under way each time', () => {
  const { world, toPlan } = settled()
  toPlan.planned('default/web', { wakeAt: null, readsAlso: 'nothing', isUnderWay: true }, false)
  const looks = [0, 1, 2, 3].map((n) => toPlan.lookedAtNow(world.now + n * lookAtPortionEveryMs))
  expect(looks.every((keys) => keys.includes('default/web'))).toBe(true)
  expect(new Set(looks.flat()).size).toBe(4)
  expect(toPlan.lookedAtNow(world.now + 3 * lookAtPortionEveryMs + 1)).toEqual([])
})

test('a service that is deleted is forgotten', () => {
  const { world, toPlan } = settled()
  planned(toPlan, 'default/web', world.now + 1000)
  world.apply([{ op: 'delete', key: 'services/default/web' }])
  expect(toPlan.due(world.now)).toEqual([])
  expect(toPlan.wakeAt()).toBeNull()
})

test('a service that is steady again is looked at when its failures are forgiven', () => {
  const { world } = settled()
  const service = world.view.services.get('default/web') as Service
  world.apply([putOf('service', { ...service, failures: { count: 3, lastAt: world.now } })])
  world.servicePass()
  world.now += forgivenAfterMs - 1
  world.servicePass()
  expect(world.view.services.get('default/web')?.failures).not.toBeNull()
  world.now += 1
  // This throws where nothing says that its time has come.
  world.servicePass()
  expect(world.view.services.get('default/web')?.failures).toBeNull()
})
