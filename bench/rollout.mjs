// What operators do to containers: a rolling update of 20, five at a time, each healthy before an old one goes; a scale
// from 20 to 60, beside the same containers created and started over Docker's API; and a killed container replaced.
// Root only: it starts a Docker of its own, or takes the one of `--socket`.
import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Docker from 'dockerode'
import { call } from './api.mjs'
import { bundle } from './bundle.mjs'
import { startDaemon } from './daemon.mjs'

const rounds = 3
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
    const replaced = await killed(socket, docker, service)
    await finished(socket, service, 'delete', () =>
      call(socket, 'DELETE', `/v1/projects/default/services/${service}?force=true`),
    )
    figures.push({ update, floor, scale, replaced })
    if (process.env.BENCH_DEBUG) console.error(figures.at(-1))
  }
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
      name: `docker: one of ${many} containers killed until a new one runs in its place (Swarm: 720 ms)`,
      value: median(figures.map(({ replaced }) => replaced)),
      unit: 'ms',
    },
  ]
}

/** Deploys a version; resolves to how long it took until the task was done, in ms. */
function deploy(socket, service, version, more) {
  const text = `image: ${image}
command: ${JSON.stringify(server)}
environment: {VERSION: "${version}"}
ports: [8080]
restart: "no"
stop: {timeout: 10}
healthchecks:
  - {type: http, port: 8080, path: /, poll: 1, timeout: 1}
`
  const sources = [{ file: `${service}.yml`, text, name: service }]
  return finished(socket, service, 'deploy', () =>
    call(socket, 'POST', '/v1/projects/default/deploy', { sources, ...more }),
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

/** Kills a container; how long it takes until another runs in its place. */
async function killed(socket, docker, service) {
  const instances = await call(socket, 'GET', `/v1/projects/default/instances?service=${service}`)
  const one = instances.find(({ state }) => state === 'running')
  const again = follow(socket, service, ({ kind }) => kind === 'instance-started')
  const settled = follow(socket, service, isDone('replace'))
  await settled.listening
  const ms = await timed(again, () => docker.getContainer(one.container).kill())
  await settled.seen
  return ms
}

async function floorOf(docker, count) {
  const made = []
  const from = performance.now()
  let next = 0
  const worker = async () => {
    while (next < count) {
      const container = await docker.createContainer({
        name: `bench-floor-${next++}`,
        Image: image,
        Cmd: server,
        Env: ['VERSION=2'],
        ExposedPorts: { '8080/tcp': {} },
        HostConfig: { PortBindings: { '8080/tcp': [{ HostPort: '' }] } },
      })
      made.push(container)
      await container.start()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  const ms = performance.now() - from
  await Promise.all(made.map((container) => container.remove({ force: true })))
  return ms
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
