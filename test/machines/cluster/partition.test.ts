// Most of five machines behind a switch that drops what they send. Their leases end seconds apart and they come back one
// by one, while all that ran on either side runs on: the process tables of all five are the witness.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Cluster, startCluster } from './cluster.js'
import type { ClusterMachine } from './cluster-machine.js'
import { programsOf, witness } from './programs.js'
import { startWorkload, tellOf, workloadRuns } from './workload.js'

const ttlSeconds = 10
/** From the cut on: by then the last lease has long ended. */
const lastsMs = 25_000

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({ machines: 5, ttlSeconds })
  await startWorkload(cluster)
})
afterAll(() => cluster?.stop())
beforeEach(({ onTestFailed }) => onTestFailed(() => tellOf(cluster)))

/** Three machines: with the one that leads, or without it. */
function three(leads: boolean): readonly ClusterMachine[] {
  const leader = cluster.leader()
  const followers = cluster.machines.filter((machine) => machine !== leader)
  return leads ? [leader, ...followers.slice(0, 2)] : followers.slice(0, 3)
}

const instances = (): readonly string[] => [...cluster.view.instances.keys()].sort()

describe('three of five machines that are cut off for 25 s', () => {
  test.each([
    ['and not the leader', false],
    ['and the leader', true],
  ])('%s: nothing is replaced, and nothing is too many afterwards', async (_, leads) => {
    const away = three(leads)
    const before = { programs: programsOf(cluster), instances: instances() }
    // Of the units, one that is everywhere, and the service.
    expect(before.programs).toHaveLength(9 + 1 + 5 + 6)
    const watching = witness(cluster)
    const healAt = Date.now() + lastsMs
    for (const machine of away) machine.cutOff()
    await cluster.until('their leases have ended', (view) => away.every(({ id }) => !view.machines.has(id)))
    await cluster.until('somebody leads', (view) => view.leader !== null)
    await watching.until(healAt)
    for (const machine of away) machine.plugIn()
    await cluster.until('all are back', (view) => view.machines.size === cluster.machines.length)
    await workloadRuns(cluster)
    // Whoever was taken for lost when the hold ended would be replaced, or too many, by now.
    await watching.until(Date.now() + 1000 * ttlSeconds)
    expect(await watching.end()).toEqual({ started: [], ended: [] })
    expect({ programs: programsOf(cluster), instances: instances() }).toEqual(before)
  })
})
