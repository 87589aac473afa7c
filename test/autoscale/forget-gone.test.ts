// What is remembered for autoscaling of machines that are gone is forgotten.
import { expect, test } from 'vitest'
import { autoscalePass } from '../../src/autoscale/io/pass.js'
import { systemClock } from '../../src/lib/io/clock.js'
import type { MachineId } from '../../src/model/machine.js'
import { openEventLog } from '../../src/store/io/event-log.js'
import { openRegistry } from '../../src/store/io/registry.js'
import { leaderKey, putOf } from '../../src/store/records.js'
import type { Store } from '../../src/store/store.js'
import { machineRecord } from '../interleaving/cluster.js'
import { openMemoryStore } from '../store/memory-store.js'
import { idOf } from '../world/world.js'

const log = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} }
const here = idOf('a')

/** A leader whose store has metrics of machines that are not there. `onTxn` is called before each transaction. */
async function leaderWith(gone: readonly MachineId[], onTxn: Store['txn']) {
  const store = openMemoryStore({ clock: systemClock })
  await store.txn([], [machineRecord(here)])
  const epoch = await store.txn([], [{ op: 'put', key: leaderKey, value: JSON.stringify({ machine: here }) }])
  for (const machine of gone) await store.txn([], [putOf('metrics', { machine, values: {} })])
  const watched: Store = Object.assign(Object.create(store) as Store, {
    txn: async (...args: Parameters<Store['txn']>) => {
      await onTxn.call(store, ...args)
      return await store.txn(...args)
    },
    range: store.range.bind(store),
    watch: store.watch.bind(store),
    get: store.get.bind(store),
  })
  const registry = await openRegistry(watched, { onError: () => {}, patienceMs: 60_000 })
  const pass = autoscalePass({
    ...{ time: systemClock, registry, log, epoch: () => epoch.revision },
    events: openEventLog(systemClock, here),
  })
  const signal = new AbortController().signal
  return { store, registry, look: async () => await pass(systemClock.now(), signal) }
}

test('of many machines that were lost together it is forgotten in transactions that etcd takes', async () => {
  const gone = Array.from({ length: 300 }, (_, n) => n.toString(16).padStart(32, '0') as MachineId)
  const sizes: number[] = []
  const { registry, look } = await leaderWith(gone, async (compare, ops) => {
    sizes.push(compare.length, ops.length)
    return { committed: true, revision: 0 }
  })
  for (let n = 0; n < 6; n++) await look()
  expect(Math.max(...sizes)).toBeLessThanOrEqual(128)
  expect(registry.view.metrics.size).toBe(0)
  await registry.close()
})

test('what a machine reports that comes back in this moment stays', async () => {
  const back = idOf('b')
  const { store, registry, look } = await leaderWith([back], async function (this: Store) {
    return await this.txn([], [machineRecord(back)])
  })
  await look()
  expect(registry.view.metrics.has(back)).toBe(true)
  await registry.close()
  await store.close()
})
