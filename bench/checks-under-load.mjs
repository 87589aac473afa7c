// A scale from 20 to 60 with a `command` check of 1 s, beside Swarm on the same Docker with the same check as its
// HEALTHCHECK: how long until all are healthy, and how many containers ended that nothing was wrong with.
// Root only: it starts a Docker of its own, or takes the one of `--socket`. `--rounds 1` measures once.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import Docker from 'dockerode'
import { call } from './api.mjs'
import { bundle } from './bundle.mjs'
import { startDaemon } from './daemon.mjs'

const [few, many] = [20, 60]
const image = 'mariposa-test:latest'
const server = [
  '/bin/sh',
  '-c',
  'trap "exit 0" TERM; mkdir -p /tmp/www; echo ok > /tmp/www/index.html; httpd -f -p 8080 -h /tmp/www & wait',
]
const check = ['wget', '-q', '-O', '/dev/null', 'http://127.0.0.1:8080/']
/** What is not healthy by then does not become so. */
const patienceMs = 180_000
/** How long the many are watched once they are healthy. */
const steadyMs = 20_000

/** Rows of the bench table. */
export async function run({ socketPath, rounds = 3 } = {}) {
  const { startDocker } = await bundle('test/machines/docker-host.ts', 'docker-host.mjs')
  const host = socketPath === undefined ? await startDocker() : null
  const socket = socketPath ?? host.socketPath
  const docker = new Docker({ socketPath: socket, version: 'v1.41' })
  try {
    const [ours, swarm] = [[], []]
    for (let round = 0; round < rounds; round += 1) {
      swarm.push(await swarmRound(docker))
      ours.push(await ourRound(docker, socket))
      if (process.env.BENCH_DEBUG) console.error({ swarm: swarm.at(-1), ours: ours.at(-1) })
    }
    return rows(ours, swarm, rounds)
  } finally {
    await host?.stop()
  }
}

function rows(ours, swarm, rounds) {
  const name = `docker: scale ${few} to ${many} with a command check of 1 s`
  const [value, floor] = [ours, swarm].map((figures) => median(figures.map(({ ms }) => ms)))
  const [lost, lostThere] = [ours, swarm].map((figures) => figures.reduce((sum, { ended }) => sum + ended, 0))
  return [
    {
      name: `${name}, until all are healthy (beside: Swarm)`,
      value,
      unit: 'ms',
      floor,
      ratio: value / floor,
    },
    {
      name: `the same: containers that ended, in ${rounds} rounds (beside: Swarm)`,
      value: lost,
      unit: '',
      floor: lostThere,
    },
  ]
}

async function swarmRound(docker) {
  await docker.swarmInit({ ListenAddr: '127.0.0.1:23777', AdvertiseAddr: '127.0.0.1:23777' })
  try {
    const spec = (replicas) => ({
      Name: 'web',
      TaskTemplate: {
        ContainerSpec: {
          Image: image,
          Command: server,
          Labels: { bench: 'swarm' },
          Healthcheck: { Test: ['CMD', ...check], Interval: 1e9, Timeout: 1e9, Retries: 3 },
        },
      },
      Mode: { Replicated: { Replicas: replicas } },
    })
    const service = docker.getService((await docker.createService(spec(few))).id)
    const isHealthy = ({ Status }) => Status.includes('(healthy)')
    const counted = () => count(docker, 'bench=swarm', isHealthy)
    await until(counted, few)
    return await measured(docker, 'bench=swarm', counted, async () => {
      const { Version } = await service.inspect()
      await service.update({ ...spec(many), version: Version.Index })
    })
  } finally {
    await leave(docker)
    await until(() => count(docker, 'bench=swarm', () => true), 0)
    // Swarm leaves behind what it had not started yet.
    for (const { Id } of await docker.listContainers({ all: true, filters: { label: ['bench=swarm'] } }))
      await docker.getContainer(Id).remove({ force: true })
  }
}

/** A Swarm that is busy replacing takes its time to hear of its end. */
async function leave(docker) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await docker.swarmLeave({ force: true })
    } catch (error) {
      if (tries === 5) throw error
    }
  }
}

async function ourRound(docker, dockerSocket) {
  const home = mkdtempSync(join(tmpdir(), 'mariposa-bench-checks-'))
  const daemon = await startDaemon(home, 'docker', { DOCKER_HOST: `unix://${dockerSocket}` })
  try {
    const text = `image: ${image}
command: ${JSON.stringify(server)}
restart: "no"
healthchecks:
  - {type: command, command: ${JSON.stringify(check)}, poll: 1, timeout: 1, retries: 3}
`
    const sources = [{ file: 'web.yml', text, name: 'web' }]
    const counted = async () => {
      const instances = await call(daemon.socket, 'GET', '/v1/projects/default/instances?service=web')
      return instances.filter(({ health }) => health === 'healthy').length
    }
    await call(daemon.socket, 'POST', '/v1/projects/default/deploy', { sources, scale: few })
    await until(counted, few)
    const figures = await measured(docker, 'io.mariposa.instance', counted, () =>
      call(daemon.socket, 'POST', '/v1/projects/default/scale', { targets: { web: many } }),
    )
    await call(daemon.socket, 'DELETE', '/v1/projects/default/services/web?force=true')
    await until(async () => (await docker.listContainers({ all: true })).length, 0)
    return figures
  } finally {
    await daemon.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

/** How long a change takes until all are healthy, and how many containers ended until they were so for a while. */
async function measured(docker, label, counted, change) {
  let ended = 0
  const events = await docker.getEvents({ filters: { type: ['container'], event: ['die'] } })
  events.on('data', () => {
    ended += 1
  })
  const from = performance.now()
  await change()
  // Not all become healthy where the machine is too busy: that is a result too.
  await until(counted, many).catch((error) => console.error(`${label}: ${error.message}`))
  const ms = performance.now() - from
  await sleep(steadyMs)
  events.destroy()
  return { ms, ended, label }
}

async function count(docker, label, isCounted) {
  const containers = await docker.listContainers({ filters: { label: [label] } })
  return containers.filter(isCounted).length
}

async function until(counted, wanted) {
  const giveUpAt = Date.now() + patienceMs
  for (;;) {
    const there = await counted()
    if (there === wanted) return
    if (Date.now() > giveUpAt) throw new Error(`${there} of ${wanted} after ${patienceMs / 1000} s`)
    await sleep(200)
  }
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: { socket: { type: 'string' }, rounds: { type: 'string', default: '3' } },
  })
  const socket = values.socket === undefined ? {} : { socketPath: values.socket }
  console.table(await run({ ...socket, rounds: Number(values.rounds) }))
}
