// What our API costs beside what it is made of, in one run: a daemon on etcd, a bare server of node:http that answers the same (with
// and without a write to etcd), and etcd written to without a request. All are asked by the same client, by turns, each of the
// three with an etcd of its own. By processor time of who answers (user and system): whoever asks takes as much of the machine.
//   node bench/floors.mjs [--part list,meta,put] [--root OTHER] [--rounds 3] [--services 100]
// `--root` has the daemon of another checkout take turns, too. As root, with etcd installed.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { call } from './api.mjs'
import { bundleExports, bundleTo } from './bundle.mjs'
import { startDaemonAs } from './daemon.mjs'
import { openLine } from './lines.mjs'

const list = '/v1/projects/default/services'
const root = join(import.meta.dirname, '..')
/** Of each: whoever asks, how many a turn, and the request of ours; then the floors of it, each with its request. */
const bare = (of) => ({ name: 'bare node:http', of })
const withEtcd = (of) => ({ name: 'the same with a write to etcd', of })
const parts = {
  list: ({ tag }) => [
    {
      name: 'list of services',
      askers: 8,
      count: 4000,
      of: () => ['GET', list],
      floors: [bare(() => ['GET', list])],
    },
    {
      name: 'list of services, 304',
      askers: 8,
      count: 8000,
      of: () => ['GET', list, { headers: `if-none-match: ${tag}\r\n` }],
      floors: [bare(() => ['GET', list, { headers: `if-none-match: ${tag}\r\n` }])],
    },
  ],
  meta: () => [
    {
      name: 'meta set, 64 writers',
      askers: 64,
      count: 4000,
      of: (n, at) => ['PUT', `/v1/projects/bench/meta/k${at}`, { body: `{"value":"v${n}"}` }],
      floors: [
        bare((n, at) => ['PUT', `/bare/k${at}`, { body: `{"value":"v${n}"}` }]),
        withEtcd((n, at) => ['PUT', `/etcd/k${at}`, { body: `{"value":"v${n}"}` }]),
        { name: 'our store alone, no requests', writes: true },
      ],
    },
  ],
  put: () => [
    {
      name: 'PUT of a fleet unit, a connection each',
      askers: 1,
      count: 200,
      once: true,
      of: (n) => ['PUT', `/fleet/v1/units/${unitName(n)}`, { body: unitOf(n) }],
      floors: [
        bare((n) => ['PUT', `/bare/${unitName(n)}`, { body: unitOf(n) }]),
        withEtcd((n) => ['PUT', `/etcd/${unitName(n)}`, { body: unitOf(n) }]),
      ],
    },
  ],
}

/** Rows of the bench table. */
export async function run({ only = Object.keys(parts), others = [], rounds = 3, services = 100 } = {}) {
  const { startEtcd } = await bundleExports(
    `export { startEtcd } from './test/machines/etcd-host.ts'`,
    'floors-etcd.mjs',
  )
  const home = mkdtempSync(join(tmpdir(), 'mariposa-bench-floors-'))
  const ends = [() => rmSync(home, { recursive: true, force: true })]
  try {
    const etcdOf = async (name) => {
      const etcd = await startEtcd()
      ends.unshift(() => etcd.stop())
      mkdirSync(join(home, name))
      return etcd.options.endpoints[0]
    }
    const daemons = []
    for (const [n, from] of [root, ...others].entries()) {
      const name = n === 0 ? 'ours' : from
      const endpoint = await etcdOf(String(n))
      const daemon = await startDaemonAs(
        join(home, String(n)),
        'abcdef'[n],
        ['--store', `etcd://${endpoint}`],
        from,
      )
      ends.unshift(() => daemon.stop())
      await deploy(daemon, services)
      daemons.push({ ...daemon, name, etcdPid: pidListening(endpoint) })
    }
    const { tag, body } = await ask(daemons[0].socket)
    const floor = await startFloor(home, tag, body, await etcdOf('floor'))
    ends.unshift(() => floor.child.kill())
    const works = only.flatMap((part) => parts[part]({ tag }))
    const taken = []
    for (let round = 0; round <= rounds; round++)
      for (const work of works)
        for (const turn of turnsOf(work, daemons, floor)) {
          const cost = await turn.measure()
          // The first round is to get warm.
          if (round > 0) taken.push({ work: work.name, who: turn.who, ...cost })
          if (process.env.BENCH_DEBUG) console.error(round, work.name, turn.who, cost)
        }
    return works.flatMap((work) => rowsOf(work, daemons, taken))
  } finally {
    for (const end of ends) await end()
  }
}

function turnsOf(work, daemons, floor) {
  const ours = daemons.map((daemon) => ({
    who: daemon.name,
    measure: () => costOf(daemon, work, () => askAll(daemon, work, work.of)),
  }))
  const floors = work.floors.map(({ name, of, writes }) => ({
    who: name,
    measure: () => costOf(floor, work, () => (writes ? writeAll(floor, work) : askAll(floor, work, of))),
  }))
  return [...ours, ...floors]
}

/** Of each: our processor time beside that of a floor, as the part of the floor's rate that it makes. */
function rowsOf(work, daemons, taken) {
  const of = (who, what) =>
    median(taken.filter((one) => one.work === work.name && one.who === who).map((one) => one[what]))
  const figures = (who) => ({
    value: of(who, 'ms'),
    unit: 'ms',
    etcd: of(who, 'etcdMs'),
    perSecond: of(who, 'perSecond'),
  })
  const ours = daemons.map(({ name }) => ({ name: `${work.name}: ${name}`, ...figures(name) }))
  const floors = work.floors.map(({ name }) => {
    const { value: floor, ...more } = figures(name)
    return {
      name: `${work.name}: ours beside ${name}`,
      value: ours[0].value,
      ...more,
      floor,
      ratio: ours[0].value / floor,
    }
  })
  return [...ours, ...floors]
}

async function costOf({ pid, etcdPid }, { count }, work) {
  const before = { cpu: cpuMsOf(pid), etcd: cpuMsOf(etcdPid), at: performance.now() }
  await work()
  return {
    ms: (cpuMsOf(pid) - before.cpu) / count,
    etcdMs: (cpuMsOf(etcdPid) - before.etcd) / count,
    perSecond: (count / (performance.now() - before.at)) * 1000,
  }
}

let asked = 0

async function askAll({ socket }, { askers, count, once }, of) {
  let left = count
  const asker = async (_, at) => {
    const line = openLine(socket, { once })
    while (left > 0) {
      left -= 1
      asked += 1
      await line.ask(...of(asked, at))
    }
    line.close()
  }
  await Promise.all(Array.from({ length: askers }, asker))
}

async function writeAll({ socket }, { count }) {
  const line = openLine(socket)
  await line.ask('POST', `/write/${count}`)
  line.close()
}

/** They do not start by themselves: nothing but the questions is at work. */
async function deploy(daemon, services) {
  const text = 'compute_type: process\nservice_type: event\ncommand: [/bin/true]\n'
  const sources = Array.from({ length: services }, (_, n) => ({
    file: `s${n}.yml`,
    text: `name: s${n}\n${text}`,
  }))
  await call(daemon.socket, 'POST', '/v1/projects/default/deploy', { sources, waitForRoom: true })
  for (let before = cpuMsOf(daemon.pid); ; before = cpuMsOf(daemon.pid)) {
    await sleep(2000)
    if (cpuMsOf(daemon.pid) - before < 100) return
  }
}

async function startFloor(home, tag, body, endpoint) {
  const [socket, file] = [join(home, 'floor.sock'), join(home, 'body')]
  writeFileSync(file, body)
  const program = await bundleTo({ entryPoints: [join(root, 'bench/floor-server.mjs')] }, 'floor-server.mjs')
  const child = spawn(process.execPath, [program, socket, file, tag, endpoint], { stdio: 'inherit' })
  while (!existsSync(socket)) await sleep(50)
  return { socket, pid: child.pid, child, etcdPid: pidListening(endpoint) }
}

/** The etcd of an address, by its words. */
function pidListening(endpoint) {
  return Number(execFileSync('pgrep', ['-f', `^etcd .*--listen-client-urls http://${endpoint} `]))
}

function unitName(n) {
  return `put-${n}.service`
}

function unitOf(n) {
  const options = [{ section: 'Service', name: 'ExecStart', value: '/bin/sleep 100000' }]
  return JSON.stringify({ name: unitName(n), desiredState: 'inactive', options })
}

function cpuMsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function ask(socketPath) {
  return new Promise((resolve, reject) => {
    get({ socketPath, path: list }, (answer) => {
      const chunks = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () => resolve({ tag: answer.headers.etag, body: Buffer.concat(chunks) }))
    }).on('error', reject)
  })
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1]
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      part: { type: 'string' },
      root: { type: 'string', multiple: true },
      rounds: { type: 'string' },
      services: { type: 'string' },
    },
  })
  console.table(
    await run({
      ...(values.part !== undefined && { only: values.part.split(',') }),
      ...(values.root !== undefined && { others: values.root }),
      ...(values.rounds !== undefined && { rounds: Number(values.rounds) }),
      ...(values.services !== undefined && { services: Number(values.services) }),
    }),
  )
}
