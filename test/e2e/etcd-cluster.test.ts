// Faults of a cluster, on real processes and a real etcd. After each: desired equals observed, nothing is doubled, and no
// write that was acknowledged is lost.
import { expect, test } from 'vitest'
import type { InstanceBody } from '../../src/contract/contract.js'
import {
  type Cluster,
  type ClusterMachine,
  type ClusterOptions,
  idleManifest,
  launchPlainUnits,
  plainUnits,
  settled,
  startWriting,
  until,
  useClusters,
} from './cluster.js'

const openCluster = useClusters()

async function clusterWith(scale: number, options: ClusterOptions = {}): Promise<Cluster> {
  const cluster = await openCluster(options)
  const [, { host }] = cluster.machines
  await host.done('service', 'deploy', host.file('idle.yml', idleManifest()), '--scale', String(scale))
  await settled(cluster, cluster.machines[1], scale)
  return cluster
}

const identity = ({ name, uuid, pid, restarts, machine }: InstanceBody): object => ({
  name,
  uuid,
  pid,
  restarts,
  machine,
})

async function identities({ client }: ClusterMachine): Promise<readonly object[]> {
  return (await client.instances('default', null)).map(identity)
}

test('the leader is killed: another one leads, and what runs stays as it is', async () => {
  const cluster = await clusterWith(4, { leaderAlone: true })
  const [leader, b, c] = cluster.machines
  const before = await identities(b)
  const writer = startWriting(b)
  await leader.kill()
  await b.host.done('service', 'scale', 'idle', '6')
  await settled(cluster, c, 6)
  expect((await identities(c)).slice(0, 4)).toEqual(before)
  await leader.start('--no-agent')
  await writer.stop()
  for (const machine of cluster.machines) await writer.allKept(machine)
  await settled(cluster, leader, 6)
})

test('an agent is killed: its instances are replaced elsewhere, and it gives them up when it is back', async () => {
  const cluster = await clusterWith(6)
  const [a, b, c] = cluster.machines
  const left = c.programs()
  expect(left).toHaveLength(2)
  const writer = startWriting(b)
  await c.kill()
  await settled(cluster, b, 6, [c])
  expect([...c.programs()].sort()).toEqual([...left].sort())
  await c.start()
  await settled(cluster, a, 6)
  await writer.stop()
  for (const machine of cluster.machines) await writer.allKept(machine)
})

test('etcd is killed and started again: everything runs on, and changes go on when it is back', async () => {
  const cluster = await clusterWith(4)
  const [a, b, c] = cluster.machines
  const [etcd] = cluster.etcd.members
  const before = await identities(b)
  const programs = cluster.machines.map((machine) => machine.programs())
  const writer = startWriting(b)
  await etcd?.kill()
  const refused = await c.host.run('service', 'scale', 'idle', '5')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('unreachable')])
  expect(cluster.machines.map((machine) => machine.programs())).toEqual(programs)
  etcd?.start()
  await cluster.etcd.answers()
  await writer.stop()
  for (const machine of cluster.machines) await writer.allKept(machine)
  await settled(cluster, c, 4)
  expect(await identities(a)).toEqual(before)
  await c.host.done('service', 'scale', 'idle', '5')
  await settled(cluster, b, 5)
})

test('one of three members of etcd is lost, whichever it is: the cluster goes on', async () => {
  const cluster = await clusterWith(2, { members: 3 })
  const [, b, c] = cluster.machines
  const writer = startWriting(b)
  let scale = 2
  for (const member of cluster.etcd.members) {
    await member.kill()
    scale += 1
    await until(async () => {
      await c.host.done('service', 'scale', 'idle', String(scale))
    })
    await settled(cluster, c, scale)
    member.start()
    await cluster.etcd.answers()
  }
  await writer.stop()
  for (const machine of cluster.machines) await writer.allKept(machine)
})

test('etcd answers 200 ms late: a service is deployed, scaled and updated all the same', async () => {
  const cluster = await openCluster()
  const [a, b, c] = cluster.machines
  for (const machine of cluster.machines) for (const network of machine.networks) network.delay(100)
  const writer = startWriting(c)
  await b.host.done('service', 'deploy', b.host.file('idle.yml', idleManifest()), '--scale', '4')
  await settled(cluster, a, 4)
  await b.host.done('service', 'scale', 'idle', '2')
  await b.host.done('service', 'deploy', b.host.file('idle.yml', idleManifest('2')))
  await settled(cluster, a, 2)
  expect((await a.client.instances('default', null)).map(({ ordinal }) => ordinal)).toEqual([2, 2])
  expect(await a.client.machines()).toHaveLength(3)
  await writer.stop()
  for (const machine of cluster.machines) await writer.allKept(machine)
})

test.each([
  { who: 'a follower', cutOff: 2 },
  { who: 'the leader', cutOff: 0 },
])(
  '$who is cut off for longer than its lease: it runs on, and gives up what was placed elsewhere',
  async ({ cutOff }) => {
    const cluster = await clusterWith(6)
    const [other] = cluster.machines.filter((_, at) => at !== cutOff)
    const away = cluster.machines[cutOff]
    if (away === undefined || other === undefined) throw new Error('no such machine')
    // Where it has more instances than the others the first units go to those.
    for (let from = 0; !away.programs().some((name) => name.startsWith('plain-')); from += 3) {
      await launchPlainUnits(cluster, from)
      await settled(cluster, other, 6)
    }
    const left = [...away.programs()].sort()
    const writer = startWriting(other)
    for (const network of away.networks) network.cut()
    await settled(cluster, other, 6, [away])
    expect([...away.programs()].sort()).toEqual(left)
    for (const network of away.networks) network.heal()
    await settled(cluster, away, 6)
    await settled(cluster, other, 6)
    await writer.stop()
    for (const machine of cluster.machines) await writer.allKept(machine)
    await Promise.all(
      (await plainUnits(other)).map(({ name }) => other.fleet.ask('DELETE', `/units/${name}`)),
    )
    await until(() => expect(cluster.machines.flatMap((machine) => machine.programs())).toHaveLength(6))
  },
)
