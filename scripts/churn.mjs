// `npm run churn -- --minutes 120`: a daemon whose services are deployed, scaled, stopped and deleted without end, and what
// it holds of that: live heap (after a collection), memory of the process as the kernel counts it, size of the store.
// It fails where the live heap still grows by more than `--at-most` MB an hour in the last third of the time.
import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { call, status } from '../bench/api.mjs'

const root = join(import.meta.dirname, '..')
const { values: given } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    every: { type: 'string', default: '60' },
    services: { type: 'string', default: '16' },
    'at-most': { type: 'string', default: '10' },
    program: { type: 'string', default: join(root, 'dist/mariposa.js') },
    daemon: { type: 'string', multiple: true, default: [] },
    quiet: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (given.help) {
  console.log(`npm run churn -- [options]

  --minutes N     how long (120)
  --every N       seconds between two looks (60); each collects all garbage first
  --services N    services that are changed beside each other (16)
  --at-most N     megabytes an hour by which the live heap may grow in the last third (10)
  --daemon FLAG   a flag for the daemon, such as --daemon=--keep-versions=5; may be repeated
  --program FILE  another build's mariposa.js`)
  process.exit(0)
}

const minutes = Number(given.minutes)
const everyMs = Number(given.every) * 1000
const home = mkdtempSync(join(tmpdir(), 'mariposa-churn-'))
const socket = join(home, 'm.sock')
const probeFile = join(home, 'probe.json')
const counts = { changes: 0, refused: 0 }
let ends = false
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    ends = true
  })
}

const daemon = startDaemon()
try {
  await ready()
  process.exitCode = await run()
} finally {
  await clearUp()
}

async function run() {
  const names = Array.from({ length: Number(given.services) }, (_, n) => `churn${n}`)
  const from = performance.now()
  const until = from + minutes * 60_000
  const isOver = () => ends || performance.now() >= until
  const working = Promise.all(names.map((name, n) => churn(name, n, isOver)))
  const seen = []
  console.log('minute  changes  live heap MB  heap MB  outside MB  RSS MiB  store MB')
  for (let next = from + Math.min(everyMs, 10_000); !ends && next <= until; next += everyMs) {
    while (!ends && performance.now() < next) await sleep(Math.min(500, next - performance.now()))
    const look = await lookAt((performance.now() - from) / 60_000)
    seen.push(look)
    show(look)
  }
  await working
  return verdict(seen)
}

/** One service's life: a few versions, each with its changes of scale, and now and then from the beginning. */
async function churn(name, n, isOver) {
  await sleep(n * 97)
  for (let round = 1; !isOver(); round += 1) {
    const scale = 1 + ((round + n) % 3)
    await change('POST', '/v1/projects/default/deploy', {
      sources: [{ file: `${name}.yml`, text: manifest(`${round}`), name }],
      scale,
    })
    if (round % 3 === 0) await change('POST', '/v1/projects/default/scale', { targets: { [name]: 2 } })
    if (round % 7 === 0) {
      await change('POST', `/v1/projects/default/services/${name}/stop`, {})
      await change('POST', `/v1/projects/default/services/${name}/start`, {})
    }
    await change('POST', `/v1/projects/default/meta/${name}/incr`, {})
    if (n % 4 === 0 && round % 25 === 0) await remove(name)
  }
}

function manifest(text) {
  return `compute_type: process
command: [/bin/sleep, "86400"]
environment: {ROUND: ${JSON.stringify(text)}, FILLER: ${JSON.stringify('x'.repeat(400))}}
stop: {timeout: 1, preservestopped: "no"}
`
}

/** Makes a change and waits until its tasks are over, however they end. */
async function change(method, path, body) {
  try {
    const answer = await call(socket, method, path, body)
    counts.changes += 1
    const tasks = [
      ...(answer?.services ?? []).map(({ task }) => task),
      ...(answer?.tasks ?? []).map(({ uuid }) => uuid),
      answer?.uuid ?? null,
    ]
    for (const task of tasks) if (task) await over(task)
  } catch (error) {
    counts.refused += 1
    if (counts.refused < 5) console.error(`refused: ${error.message.slice(0, 300)}`)
    await sleep(200)
  }
}

async function over(uuid) {
  for (const until = performance.now() + 30_000; performance.now() < until; await sleep(150)) {
    const task = await call(socket, 'GET', `/v1/tasks/${uuid}`).catch(() => null)
    if (task === null || task.finishedAt !== null) return
  }
}

async function remove(name) {
  const path = `/v1/projects/default/services/${name}`
  await change('DELETE', `${path}?force=true`)
  // A delete may be refused: then it goes on as it is.
  for (const until = performance.now() + 30_000; !ends && performance.now() < until; await sleep(100))
    if ((await status(socket, path)) === 404) return
}

async function lookAt(minute) {
  const rssMib = (Number(readFileSync(`/proc/${daemon.pid}/statm`, 'utf8').split(' ')[1]) * 4096) / 1024 ** 2
  rmSync(probeFile, { force: true })
  process.kill(daemon.pid, 'SIGUSR2')
  while (statSync(probeFile, { throwIfNoEntry: false }) === undefined) {
    if (daemon.exitCode !== null) throw new Error(`the daemon has ended\n${logTail()}`)
    await sleep(50)
  }
  const { before, heapUsed, external } = JSON.parse(readFileSync(probeFile, 'utf8'))
  const outside = external / 1e6
  return {
    minute,
    ...counts,
    liveMb: heapUsed / 1e6,
    heapMb: before.heapTotal / 1e6,
    outside,
    rssMib,
    storeMb: storeBytes() / 1e6,
  }
}

function storeBytes() {
  const store = join(home, 'data/store')
  return readdirSync(store).reduce(
    (sum, file) => sum + (statSync(join(store, file), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}

function show({ minute, changes, liveMb, heapMb, outside, rssMib, storeMb }) {
  const cells = [minute.toFixed(1).padStart(6), String(changes).padStart(8), liveMb.toFixed(1).padStart(13)]
  cells.push(heapMb.toFixed(1).padStart(8), outside.toFixed(1).padStart(11), rssMib.toFixed(0).padStart(8))
  cells.push(storeMb.toFixed(1).padStart(9))
  console.log(cells.join(' '))
}

/** The slope of the live heap over the last third, by least squares. */
function verdict(seen) {
  const last = seen.slice(-Math.max(3, Math.ceil(seen.length / 3)))
  const mean = (pick) => last.reduce((sum, one) => sum + pick(one), 0) / last.length
  const [x, y] = [mean(({ minute }) => minute), mean(({ liveMb }) => liveMb)]
  const above = last.reduce((sum, one) => sum + (one.minute - x) * (one.liveMb - y), 0)
  const below = last.reduce((sum, one) => sum + (one.minute - x) ** 2, 0)
  const perHour = below === 0 ? 0 : (above / below) * 60
  const rss = Math.max(...seen.map(({ rssMib }) => rssMib))
  console.log(
    `${counts.changes} changes, ${counts.refused} refused; live heap ${perHour.toFixed(1)} MB/h in the last third; RSS at most ${rss.toFixed(0)} MiB`,
  )
  return perHour <= Number(given['at-most']) ? 0 : 1
}

function startDaemon() {
  const log = openSync(join(home, 'daemon.log'), 'a')
  const flags = ['--expose-gc', '--import', join(root, 'scripts/churn-probe.mjs')]
  const args = [
    'daemon',
    '--data-dir',
    join(home, 'data'),
    '--listen',
    `unix:${socket}`,
    '--driver',
    'process',
  ]
  const child = spawn(process.execPath, [...flags, given.program, ...args, ...given.daemon], {
    env: { ...process.env, CHURN_PROBE: probeFile },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  return child
}

async function ready() {
  while ((await status(socket, '/readyz')) !== 200) {
    if (daemon.exitCode !== null) throw new Error(logTail())
    await sleep(50)
  }
}

function logTail() {
  return readFileSync(join(home, 'daemon.log'), 'utf8').split('\n').slice(-20).join('\n')
}

/** What runs outlives a daemon, so the services go first. */
async function clearUp() {
  const services = await call(socket, 'GET', '/v1/projects/default/services').catch(() => [])
  for (const { name } of services.items ?? services) {
    await call(socket, 'DELETE', `/v1/projects/default/services/${name}?force=true`).catch(() => {})
  }
  for (const until = performance.now() + 30_000; performance.now() < until; await sleep(200)) {
    const left = await call(socket, 'GET', '/v1/projects/default/services').catch(() => [])
    if ((left.items ?? left).length === 0) break
  }
  if (daemon.exitCode === null && daemon.signalCode === null) {
    const gone = new Promise((resolve) => daemon.once('exit', resolve))
    daemon.kill('SIGTERM')
    await gone
  }
  rmSync(home, { recursive: true, force: true })
}
