// What checking costs: 10,000 HTTP checks every 10 s by one checker, and how many probes a core can send, beside a bare
// client of node:http that asks the same server as often.
import { spawn } from 'node:child_process'
import { once, setMaxListeners } from 'node:events'
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { bundle } from './bundle.mjs'

const checks = 10_000
const pollMs = 10_000
/** Probes of the comparison, by so many at a time. */
const probes = 4000
const atOnce = 64

/** Rows `{name, value, unit, floor?, ratio?}`. */
export async function run() {
  const { startChecker } = await bundle('src/health/io/checker.ts', 'checker.mjs')
  const { probe } = await bundle('src/health/io/probe.ts', 'probe.mjs')
  const server = await startServer()
  try {
    const perCore = await perCoreSecond(probe, server.port)
    const steady = await steadyCost(startChecker, server.port)
    return [
      {
        name: 'HTTP probes per second of one core (floor: GET by node:http, a connection each)',
        value: perCore.ours,
        unit: 'per s',
        floor: perCore.floor,
        ratio: perCore.ours / perCore.floor,
      },
      {
        name: `${checks} HTTP checks with poll ${pollMs / 1000} s: processor time`,
        value: steady.cpu * 100,
        unit: '% of a core',
      },
      { name: `${checks} HTTP checks: probes sent`, value: steady.perSecond, unit: 'per s' },
    ]
  } finally {
    server.close()
  }
}

/** A server in a process of its own, so that its processor time is not counted. */
async function startServer() {
  const program = `require('node:http').createServer((_, r) => r.end('ok')).listen(0, '127.0.0.1', 4096, function () {
    console.log(this.address().port)
  })`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  return { port: Number(line), close: () => child.kill('SIGKILL') }
}

/** Ours and the floor take turns, so that a busy machine troubles both alike; medians. */
async function perCoreSecond(probe, port) {
  const check = { type: 'http', port, path: '/', pollMs, timeoutMs: 5000, retries: 3 }
  const target = { portOf: () => ({ address: '127.0.0.1', port }) }
  const { signal } = new AbortController()
  setMaxListeners(0, signal)
  const agent = new Agent({ keepAlive: false })
  const bare = () =>
    new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port, path: '/', agent }, (answer) => answer.resume().on('end', resolve)).on(
        'error',
        reject,
      )
    })
  const [ours, floors] = [[], []]
  await cpuOf(() => probe(check, target, signal))
  for (let round = 0; round < 3; round += 1) {
    floors.push(probes / (await cpuOf(bare)))
    ours.push(probes / (await cpuOf(() => probe(check, target, signal))))
  }
  return { ours: median(ours), floor: median(floors) }
}

/** Processor seconds of `probes` calls. */
async function cpuOf(call) {
  const before = process.cpuUsage()
  let left = probes
  const worker = async () => {
    while (left > 0) {
      left -= 1
      await call()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return seconds(process.cpuUsage(before))
}

async function steadyCost(startChecker, port) {
  let sent = 0
  const check = { type: 'http', port, path: '/', pollMs, timeoutMs: 5000, retries: 3 }
  const target = {
    portOf: () => {
      sent += 1
      return { address: '127.0.0.1', port }
    },
  }
  const startedAt = Date.now()
  const units = Array.from({ length: checks }, (_, n) => ({
    name: `web@${n}.service`,
    startedAt,
    checks: [check],
    target,
  }))
  const checker = startChecker({
    clock: { now: () => Date.now() },
    onVerdict: () => {},
    onError: (error) => console.error(error),
  })
  checker.follow(units)
  // The first probes of all come at once; from the second round on they are spread.
  await sleep(pollMs * 1.5)
  const [from, before, sentBefore] = [performance.now(), process.cpuUsage(), sent]
  await sleep(pollMs)
  const took = (performance.now() - from) / 1000
  const cpu = seconds(process.cpuUsage(before)) / took
  const perSecond = (sent - sentBefore) / took
  await checker.stop()
  return { cpu, perSecond }
}

function seconds({ user, system }) {
  return (user + system) / 1e6
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}
