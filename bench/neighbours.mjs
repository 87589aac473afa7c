// How fast an HTTP server answers beside programs that take all that they can get: beside each with its limit and without, and alone as the
// floor; under the process driver and in containers. One request at a time over a connection that stays. As root.
// `node bench/neighbours.mjs --driver process` for one of the two.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { call } from './api.mjs'
import { bundleExports } from './bundle.mjs'
import { startDaemon } from './daemon.mjs'

const rounds = 3
const measuredMs = 2000
/** So that the requests themselves take little of the machine. */
const pauseMs = 2

const contents = `export * from './test/machines/docker-host.ts'
export * from './test/machines/node-image.ts'
export * from './test/machines/hogs.ts'
export { insideMachine } from './test/machines/nspawn.ts'
export { endSupervisor } from './test/e2e/processes.ts'`

/** Rows of the bench table. */
export async function run({ driver } = {}) {
  const tests = await bundleExports(contents, 'neighbours.mjs')
  const rows = driver === 'docker' ? [] : await underProcess(tests)
  return driver === 'process' ? rows : [...rows, ...(await underDocker(tests))]
}

async function underProcess(tests) {
  const runs = 'compute_type: process'
  const neighbour = tests.neighbourManifest(process.execPath, runs, 'ports: ["0:8080"]')
  return await underDriver(tests, 'process', {}, neighbour, runs)
}

async function underDocker(tests) {
  const { startDocker, testImage, importNode, nodeImage, insideMachine, neighbourManifest } = tests
  const host = await startDocker()
  try {
    await importNode([host.socketPath])
    const neighbour = neighbourManifest(insideMachine.node, `image: ${nodeImage}`, 'ports: [8080]')
    const env = { DOCKER_HOST: `unix://${host.socketPath}` }
    return await underDriver(tests, 'docker', env, neighbour, `image: ${testImage}`)
  } finally {
    await host.stop()
  }
}

async function underDriver(tests, driver, env, neighbour, runs) {
  const home = mkdtempSync(join(tmpdir(), 'mariposa-bench-neighbours-'))
  const daemon = await startDaemon(home, driver, env)
  const { socket } = daemon
  try {
    const [{ ports }] = await deployed(socket, 'neighbour', neighbour)
    const port = Number(ports[0].split(':')[0])
    while (!(await answers(port))) await sleep(50)
    await latencies(port)
    const rows = []
    for (const [kind, hog] of Object.entries(tests.hogs)) {
      const figures = { alone: [], limited: [], unlimited: [] }
      for (let round = 0; round < rounds; round++) {
        figures.alone.push(await latencies(port))
        figures.limited.push(await beside(tests, socket, port, hog, runs, hog.limit))
        figures.unlimited.push(await beside(tests, socket, port, hog, runs))
      }
      rows.push(...rowsOf(driver, kind, hog.limit, figures))
    }
    await deleted(socket, 'neighbour')
    return rows
  } finally {
    await daemon.stop()
    tests.endSupervisor(join(home, 'data'))
    rmSync(home, { recursive: true, force: true })
  }
}

/** The neighbour's answers while a hog runs, which is gone afterwards. */
async function beside({ hogManifest, processesOf }, socket, port, hog, ...runs) {
  const mark = randomUUID()
  await deployed(socket, 'hog', hogManifest(hog, mark, ...runs))
  const seen = await latencies(port)
  await deleted(socket, 'hog')
  while (processesOf(mark).length > 0) await sleep(50)
  return seen
}

/** Over the requests of all rounds. */
function rowsOf(driver, kind, limit, figures) {
  return [50, 99].flatMap((percent) => {
    const [floor, ...values] = [figures.alone, figures.limited, figures.unlimited].map((all) =>
      percentile(all.flat(), percent),
    )
    return [`with ${limit}`, 'without a limit'].map((how, n) => ({
      name: `${driver}: answer beside a hog (${kind}) ${how}, p${percent} (floor: alone)`,
      value: values[n],
      unit: 'ms',
      floor,
      ratio: values[n] / floor,
    }))
  })
}

function percentile(values, percent) {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length * percent) / 100)]
}

/** Deploys a service, and resolves to its instances once one has been started. */
async function deployed(socket, name, text) {
  const sources = [{ file: `${name}.yml`, text, name }]
  await call(socket, 'POST', '/v1/projects/default/deploy', { sources })
  for (;;) {
    const instances = await call(socket, 'GET', `/v1/projects/default/instances?service=${name}`)
    if (instances.some(({ startedAt }) => startedAt !== null)) return instances
    await sleep(50)
  }
}

async function deleted(socket, name) {
  await call(socket, 'DELETE', `/v1/projects/default/services/${name}?force=true`)
  for (;;) {
    const services = await call(socket, 'GET', '/v1/projects/default/services')
    if (services.every((one) => one.name !== name)) return
    await sleep(50)
  }
}

/** Asks again and again for a while, and gives how long each answer took, in ms; throws where one does not come. */
async function latencies(port) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const all = []
  try {
    const from = performance.now()
    while (performance.now() - from < measuredMs) {
      const sent = performance.now()
      await asked(port, agent)
      all.push(performance.now() - sent)
      await sleep(pauseMs)
    }
  } finally {
    agent.destroy()
  }
  return all
}

function asked(port, agent) {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, agent }, (response) => {
      response.resume()
      response.on('end', resolve)
    }).on('error', reject)
  })
}

function answers(port) {
  return asked(port, undefined).then(
    () => true,
    () => false,
  )
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { driver: { type: 'string' } } })
  console.table(await run(values))
}
