// What triggers have seen counts for as long as one term of a leader lasts.
import { expect, test } from 'vitest'
import { autoscalePass } from '../../src/autoscale/io/pass.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { demandKey } from '../../src/model/scaling.js'
import { openEventLog } from '../../src/store/io/event-log.js'
import { openRegistry } from '../../src/store/io/registry.js'
import { leaderKey, putOf } from '../../src/store/records.js'
import { openMemoryStore } from '../store/memory-store.js'
import { project, World } from '../world/world.js'

const log = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} }

const busy = [
  ...['compute_type: process', 'command: [/sim]', 'autoscale: {enable: true, min: 1, max: 9}', 'triggers:'],
  '  - busy: {metric: containermonitor.cpu_used, operator: ">", value: 1, time: 20 seconds, action: incr}',
].join('\n')

test('a leader that leads anew begins every window anew, also where it never saw that it did not lead', async () => {
  const world = new World()
  const records = new Map<string, string>()
  world.onChange((change) => {
    if (change.type === 'put') records.set(change.key, change.entry.value)
    else records.delete(change.key)
  })
  const machine = world.machine('a')
  world.deploy(busy)
  world.settle()
  let now = world.now
  const time = { now: () => now, steady: () => now }
  const store = openMemoryStore({ clock: { ...systemClock, ...time } })
  await store.txn(
    [],
    [...records].map(([key, value]) => ({ op: 'put', key, value })),
  )
  const registry = await openRegistry(store, { onError: () => {} })
  const { view } = registry
  const lead = async () => {
    await registry.commit([], [{ op: 'put', key: leaderKey, value: JSON.stringify({ machine }) }])
  }
  const pass = autoscalePass({
    ...{ time, registry, log, epoch: () => view.leader?.epoch ?? null },
    events: openEventLog({ ...systemClock, ...time }, machine),
  })
  const [unit = ''] = view.placements.keys()
  const trigger = [...view.versions.values()][0]?.scaling?.triggers[0]
  if (trigger === undefined) throw new Error('it has a trigger')
  /** After so many seconds, in which its program has had much to do all along. */
  const scaleAfter = async (seconds: number) => {
    for (let n = 0; n < seconds; n += 2) {
      now += 2000
      await registry.commit(
        [],
        [putOf('metrics', { machine, values: { [unit]: { [demandKey(trigger)]: n + 2 } } })],
      )
      await pass(now, new AbortController().signal)
    }
    return view.services.get(`${project}/web`)?.scale
  }
  await lead()
  expect(await scaleAfter(16)).toBe(1)
  await lead()
  expect(await scaleAfter(16)).toBe(1)
  expect(await scaleAfter(10)).toBe(2)
  await registry.close()
  await store.close()
})
