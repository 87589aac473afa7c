// Single writes: `meta set` from 64 connections on the embedded store and on etcd, beside etcd alone; one PUT of fleet's API
// after another, as fleetctl sends them, each on a connection of its own; and 300 units submitted like that to one of three
// daemons. As root, with etcd installed. `node bench/writes.mjs` measures all; `--part meta` one of meta, put, units.
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { bundleExports } from './bundle.mjs'
import { ready } from './daemon.mjs'
import { openLine } from './lines.mjs'

const root = join(import.meta.dirname, '..')
const writers = 64
/** Until the daemon has seen that it is busy. */
const [warmMs, forMs] = [16_000, 5000]
const puts = 300
const rounds = 3

/** Rows of the bench table. */
export async function run({ parts = ['meta', 'put', 'units'] } = {}) {
  const ours = await bundleExports(
    `export { openEtcdStore } from './src/store/io/etcd/etcd.ts'
     export { startEtcd } from './test/machines/etcd-host.ts'`,
    'writes-parts.mjs',
  )
  const rows = []
  if (parts.includes('meta'))
    for (const kind of ['embedded', 'etcd']) rows.push(...(await metaOn(ours, kind)))
  if (parts.includes('put')) rows.push(...(await putsOneByOne(ours)))
  if (parts.includes('units')) rows.push(...(await unitsOneByOne(ours)))
  return rows
}

/** Each writer sets a key of its own again and again. */
async function metaOn(ours, kind) {
  return inCluster(ours, kind, 1, async ([daemon], etcd) => {
    const taken = []
    for (let round = 0; round < rounds; round++) {
      const floor = kind === 'embedded' ? null : await floorPerSecond(ours)
      taken.push({ ...(await metaPerSecond(daemon)), floor })
    }
    if (process.env.BENCH_DEBUG) console.error(kind, taken)
    const value = median(taken.map(({ perSecond }) => perSecond))
    const what = `meta set, ${writers} writers, ${kind}`
    const floor = etcd === null ? {} : againstFloor(value, median(taken.map((one) => one.floor)))
    return [
      {
        name: etcd === null ? what : `${what} (floor: as many bytes by our store alone, no daemon)`,
        value,
        unit: 'per s',
        ...floor,
      },
      {
        name: `${what}: the daemon's CPU for each`,
        value: median(taken.map(({ cpuMs }) => cpuMs)),
        unit: 'ms',
      },
    ]
  })
}

async function metaPerSecond({ socket, pid }) {
  let [done, isOver] = [0, false]
  const hands = Array.from({ length: writers }, async (_, n) => {
    const line = openLine(socket)
    for (let at = 0; !isOver; at++) {
      await line.ask('PUT', `/v1/projects/bench/meta/k${n}`, { body: `{"value":"v${at}"}` })
      done += 1
    }
    line.close()
  })
  await sleep(warmMs)
  const before = { done, cpuMs: cpuMsOf(pid), at: performance.now() }
  await sleep(forMs)
  const seconds = (performance.now() - before.at) / 1000
  const [count, cpuMs] = [done - before.done, cpuMsOf(pid) - before.cpuMs]
  isOver = true
  await Promise.all(hands)
  return { perSecond: count / seconds, cpuMs: cpuMs / count }
}

/** The same number of bytes in two keys, as a record and its event. */
async function floorPerSecond(ours) {
  const etcd = await ours.startEtcd()
  const store = ours.openEtcdStore({ ...etcd.options, prefix: '/floor/' })
  let [done, isOver] = [0, false]
  const hands = Array.from({ length: writers }, async (_, n) => {
    for (let at = 0; !isOver; at++) {
      const ops = [
        { op: 'put', key: `k${n}`, value: 'x'.repeat(200) },
        { op: 'put', key: `e${n}-${at}`, value: 'x'.repeat(220) },
      ]
      await store.txn([], ops)
      done += 1
    }
  })
  await sleep(warmMs)
  const before = { done, at: performance.now() }
  await sleep(forMs)
  const perSecond = (done - before.done) / ((performance.now() - before.at) / 1000)
  isOver = true
  await Promise.all(hands)
  await store.close()
  await etcd.stop()
  return perSecond
}

/** One after the other on one daemon that runs them; the units stay loaded, so that nothing but writes is measured. */
async function putsOneByOne(ours) {
  return inCluster(ours, 'etcd', 1, async ([daemon]) => {
    const taken = []
    for (let round = 0; round < rounds; round++) {
      const names = Array.from({ length: puts }, (_, n) => `put-${round}-${n}.service`)
      const before = cpuMsOf(daemon.pid)
      const times = []
      for (const name of names) {
        const from = performance.now()
        await send(daemon, 'PUT', `/fleet/v1/units/${name}`, unitOf(name, 'inactive'))
        times.push(performance.now() - from)
      }
      taken.push({ ms: median(times), cpuMs: (cpuMsOf(daemon.pid) - before) / puts })
    }
    if (process.env.BENCH_DEBUG) console.error(taken)
    return [
      {
        name: 'PUT of one fleet unit on etcd, a connection each, p50',
        value: median(taken.map(({ ms }) => ms)),
        unit: 'ms',
      },
      {
        name: "the same: the daemon's CPU for each",
        value: median(taken.map(({ cpuMs }) => cpuMs)),
        unit: 'ms',
      },
    ]
  })
}

/** As fleetctl starts them: a look and a PUT for each, then all states every 250 ms until all run. */
async function unitsOneByOne(ours) {
  return inCluster(ours, 'etcd', 3, async (daemons) => {
    const taken = []
    for (let round = 0; round < rounds; round++) {
      const names = Array.from({ length: puts }, (_, n) => `units-${round}-${n}.service`)
      const cpu = () => daemons.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0)
      const [from, before] = [performance.now(), cpu()]
      for (const name of names) {
        await send(daemons[0], 'GET', `/fleet/v1/units/${name}`)
        await send(daemons[0], 'PUT', `/fleet/v1/units/${name}`, unitOf(name, 'launched'))
      }
      const sentMs = performance.now() - from
      while ((await activeOf(daemons[0], names)) < names.length) await sleep(250)
      taken.push({ sentMs, ms: performance.now() - from, cpuMs: cpu() - before })
      await removeAll(daemons[0], names)
    }
    if (process.env.BENCH_DEBUG) console.error(taken)
    const row = (what, of) => ({
      name: `${puts} units one after the other, 3 daemons, process driver: ${what}`,
      value: median(taken.map(of)),
      unit: 'ms',
    })
    return [
      row('until all are sent', ({ sentMs }) => sentMs),
      row('until all run', ({ ms }) => ms),
      row("the daemons' CPU", ({ cpuMs }) => cpuMs),
    ]
  })
}

function unitOf(name, desiredState) {
  return {
    name,
    desiredState,
    options: [{ section: 'Service', name: 'ExecStart', value: '/bin/sleep 100000' }],
  }
}

async function activeOf(daemon, names) {
  const active = new Set()
  for (let token = ''; token !== undefined; ) {
    const { states = [], nextPageToken } = await send(
      daemon,
      'GET',
      `/fleet/v1/state${token === '' ? '' : `?nextPageToken=${token}`}`,
    )
    for (const { name, systemdActiveState } of states) if (systemdActiveState === 'active') active.add(name)
    token = nextPageToken
  }
  return names.filter((name) => active.has(name)).length
}

/** What runs would outlive the daemons. */
async function removeAll(daemon, names) {
  for (const name of names) await send(daemon, 'DELETE', `/fleet/v1/units/${name}`)
  while ((await send(daemon, 'GET', '/v1/units')).length > 0) await sleep(200)
}

async function inCluster(ours, kind, count, measure) {
  const etcd = kind === 'etcd' ? await ours.startEtcd() : null
  const home = mkdtempSync(join(tmpdir(), 'mariposa-bench-writes-'))
  const daemons = []
  try {
    for (let n = 0; n < count; n++) daemons.push(await startDaemon(join(home, String(n)), n, etcd))
    return await measure(daemons, etcd)
  } finally {
    await Promise.all(daemons.map((daemon) => daemon.stop()))
    await etcd?.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

/** A daemon under a machine id of its own: /etc/machine-id is another file for it alone. */
async function startDaemon(home, n, etcd) {
  mkdirSync(home, { recursive: true })
  const [socket, id] = [join(home, 'mariposa.sock'), join(home, 'id')]
  writeFileSync(id, `${String(n + 1).repeat(32)}\n`)
  const log = openSync(join(home, 'daemon.log'), 'a')
  const args = ['--data-dir', join(home, 'data'), '--listen', `unix:${socket}`, '--driver', 'process']
  if (etcd !== null) args.push('--store', `etcd://${etcd.options.endpoints[0]}`)
  const profiled =
    process.env.BENCH_PROFILE === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', process.env.BENCH_PROFILE]
  const program = [process.execPath, ...profiled, join(root, 'dist/mariposa.js'), 'daemon', ...args]
  const script = 'mount --bind "$0" /etc/machine-id && exec "$@"'
  // Without a fork, the pid is that of the daemon.
  const child = spawn(
    'unshare',
    ['--mount', '--propagation', 'private', 'sh', '-c', script, id, ...program],
    { stdio: ['ignore', log, log] },
  )
  closeSync(log)
  return ready(child, home, socket)
}

function cpuMsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** A request on a connection of its own. */
function send({ socket: socketPath }, method, path, body) {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = request({ socketPath, method, path, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () =>
        response.statusCode < 300 || response.statusCode === 404
          ? resolve(text === '' ? null : JSON.parse(text))
          : reject(new Error(text)),
      )
    })
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

function againstFloor(value, floor) {
  return { floor, ratio: value / floor }
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1]
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { part: { type: 'string' } } })
  console.table(await run(values.part === undefined ? {} : { parts: values.part.split(',') }))
}
