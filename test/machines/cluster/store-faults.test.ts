// An etcd of three members that loses one, loses all, and is slow. After each: what is desired is what runs, nothing has
// been started anew, and nothing that was acknowledged is lost.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Cluster, startCluster } from './cluster.js'
import { restore, startsOf, startWorkload, tellOf, whileWriting, workloadRuns } from './workload.js'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({ etcd: 3, ttlSeconds: 15 })
  await startWorkload(cluster)
})
afterAll(() => cluster?.stop())

beforeEach(({ onTestFailed }) => onTestFailed(() => tellOf(cluster)))
afterEach(async () => {
  for (const network of cluster.networks) network.delay(0)
  await restore(cluster)
})

/** Does something while somebody writes, and holds the cluster to starting nothing anew. */
async function undisturbed(fault: () => Promise<void>): Promise<void> {
  const before = await startsOf(cluster)
  await whileWriting(cluster, fault)
  expect(await startsOf(cluster)).toMatchObject(before)
}

/** Resolves when each daemon has written something: its way to etcd is open again. */
async function allWrite(): Promise<void> {
  for (const { ask, id } of cluster.machines) {
    const patch = [{ op: 'add', path: `/${id}/metadata/wrote`, value: String(Math.random()) }]
    const write = async () => (await ask('PATCH', '/fleet/v1/machines', patch)).status
    await expect.poll(write, { timeout: 30_000 }).toBe(204)
  }
}

test.each([0, 1, 2])('member %i is lost and comes back', async (n) => {
  const member = cluster.etcd.members[n]
  await undisturbed(async () => {
    await member?.kill()
    await allWrite()
    member?.start()
    await cluster.etcd.answers()
  })
})

test('a member that is silent without closing its connections is passed over', async () => {
  const [network] = cluster.networks
  await undisturbed(async () => {
    network?.silence()
    await allWrite()
    network?.heal()
  })
})

test('all members are killed and started again', async () => {
  await undisturbed(async () => {
    await allWrite()
    await Promise.all(cluster.etcd.members.map((member) => member.kill()))
    const [m1] = cluster.machines
    await expect.poll(async () => (await m1?.ask('PATCH', '/fleet/v1/machines', []))?.status).toBeDefined()
    for (const member of cluster.etcd.members) member.start()
    await cluster.etcd.answers()
    await allWrite()
  })
})

test('an etcd that is out of reach until every lease has ended leaves all running where it is', async () => {
  await undisturbed(async () => {
    await allWrite()
    for (const network of cluster.networks) network.cut()
    await cluster.until('the lead has ended', (view) => view.leader === null && view.machines.size === 0)
    for (const network of cluster.networks) network.heal()
    await cluster.until('somebody leads', (view) => view.leader !== null && view.machines.size === 3)
    await allWrite()
  })
})

test('an etcd that answers after 200 ms is worked with, and a machine that is lost meanwhile is replaced', async () => {
  for (const network of cluster.networks) network.delay(100)
  const machine = cluster.machines.find((one) => one !== cluster.leader())
  await whileWriting(cluster, async () => {
    await allWrite()
    await machine?.cutPower()
    await workloadRuns(cluster)
    await machine?.boot()
  })
})
