// The part of bench/swarm.mjs that runs in the machine, as its root, in the network of those who ask. It prints rows as it has them.
import { spawn } from 'node:child_process'
import { createReadStream, mkdirSync, openSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../test/machines/entry-load.ts'
import { quantile, startSteadyLoad } from '../test/machines/steady-load.ts'
import { call, status } from './api.mjs'

const {
  rate = 10,
  rollouts = 3,
  only,
  ends,
  program,
} = JSON.parse(readFileSync(join(import.meta.dirname, 'options.json'), 'utf8'))
const address = '10.9.0.1'
const image = 'program:latest'
const dockerSocket = '/var/run/docker.sock'
const mariposaSocket = '/run/mariposa.sock'
/** Both begin with the same image, and its check is that of both. */
const changes = [
  'CMD ["/usr/bin/node", "/program.cjs"]',
  'HEALTHCHECK --interval=20s --timeout=60s --retries=5 CMD ["/bin/busybox", "wget", "-q", "-O", "/dev/null", "http://127.0.0.1:8080/health"]',
]
const say = (text) => console.log(`${(performance.now() / 1000).toFixed(1)} s: ${text}`)

/** By Docker's own interface: its command line takes seconds for each word here. */
async function docker(method, path, body) {
  const isFile = typeof body === 'string'
  const headers = { 'content-type': isFile ? 'application/x-tar' : 'application/json' }
  const asked = request({ socketPath: dockerSocket, method, path: `/v1.41${path}`, headers })
  const answered = new Promise((resolve, reject) => asked.on('response', resolve).on('error', reject))
  if (isFile) createReadStream(body).pipe(asked)
  else asked.end(body === undefined ? undefined : JSON.stringify(body))
  const answer = await answered
  const text = (await answer.setEncoding('utf8').toArray()).join('')
  if (answer.statusCode >= 400) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`)
  return isFile || text === '' ? text : JSON.parse(text)
}

async function until(what, isSo) {
  const from = performance.now()
  let why = ''
  while (true) {
    const is = await isSo().catch((error) => {
      why = String(error)
    })
    if (is) return
    if (performance.now() - from > 600_000) throw new Error(`${what}: ${why}`)
    await sleep(2000)
  }
}

const containers = () => docker('GET', '/containers/json')

/** Swarm as its documentation advises: a check, the new one first, one at a time. */
const swarm = {
  name: "Swarm's mesh",
  port: 8080,
  begin: () => docker('POST', '/swarm/init', { ListenAddr: '0.0.0.0:2377', AdvertiseAddr: address }),
  specOf: ({ version, ends, scale }) => ({
    Name: 'web',
    TaskTemplate: {
      ContainerSpec: { Image: image, Env: [`VERSION=${version}`, `ENDS=${ends}`], StopGracePeriod: 30e9 },
      RestartPolicy: { Condition: 'any', Delay: 1e9 },
    },
    Mode: { Replicated: { Replicas: scale } },
    UpdateConfig: { Parallelism: 1, Order: 'start-first', FailureAction: 'continue', Monitor: 5e9 },
    EndpointSpec: {
      Mode: 'vip',
      Ports: [{ Protocol: 'tcp', TargetPort: 8080, PublishedPort: 8080, PublishMode: 'ingress' }],
    },
  }),
  create: (wanted) => docker('POST', '/services/create', swarm.specOf(wanted)),
  change: async (wanted) => {
    const { Version } = await docker('GET', '/services/web')
    await docker('POST', `/services/web/update?version=${Version.Index}`, swarm.specOf(wanted))
  },
  /** A task is running once its check says so. */
  countWell: async ({ version }) => {
    const tasks = await docker('GET', '/tasks')
    const isWell = ({ DesiredState, Status, Spec }) =>
      DesiredState === 'running' &&
      Status.State === 'running' &&
      Spec.ContainerSpec.Env.includes(`VERSION=${version}`)
    return tasks.filter(isWell).length
  },
  remove: () => docker('DELETE', '/services/web'),
  end: () => docker('POST', '/swarm/leave?force=true'),
}

const asked = (method, path, body) => call(mariposaSocket, method, `/v1/projects/default${path}`, body)

const mariposa = {
  name: 'our entry',
  port: 80,
  daemon: null,
  current: '',
  begin: async () => {
    const log = openSync('/tmp/mariposa.log', 'a')
    mkdirSync('/var/mariposa')
    const where = ['--data-dir', '/var/mariposa', '--listen', `unix:${mariposaSocket}`, '--driver', 'docker']
    const entry = ['--entry', '--entry-http', `${address}:80`, '--public-ip', address, '--dns', 'none']
    // In the network of the machine, not of those who ask.
    const inside = ['-t', '1', '-m', '-n', process.execPath, program, 'daemon']
    mariposa.daemon = spawn('nsenter', [...inside, ...where, ...entry], { stdio: ['ignore', log, log] })
    await until('the daemon', async () => (await status(mariposaSocket, '/readyz')) === 200)
  },
  create: async ({ version, ends, scale }) => {
    const manifest = {
      ...{ image, ports: [8080], environment: { VERSION: version, ENDS: ends } },
      ...{ stop: { timeout: 30 }, entry: [{ host: 'shop.example', tls: 'off' }] },
    }
    const sources = [{ file: 'web.yml', text: JSON.stringify(manifest), name: 'web' }]
    const { services } = await asked('POST', '/deploy', { sources, scale })
    mariposa.current = services[0].version
  },
  change: async (wanted, before) => {
    if (wanted.version !== before.version) await mariposa.create(wanted)
    else await asked('POST', '/scale', { targets: { web: wanted.scale } })
  },
  countWell: async () => {
    const instances = await asked('GET', '/instances?service=web')
    const isWell = ({ health, version }) => health === 'healthy' && version === mariposa.current
    return instances.filter(isWell).length
  },
  remove: () => asked('DELETE', '/services/web?force=true'),
  end: async () => mariposa.daemon.kill('SIGTERM'),
}

/** Resolves when there are as many as wanted, all well and of that version, and no other container is left. */
async function settled(system, wanted) {
  await until(`${wanted.scale} programs of ${wanted.version}`, async () => {
    if ((await containers()).length !== wanted.scale) return false
    return (await system.countWell(wanted)) === wanted.scale
  })
}

/** Under one load, all that is to be done to the service. */
async function measure(system, ends) {
  let now = { version: 'v0', ends, scale: 3 }
  await system.create(now)
  say(`${system.name}: is told of the service`)
  await settled(system, now)
  const one = { address, port: system.port, host: 'shop.example' }
  await until('an answer', async () => (await send(one)).status === 200)
  say(`${system.name}, ${ends}: serves`)
  const change = async (wanted) => {
    const before = now
    now = { ...before, ...wanted }
    await system.change(now, before)
    await settled(system, now)
    say(`${system.name}: ${now.scale} of ${now.version}`)
  }
  const load = startSteadyLoad({
    ...{ entries: [address], port: system.port, host: 'shop.example', perSecond: rate },
    ...{ connections: Math.max(12, Math.ceil(rate * 0.6)), givesUpAfterMs: 20_000 },
  })
  const phase = async (what, act) => {
    const { underWay } = await load.now()
    const from = performance.now()
    await act()
    const seconds = (performance.now() - from) / 1000
    tell({ system, ends, what, seconds, underWay, counted: await load.settled(3 * rate) })
  }
  await phase('nothing is changed', () => sleep(10_000))
  await phase(`${rollouts} rolling updates`, async () => {
    for (let n = 1; n <= rollouts; n++) await change({ version: `v${n}` })
  })
  await phase('scale from 3 to 6 and back', async () => {
    await change({ scale: 6 })
    await change({ scale: 3 })
  })
  await phase('kill -9 of a program', () => kill(system, now))
  await load.end()
  await system.remove()
  await until('nobody', async () => (await containers()).length === 0)
}

async function kill(system, now) {
  const [{ Id }] = await containers()
  const pidNow = async () => (await docker('GET', `/containers/${Id}/json`)).State.Pid
  const pid = await pidNow()
  process.kill(pid, 'SIGKILL')
  await until('its end', async () => (await pidNow().catch(() => 0)) !== pid)
  await settled(system, now)
}

function tell({ system, ends, what, seconds, underWay, counted }) {
  const { durations, failures, skipped } = counted
  const [p50, p99] = [0.5, 0.99].map((share) => Math.round(quantile(durations, share)))
  const row = { system: system.name, ends, what, failed: failures.length, of: durations.length, p50, p99 }
  const more = { posts: failures.filter(({ method }) => method === 'POST').length, skipped, underWay }
  console.log(`ROW ${JSON.stringify({ ...row, ...more, seconds: Math.round(seconds) })}`)
  for (const { method, path, ms, status, error } of failures.slice(0, 10))
    console.log(`  ${method} ${path}: ${status} after ${ms} ms: ${error}`)
}

await until('Docker', () => docker('GET', '/version').then(() => true))
say('Docker answers')
const words = new URLSearchParams({ fromSrc: '-', repo: 'program', tag: 'latest' })
for (const change of changes) words.append('changes', change)
await docker('POST', `/images/create?${words}`, join(import.meta.dirname, 'image.tar'))
say('the image is there')
const systems = [mariposa, swarm].filter(({ name }) => only === undefined || name.includes(only))
for (const system of systems) {
  await system.begin()
  say(`${system.name} has begun`)
}
for (const way of ends === undefined ? ['after its answers', 'at once'] : [ends])
  for (const system of systems) await measure(system, way)
for (const system of systems) await system.end()
