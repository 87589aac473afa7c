// How soon names follow a change of health: three daemons and an etcd on this machine, and a service with three instances. One of
// them turns sick, and is replaced by one that turns well. The time is from the health event of each until the answer of each daemon
// has changed. As root. `node bench/dns-follow.mjs --rounds 8` (more at once are held back)
import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { decode, encode } from 'dns-packet'
import { bundle } from './bundle.mjs'
import { startDaemonAs } from './daemon.mjs'
import { freePort } from './free-port.mjs'

const root = join(import.meta.dirname, '..')
const program = join(root, 'dist/mariposa.js')
const letters = ['a', 'b', 'c']
const asked = 'web.svc.default.mariposa.internal'
/** Each daemon is asked so often. */
const askEveryMs = 5
const withinMs = 60_000

/** Well while no file with its name says otherwise. */
const app = `import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
const { HOST, PORT, SICK } = process.env
createServer((_, answer) => answer.writeHead(existsSync(SICK) ? 503 : 200).end()).listen(Number(PORT), HOST)
`

const manifest = (home) => `compute_type: process
command: [${JSON.stringify(process.execPath)}, ${JSON.stringify(join(home, 'app.mjs'))}]
environment: {HOST: "{{ .machine.ip }}", SICK: "${home}/sick-{{ .instance.name }}"}
ports: ["0:8080"]
memory: 64M
stop: {timeout: 1, preservestopped: "no"}
healthchecks: [{type: command, command: [bash, -c, 'test ! -e "$SICK"'], poll: 0.5, timeout: 5, retries: 1}]
`

/** Rows of the bench table. */
export async function run({ rounds = 8 } = {}) {
  const { startEtcd } = await bundle('test/machines/etcd-host.ts', 'etcd-host.mjs')
  const etcd = await startEtcd()
  const home = mkdtempSync(join(tmpdir(), 'mariposa-bench-dns-follow-'))
  const port = await freePort()
  const daemons = []
  try {
    writeFileSync(join(home, 'app.mjs'), app)
    writeFileSync(join(home, 'web.yml'), manifest(home))
    for (const [n, letter] of letters.entries()) {
      const address = `127.0.0.${n + 2}`
      const at = ['--public-ip', address, '--dns', `${address}:${port}`]
      const store = ['--store', `etcd://${etcd.options.endpoints[0]}`]
      daemons.push(await startDaemonAs(join(home, letter), letter, [...at, ...store]))
    }
    const mariposa = async (...words) => {
      const args = [program, '--endpoint', `unix://${daemons[0].socket}`, ...words]
      return (await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 28 })).stdout
    }
    await mariposa('service', 'deploy', join(home, 'web.yml'), '--scale', '3', '--timeout', '120s')
    const watch = watchNames(port)
    try {
      return await measure({ home, mariposa, watch, rounds })
    } finally {
      watch.end()
      await mariposa('service', 'delete', 'web', '--force').catch(() => {})
    }
  } finally {
    for (const daemon of daemons) await daemon.stop()
    await etcd.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

async function measure({ home, mariposa, watch, rounds }) {
  let listed = await watch.until((names) => names.length === 3)
  for (let n = 0; n < rounds; n++) {
    // At any moment between two checks.
    await sleep(Math.random() * 1000)
    const sick = listed[n % listed.length]
    writeFileSync(join(home, `sick-${sick}`), '')
    listed = await watch.until((names) => names.length === 3 && !names.includes(sick))
    console.error(`${sick} was replaced`)
  }
  const lines = (await mariposa('events', '--kind', 'health', '--jsonl')).trim().split('\n')
  const events = lines.map((line) => JSON.parse(line))
  return ['unhealthy', 'healthy'].flatMap((health) => rowsOf(health, events, watch.changes))
}

/** From each event of that kind until each daemon's answer was without the instance, or with it. */
function rowsOf(health, events, changes) {
  const took = { own: [], others: [] }
  for (const event of events) {
    if (
      !event.message.includes(` ${health}`) ||
      (health === 'healthy' && event.message.includes('unhealthy'))
    )
      continue
    for (const { daemon, instance, isListed, at } of changes) {
      if (instance !== event.instance || isListed !== (health === 'healthy')) continue
      took[letters[daemon] === event.machine[0] ? 'own' : 'others'].push(at - Date.parse(event.at))
    }
  }
  return Object.entries(took).map(([whose, times]) => {
    const sorted = times.toSorted((a, b) => a - b)
    const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
    const name = `${health}, ${whose === 'own' ? 'on its own machine' : 'on the two others'}: p50, largest of ${sorted.length} (load ${loadavg()[0].toFixed(1)})`
    return { name, value: `${at(0.5)}, ${sorted.at(-1)}`, unit: 'ms' }
  })
}

/** Asks each daemon all the time, and notes when its answer changes. */
function watchNames(port) {
  const changes = []
  const known = letters.map(() => null)
  const packet = encode({ type: 'query', id: 1, questions: [{ name: asked, type: 'SRV' }] })
  const socket = createSocket('udp4')
  socket.on('message', (message, { address }) => {
    const at = Date.now()
    const daemon = Number(address.split('.')[3]) - 2
    const names = decode(message).answers.map(({ data }) => data.target.split('.')[0])
    const before = known[daemon]
    known[daemon] = names.sort()
    if (before === null) return
    for (const instance of before)
      if (!names.includes(instance)) changes.push({ daemon, instance, isListed: false, at })
    for (const instance of names)
      if (!before.includes(instance)) changes.push({ daemon, instance, isListed: true, at })
  })
  const timer = setInterval(() => {
    for (const n of letters.keys()) socket.send(packet, port, `127.0.0.${n + 2}`)
  }, askEveryMs)
  return {
    changes,
    /** Resolves to the names that all daemons answer, once they are like that. */
    until: async (isRight) => {
      for (const until = performance.now() + withinMs; performance.now() < until; await sleep(20))
        if (known.every((names) => names !== null && isRight(names))) return known[0]
      throw new Error(`the answers are ${JSON.stringify(known)}`)
    },
    end: () => {
      clearInterval(timer)
      socket.close()
    },
  }
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { rounds: { type: 'string' } } })
  console.table(await run({ rounds: Number(values.rounds ?? 8) }))
}
