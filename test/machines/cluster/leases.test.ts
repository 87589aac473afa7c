// How long leases hold others up: a leader that is lost with a short lease, and a machine that reboots within a long one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cluster, startCluster } from './cluster.js'
import { startWorkload, workloadRuns } from './workload.js'

/** Shorter than that of the lead is by itself; longer than a busy host holds up a daemon: two that are lost are held. */
const shortSeconds = 8

describe(`with leases of ${shortSeconds} s`, () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster({ ttlSeconds: shortSeconds })
    await startWorkload(cluster)
  })
  afterAll(() => cluster?.stop())

  test.each([1, 2, 3])('a leader that is lost is replaced, and so are its units (time %i)', async () => {
    const machine = cluster.leader()
    const from = performance.now()
    await machine.cutPower()
    await cluster.until('another leads', ({ leader }) => leader !== null && leader.machine !== machine.id)
    record('another leads', from)
    await workloadRuns(cluster)
    record('the units of a lost leader run elsewhere', from)
    await machine.boot()
    await workloadRuns(cluster)
  })
})

describe('with leases of 30 s', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster({ ttlSeconds: 30 })
    await startWorkload(cluster)
  })
  afterAll(() => cluster?.stop())

  test('a machine that reboots was never away, and runs its units again', async () => {
    const machine = cluster.machines.find((one) => one !== cluster.leader())
    if (machine === undefined) throw new Error('no follower')
    const had = [...(await machine.units()).keys()].sort()
    await machine.cutPower()
    const from = performance.now()
    await machine.boot()
    record('a machine that reboots answers', from)
    expect(cluster.view.machines.has(machine.id)).toBe(true)
    await workloadRuns(cluster)
    record('its units run again', from)
    expect([...(await machine.units()).keys()].sort()).toEqual(had)
  })
})

/** Said, not held to: how long it takes here depends on what else the host does. */
function record(what: string, from: number): void {
  console.info(`${what}: ${((performance.now() - from) / 1000).toFixed(1)} s`)
}
