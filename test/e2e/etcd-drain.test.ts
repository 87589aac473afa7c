// Machines that are drained, through the real command line on a cluster of three daemons.
import { expect, test } from 'vitest'
import type { DrainBody, ExplainedUnit, MachineDetails } from '../../src/contract/contract.js'
import {
  type Cluster,
  idleManifest,
  launchPlainUnits,
  plainUnits,
  settled,
  until,
  useClusters,
} from './cluster.js'

const openCluster = useClusters()

const json = <T>(text: string): T => JSON.parse(text) as T

async function deploy({ machines: [{ host }] }: Cluster, scale: number, more = ''): Promise<void> {
  await host.done(
    'service',
    'deploy',
    host.file('idle.yml', `${idleManifest()}${more}`),
    '--scale',
    String(scale),
  )
}

/** How many instances ran at each retirement, as the history has it. */
async function retirements({ machines: [{ host }] }: Cluster): Promise<readonly string[]> {
  const { stdout } = await host.done('service', 'events', 'idle', '--json')
  return json<{ kind: string; data?: { cause?: string } }[]>(stdout).flatMap(({ kind, data }) =>
    kind === 'instance-retired' ? [data?.cause ?? ''] : [],
  )
}

test('a drained machine loses everything that can be elsewhere, and takes units again when it is uncordoned', async () => {
  const cluster = await openCluster()
  const [a, b, c] = cluster.machines
  await deploy(cluster, 6)
  await launchPlainUnits(cluster)
  await a.fleet.ask('PUT', '/units/every.service', {
    name: 'every.service',
    desiredState: 'launched',
    options: [
      { section: 'Service', name: 'ExecStart', value: '/bin/sleep 100000' },
      { section: 'X-Fleet', name: 'Global', value: 'true' },
    ],
  })
  await settled(cluster, a, 6)
  await a.host.done('service', 'explain', 'idle')

  const had = c.programs().filter((name) => name.startsWith('idle-'))
  expect(had).not.toEqual([])
  const drained = await a.host.done('machine', 'drain', c.id)
  expect(drained.stdout).toMatch(/idle-\d: has left /)
  expect(drained.stdout).toMatch(/ is drained; 1 stays\n$/)
  expect(c.programs()).toEqual([])
  await settled(cluster, b, 6)
  expect(await retirements(cluster)).toEqual(had.map(() => 'drained'))
  expect((await plainUnits(a)).map(({ machine }) => machine)).not.toContain(c.id)
  const again = await a.host.done('machine', 'drain', c.id, '--json')
  expect(json<DrainBody[]>(again.stdout)).toMatchObject([
    { machine: c.id, state: 'done', left: [{ name: 'every.service', state: 'stays' }] },
  ])
  expect(json<MachineDetails>((await b.host.done('machine', 'show', c.id, '--json')).stdout)).toMatchObject({
    cordoned: true,
    draining: true,
  })

  await b.host.done('machine', 'uncordon', c.id)
  await a.host.done('service', 'scale', 'idle', '9')
  await settled(cluster, c, 9)
  expect(c.programs()).toHaveLength(3)
})

test('what can go nowhere else is named with every reason, and goes once it can', async () => {
  const cluster = await openCluster()
  const [a, b, c] = cluster.machines
  await deploy(cluster, 3, 'affinity: ["service!=idle"]\n')
  const options = [
    { section: 'Service', name: 'ExecStart', value: '/bin/sleep 100000' },
    { section: 'Service', name: 'Environment', value: 'INSTANCE=plain-0.service' },
    { section: 'X-Fleet', name: 'MachineID', value: c.id },
    { section: 'X-Fleet', name: 'MachineMetadata', value: 'disk=ssd' },
  ]
  await c.host.done('machine', 'metadata', c.id, 'disk=ssd')
  await a.fleet.ask('PUT', '/units/plain-0.service', {
    name: 'plain-0.service',
    desiredState: 'launched',
    options,
  })
  await settled(cluster, a, 3)

  const stuck = await b.host.run('machine', 'drain', c.id, '--json')
  expect(stuck.code).toBe(1)
  const { error } = json<{ error: { code: string; details: { message: string }[] } }>(stuck.stdout)
  expect(error.code).toBe('cli/cannot-drain')
  expect(error.details.map(({ message }) => message).sort()).toEqual([
    expect.stringMatching(
      /^idle-\d: cannot leave: no machine can take idle-4 in its place: .* kept apart by /,
    ) as string,
    expect.stringContaining(`plain-0.service: cannot leave: no other machine can take it:`) as string,
  ])
  const explained = await a.host.done('unit', 'explain', 'plain-0', '--json')
  const { machines } = json<ExplainedUnit>(explained.stdout)
  expect(machines.find(({ machine }) => machine === b.id)).toMatchObject({
    accepted: false,
    reasons: [expect.stringContaining('MachineID='), expect.stringContaining('no disk in its metadata')],
  })
  expect(machines.find(({ machine }) => machine === c.id)?.reasons).toEqual([
    'is cordoned: it takes no new units',
  ])

  await a.host.done('service', 'scale', 'idle', '2')
  await a.host.done('unit', 'destroy', 'plain-0')
  await a.host.done('machine', 'drain', c.id)
  expect(c.programs()).toEqual([])
})

test('a drain goes on when the leader is killed, and nothing runs less often for it', async () => {
  const cluster = await openCluster({ leaderAlone: true })
  const [leader, b, c] = cluster.machines
  await deploy(cluster, 6)
  await settled(cluster, b, 6)
  const detached = await b.host.done('machine', 'drain', b.id, '-d')
  expect(detached.stdout).toBe(`${b.id}\n`)
  await until(async () => expect((await retirements(cluster)).length).toBeGreaterThan(0))
  await leader.kill()
  await b.host.done('machine', 'drain', b.id, '--rolling', '2')
  expect(b.programs()).toEqual([])
  expect(c.programs()).toHaveLength(6)
  await leader.start('--no-agent')
  await settled(cluster, leader, 6)
  expect(await retirements(cluster)).toEqual(Array(3).fill('drained'))
})
