// A store of 50 MB at the other end of a slow way.
import { afterEach, expect, test } from 'vitest'
import { openEtcdStore } from '../../src/store/io/etcd/etcd.js'
import { openMirror } from '../../src/store/io/mirror.js'
import type { Op } from '../../src/store/store.js'
import { startEtcd } from '../machines/etcd-host.js'
import { openProxy } from '../machines/proxy.js'

const ending: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

const [count, size] = [12_500, 4096]

test('is read as a whole and in order, in pages that come in time, and what changes meanwhile is not missed', async () => {
  const etcd = await startEtcd()
  ending.push(() => etcd.stop())
  const near = openEtcdStore(etcd.options)
  ending.push(() => near.close())
  for (let from = 0; from < count; from += 125) {
    const ops = Array.from({ length: 125 }, (_, n): Op => {
      return { op: 'put', key: `k/${from + n}`, value: `${from + n} `.padEnd(size, 'x') }
    })
    await near.txn([], ops)
  }
  const network = await openProxy(etcd.members[0]?.port ?? 0)
  ending.push(() => network.close())
  for (const delayMs of [50, 100, 400]) {
    network.delay(delayMs)
    const told: string[] = []
    const store = openEtcdStore({
      ...etcd.options,
      endpoints: [network.address],
      onAway: (reason) => told.push(reason),
      onProgress: ({ records }) => expect(records).toBeGreaterThan(0),
    })
    const errors: unknown[] = []
    const mirror = openMirror(store, '', { onError: (error) => errors.push(error) })
    const begun = performance.now()
    await mirror.ready
    console.log(`${delayMs} ms each way: ready after ${Math.round(performance.now() - begun)} ms`)
    expect(mirror.entries.size).toBeGreaterThanOrEqual(count)
    const { revision } = await near.txn([], [{ op: 'put', key: `after/${delayMs}`, value: '1' }])
    await mirror.caughtUp(revision)
    expect(mirror.entries.has(`after/${delayMs}`)).toBe(true)
    expect([told, errors]).toEqual([[], []])
    await mirror.close()
    await store.close()
  }
})
