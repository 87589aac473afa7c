// Schedules, webhooks and restarts on a cluster whose leader and machines die at the worst moment.
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { EventBody, InstanceBody } from '../../../src/contract/contract.js'
import { serviceKey } from '../../../src/store/view.js'
import { playRestartScenario } from '../../e2e/restart-scenario.js'
import { startReceiver, testSecret } from '../../notify/receiver.js'
import { type Cluster, startCluster } from './cluster.js'
import type { ClusterMachine } from './cluster-machine.js'
import { tellOf } from './workload.js'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({ jumpingClocks: true })
})
afterAll(() => cluster?.stop())
beforeEach(({ onTestFailed }) => onTestFailed(() => tellOf(cluster)))
afterEach(async () => {
  await Promise.all(cluster.machines.map((machine) => machine.heal()))
  const [machine] = cluster.machines
  for (const { name } of cluster.view.services.values())
    await machine?.cli('service', 'delete', name, '--force')
})

function other(than: ClusterMachine): ClusterMachine {
  const found = cluster.machines.find((machine) => machine !== than)
  if (found === undefined) throw new Error('no other machine')
  return found
}

async function deploy(machine: ClusterMachine, name: string, text: string, scale?: number): Promise<void> {
  const body = { sources: [{ file: `${name}.yml`, text, name }], ...(scale !== undefined && { scale }) }
  const answer = await machine.ask('POST', '/v1/projects/default/deploy', body)
  if (answer.status >= 300) throw new Error(`the deploy was refused: ${answer.text}`)
}

/** A job that leaves a line on its machine each time that it runs, and then does as it is told. */
const job = (schedule: string, then: string): string => `compute_type: process
service_type: scheduled
schedule: ${schedule}
command: [/bin/sh, "-c", "echo $NAME >> /var/log/fired; ${then}"]
environment: {NAME: "{{ .instance.name }}"}
restart: "no"
stop: {timeout: 1, preservestopped: "no"}
`

/** The lines that jobs have left, on all machines. */
async function fired(): Promise<readonly string[]> {
  const all = await Promise.all(
    cluster.machines.map((machine) => machine.run('sh', '-c', 'cat /var/log/fired 2>/dev/null || true')),
  )
  return all.flatMap((text) => text.split('\n')).filter((line) => line !== '')
}

async function cleanFired(): Promise<void> {
  await Promise.all(cluster.machines.map((machine) => machine.run('rm', '-f', '/var/log/fired')))
}

test('each firing starts one instance, also where the leader is killed in the second of the firing', async () => {
  await cleanFired()
  const firings = 4
  const everyMs = 5000
  const start = Date.now() + 4000
  const expression = `R${firings}/${new Date(start).toISOString()}/PT${everyMs / 1000}S`
  await deploy(
    other(cluster.leader()),
    'job',
    job(`{interval: "${expression}", epsilon: 60, overlap: allow}`, 'exit 3'),
  )
  const runs = () => cluster.view.runsOf(serviceKey('default', 'job'))
  for (let n = 0; n < 2; n += 1) {
    const dueAt = start + n * everyMs
    await cluster.until('somebody leads', (view) => view.leader !== null)
    const leader = cluster.leader()
    // A kill takes a moment to arrive.
    await delay(dueAt - 20 - Date.now())
    await leader.daemon.kill()
    await cluster.until('the firing is dealt with', () => runs().some((run) => run.dueAt === dueAt))
    await leader.daemon.start()
  }
  await cluster.until(
    'every run has ended',
    () => runs().length === firings && runs().every(({ endedAt }) => endedAt !== null),
  )
  expect(runs().map(({ dueAt }) => dueAt)).toEqual(
    Array.from({ length: firings }, (_, n) => start + n * everyMs),
  )
  const names = Array.from({ length: firings }, (_, n) => `job-${n + 1}`)
  expect(runs().map(({ outcome, instance, exit }) => [outcome, instance, exit?.code])).toEqual(
    names.map((name) => ['started', name, 3]),
  )
  expect([...(await fired())].sort()).toEqual(names)
})

test('a firing is left out while an instance runs, also under a leader that is new', async () => {
  await cleanFired()
  const leader = cluster.leader()
  const key = serviceKey('default', 'job')
  const skipped = () => cluster.view.runsOf(key).filter(({ outcome }) => outcome === 'skipped').length
  // What runs on a machine that is lost is no reason to leave a firing out.
  await leader.cli('machine', 'cordon', leader.id)
  await deploy(other(leader), 'job', job('{cron: "* * * * * *", overlap: skip}', 'exec sleep 100000'))
  await cluster.until('firings are left out', () => skipped() > 1)
  await leader.cli('machine', 'uncordon', leader.id)
  await leader.daemon.kill()
  await cluster.until('another leads', (view) => view.leader !== null && view.leader.machine !== leader.id)
  const before = skipped()
  await cluster.until('firings are left out again', () => skipped() > before + 1)
  await leader.daemon.start()
  expect(await fired()).toEqual(['job-1'])
})

test('a clock of the leader that jumps by an hour, forward and back, doubles no firing and stops none', async () => {
  await cleanFired()
  const hourMs = 3_600_000
  const leader = cluster.leader()
  const key = serviceKey('default', 'job')
  const startedAfter = (from: number, to: number): number =>
    cluster.view
      .runsOf(key)
      .filter(({ outcome, dueAt }) => outcome === 'started' && dueAt > from && dueAt < to).length
  const begun = Date.now()
  await deploy(
    other(leader),
    'job',
    job('{interval: R/2026-01-01T00:00:00Z/PT2S, epsilon: 10, overlap: allow}', 'exit 0'),
  )
  await cluster.until('it fires', () => startedAfter(begun, begun + hourMs / 2) > 1)
  leader.setClockOff(hourMs)
  // Its clock is far off those of the others, so that it leaves the lead to one of them.
  await cluster.until(
    'another leads',
    (view) => view.leader !== null && view.leader.machine !== leader.id && view.clockOffsets.has(leader.id),
  )
  const ahead = Date.now()
  await cluster.until('it goes on firing', () => startedAfter(ahead, begun + hourMs / 2) > 1)
  leader.setClockOff(0)
  const back = Date.now()
  await cluster.until('it fires again', () => startedAfter(back, begun + hourMs / 2) > 1)
  await cluster.until('the clocks agree', (view) => view.clockOffsets.size === 0)
  await leader.cli('service', 'stop', 'job')
  const runs = cluster.view.runsOf(key)
  const started = runs.filter(({ outcome }) => outcome === 'started').map(({ instance }) => instance)
  expect(new Set(runs.map(({ dueAt }) => dueAt)).size).toBe(runs.length)
  const names = await fired()
  expect(new Set(names).size).toBe(names.length)
  expect(started).toEqual(expect.arrayContaining([...names]))
  // None that comes when the clock is right again is told as missed: those that are, were due meanwhile.
  const missed = runs.filter(({ outcome }) => outcome === 'missed').reduce((sum, { count }) => sum + count, 0)
  expect(missed).toBeLessThanOrEqual((Date.now() - begun) / 2000 + 2)
})

test('webhooks tell every event in order when the leader is killed while it sends', async () => {
  const [address = ''] = cluster.networks.map((network) => network.address.split(':')[0])
  const receiver = await startReceiver(testSecret, 0, address)
  const hook = `webhooks:\n  - {url: "${receiver.url}", secret: ${testSecret}, allow_private: true}\n`
  const idle =
    'compute_type: process\ncommand: [/bin/sleep, "100000"]\nstop: {timeout: 1, preservestopped: "no"}\n'
  const leader = cluster.leader()
  const asked = other(leader)
  await deploy(asked, 'web', idle + hook, 2)
  await receiver.until((received) => received.length > 1)
  // The leader dies while an answer is due.
  const killed = new Promise<void>((resolve, reject) => {
    receiver.answer = () => {
      receiver.answer = (_request, response) => void response.writeHead(204).end()
      leader.daemon.kill().then(resolve, reject)
    }
  })
  await asked.cli('service', 'scale', 'web', '4')
  await asked.cli('service', 'scale', 'web', '1')
  await killed
  await leader.daemon.start()
  await asked.cli('webhook', 'retry', 'web')
  const events = JSON.parse(await asked.cli('service', 'events', 'web', '--json')) as readonly EventBody[]
  const kinds = ['deploy', 'scale', 'instance-started', 'instance-exited', 'task-completed']
  const told = events
    .filter(({ kind, message }) => kinds.includes(kind) && !message.startsWith('scale is done'))
    .map(({ id }) => `evt_${id}`)
  const idsReceived = (): ReadonlySet<string> => new Set(receiver.received.map(({ id }) => id))
  await receiver.until(() => told.every((id) => idsReceived().has(id)))
  // What was being sent when the leader died may come twice, under the same id.
  const inOrder = events.map(({ id }) => `evt_${id}`).filter((id) => idsReceived().has(id))
  expect([...idsReceived()]).toEqual(inOrder)
  await receiver.close()
})

test('a machine that comes back restarts what it ran, and the oldest of all go until the scale is met', async () => {
  const leader = cluster.leader()
  const away = other(leader)
  const idle = `compute_type: process
command: [/bin/sleep, "100000"]
restart: always
stop: {timeout: 1, preservestopped: "no"}
`
  await deploy(leader, 'idle', idle, 3)
  await playRestartScenario({
    scale: 3,
    machine: away.id,
    instances: async () => {
      const { text } = await leader.ask('GET', '/v1/projects/default/instances?service=idle')
      return JSON.parse(text) as readonly InstanceBody[]
    },
    goOffline: () => away.cutPower(),
    comeBack: () => away.boot(),
  })
})
