// A daemon that is stopped on purpose: its machine is away and not lost, for a while.
import { expect, test } from 'vitest'
import { agentTtlSeconds, type ClusterMachine, idleManifest, until, useClusters } from './cluster.js'

const openCluster = useClusters()

/** Starts the daemon of a machine with an option, in place of the one that it has. */
async function restartWith(machine: ClusterMachine, ...args: readonly string[]) {
  await machine.kill()
  return machine.start(...args)
}

async function stateOf(asked: ClusterMachine, { id }: ClusterMachine): Promise<string> {
  const { stdout } = await asked.host.done('machine', 'list', '--json')
  const machines = JSON.parse(stdout) as readonly { id: string; state: string }[]
  return machines.find((one) => one.id === id)?.state ?? 'gone'
}

/** What is placed on a machine. The others may come and go where the host is busy: their leases are short here. */
async function placedOn({ client }: ClusterMachine, { id }: ClusterMachine): Promise<readonly string[]> {
  const instances = await client.instances('default', null)
  return instances.filter(({ machine }) => machine === id).map(({ name, state }) => `${name} ${state}`)
}

test('what runs on a machine that is away stays there alone, and the machine is back at once', async () => {
  const cluster = await openCluster()
  const [a, , c] = cluster.machines
  await a.host.done('service', 'deploy', a.host.file('idle.yml', idleManifest()), '--scale', '3')
  const before = await placedOn(a, c)
  expect(before).toHaveLength(1)
  const daemon = await restartWith(c)
  daemon.signal('SIGTERM')
  await daemon.ended
  expect(await stateOf(a, c)).toBe('away')
  // For longer than its lease would have lasted.
  await new Promise((resolve) => setTimeout(resolve, 1000 * (agentTtlSeconds + 2)))
  expect(await placedOn(a, c)).toEqual(before)
  await a.host.done('service', 'scale', 'idle', '5')
  expect(await placedOn(a, c)).toEqual(before)
  await c.start()
  expect(await stateOf(a, c)).toBe('up')
  expect(await placedOn(a, c)).toEqual(before)
})

test('when its time is over it is lost, and its instances are replaced elsewhere', async () => {
  const cluster = await openCluster()
  const [a, , c] = cluster.machines
  await a.host.done('service', 'deploy', a.host.file('idle.yml', idleManifest()), '--scale', '3')
  const daemon = await restartWith(c, '--away-grace', '5s')
  daemon.signal('SIGTERM')
  await daemon.ended
  expect(await stateOf(a, c)).toBe('away')
  await until(async () => expect(await stateOf(a, c)).toBe('down'))
  await until(async () => {
    const running = (await a.client.instances('default', null)).filter(({ state }) => state === 'running')
    expect(running.map(({ machine }) => machine?.at(0))).not.toContain('c')
    expect(running).toHaveLength(3)
  })
})
