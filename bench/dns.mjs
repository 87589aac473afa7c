// How many questions a second the daemon's DNS server answers on one core, and how soon, beside unbound and dnsmasq (Debian's) with
// the same names, by turns in one run. Asked by dnsperf, on the other core. `node bench/dns.mjs`
//
// Ours is the server of the daemon with its index over a cluster in memory: 2,500 services of three instances on 500 machines, so
// 10,000 names with an address. The others are told the same addresses as `local-data` and as `host-record`.
import { execFileSync, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { bundleTo } from './bundle.mjs'

const root = join(import.meta.dirname, '..')
const services = 2500
const perService = 3
const machines = 500
const zone = 'default.cns.mariposa.internal'

/** The program whose questions are answered: prints its port when it is ready. */
const serverCode = `
import { startDnsServer } from './src/dns/io/server.ts'
import { systemClock } from './src/lib/io/clock.ts'
import { lineLog } from './src/lib/io/log.ts'
import { defaultCnsSuffixes } from './src/manifest/cns.ts'
import { NamedWorld } from './test/dns/asked.ts'

const [services, perService, machines, port] = process.argv.slice(2).map(Number)
const world = new NamedWorld()
for (let n = 0; n < machines; n++)
  world.machine('m' + n, { outside: '10.' + (n >> 8) + '.' + (n & 255) + '.1', memoryMb: 64_000 })
const text = 'compute_type: process\\ncommand: [/bin/web]\\nports: ["0:8080"]\\nmemory: 16M\\n'
const sources = Array.from({ length: services }, (_, n) => ({ file: 's' + n + '.yml', text, name: 's' + n }))
world.deploy('', { sources })
for (const { name } of sources) world.scale(name, perService)
world.settle(undefined, 12)
world.names.refresh(world.now)
await startDnsServer(
  { addresses: [{ host: '127.0.0.1', port }], isAsked: true, upstream: [], allow: [] },
  {
    names: world.names,
    suffixes: defaultCnsSuffixes,
    resolvConf: '/nowhere',
    random: Math.random,
    isComplete: () => true,
    clock: { ...systemClock, now: () => world.now },
    log: lineLog((line) => console.error(line)),
  },
)
console.log('ready')
`

/** What is asked: the addresses of services and of instances, and one SRV in five. */
const asked = () =>
  Array.from({ length: services * perService }, (_, n) => {
    const service = `s${n % services}`
    const instance = `${service}-${1 + (n % perService)}`
    if (n % 5 === 0) return `${service}.svc.${zone} SRV`
    return n % 2 === 0 ? `${service}.svc.${zone} A` : `${instance}.inst.${zone} A`
  })

/** Name, address and port of all, as the machines of ours have them. */
async function namesOf(port) {
  const { Resolver } = await import('node:dns/promises')
  const resolver = new Resolver()
  resolver.setServers([`127.0.0.1:${port}`])
  const names = []
  for (let n = 0; n < services; n++) {
    const service = `s${n}.svc.${zone}`
    for (const srv of await resolver.resolveSrv(service)) {
      const [address] = await resolver.resolve4(srv.name)
      names.push({ service, address, ...srv })
    }
  }
  return names
}

function unboundConf(port, names) {
  const data = names.flatMap(({ service, name, address, port: at, priority, weight }) => [
    `  local-data: "${service}. 5 A ${address}"`,
    `  local-data: "${name}. 5 A ${address}"`,
    `  local-data: "${service}. 5 SRV ${priority} ${weight} ${at} ${name}."`,
  ])
  return `server:
  interface: 127.0.0.1@${port}
  num-threads: 1
  do-daemonize: no
  chroot: ""
  username: ""
  pidfile: ""
  use-syslog: no
  module-config: "iterator"
  local-zone: "${zone}." static
${data.join('\n')}
remote-control:
  control-enable: no
`
}

function dnsmasqConf(port, names) {
  const data = names.flatMap(({ service, name, address, port: at, priority, weight }) => [
    `host-record=${service},${address}`,
    `host-record=${name},${address}`,
    `srv-host=${service},${name},${at},${priority},${weight}`,
  ])
  return `port=${port}
listen-address=127.0.0.1
bind-interfaces
no-resolv
no-hosts
no-daemon
user=root
pid-file=
local-ttl=5
${data.join('\n')}
`
}

/** Starts one on the first core, and waits until it answers. */
async function serve(dir, kind, port, names) {
  const file = join(dir, `${kind}.conf`)
  if (kind === 'unbound') writeFileSync(file, unboundConf(port, names))
  if (kind === 'dnsmasq') writeFileSync(file, dnsmasqConf(port, names))
  const words = {
    mariposa: async () => [
      process.execPath,
      await bundleTo({ stdin: { contents: serverCode, resolveDir: root } }, 'dns-serve.mjs'),
      ...[services, perService, machines, port].map(String),
    ],
    unbound: () => ['unbound', '-d', '-c', file],
    dnsmasq: () => ['dnsmasq', '-C', file],
  }
  const program = spawn('taskset', ['-c', '0', ...(await words[kind]())], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  program.once('exit', (code) => {
    if (code) console.error(`${kind} ended with ${code}`)
  })
  await answers(port)
  return program
}

async function answers(port) {
  const { encode } = await import('dns-packet')
  const questions = [{ name: `s0.svc.${zone}`, type: 'A' }]
  const packet = encode({ type: 'query', id: 1, questions })
  for (let n = 0; n < 300; n++) {
    const socket = createSocket('udp4').unref()
    const answer = await new Promise((resolve) => {
      socket.once('message', resolve)
      socket.send(packet, port, '127.0.0.1')
      setTimeout(resolve, 200, null)
    })
    socket.close()
    if (answer !== null && (answer[3] & 15) === 0 && answer[7] > 0) return
  }
  throw new Error(`nothing answers on port ${port}`)
}

/** Asks for so long, at most so often in a second: answered a second, and how long each took, in ms. */
function ask(dir, port, seconds, rate) {
  const limit = rate === null ? ['-q', '100'] : ['-Q', String(rate), '-q', '500']
  const words = [
    '-s',
    '127.0.0.1',
    '-p',
    String(port),
    '-d',
    join(dir, 'asked'),
    '-l',
    String(seconds),
    '-c',
    '8',
    ...limit,
  ]
  const out = execFileSync('taskset', ['-c', '1', 'dnsperf', ...words, '-v'], {
    maxBuffer: 1 << 30,
    encoding: 'utf8',
  })
  const took = [...out.matchAll(/^> (\S+) \S+ \S+ ([0-9.]+)$/gm)].map(([, code, s]) => ({
    code,
    ms: Number(s) * 1000,
  }))
  const bad = took.filter(({ code }) => code !== 'NOERROR').length
  const lost = Number(/Queries lost:\s+(\d+)/.exec(out)?.[1] ?? 0)
  const perSecond = Number(/Queries per second:\s+([0-9.]+)/.exec(out)?.[1] ?? 0)
  const sorted = took.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { perSecond, lost, bad, count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) }
}

/** Rows of the bench table. */
export async function run({ seconds = 10, rounds = 3 } = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-bench-dns-'))
  const programs = []
  const kinds = ['mariposa', 'unbound', 'dnsmasq']
  try {
    writeFileSync(join(dir, 'asked'), `${asked().join('\n')}\n`)
    const ports = { mariposa: 15301, unbound: 15302, dnsmasq: 15303 }
    programs.push(await serve(dir, 'mariposa', ports.mariposa, []))
    const names = await namesOf(ports.mariposa)
    for (const kind of ['unbound', 'dnsmasq']) programs.push(await serve(dir, kind, ports[kind], names))
    console.error(
      `${new Set(names.flatMap(({ service, name }) => [service, name])).size} names; load ${loadavg()[0]}`,
    )
    const measured = new Map(kinds.map((kind) => [kind, []]))
    for (let round = 0; round < rounds; round++) {
      for (const kind of kinds) {
        const steady = ask(dir, ports[kind], seconds, 5000)
        await sleep(500)
        measured.get(kind).push({ steady, most: ask(dir, ports[kind], seconds, null) })
        await sleep(500)
        console.error(kind, JSON.stringify(measured.get(kind).at(-1)))
      }
    }
    return kinds.flatMap((kind) => rowsOf(kind, measured.get(kind)))
  } finally {
    for (const program of programs) {
      program.kill('SIGKILL')
      if (program.exitCode === null && program.signalCode === null) await once(program, 'exit')
    }
    rmSync(dir, { recursive: true, force: true })
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

function rowsOf(kind, rounds) {
  const of = (pick) => median(rounds.map(pick))
  const failed = rounds.reduce((sum, { steady }) => sum + steady.lost + steady.bad, 0)
  return [
    { name: `${kind}: 5,000 questions a second, p50`, value: of(({ steady }) => steady.p50), unit: 'ms' },
    { name: `${kind}: the same, p99`, value: of(({ steady }) => steady.p99), unit: 'ms' },
    { name: `${kind}: the same, without an answer or with another`, value: failed, unit: '' },
    {
      name: `${kind}: 100 questions at a time, answers`,
      value: of(({ most }) => most.perSecond),
      unit: 'per s',
    },
  ]
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: { seconds: { type: 'string', default: '10' }, rounds: { type: 'string', default: '3' } },
  })
  console.table(await run({ seconds: Number(values.seconds), rounds: Number(values.rounds) }))
}
