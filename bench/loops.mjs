// What the leader's loops cost: looking at the triggers of 10,000 services, and webhooks on their way, beside a bare
// client of node:http that posts the same bodies to the same receiver.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { bundleExports } from './bundle.mjs'

const services = 10_000
const instancesEach = 3
const machines = 100
const hooks = 1000
const rounds = 3

/** Rows `{name, value, unit, floor?, ratio?}`. */
export async function run() {
  const ours = await load()
  return [...(await triggers(ours)), ...(await webhooks(ours))]
}

async function load() {
  return bundleExports(
    `export { autoscalePass } from './src/autoscale/io/pass.ts'
        export { openMailer } from './src/notify/io/mailer.ts'
        export { openSender } from './src/notify/io/sender.ts'
        export { startNotifier } from './src/notify/io/notifier.ts'
        export { newReceiver } from './src/notify/receivers.ts'
        export { openEventLog } from './src/store/io/event-log.ts'
        export { openMemoryStore } from './test/store/memory-store.ts'
        export { openRegistry } from './src/store/io/registry.ts'
        export { leaderKey, putOf } from './src/store/records.ts'`,
    'loops.mjs',
  )
}

const clock = { now: () => Date.now() }
const log = { debug() {}, info() {}, warn() {}, error() {} }

/** A registry in memory, with a leader. */
async function openCluster({ openMemoryStore, openRegistry, leaderKey }) {
  const store = openMemoryStore({ clock })
  const registry = await openRegistry(store, { onError: (error) => console.error(error) })
  await registry.commit([], [{ op: 'put', key: leaderKey, value: '{}' }])
  const epoch = registry.view.revisionOf(leaderKey)
  const close = async () => {
    await registry.close()
    await store.close()
  }
  return { registry, epoch: () => epoch, close }
}

/** All windows are full before the first pass that counts, so that each trigger is judged by its whole window. */
async function triggers(ours) {
  const cluster = await openCluster(ours)
  const { registry, epoch } = cluster
  const events = ours.openEventLog(clock, 'a'.repeat(32))
  const ops = scaledServices(ours.putOf)
  for (let from = 0; from < ops.length; from += 5000) await registry.commit([], ops.slice(from, from + 5000))
  const changeScale = () => ({ message: 'this is a measurement' })
  const pass = ours.autoscalePass({ registry, events, log, epoch, changeScale, isFrozen: () => false })
  const { signal } = new AbortController()
  let now = 1_000_000
  const times = []
  for (let n = 0; n < 40; n += 1, now += 2000) {
    const before = process.cpuUsage()
    await pass(now, signal)
    if (n >= 33) times.push(seconds(process.cpuUsage(before)))
  }
  await cluster.close()
  const perPass = median(times)
  return [
    {
      name: `triggers of ${services} services (2 each, ${instancesEach} instances, window of 60 s), one look at all`,
      value: perPass * 1000,
      unit: 'ms of processor time',
    },
    { name: 'the same, at one look every 2 s', value: (perPass / 2) * 100, unit: '% of a core' },
  ]
}

function scaledServices(putOf) {
  const trigger = {
    name: 'busy',
    source: { service: null, providers: ['containermonitor'], metric: 'cpu_used' },
    operator: '>',
    value: 80,
    percent: true,
    windowMs: 60_000,
    aggregate: 'avg',
    action: 'increment',
    instances: 1,
  }
  const idle = { ...trigger, name: 'idle', operator: '<', value: 20, action: 'decrement' }
  const scaling = { enable: true, min: 1, max: 10, retriggerDelayMs: 60_000, triggers: [trigger, idle] }
  const machineIds = Array.from({ length: machines }, (_, n) => String(n).padStart(32, '0'))
  const values = new Map(machineIds.map((id) => [id, {}]))
  const ops = machineIds.map((id) => putOf('machine', aMachine(id)))
  for (let n = 0; n < services; n += 1) {
    const name = `web${n}`
    ops.push(
      putOf('service', aService(name, instancesEach)),
      putOf('version', { ...aVersion(name), scaling }),
    )
    for (let k = 1; k <= instancesEach; k += 1) {
      const unit = `default.${name}.v1@${k}.service`
      const machine = machineIds[(n + k) % machines]
      values.get(machine)[unit] = { 'containermonitor.cpu_used%': 50 }
      ops.push(
        putOf('instance', anInstance(name, k, unit)),
        putOf('placement', { unit, machine, ports: [], cause: { kind: 'new' }, at: 0 }),
      )
    }
  }
  for (const [machine, of] of values) ops.push(putOf('metrics', { machine, values: of }))
  return ops
}

function aMachine(id) {
  const capacity = { cpus: 8, memoryMb: 65536, diskMb: 0 }
  return {
    id,
    hostname: id,
    ip: '10.0.0.1',
    metadata: {},
    capacity,
    drivers: ['process'],
    version: '0',
    bootedAt: 0,
  }
}

function aService(name, scale) {
  return {
    ...{ uuid: `service-${name}`, project: 'default', name, type: 'continuous', scale, stoppedFrom: null },
    ...{
      current: `version-${name}`,
      lastOrdinal: 1,
      lastInstance: scale,
      createdAt: 0,
      starts: 0,
      stopping: null,
    },
    ...{ deleting: false, rollout: null, failures: null, blocked: null, releasedAt: null },
  }
}

function aVersion(service) {
  return {
    ...{
      uuid: `version-${service}`,
      project: 'default',
      service,
      ordinal: 1,
      createdAt: 0,
      sha1: '',
      text: '',
    },
    ...{ type: 'continuous', file: '', image: '', template: `default.${service}.v1@.service`, hash: '' },
    ...{ meta: [], scale: 1, preserve: 'no', checked: false },
  }
}

function anInstance(service, n, unit) {
  return {
    ...{ uuid: `${service}-${n}`, name: `${service}-${n}`, n, project: 'default', service, unit },
    ...{ version: `version-${service}`, ordinal: 1, createdAt: 0, retired: null, lost: null },
  }
}

/** Ours and the floor take turns, so that a busy machine troubles both alike; medians. */
async function webhooks(ours) {
  const receiver = await startReceiver()
  try {
    const [one, many, floors] = [[], [], []]
    for (let round = 0; round < rounds; round += 1) {
      floors.push(await bare(receiver.port))
      one.push(await told(ours, receiver.port, 1))
      many.push(await told(ours, receiver.port, 20))
    }
    const floor = median(floors)
    return [
      row(
        'webhooks to one receiver, in order (floor: the same bodies posted by node:http)',
        median(one),
        floor,
      ),
      row('webhooks to 20 receivers, each in order', median(many)),
    ]
  } finally {
    receiver.close()
  }
}

function row(name, value, floor) {
  const compared = floor === undefined ? {} : { floor, ratio: value / floor }
  return { name, value, unit: 'per s', ...compared }
}

/** In a process of its own, so that it takes no time from the sender. */
async function startReceiver() {
  const program = `require('node:http').createServer((request, answer) => {
    request.resume().on('end', () => answer.writeHead(204).end())
  }).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  return { port: Number(line), close: () => child.kill('SIGKILL') }
}

/** How many events per second get from the history to the receivers, which have them all one after the other. */
async function told(ours, port, receivers) {
  const cluster = await openCluster(ours)
  const { registry, epoch } = cluster
  const { putOf } = ours
  const events = ours.openEventLog(clock, 'a'.repeat(32))
  const service = aService('web', 1)
  const secret = [{ kind: 'text', text: `whsec_${Buffer.alloc(24, 1).toString('base64')}` }]
  const webhooksOf = Array.from({ length: receivers }, (_, n) => ({
    url: `http://127.0.0.1:${port}/${n}`,
    events: ['scale'],
    secret,
    headers: {},
    allowPrivate: true,
  }))
  await registry.commit(
    [],
    [
      putOf('service', service),
      putOf('version', { ...aVersion('web'), webhooks: webhooksOf }),
      ...webhooksOf.map((webhook) =>
        putOf('receiver', ours.newReceiver(service, webhook, null, clock.now())),
      ),
    ],
  )
  let sent = 0
  const all = Promise.withResolvers?.() ?? withResolvers()
  const bareSender = ours.openSender(clock, ours.openMailer(null, clock))
  const sender = {
    ...bareSender,
    send: async (letter, signal) => {
      const outcome = await bareSender.send(letter, signal)
      sent += 1
      if (sent === hooks) all.resolve()
      return outcome
    },
  }
  const secrets = { seal: (text) => text, open: (text) => text }
  const onError = (error) => console.error(error)
  const notifier = ours.startNotifier({
    registry,
    events,
    secrets,
    sender,
    cluster: 'bench',
    clock,
    log,
    epoch,
    onError,
  })
  const drafts = Array.from({ length: hooks / receivers }, (_, n) => ({
    ...{ kind: 'scale', project: 'default', service: 'web', instance: null, machine: null },
    ...{ message: `scale ${n}`, data: { scale: { from: n, to: n + 1 } } },
  }))
  const from = performance.now()
  await registry.commit([], events.append(drafts))
  await all.promise
  const perSecond = hooks / ((performance.now() - from) / 1000)
  await notifier.stop()
  bareSender.close()
  await cluster.close()
  return perSecond
}

function withResolvers() {
  let resolve
  const promise = new Promise((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** As many bodies of such a length, one after the other over one connection. */
async function bare(port) {
  const agent = new Agent({ keepAlive: true })
  const body = 'x'.repeat(600)
  const headers = { 'content-type': 'application/cloudevents+json', 'content-length': body.length }
  const post = () =>
    new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port, method: 'POST', path: '/0', agent, headers }, (answer) =>
        answer.resume().on('end', resolve),
      )
        .on('error', reject)
        .end(body)
    })
  const from = performance.now()
  for (let n = 0; n < hooks; n += 1) await post()
  agent.destroy()
  return hooks / ((performance.now() - from) / 1000)
}

function seconds({ user, system }) {
  return (user + system) / 1e6
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}
