// A cluster on etcd: how fast the engine places through the store, what an idle cluster costs, and how fast fleet's API
// lists a thousand units. `node bench/cluster.mjs` measures all; `--part engine` one of engine, idle, lists.
import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { call } from './api.mjs'
import { bundleExports } from './bundle.mjs'
import { ready } from './daemon.mjs'

const root = join(import.meta.dirname, '..')
const units = 1000
const unitNames = Array.from({ length: units }, (_, n) => `bench-${n}.service`)
/** Long enough to have in it what V8 does once after work, some half a minute later: it collects and gives memory back. */
const idleMs = 60_000

/** Rows of the bench table. */
export async function run({ parts = ['engine', 'idle', 'lists'] } = {}) {
  const ours = await loadParts()
  const rows = []
  if (parts.includes('engine')) rows.push(...(await enginePlacements(ours)))
  if (parts.includes('idle') || parts.includes('lists')) rows.push(...(await runningCluster(ours, parts)))
  return rows
}

async function loadParts() {
  return bundleExports(
    `export { enginePass } from './src/engine/io/pass.ts'
        export { sha1 } from './src/lib/hash.ts'
        export { silentLog } from './src/lib/io/log.ts'
        export { openEtcdStore } from './src/store/io/etcd/etcd.ts'
        export { openEventLog } from './src/store/io/event-log.ts'
        export { openRegistry } from './src/store/io/registry.ts'
        export { LossWatch } from './src/store/losses.ts'
        export { leaderKey, putOf } from './src/store/records.ts'
        export { openUnitReader } from './src/unit/reader.ts'
        export { startEtcd } from './test/machines/etcd-host.ts'`,
    'cluster-parts.mjs',
  )
}

/** 20,000 units for 100 machines: one pass, from its first decision until etcd and our view have the last placement. */
async function enginePlacements(ours) {
  const count = 20_000
  const etcd = await ours.startEtcd()
  try {
    const [floors, rates] = [[], []]
    for (let round = 0; round < 5; round++) {
      const store = ours.openEtcdStore({ ...etcd.options, prefix: `/bench/${round}/` })
      floors.push(await floorPerSecond(store, count))
      rates.push(await placementsPerSecond(ours, store, count))
      if (process.env.BENCH_DEBUG) console.error({ floor: floors.at(-1), ours: rates.at(-1) })
      await store.close()
    }
    const [value, floor] = [median(rates), median(floors)]
    return [
      {
        name: `engine with etcd: placements of ${count} units on 100 machines (floor: the same bytes in transactions as large, written and no more)`,
        value,
        unit: 'per s',
        floor,
        ratio: value / floor,
      },
    ]
  } finally {
    await etcd.stop()
  }
}

/** As the engine writes: a thousand placements of some 160 bytes at a time, and an entry of 300 for each that tells of them. */
async function floorPerSecond(store, count) {
  const atOnce = 1000
  const put = (key, bytes) => ({ op: 'put', key, value: 'x'.repeat(bytes) })
  const portions = Array.from({ length: count / atOnce }, (_, portion) => [
    ...Array.from({ length: atOnce }, (_, i) => put(`floor/p${portion * atOnce + i}`, 160)),
    put(`floor/e${portion}`, 300 * atOnce),
  ])
  const from = performance.now()
  const queue = portions.values()
  const hand = async () => {
    for (const ops of queue) await store.txn([], ops)
  }
  await Promise.all(Array.from({ length: 4 }, hand))
  const perSecond = count / ((performance.now() - from) / 1000)
  await store.txn([], [{ op: 'delete-prefix', prefix: 'floor/' }])
  return perSecond
}

async function placementsPerSecond(ours, store, count) {
  const text = '[Service]\nExecStart=/bin/sleep 1000\n'
  const hash = ours.sha1(text)
  const machines = Array.from({ length: 100 }, (_, n) => machineOf(n))
  const wanted = Array.from({ length: count }, (_, n) => ({
    name: `bench@${n}.service`,
    hash,
    desired: 'launched',
    instance: null,
    createdAt: 0,
  }))
  await writeAll(store, [
    ours.putOf('file', { hash, text }),
    ...machines.map((machine) => ours.putOf('machine', machine)),
    ...wanted.map((unit) => ours.putOf('unit', unit)),
  ])
  const leader = { op: 'put', key: ours.leaderKey, value: JSON.stringify({ machine: machines[0].id }) }
  const { revision } = await store.txn([], [leader])
  const registry = await ours.openRegistry(store, { onError: console.error, patienceMs: 2000 })
  const reader = ours.openUnitReader((wanted) => registry.view.files.get(wanted), machines[0])
  const clock = { now: () => Date.now() }
  const pass = ours.enginePass({
    registry,
    needsOf: reader.needs,
    events: ours.openEventLog(clock, machines[0].id),
    losses: new ours.LossWatch(registry.view, 0),
    log: ours.silentLog,
    epoch: () => revision,
    jumps: () => [],
  })
  const from = performance.now()
  await pass(Date.now(), new AbortController().signal)
  const seconds = (performance.now() - from) / 1000
  if (registry.view.placements.size !== count) throw new Error(`placed ${registry.view.placements.size}`)
  await registry.close()
  return count / seconds
}

function machineOf(n) {
  return {
    id: String(n).padStart(32, '0'),
    hostname: `m${n}`,
    ip: '10.0.0.1',
    metadata: {},
    capacity: { cpus: 64, memoryMb: 1_000_000, diskMb: 1_000_000 },
    drivers: ['process'],
    version: 'bench',
    bootedAt: 0,
  }
}

async function writeAll(store, ops) {
  for (let from = 0; from < ops.length; from += 1000) await store.txn([], ops.slice(from, from + 1000))
}

/** Three machines with a thousand units that run. */
async function runningCluster(ours, parts) {
  const etcd = await ours.startEtcd()
  const home = mkdtempSync(join(tmpdir(), 'mariposa-bench-cluster-'))
  const daemons = []
  try {
    const address = `etcd://${etcd.options.endpoints[0]}`
    for (const letter of 'abc') daemons.push(await startDaemon(join(home, letter), letter, address))
    const [{ socket }] = daemons
    await launch(socket)
    const rows = []
    if (parts.includes('idle')) rows.push(...(await idleCost(etcd, daemons)))
    if (parts.includes('lists')) rows.push(...(await lists(socket)))
    return rows
  } finally {
    await remove(daemons[0])
    await Promise.all(daemons.map((daemon) => daemon.stop()))
    await etcd.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

/** A daemon under a machine id of its own: /etc/machine-id is another file for it alone. */
async function startDaemon(home, letter, store) {
  const { mkdirSync } = await import('node:fs')
  mkdirSync(home, { recursive: true })
  const [socket, id] = [join(home, 'mariposa.sock'), join(home, 'id')]
  writeFileSync(id, `${letter.repeat(32)}\n`)
  const log = openSync(join(home, 'daemon.log'), 'a')
  const args = [
    '--data-dir',
    join(home, 'data'),
    '--listen',
    `unix:${socket}`,
    '--driver',
    'process',
    '--store',
    store,
  ]
  const script = 'mount --bind "$0" /etc/machine-id && exec "$@"'
  const program = [process.execPath, join(root, 'dist/mariposa.js'), 'daemon', ...args]
  const words = ['--mount', '--propagation', 'private', 'sh', '-c', script, id, ...program]
  // Without a fork, the pid is that of the daemon.
  const child = spawn('unshare', words, { stdio: ['ignore', log, log] })
  closeSync(log)
  return ready(child, home, socket)
}

/** Units as fleetctl submits them, so that figures of fleet's compare. */
async function launch(socket) {
  const options = [{ section: 'Service', name: 'ExecStart', value: '/bin/sleep 100000' }]
  const names = unitNames.values()
  const hand = async () => {
    for (const name of names) {
      await call(socket, 'PUT', `/fleet/v1/units/${name}`, { name, desiredState: 'launched', options })
    }
  }
  await Promise.all(Array.from({ length: 8 }, hand))
  for (let states = []; states.filter((one) => one.systemdActiveState === 'active').length < units; ) {
    await sleep(500)
    states = await allOf(socket, 'state', 'states')
  }
}

/** What runs would outlive the daemons. */
async function remove(daemon) {
  if (daemon === undefined) return
  for (const name of unitNames) await call(daemon.socket, 'DELETE', `/fleet/v1/units/${name}`).catch(() => {})
  while ((await call(daemon.socket, 'GET', '/v1/units')).length > 0) await sleep(200)
}

/** What etcd and the daemons do while nothing happens. */
async function idleCost(etcd, daemons) {
  await sleep(10_000)
  const before = { revision: revisionOf(etcd), stats: daemons.map(({ pid }) => stat(pid)) }
  await sleep(idleMs)
  const writes = (revisionOf(etcd) - before.revision) / (idleMs / 1000)
  const costs = daemons.map(({ pid }, at) => {
    const now = stat(pid)
    return { rssMb: now.rssMb, cpu: ((now.cpuTicks - before.stats[at].cpuTicks) * 10 * 100) / idleMs }
  })
  const [leader, ...others] = costs
  return [
    { name: `idle, ${units} units on 3 machines: writes of etcd`, value: writes, unit: 'per s' },
    { name: `idle, ${units} units: the leader's CPU`, value: leader.cpu, unit: '% of a core' },
    {
      name: `idle, ${units} units: another daemon's CPU`,
      value: Math.max(...others.map(({ cpu }) => cpu)),
      unit: '% of a core',
    },
    {
      name: `idle, ${units} units: a daemon's memory`,
      value: Math.max(...costs.map(({ rssMb }) => rssMb)),
      unit: 'MiB',
    },
  ]
}

function revisionOf(etcd) {
  const [{ Status }] = JSON.parse(etcd.ctl('endpoint', 'status', '--write-out=json'))
  return Status.header.revision
}

function stat(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ')
  return { cpuTicks: Number(fields[11]) + Number(fields[12]), rssMb: (Number(fields[21]) * 4096) / 1024 ** 2 }
}

/** GET /fleet/v1/units: all pages one after the other on one connection, and the first page from 16 at once. */
async function lists(socket) {
  const all = []
  for (let round = 0; round < 21; round++) all.push(await allPages(socket))
  const latencies = []
  const from = performance.now()
  const untilMs = from + 5000
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      const line = openLine(socket)
      while (performance.now() < untilMs) {
        const began = performance.now()
        await line.ask('/fleet/v1/units')
        latencies.push(performance.now() - began)
      }
      line.close()
    }),
  )
  const perSecond = latencies.length / ((performance.now() - from) / 1000)
  latencies.sort((a, b) => a - b)
  return [
    { name: `GET /fleet/v1/units, all pages of ${units} units`, value: median(all), unit: 'ms' },
    { name: 'GET /fleet/v1/units, first page', value: perSecond, unit: 'per s' },
    {
      name: 'GET /fleet/v1/units, first page, p99 of 16 at once',
      value: latencies[Math.floor(latencies.length * 0.99)],
      unit: 'ms',
    },
  ]
}

async function allPages(socket) {
  const from = performance.now()
  const { length } = await allOf(socket, 'units', 'units')
  if (length !== units) throw new Error(`${length} units are listed`)
  return performance.now() - from
}

async function allOf(socket, resource, name) {
  const line = openLine(socket)
  const all = []
  for (let path = `/fleet/v1/${resource}`; path !== null; ) {
    // A page that is exactly full is followed by an empty one, as in fleet.
    const { [name]: page = [], nextPageToken } = JSON.parse(await line.ask(path))
    all.push(...page)
    path = nextPageToken === undefined ? null : `/fleet/v1/${resource}?nextPageToken=${nextPageToken}`
  }
  line.close()
  return all
}

/** One connection kept open, with as little of a client as will do: the same two cores serve and ask. */
function openLine(path) {
  const socket = connect({ path })
  let heard = Buffer.alloc(0)
  let resolveNext = null
  socket.on('data', (data) => {
    heard = heard.length === 0 ? data : Buffer.concat([heard, data])
    const head = heard.indexOf('\r\n\r\n')
    if (head < 0 || resolveNext === null) return
    const length = Number(/content-length: (\d+)/i.exec(heard.toString('latin1', 0, head))?.[1])
    if (heard.length < head + 4 + length) return
    const body = heard.toString('utf8', head + 4, head + 4 + length)
    heard = heard.subarray(head + 4 + length)
    resolveNext(body)
  })
  return {
    ask: (target) =>
      new Promise((resolve) => {
        resolveNext = resolve
        socket.write(`GET ${target} HTTP/1.1\r\nhost: domain-sock\r\n\r\n`)
      }),
    close: () => socket.destroy(),
  }
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1]
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { part: { type: 'string' } } })
  console.table(await run(values.part === undefined ? {} : { parts: values.part.split(',') }))
}
