// What operators do to containers: a rolling update of 20, five at a time, each healthy before an old one goes; a killed
// container replaced; and a scale from 20 to 60. The last two beside the same done over Docker's API alone.
// Root only: it starts a Docker of its own, or takes the one of `--socket`.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import Docker from 'dockerode'
import { call } from './api.mjs'
import { bundle } from './bundle.mjs'
import { startDaemon } from './daemon.mjs'

const rounds = 3
/** How many containers are killed, one after another. */
const kills = 15
/** What lived for less counts as failing from the start, and is replaced with the back-off of a crash loop. */
const livedMs = 61_000
const [few, many, width] = [20, 60, 5]
/** How many requests the floor has on their way at once. */
const atOnce = 8
const image = 'mariposa-test:latest'
/** A web server that ends as soon as it is told to. */
const server = [
  '/bin/sh',
  '-c',
  'mkdir -p /tmp/www; echo ok > /tmp/www/index.html; httpd -f -p 8080 -h /tmp/www & trap "exit 0" TERM; wait',
]

/** Rows of the bench table. */
export async function run({ socketPath } = {}) {
  const { startDocker } = await bundle('test/machines/docker-host.ts', 'docker-host.mjs')
  const host = socketPath === undefined ? await startDocker() : null
  const socket = socketPath ?? host.socketPath
  const home = mkdtempSync(join(tmpdir(), 'mariposa-bench-rollout-'))
  const daemon = await startDaemon(home, 'docker', { DOCKER_HOST: `unix://${socket}` })
  try {
    return await measure(daemon.socket, new Docker({ socketPath: socket, version: 'v1.41' }))
  } finally {
    await daemon.stop()
    rmSync(home, { recursive: true, force: true })
    await host?.stop()
  }
}

async function measure(socket, docker) {
  const figures = []
  for (let round = 0; round < rounds; round++) {
    const service = `web${round}`
    await deploy(socket, service, 1, { scale: few })
    const update = await deploy(socket, service, 2, { rolling: width })
    const floor = await floorOf(docker, many - few)
    const scale = await scaleTo(socket, service, many)
    await remove(socket, service)
    figures.push({ update, floor, scale })
    if (process.env.BENCH_DEBUG) console.error(figures.at(-1))
  }
  await deploy(socket, 'steady', 1, { scale: few }, 10)
  const replaced = await killed(socket, docker, 'steady')
  if (process.env.BENCH_DEBUG) console.error(replaced)
  await remove(socket, 'steady')
  return [
    {
      name: `docker: rolling update of ${few}, ${width} at a time, each healthy before an old one goes (Swarm: 14200 ms)`,
      value: median(figures.map(({ update }) => update)),
      unit: 'ms',
    },
    {
      name: `docker: scale ${few} to ${many} until all run (floor: create and start over Docker's API, ${atOnce} at a time; Swarm: 11700 ms)`,
      value: median(figures.map(({ scale }) => scale)),
      unit: 'ms',
      floor: median(figures.map(({ floor }) => floor)),
      ratio: median(figures.map(({ scale, floor }) => scale / floor)),
    },
    {
      name: `docker: one of ${few} containers killed until a new one runs in its place (floor: kill, create and start over Docker's API; Swarm: 720 ms)`,
      value: median(replaced.map(({ ours }) => ours)),
      unit: 'ms',
      floor: median(replaced.map(({ floor }) => floor)),
      ratio: median(replaced.map(({ ours, floor }) => ours / floor)),
    },
    {
      name: 'docker: the same, since Docker told the death of the first',
      value: median(replaced.map(({ sinceDeath }) => sinceDeath)),
      unit: 'ms',
    },
  ]
}

/** Deploys a version, checked every `poll` s; resolves to how long it took until the task was done, in ms. */
function deploy(socket, service, version, more, poll = 1) {
  const text = `image: ${image}
command: ${JSON.stringify(server)}
environment: {VERSION: "${version}"}
ports: [8080]
restart: "no"
stop: {timeout: 10}
healthchecks:
  - {type: http, port: 8080, path: /, poll: ${poll}, timeout: 1}
`
  const sources = [{ file: `${service}.yml`, text, name: service }]
  return finished(socket, service, 'deploy', () =>
    call(socket, 'POST', '/v1/projects/default/deploy', { sources, ...more }),
  )
}

function remove(socket, service) {
  return finished(socket, service, 'delete', () =>
    call(socket, 'DELETE', `/v1/projects/default/services/${service}?force=true`),
  )
}

/** How long a change takes until its task is done. */
async function finished(socket, service, task, change) {
  return timed(follow(socket, service, isDone(task)), change)
}

function isDone(task) {
  return ({ kind, message, data }) => {
    if (kind === 'task-failed') throw new Error(message)
    return kind === 'task-completed' && data.task.kind === task
  }
}

/** How long it takes until so many run. */
async function scaleTo(socket, service, scale) {
  let started = 0
  const all = follow(socket, service, ({ kind }) => {
    if (kind === 'instance-started') started += 1
    return started === many - few
  })
  const done = follow(socket, service, isDone('scale'))
  await done.listening
  const ms = await timed(all, () =>
    call(socket, 'POST', '/v1/projects/default/scale', { targets: { [service]: scale } }),
  )
  await done.seen
  return ms
}

/**
 * Kills containers one after another, by turns with a floor: how long it takes until another runs in the place of each,
 * in ms since the request to kill it (`ours`) and since Docker told its death (`sinceDeath`).
 */
async function killed(socket, docker, service) {
  const figures = []
  for (let n = 0; n < kills; n++) {
    const floor = await killedFloor(docker)
    const instances = await call(socket, 'GET', `/v1/projects/default/instances?service=${service}`)
    const one = instances.filter(({ state }) => state === 'running').toSorted(byAge)[0]
    await sleep(Math.max(0, Date.parse(one.createdAt) + livedMs - Date.now()))
    const again = follow(socket, service, ({ kind }) => kind === 'instance-started')
    const settled = follow(socket, service, isDone('replace'))
    await settled.listening
    const death = deathOf(docker, one.container)
    await death.listening
    const from = performance.now()
    const ours = await timed(again, () => docker.getContainer(one.container).kill())
    figures.push({ ours, sinceDeath: ours - ((await death.at) - performance.timeOrigin - from), floor })
    await settled.seen
  }
  return figures
}

/** When Docker says that a container died, in ms since 1970. */
function deathOf(docker, container) {
  const filters = { container: [container], event: ['die'] }
  const events = docker.getEvents({ filters })
  const at = events.then(async (stream) => {
    const [line] = await once(stream, 'data')
    stream.destroy()
    return JSON.parse(line).timeNano / 1e6
  })
  return { listening: events, at }
}

function byAge(one, other) {
  return Date.parse(one.createdAt) - Date.parse(other.createdAt)
}

/** One container that is killed, and another created and started as soon as the answer is there. */
async function killedFloor(docker) {
  const first = await create(docker, 'bench-killed')
  await first.start()
  const from = performance.now()
  await first.kill()
  const second = await create(docker, 'bench-instead')
  await second.start()
  const ms = performance.now() - from
  await Promise.all([first, second].map((container) => container.remove({ force: true })))
  return ms
}

async function floorOf(docker, count) {
  const made = []
  const from = performance.now()
  let next = 0
  const worker = async () => {
    while (next < count) {
      const container = await create(docker, `bench-floor-${next++}`)
      made.push(container)
      await container.start()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  const ms = performance.now() - from
  await Promise.all(made.map((container) => container.remove({ force: true })))
  return ms
}

/** A container like those of the service. */
function create(docker, name) {
  return docker.createContainer({
    name,
    Image: image,
    Cmd: server,
    Env: ['VERSION=2'],
    ExposedPorts: { '8080/tcp': {} },
    HostConfig: { PortBindings: { '8080/tcp': [{ HostPort: '' }] } },
  })
}

async function timed(followed, work) {
  await followed.listening
  const from = performance.now()
  await work()
  await followed.seen
  return performance.now() - from
}

/** Follows a service's events from now on until one is as wanted. */
function follow(socketPath, service, isWanted) {
  let listening
  const begun = new Promise((resolve) => {
    listening = resolve
  })
  const seen = new Promise((resolve, reject) => {
    const path = `/v1/events?tail=0&service=${service}`
    get({ socketPath, path, headers: { accept: 'application/x-ndjson' } }, (response) => {
      listening()
      let rest = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop()
        try {
          if (!lines.some((line) => line !== '' && isWanted(JSON.parse(line)))) return
          response.destroy()
          resolve()
        } catch (error) {
          response.destroy()
          reject(error)
        }
      })
      response.on('error', () => {})
    }).on('error', reject)
  })
  return { listening: begun, seen }
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { socket: { type: 'string' } } })
  console.table(await run(values.socket === undefined ? {} : { socketPath: values.socket }))
}
