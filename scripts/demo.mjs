// `npm run demo`: the guestbook of examples/ on a daemon of its own, with the real command line, on Node alone.
// Everything lives in one temporary directory. Ctrl-C, or `--once` at the end, takes all of it away again.
import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const checkout = dirname(dirname(fileURLToPath(import.meta.url)))
const cli = join(checkout, 'dist', 'mariposa.js')
const guestbook = join(checkout, 'examples', 'guestbook')
const once = process.argv.includes('--once') || process.env.MARIPOSA_DEMO_ONCE === '1'
const waitMs = 60_000

const home = mkdtempSync(join(tmpdir(), 'mariposa-demo-'))
const socket = join(home, 'mariposa.sock')
const environment = {
  ...process.env,
  MARIPOSA_ENDPOINT: `unix://${socket}`,
}

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interrupted.abort())
// Nobody reads any more, as behind `| head`: it ends as by Ctrl-C.
process.stdout.on('error', () => interrupted.abort())

process.exitCode = await main()

async function main() {
  let failure = null
  const names = `127.0.0.1:${await freePort()}`
  const daemon = startDaemon(names)
  try {
    await ready(daemon)
    await show(copyManifests(names))
    if (!once) await stay()
  } catch (error) {
    if (!interrupted.signal.aborted) failure = error
  }
  if (failure !== null) {
    console.error(`\nThe demo failed: ${failure.message}`)
    console.error(lastLines(join(home, 'daemon.log'), 20))
  }
  await clearUp(daemon)
  return failure === null ? 0 : 1
}

/** What the demo shows, in order. */
async function show(manifests) {
  step('Three services from three manifests, as one change')
  await mariposa('service', 'deploy', ...manifests)
  await mariposa('service', 'scale', 'web', '3')
  await mariposa('service', 'list')
  await mariposa('service', 'instances')

  step('They find each other by name, at whatever ports they got')
  await mariposa('dns', 'list', 'api')

  step('Every instance of web answers for itself')
  await visitAll()

  step('A program that is killed comes back')
  await killOne()

  step('An instance that fails its health check is replaced by a new one')
  await breakOne()

  step('Two more, and back')
  await mariposa('service', 'scale', 'web', '+2')
  await mariposa('service', 'instances', 'web')
  await mariposa('service', 'scale', 'web', '-2')
  await mariposa('service', 'list')
}

function startDaemon(names) {
  const args = [
    'daemon',
    '--data-dir',
    join(home, 'data'),
    '--listen',
    `unix:${socket}`,
    '--driver',
    'process',
    // The guestbook is for this machine alone.
    '--public-ip',
    '127.0.0.1',
    '--dns',
    names,
  ]
  step(`A daemon with an embedded store, in ${home}`)
  console.log(`$ mariposa ${args.join(' ')} &`)
  const log = openSync(join(home, 'daemon.log'), 'a')
  // In a session of its own: Ctrl-C is for this script, which then ends everything in order.
  const daemon = spawn(process.execPath, [cli, ...args], {
    env: environment,
    stdio: ['ignore', log, log],
    detached: true,
  })
  closeSync(log)
  return daemon
}

async function ready(daemon) {
  await until('the daemon to be ready', async () => {
    if (daemon.exitCode !== null) throw new Error(`the daemon ended with status ${daemon.exitCode}`)
    return (await statusOf('/readyz')) === 200
  })
}

function statusOf(path) {
  return new Promise((resolve) => {
    const asked = request({ socketPath: socket, path, timeout: 1000 }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    asked.on('error', () => resolve(null)).on('timeout', () => asked.destroy(new Error('timeout')))
    asked.end()
  })
}

/**
 * The example's manifests with this checkout's path and this Node in them, since programs get a clean environment,
 * and with the place where this daemon answers names.
 */
function copyManifests(names) {
  return readdirSync(guestbook)
    .filter((file) => file.endsWith('.yml'))
    .map((file) => {
      const text = readFileSync(join(guestbook, file), 'utf8')
        .replaceAll(
          /command: node (.+)/g,
          (_, words) => `command: ${JSON.stringify([process.execPath, ...words.split(' ')])}`,
        )
        .replace('working_dir: /opt/guestbook', `working_dir: ${JSON.stringify(guestbook)}`)
        .replaceAll('127.0.0.1:8053', names)
      writeFileSync(join(home, file), text)
      return join(home, file)
    })
}

/** Not the first free one, so that two demos that begin together do not choose the same. */
async function freePort() {
  for (let port = 8053 + (process.pid % 1000); ; port += 1) {
    if (await isFree(port)) return port
  }
}

/** Listens for a moment. */
function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

async function visitAll() {
  for (const instance of await instancesOf('web')) {
    const url = urlOf(instance)
    console.log(`$ curl -X POST '${url}?by=a+visitor' && curl ${url}`)
    process.stdout.write(await fetchText(`${url}?by=a+visitor`, { method: 'POST' }))
    process.stdout.write(await fetchText(url))
  }
}

async function killOne() {
  const [victim] = await instancesOf('web')
  console.log(`$ kill -9 ${victim.pid}    # ${victim.name}`)
  process.kill(victim.pid, 'SIGKILL')
  await until(`${victim.name} to be back`, async () => {
    const now = (await instancesOf('web')).find((one) => one.name === victim.name)
    return now !== undefined && now.pid !== null && now.pid !== victim.pid && now.health === 'healthy'
  })
  await mariposa('service', 'instances', 'web')
}

async function breakOne() {
  const before = await instancesOf('web')
  const victim = before.at(-1)
  console.log(`$ curl -X POST ${urlOf(victim)}break`)
  process.stdout.write(await fetchText(`${urlOf(victim)}break`, { method: 'POST' }))
  await until(`${victim.name} to be replaced`, async () => {
    const running = (await instancesOf('web'))
      .filter(({ state }) => state === 'running')
      .map(({ name }) => name)
    return running.length === before.length && !running.includes(victim.name)
  })
  await mariposa('service', 'instances', 'web')
}

/** The instances of a service that are up. */
async function instancesOf(service) {
  const listed = JSON.parse(await capture('service', 'instances', service, '--json'))
  return listed.filter((one) => one.state === 'running' && one.health === 'healthy')
}

function urlOf(instance) {
  const [port] = instance.ports
  return `http://127.0.0.1:${port.split(':')[0]}/`
}

async function fetchText(url, options = {}) {
  const response = await fetch(url, { ...options, signal: AbortSignal.timeout(5000) })
  return response.text()
}

/** Runs the command line as a user would, and shows it. */
async function mariposa(...args) {
  console.log(`$ mariposa ${args.join(' ')}`)
  const code = await run(args, 'inherit')
  if (code !== 0) throw new Error(`mariposa ${args.join(' ')} ended with status ${code}`)
}

/** Runs the command line unseen and gives back what it prints. */
async function capture(...args) {
  const chunks = []
  const code = await run(args, ['ignore', 'pipe', 'inherit'], (chunk) => chunks.push(chunk))
  if (code !== 0) throw new Error(`mariposa ${args.join(' ')} ended with status ${code}`)
  return Buffer.concat(chunks).toString('utf8')
}

function run(args, stdio, onOutput = () => {}) {
  interrupted.signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [cli, ...args], { env: environment, stdio, cwd: home })
    child.stdout?.on('data', onOutput)
    child.on('error', reject).on('close', (code, signal) => resolve(code ?? signal))
  })
}

async function until(what, holds) {
  const end = Date.now() + waitMs
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited ${waitMs / 1000} s for ${what}`)
    await sleep(100, undefined, { signal: interrupted.signal })
  }
}

async function stay() {
  const alias = `alias mariposa='node ${cli}'`
  step('It is yours now. In another terminal:')
  console.log(`  ${alias}
  export MARIPOSA_ENDPOINT=${environment.MARIPOSA_ENDPOINT}
  mariposa service logs web --follow
  mariposa service explain web
  mariposa service events
  mariposa service exec ${(await instancesOf('web'))[0]?.name ?? 'web-1'} -- uptime

Change GREETING in ${join(home, 'web.yml')}, then see the instances being replaced one by one:
  mariposa service deploy ${join(home, 'web.yml')}

Ctrl-C ends the demo and leaves nothing behind.`)
  await new Promise((resolve) => {
    const alive = setInterval(() => {}, 2 ** 30)
    interrupted.signal.addEventListener('abort', () => resolve(clearInterval(alive)), { once: true })
  })
}

/** Ends what was started, whatever state the demo is in, and removes its directory. */
async function clearUp(daemon) {
  step('Clearing up')
  if (daemon.exitCode === null) {
    for (const service of ['web', 'worker', 'api']) await deleteService(service)
  }
  await end(daemon)
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  console.log(`Nothing is left of ${relative(tmpdir(), home)}.`)
}

/** The daemon is asked directly: a signal that ends this demo must not keep it from clearing up. */
async function deleteService(name) {
  const args = ['service', 'delete', name, '--force', '--timeout', '30s']
  console.log(`$ mariposa ${args.join(' ')}`)
  // In a session of its own: an impatient second Ctrl-C does not reach it.
  const child = spawn(process.execPath, [cli, ...args], {
    env: environment,
    stdio: ['ignore', 'inherit', 'ignore'],
    cwd: home,
    detached: true,
  })
  await new Promise((resolve) => child.on('close', resolve).on('error', resolve))
}

async function end(daemon) {
  if (daemon.exitCode === null && daemon.signalCode === null) {
    const ended = new Promise((resolve) => daemon.once('exit', resolve))
    daemon.kill('SIGTERM')
    const late = setTimeout(() => daemon.kill('SIGKILL'), 15_000)
    await ended
    clearTimeout(late)
  }
  await endSupervisor()
}

/** It outlives the daemon on purpose, and stays for half a minute when nothing is left to do. The demo does not wait. */
async function endSupervisor() {
  const ends = Date.now() + 10_000
  for (let pids = supervisors(); pids.length > 0 && Date.now() < ends; pids = supervisors()) {
    for (const pid of pids) tryKill(pid)
    await sleep(50)
  }
}

/** Once the daemon has ended, the processes that were started with a path below our directory. */
function supervisors() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && wordsOf(name).some((word) => word.startsWith(`${home}/`)))
    .map(Number)
}

function wordsOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return [] // It ended while we looked.
  }
}

function tryKill(pid) {
  try {
    process.kill(pid, 'SIGTERM')
  } catch {
    // It ended by itself.
  }
}

function lastLines(file, count) {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n')
}

function step(text) {
  console.log(`\n# ${text}\n`)
}
