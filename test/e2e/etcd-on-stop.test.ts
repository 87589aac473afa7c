// What becomes of what runs on a machine whose daemon is stopped on purpose, as --on-stop says.
import { expect, test } from 'vitest'
import { type Cluster, type ClusterMachine, idleManifest, until, useClusters } from './cluster.js'

const openCluster = useClusters()

/** Three instances, one on each machine; the daemon of the last is to be stopped in some way. */
async function deployed(...args: readonly string[]) {
  const cluster: Cluster = await openCluster()
  const [a, , c] = cluster.machines
  await a.host.done('service', 'deploy', a.host.file('idle.yml', idleManifest()), '--scale', '3')
  expect(await runningOn(a, c)).toHaveLength(1)
  await c.kill()
  const daemon = await c.start(...args)
  return { a, c, daemon }
}

async function runningOn({ client }: ClusterMachine, { id }: ClusterMachine): Promise<readonly string[]> {
  const instances = await client.instances('default', null)
  return instances
    .filter(({ machine, state }) => machine === id && state === 'running')
    .map(({ name }) => name)
}

async function running({ client }: ClusterMachine): Promise<number> {
  return (await client.instances('default', null)).filter(({ state }) => state === 'running').length
}

async function machineOf(asked: ClusterMachine, { id }: ClusterMachine) {
  const { stdout } = await asked.host.done('machine', 'list', '--json')
  const machines = JSON.parse(stdout) as readonly { id: string; cordoned: boolean }[]
  return machines.find((one) => one.id === id)
}

test('drain replaces it elsewhere before the daemon ends, and the machine takes units again when it is back', async () => {
  const { a, c, daemon } = await deployed('--on-stop', 'drain')
  daemon.signal('SIGTERM')
  await daemon.ended
  // What the daemon that ends has seen, the one that is asked may see a moment later.
  await until(async () => expect(await runningOn(a, c)).toEqual([]))
  expect(await running(a)).toBe(3)
  await c.start()
  await until(async () => expect((await machineOf(a, c))?.cordoned).toBe(false))
})

test('drain that is not over in time leaves the rest running', async () => {
  const { a, c, daemon } = await deployed('--on-stop', 'drain', '--on-stop-timeout', '2s')
  const before = await runningOn(a, c)
  // Nothing of the service changes while it is frozen: nothing can leave.
  await a.host.done('queue', 'freeze')
  daemon.signal('SIGTERM')
  await daemon.said('drain timed out')
  await daemon.ended
  expect(await runningOn(a, c)).toEqual(before)
  // What is frozen could not be removed when the test is over.
  await a.host.done('queue', 'unfreeze')
})

test('purge stops it, and others take its place at once', async () => {
  const { a, c, daemon } = await deployed('--on-stop', 'purge')
  daemon.signal('SIGTERM')
  await daemon.ended
  await until(async () => expect(await machineOf(a, c)).toBeUndefined())
  await until(async () => {
    expect(await runningOn(a, c)).toEqual([])
    expect(await running(a)).toBe(3)
  })
  // Nobody waits for what nothing is left of.
  await until(async () => expect(await a.client.instances('default', null)).toHaveLength(3))
  await c.start()
  await until(async () => expect((await machineOf(a, c))?.cordoned).toBe(false))
  await a.host.done('service', 'scale', 'idle', '4')
  // It took the new one, and had nothing else to start.
  expect(await runningOn(a, c)).toEqual(['idle-5'])
  expect(await running(a)).toBe(4)
})

test('what is purged and has no other place is started again when the daemon is back', async () => {
  const cluster: Cluster = await openCluster()
  const [a, , c] = cluster.machines
  await c.kill()
  const daemon = await c.start('--on-stop', 'purge', '--metadata', 'role=alone')
  const manifest = `${idleManifest()}affinity: ["machine.role==alone"]\n`
  await a.host.done('service', 'deploy', a.host.file('idle.yml', manifest))
  daemon.signal('SIGTERM')
  await daemon.ended
  await until(async () => expect(await running(a)).toBe(0))
  await c.start('--metadata', 'role=alone')
  await until(async () => expect(await runningOn(a, c)).toHaveLength(1))
  await until(async () => expect(await a.client.instances('default', null)).toHaveLength(1))
})

test('what is on a machine that does not answer is given up by a stop, which says so', async () => {
  const { a, c } = await deployed('--agent-ttl', '8s')
  const there = await runningOn(a, c)
  await c.kill()
  const { stdout, stderr } = await a.host.done('service', 'stop', 'idle')
  expect(stderr).toContain(`which stops them when it is back: ${there[0]}`)
  expect(stdout).toContain(`${there[0]}: given up: its machine is down`)
  expect(c.programs()).toEqual(there)
  await c.start()
  await until(async () => expect(c.programs()).toEqual([]))
})
