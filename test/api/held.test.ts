// What somebody who waits is told where no daemon decides anything.
import { expect, test } from 'vitest'
import { explain } from '../../src/api/explain.js'
import { heldByRecords, heldUp, vacantAfterMs } from '../../src/api/held.js'
import { noSuchService } from '../../src/changes/problem.js'
import { keys } from '../../src/store/records.js'
import type { ClusterView } from '../../src/store/view.js'
import { bodiesOf } from '../world/bodies.js'
import { idOf, project, World } from '../world/world.js'

type Seen = Pick<ClusterView, 'hasNewer' | 'unreadable' | 'leader'>

const led: Seen = { hasNewer: false, unreadable: new Map(), leader: { machine: idOf('a'), epoch: 1 } }
const vacant: Seen = { ...led, leader: null }

function withNewer(...keys: readonly string[]): ClusterView {
  const world = new World()
  world.apply(keys.map((key) => ({ op: 'put', key, value: '{"v":99,"whatever":true}' })))
  return world.view
}

test('nothing is said while a daemon leads, nor in the moment in which the lead changes hands', () => {
  expect(heldUp(led, null, 0)).toBeNull()
  expect(heldUp(vacant, null, vacantAfterMs - 1)).toBeNull()
})

test('that nobody leads is said once it lasts', () => {
  expect(heldUp(vacant, null, vacantAfterMs)).toMatchObject({ code: 'cluster/no-leader' })
})

test('records of a later format are named, and what to do about them', () => {
  expect(heldUp(withNewer('projects/later'), null, 0)).toEqual({
    code: 'cluster/newer-records',
    message: 'no daemon leads the cluster: the record projects/later is of a newer Mariposa than this one',
    hint: 'upgrade the older daemons, or remove those records: mariposa store check lists them',
  })
  expect(heldUp(withNewer('projects/a', 'projects/b'), null, 0)?.message).toContain(
    '2 records (projects/a, …) are of a newer Mariposa',
  )
})

test('a store that is away or full holds everything up, whoever led', () => {
  const at = Date.UTC(2026, 0, 2)
  expect(heldUp(led, { since: at, because: 'store/unreachable' }, 0)).toEqual({
    code: 'store/unreachable',
    message: 'the daemon has been out of touch with its store since 2026-01-02T00:00:00.000Z',
  })
  expect(heldUp(led, { since: at, because: 'store/full' }, 0)?.code).toBe('store/full')
})

test('a record that cannot be read is told wherever somebody looks for what it holds up', () => {
  const world = new World()
  world.machine('a')
  world.deploy('compute_type: process\ncommand: [/bin/web]\n', { scale: 2 })
  world.settle(undefined, 20)
  const [web] = world.live('web')
  if (web === undefined) throw new Error('no instance')
  expect(heldByRecords(world.view, ['default/web'], [web.unit])).toBeNull()
  const key = keys.placement(web.unit)
  world.apply([{ op: 'put', key, value: 'null' }])
  const why = `nothing is decided about it: the record ${key} cannot be read: `
  expect(heldByRecords(world.view, ['default/web'])).toMatchObject({
    code: 'store/unreadable',
    message: expect.stringContaining(`default/web: ${why}`),
  })
  expect(heldByRecords(world.view, [], [web.unit])?.message).toContain(`${web.unit}: ${why}`)
  const bodies = bodiesOf(world.view, world.now)
  const service = world.view.services.get('default/web')
  expect(service && bodies.service(service).reason).toContain(why)
  expect(world.live('web').map((one) => bodies.instance(one).reason.startsWith(why))).toEqual([true, false])
  expect(explain(world.view, world.explainer, project, 'web', world.now)).toMatchObject({
    because: [expect.stringContaining(why)],
  })
})

test('a service whose own record cannot be read is not told to be gone', () => {
  const world = new World()
  world.apply([{ op: 'put', key: keys.service(project, 'web'), value: '{}' }])
  expect(noSuchService(world.view, project, 'web')).toMatchObject({
    status: 503,
    code: 'store/unreadable',
    message: expect.stringContaining('the record services/default/web cannot be read'),
  })
  expect(noSuchService(world.view, project, 'db')).toMatchObject({ status: 404, code: 'service/unknown' })
})
