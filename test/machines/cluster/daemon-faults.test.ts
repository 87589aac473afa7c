// What becomes of a daemon that ends, or starts, while its store is away, on real machines: packets that vanish, connections
// that are refused, a slow way. The process tables say what was started and what was not.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { InstanceBody } from '../../../src/contract/contract.js'
import { type Cluster, startCluster } from './cluster.js'
import type { ClusterMachine } from './cluster-machine.js'
import { programsOf, witness } from './programs.js'
import { restore, startWorkload, tellOf, workloadRuns } from './workload.js'

/** Longer than a daemon of a busy host takes to end and to start again: none is to be lost here. */
const ttlSeconds = 40

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({ ttlSeconds })
  await startWorkload(cluster)
})
afterAll(() => cluster?.stop())

beforeEach(({ onTestFailed }) => onTestFailed(() => tellOf(cluster)))
afterEach(async () => {
  for (const network of cluster.networks) {
    network.heal()
    network.delay(0)
  }
  await restore(cluster)
})

function follower(): ClusterMachine {
  const leader = cluster.leader()
  const found = cluster.machines.find((machine) => machine !== leader)
  if (found === undefined) throw new Error('no follower')
  return found
}

/** What there is between a machine and its store, each with the way to undo it. */
const faults: Readonly<Record<string, (machine: ClusterMachine) => () => void>> = {
  'its packets vanish': (machine) => {
    machine.cutOff()
    return machine.plugIn
  },
  'its connections are refused': () => {
    for (const network of cluster.networks) network.cut()
    return () => {
      for (const network of cluster.networks) network.heal()
    }
  },
  'every answer takes 2 s': () => {
    for (const network of cluster.networks) network.delay(1000)
    return () => {
      for (const network of cluster.networks) network.delay(0)
    }
  },
}

/** Asks for one change after the other, of which none may ever be answered. */
function change(machine: ClusterMachine): void {
  for (let n = 0; n < 5; n++) {
    const patch = [{ op: 'add', path: `/${machine.id}/metadata/n`, value: String(n) }]
    machine.ask('PATCH', '/fleet/v1/machines', patch).catch(() => {})
  }
}

describe('SIGTERM ends a daemon soon, and what it runs goes on', () => {
  test.each(Object.keys(faults))('in the middle of changes, where %s', async (fault) => {
    const machine = follower()
    const before = programsOf(cluster)
    const undo = faults[fault]?.(machine)
    change(machine)
    expect(await machine.daemon.stop(), machine.daemon.log().slice(-2000)).toBe('success')
    undo?.()
    await machine.daemon.start()
    expect(programsOf(cluster)).toEqual(before)
  })

  test.each(Object.keys(faults))('while it opens its store, where %s', async (fault) => {
    const machine = follower()
    const before = programsOf(cluster)
    await machine.daemon.kill()
    const undo = faults[fault]?.(machine)
    const said = machine.daemon.log().length
    await machine.run('systemctl', 'start', 'mariposa')
    // Before that it does not mind signals yet.
    await expect
      .poll(() => machine.daemon.log().slice(said), { timeout: 30_000 })
      .toMatch(/etcd=|local units only/)
    expect(await machine.daemon.stop(), machine.daemon.log().slice(-2000)).toBe('success')
    undo?.()
    await machine.daemon.start()
    expect(programsOf(cluster)).toEqual(before)
  })
})

describe('daemons that start while their store is away', () => {
  test('mind what runs, show it, change nothing, start nothing else, and are back by themselves', async () => {
    const machine = follower()
    const instances = async (): Promise<readonly InstanceBody[]> => {
      const { text } = await machine.ask('GET', '/v1/projects/default/instances?service=web')
      return JSON.parse(text) as readonly InstanceBody[]
    }
    const here = (await instances()).find((one) => one.machine === machine.id)
    const watching = witness(cluster)
    for (const network of cluster.networks) network.cut()
    await Promise.all(cluster.machines.map(({ daemon }) => daemon.kill()))
    await Promise.all(cluster.machines.map(({ daemon }) => daemon.startAlone()))

    expect(await machine.ask('GET', '/healthz')).toMatchObject({ status: 200 })
    expect(await machine.ask('GET', '/readyz')).toMatchObject({
      status: 503,
      text: expect.stringContaining('unreachable') as string,
      stale: expect.stringMatching(/^\d{4}-/) as string,
    })
    expect((await instances()).find((one) => one.name === here?.name)).toMatchObject({ pid: here?.pid })
    expect(await machine.cli('service', 'exec', here?.name ?? '', '--', 'echo', 'inside')).toBe('inside\n')
    await machine.cli('service', 'logs', here?.name ?? '')
    const patch = [{ op: 'add', path: `/${machine.id}/metadata/n`, value: '1' }]
    expect((await machine.ask('PATCH', '/fleet/v1/machines', patch)).status).toBe(503)
    const scaled = await machine.ask('POST', '/v1/projects/default/scale', { targets: { web: 12 } })
    expect([scaled.status, scaled.text]).toEqual([503, expect.stringContaining('store/unreachable')])
    expect(await watching.end()).toEqual({ started: [], ended: [] })

    for (const network of cluster.networks) network.heal()
    await cluster.until('somebody leads', (view) => view.leader !== null && view.machines.size === 3)
    await expect.poll(async () => (await machine.ask('GET', '/readyz')).status, { timeout: 30_000 }).toBe(200)
    await workloadRuns(cluster)
  })

  test('bring back what ran on a machine that lost its power, and nothing that did not', async () => {
    const machine = follower()
    const names = (): readonly string[] => programsOf(cluster).map((one) => one.replace(/,.*/, ''))
    const before = names()
    for (const network of cluster.networks) network.cut()
    await machine.cutPower()
    await machine.bootAlone()
    await expect.poll(names, { timeout: 30_000 }).toEqual(before)
    expect((await machine.ask('GET', '/readyz')).status).toBe(503)
    for (const network of cluster.networks) network.heal()
    await cluster.until('somebody leads', (view) => view.leader !== null && view.machines.size === 3)
    await workloadRuns(cluster)
    expect(names()).toEqual(before)
  })
})
