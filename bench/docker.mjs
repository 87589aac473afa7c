// Containers to running: the Docker driver (load, start, seen running) beside a plain loop over Docker's API (create,
// start), eight at a time both. `node bench/docker.mjs --containers 100` for another number.
import { parseArgs } from 'node:util'
import Docker from 'dockerode'
import { bundle } from './bundle.mjs'

const rounds = 3
const atOnce = 8
const image = 'mariposa-test:latest'

/** Rows of the bench table. Without a socket it starts a Docker of its own, as the machine tests do: as root. */
export async function run({ socketPath, n = 20 } = {}) {
  const { startDocker } = await bundle('test/machines/docker-host.ts', 'docker-host.mjs')
  const { openDockerDriver } = await bundle('src/drivers/docker/io/driver.ts', 'docker-driver.mjs')
  const host = socketPath === undefined ? await startDocker() : null
  const socket = socketPath ?? host.socketPath
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const options = { socketPath: socket, clock: { now: () => Date.now() }, log, machineId: 'bench' }
  const driver = await openDockerDriver(options)
  try {
    return await measure(driver, new Docker({ socketPath: socket, version: 'v1.41' }), n)
  } finally {
    await driver.close()
    await host?.stop()
  }
}

/** Both in turns, so that a busy moment of the machine hits both. */
async function measure(driver, docker, n) {
  await floorRound(docker, 2)
  await ourRound(driver, 2)
  const pairs = []
  for (let round = 0; round < rounds; round++)
    pairs.push([await floorRound(docker, n), await ourRound(driver, n)])
  const inspections = await idleRound(driver, n)
  return [
    {
      name: `${n} containers, load + start to running (floor: create + start, ${atOnce} at a time)`,
      value: median(pairs.map(([, ours]) => ours.ms)),
      unit: 'ms',
      floor: median(pairs.map(([floor]) => floor.ms)),
      ratio: median(pairs.map(([floor, ours]) => ours.ms / floor.ms)),
    },
    {
      name: `${n} containers, processor time of the client for it`,
      value: median(pairs.map(([, ours]) => ours.cpuMs)),
      unit: 'ms',
      floor: median(pairs.map(([floor]) => floor.cpuMs)),
      ratio: median(pairs.map(([floor, ours]) => ours.cpuMs / floor.cpuMs)),
    },
    { name: `list of ${n} running containers, nothing changed`, value: inspections, unit: 'ms' },
  ]
}

async function floorRound(docker, n) {
  const made = []
  const figures = await timed(async () => {
    await eightAtATime(n, async (index) => {
      const container = await docker.createContainer({
        name: `bench-floor-${index}`,
        Image: image,
        Entrypoint: ['/bin/sleep'],
        Cmd: ['1000'],
        StopTimeout: 0,
      })
      made.push(container)
      await container.start()
    })
  })
  await Promise.all(made.map((container) => container.remove({ force: true })))
  return figures
}

async function ourRound(driver, n) {
  const units = unitsOf(n)
  const figures = await timed(() => bringUp(driver, units))
  await takeDown(driver, units)
  return figures
}

/** How long an agent's look at all units takes when Docker reported nothing since the last one: ms, median of 50. */
async function idleRound(driver, n) {
  const units = unitsOf(n)
  await bringUp(driver, units)
  const times = []
  for (let look = 0; look < 50; look++)
    times.push((await timed(() => driver.list(new AbortController().signal))).ms)
  await takeDown(driver, units)
  return median(times)
}

async function bringUp(driver, units) {
  const { signal } = new AbortController()
  await Promise.all(
    units.map(async (unit) => {
      await driver.load(unit, signal)
      await driver.start(unit.name, signal)
    }),
  )
  const seen = await driver.list(signal)
  const running = seen.filter(({ sub }) => sub === 'running').length
  if (running !== units.length) throw new Error(`${running} of ${units.length} run`)
}

async function takeDown(driver, units) {
  const { signal } = new AbortController()
  await Promise.all(units.map(({ name }) => driver.unload(name, signal)))
}

function unitsOf(n) {
  const lines = [
    ['Image', image],
    ['Entrypoint', '/bin/sleep'],
    ['Exec', '1000'],
    ['StopTimeout', '0'],
  ]
  const options = lines.map(([name, value], index) => ({
    section: 'Container',
    name,
    value,
    line: index + 1,
  }))
  return Array.from({ length: n }, (_, index) => ({
    name: `bench-${index}.service`,
    hash: 'bench',
    file: { options },
    instance: null,
    ports: [],
    environment: {},
  }))
}

async function timed(work) {
  const cpu = process.cpuUsage()
  const start = performance.now()
  await work()
  const ms = performance.now() - start
  const { user, system } = process.cpuUsage(cpu)
  return { ms, cpuMs: (user + system) / 1000 }
}

async function eightAtATime(n, work) {
  let next = 0
  const worker = async () => {
    while (next < n) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: { containers: { type: 'string', default: '20' }, socket: { type: 'string' } },
  })
  const socket = values.socket === undefined ? {} : { socketPath: values.socket }
  console.table(await run({ ...socket, n: Number(values.containers) }))
}
