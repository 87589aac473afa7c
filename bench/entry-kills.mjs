// What fails when an instance behind the entry is killed, and what the ways to have less fail cost: a real Caddy with its keeper, three
// programs that are killed in turn, and clients over kept connections. Requests that had begun when a program was killed may have been under
// way for it; those that begin afterwards and fail could have been sent elsewhere. `node bench/entry-kills.mjs --kills 40 --body 3000`
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { bundleExports } from './bundle.mjs'
import { freePort } from './free-port.mjs'

const root = join(import.meta.dirname, '..')
const clients = 20

const program = `require('node:http').createServer((asked, answer) => {
  asked.resume()
  asked.on('end', () => setTimeout(() => answer.end('ok'), 1))
}).listen(Number(process.argv[1]), '127.0.0.1', () => console.log('up'))`

/** How connections to instances are kept, by name: what is done to the route that the entry has. */
const ways = {
  'kept for a second': (route) => [route],
  'none kept': (route) => [withKeepAlive(route, { enabled: false })],
  'none kept but for what may be repeated': (route) => [
    { ...route, match: route.match.map((one) => ({ ...one, method: ['GET', 'HEAD', 'OPTIONS', 'TRACE'] })) },
    withKeepAlive(route, { enabled: false }),
  ],
  'kept for 100 ms': (route) => [
    withKeepAlive(route, { idle_timeout: '100ms', max_idle_conns_per_host: 256 }),
  ],
}

function withKeepAlive(route, keepAlive) {
  const handle = route.handle.map((one) =>
    one.handler === 'reverse_proxy'
      ? { ...one, transport: { ...one.transport, keep_alive: keepAlive } }
      : one,
  )
  return { ...route, handle }
}

/** The configuration of the entry for one route, with connections kept in a way. */
function configFor(parts, http, https, way) {
  const listen = { http: { host: '127.0.0.1', port: http }, https: { host: '127.0.0.1', port: https } }
  const served = parts.servedRoute({ host: 'shop.example' })
  const config = JSON.parse(parts.caddyConfig([served], listen, new Map(), 'secret'))
  const server = config.apps.http.servers.http
  const isProxy = (route) => route.handle.some(({ handler }) => handler === 'reverse_proxy')
  // As it was before there were two routes: what comes first decides.
  const [first] = server.routes.filter(isProxy)
  const plain = { ...first, match: [{ host: ['shop.example'] }] }
  const before = server.routes.filter((route) => !isProxy(route)).slice(0, -1)
  server.routes = [...before, ...ways[way](plain), server.routes.at(-1)]
  return { group: served.group, text: JSON.stringify(config) }
}

async function startProgram() {
  const port = await freePort()
  const child = spawn(process.execPath, ['-e', program, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => child.stdout.once('data', resolve))
  return { port, child }
}

/** Rows of the bench table. */
export async function run({ kills = 40, bytes = 3000, measureMs = 5000 } = {}) {
  const parts = await bundleExports(
    `export { caddyConfig } from './src/entry/caddy.js'
export * from './src/entry/io/keeper-client.js'
export { servedRoute } from './test/entry/entered.js'`,
    'entry-kills.mjs',
  )
  const home = mkdtempSync(join(tmpdir(), 'mariposa-bench-kills-'))
  const [http, https] = [await freePort(), await freePort()]
  const dir = join(home, 'entry')
  const command = [process.execPath, join(root, 'dist/entry-keeper.mjs')]
  await parts.findOrStartKeeper(dir, command, false)
  const rows = []
  const programs = []
  try {
    for (let n = 0; n < 3; n++) programs.push(await startProgram())
    for (const way of Object.keys(ways)) {
      const { group, text } = configFor(parts, http, https, way)
      const tell = (some) => parts.tellUpstreams(dir, JSON.stringify({ [group]: some.map(upstreamOf) }))
      await tell(programs)
      await parts.tellConfig(dir, text)
      await until(async () => (await parts.stateOfKeeper(dir))?.isCurrent === true)
      await until(async () => (await send({ port: http, method: 'GET' })) === 200)
      rows.push(...(await costOf(way, { port: http, bytes }, await parts.stateOfKeeper(dir), measureMs)))
      rows.push(...(await lossOf({ way, asked: { port: http, bytes }, kills, programs, tell })))
      for (const row of rows.slice(-4)) console.error(row.name, row.value, row.unit)
    }
  } finally {
    await parts.endKeeper(dir)
    for (const { child } of programs) child.kill('SIGKILL')
    rmSync(home, { recursive: true, force: true })
  }
  return rows
}

const upstreamOf = ({ port }) => ({ address: '127.0.0.1', port, copies: 1 })

/** As many requests as go through, half of them POST, and what Caddy's processor time is for each. */
async function costOf(way, asked, { caddy: pid }, ms) {
  const load = startLoad(asked, 0)
  await sleep(1000)
  const [before, from, cpu] = [load.sent(), performance.now(), cpuMsOf(pid)]
  await sleep(ms)
  const [count, seconds, used] = [load.sent() - before, (performance.now() - from) / 1000, cpuMsOf(pid) - cpu]
  await load.end()
  const at = `(load ${loadavg()[0].toFixed(1)})`
  return [
    { name: `${way}: requests a second ${at}`, value: Math.round(count / seconds), unit: '/s' },
    {
      name: `${way}: processor time of Caddy for a request`,
      value: Math.round((used / count) * 1000),
      unit: 'µs',
    },
  ]
}

async function lossOf({ way, asked, kills, programs, tell }) {
  const load = startLoad(asked, 200)
  const killedAt = []
  await sleep(1000)
  for (let n = 0; n < kills; n++) {
    const at = n % programs.length
    const [gone] = programs.splice(at, 1)
    gone.child.kill('SIGKILL')
    killedAt.push(performance.now())
    // The view learns of it a little later.
    await sleep(300)
    await tell(programs)
    programs.splice(at, 0, await startProgram())
    await tell(programs)
    await sleep(300)
  }
  const failed = await load.end()
  const lost = failed.filter(({ from, to }) => !killedAt.some((at) => from <= at && at <= to))
  return [
    {
      name: `${way}: failed of ${load.sent()} in ${kills} kills that had begun before`,
      value: failed.length - lost.length,
      unit: '',
    },
    {
      name: `${way}: failed that began after a kill (${lost.filter(({ method }) => method === 'POST').length} POST)`,
      value: lost.length,
      unit: '',
    },
  ]
}

/** Every other request is a POST. */
function startLoad(asked, pauseMs) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  let [sent, isOver] = [0, false]
  const failed = []
  const all = Array.from({ length: clients }, async (_, client) => {
    for (let n = client; !isOver; n++) {
      const method = n % 2 === 0 ? 'POST' : 'GET'
      const from = performance.now()
      const status = await send({ ...asked, agent, method })
      sent++
      if (status !== 200) failed.push({ method, status, from, to: performance.now() })
      if (pauseMs > 0) await sleep(Math.random() * pauseMs)
    }
  })
  return {
    sent: () => sent,
    end: async () => {
      isOver = true
      await Promise.all(all)
      agent.destroy()
      return failed
    },
  }
}

/** Resolves to the status; 0 where there is none. */
function send({ port, agent, method, bytes = 0 }) {
  return new Promise((resolve) => {
    const length = method === 'POST' ? { 'content-length': String(bytes) } : {}
    const headers = { host: 'shop.example', ...length }
    const asked = request({ host: '127.0.0.1', port, path: '/', agent: agent ?? false, method, headers })
    asked.on('error', () => resolve(0))
    asked.on('response', (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode))
      response.on('error', () => resolve(0))
    })
    asked.end(method === 'POST' && bytes > 0 ? Buffer.alloc(bytes, 'x') : undefined)
  })
}

async function until(isSo) {
  while (!(await isSo().catch(() => false))) await sleep(50)
}

/** Milliseconds of the processor that a process has had. */
function cpuMsOf(pid) {
  const cells = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(cells[11]) + Number(cells[12])) * 10
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { kills: { type: 'string' }, body: { type: 'string' } } })
  console.table(await run({ kills: Number(values.kills ?? 40), bytes: Number(values.body ?? 3000) }))
}
