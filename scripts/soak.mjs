// `npm run soak -- [--store embedded|etcd] [--seconds 60] [--writers 8] [--busy 2]`: changes over the HTTP API of a real
// daemon while its passes run and the processors are kept busy, each read back after it was acknowledged. Prints what was
// counted; exits with 1 where something that was acknowledged is not so. etcd is the one on PATH.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const checkout = dirname(dirname(fileURLToPath(import.meta.url)))
const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'embedded' },
    seconds: { type: 'string', default: '60' },
    writers: { type: 'string', default: '8' },
    busy: { type: 'string', default: '2' },
  },
})
const seconds = Number(values.seconds)
const home = mkdtempSync(join(tmpdir(), 'mariposa-soak-'))
const socketPath = join(home, 'mariposa.sock')
const project = '/v1/projects/default'
const endAt = Date.now() + seconds * 1000
const children = []
const counted = {
  deploys: 0,
  'deploys undone': 0,
  scales: 0,
  'scales undone': 0,
  freezes: 0,
  'made while frozen': 0,
  starts: 0,
  'starts that did not run': 0,
  'starts that ran twice': 0,
  firings: 0,
  'firings that did not run': 0,
  'firings that ran twice': 0,
  'refused as contended': 0,
}

process.exitCode = await main()

async function main() {
  try {
    const store = values.store === 'etcd' ? await startEtcd() : 'embedded'
    await startDaemon(store)
    for (let n = 0; n < Number(values.busy); n++) start('busy', process.execPath, ['-e', 'for (;;);'])
    await work()
    await check()
  } finally {
    await clearUp()
  }
  const wrong = Object.keys(counted).filter(
    (name) => / (undone|while|that) /.test(` ${name} `) && counted[name] > 0,
  )
  console.log(
    `${values.store}, ${seconds} s, ${values.writers} writers, ${values.busy} busy processes beside them`,
  )
  for (const [name, count] of Object.entries(counted)) console.log(`${String(count).padStart(7)}  ${name}`)
  console.log(wrong.length === 0 ? 'nothing acknowledged was undone' : `broken: ${wrong.join(', ')}`)
  return wrong.length === 0 ? 0 : 1
}

/** All writers until the time is over. */
async function work() {
  await deploy('tick', {
    type: 'scheduled',
    extra: 'schedule: {interval: "R//PT1S", overlap: allow, epsilon: 10m}\n',
  })
  const writers = Array.from({ length: Number(values.writers) }, (_, n) => writeVersions(`web${n}`))
  await Promise.all([
    ...writers,
    scaleUpAndDown('scaled'),
    freezeAndRelease('held'),
    startOften('job0'),
    startOften('job1'),
  ])
}

/** One service, one writer: version after version, read at once and 250 ms later. */
async function writeVersions(name) {
  for (let n = 1; Date.now() < endAt; n++) {
    const ordinal = await deploy(name, { extra: `environment: {N: "${n}"}\n` })
    counted.deploys++
    const now = await serviceOf(name)
    await sleep(250)
    const later = await serviceOf(name)
    if (now.ordinal < ordinal || later.ordinal < ordinal) counted['deploys undone']++
  }
}

async function scaleUpAndDown(name) {
  await deploy(name, {})
  for (let n = 1; Date.now() < endAt; n++) {
    const scale = 1 + (n % 3)
    await change('POST', `${project}/scale`, { targets: { [name]: scale } })
    counted.scales++
    await sleep(250)
    if ((await serviceOf(name)).scale !== scale) counted['scales undone']++
  }
}

/** While it is frozen its instances are killed, and none is made in their place. */
async function freezeAndRelease(name) {
  await deploy(name, { command: '[/bin/sh, -c, "sleep 0.2; exit 1"]', extra: 'restart: "no"\n' })
  while (Date.now() < endAt) {
    await sleep(300)
    await change('POST', '/v1/projects/default/freeze', { service: name })
    counted.freezes++
    const before = await newestOf(name)
    await sleep(700)
    if ((await newestOf(name)) !== before) counted['made while frozen']++
    await change('POST', '/v1/projects/default/unfreeze', { service: name })
  }
}

async function startOften(name) {
  await deploy(name, { type: 'event' })
  while (Date.now() < endAt) {
    await change('POST', `${project}/services/${name}/start`, {})
    counted.starts++
    await sleep(100)
  }
}

/** What ran has written its name down: each start and each firing once. */
async function check() {
  await deploy('tick', { type: 'scheduled', extra: 'schedule: {interval: "R0//PT1S"}\n' })
  const runs = (await ask('GET', `${project}/schedules/runs?service=tick`)).filter(
    ({ outcome }) => outcome === 'started',
  )
  counted.firings = runs.length
  const names = ['job0', 'job1', 'tick']
  let lines = []
  for (let quiet = 0; quiet < 20; ) {
    await sleep(250)
    const now = names.flatMap(ranOf)
    quiet = now.length === lines.length ? quiet + 1 : 0
    lines = now
  }
  const times = new Map()
  for (const line of lines) times.set(line, (times.get(line) ?? 0) + 1)
  const isFiring = (name) => name.startsWith('tick-')
  for (const [name, count] of times)
    if (count > 1) counted[isFiring(name) ? 'firings that ran twice' : 'starts that ran twice']++
  const started = [...times.keys()].filter((name) => !isFiring(name)).length
  counted['starts that did not run'] = Math.max(0, counted.starts - started)
  counted['firings that did not run'] = runs.filter(({ instance }) => !times.has(instance)).length
}

function ranOf(name) {
  const file = join(home, `${name}.ran`)
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : []
}

async function newestOf(name) {
  const all = await ask('GET', `${project}/instances?service=${name}`)
  return Math.max(0, ...all.map((one) => Number(one.name.split('-').at(-1))))
}

function serviceOf(name) {
  return ask('GET', `${project}/services/${name}`)
}

async function deploy(name, { type = 'continuous', command, extra = '' }) {
  const ran = join(home, `${name}.ran`)
  const once = `[/bin/sh, -c, "echo {{ .instance.name }} >> ${ran}"]`
  const text = `name: ${name}
service_type: ${type}
compute_type: process
command: ${command ?? (type === 'continuous' ? '[/bin/sleep, "600"]' : once)}
memory: 4M
${extra}`
  const { services } = await change('POST', `${project}/deploy`, { sources: [{ file: `${name}.yml`, text }] })
  return services[0].ordinal
}

/** A change until it is acknowledged. */
async function change(method, path, body) {
  for (;;) {
    try {
      return await ask(method, path, body)
    } catch (error) {
      if (error.code === 'api/contended') counted['refused as contended']++
      else if (error.code !== 'service/busy') throw error
      await sleep(20)
    }
  }
}

function ask(method, path, body) {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? null : JSON.stringify(body)
    const headers =
      text === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
    const asked = request({ socketPath, method, path, headers }, (answer) => {
      const chunks = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () => {
        const json = JSON.parse(Buffer.concat(chunks).toString('utf8') || 'null')
        if (answer.statusCode < 300) return resolve(json)
        const code = json?.error?.code
        reject(
          Object.assign(new Error(`${method} ${path}: ${answer.statusCode} ${JSON.stringify(json)}`), {
            code,
          }),
        )
      })
      answer.on('error', reject)
    })
    asked.on('error', reject)
    asked.end(text ?? undefined)
  })
}

async function startEtcd() {
  const [client, peer] = [await freePort(), await freePort()]
  const [clientUrl, peerUrl] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`]
  const urls = [
    '--listen-client-urls',
    clientUrl,
    '--advertise-client-urls',
    clientUrl,
    '--listen-peer-urls',
    peerUrl,
  ]
  const cluster = ['--initial-advertise-peer-urls', peerUrl, '--initial-cluster', `default=${peerUrl}`]
  start('etcd', 'etcd', ['--data-dir', join(home, 'etcd'), ...urls, ...cluster])
  return `etcd://127.0.0.1:${client}`
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

async function startDaemon(store) {
  const args = [
    'daemon',
    '--data-dir',
    join(home, 'data'),
    '--listen',
    `unix:${socketPath}`,
    '--driver',
    'process',
  ]
  const daemon = start('daemon', process.execPath, [
    join(checkout, 'dist', 'mariposa.js'),
    ...args,
    '--store',
    store,
  ])
  let printed = ''
  daemon.stderr.on('data', (chunk) => {
    printed = `${printed}${chunk}`.slice(-4000)
  })
  for (let tries = 0; tries < 300; tries++) {
    if (daemon.exitCode !== null) throw new Error(`the daemon ended:\n${printed}`)
    const version = await ask('GET', '/v1/version').catch(() => null)
    if (version !== null) return
    await sleep(100)
  }
  throw new Error(`the daemon does not answer:\n${printed}`)
}

function start(name, command, args) {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  child.stderr.resume()
  children.push({ name, child })
  return child
}

async function clearUp() {
  for (const { name, child } of children) if (name === 'busy') child.kill('SIGKILL')
  for (const { name } of (await ask('GET', `${project}/services`).catch(() => [])) ?? [])
    await change('DELETE', `${project}/services/${name}?force=true`).catch(() => {})
  for (let tries = 0; tries < 300; tries++) {
    const left = await ask('GET', `${project}/services`).catch(() => [])
    if (left.length === 0) break
    await sleep(100)
  }
  for (const wanted of ['daemon', 'etcd']) {
    for (const { name, child } of children) {
      if (name !== wanted || child.exitCode !== null || child.signalCode !== null) continue
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    }
  }
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
}
