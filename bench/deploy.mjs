// A deploy of 100 instances through the whole daemon, from the request until every instance runs, beside the same
// programs started as directly as each host allows; and what the daemon costs while they only run.
// `node bench/deploy.mjs` measures all drivers (Docker and systemd as root); `--driver process --instances 50` one.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { call, status } from './api.mjs'
import { bundle } from './bundle.mjs'
import { startDaemon } from './daemon.mjs'

const root = join(import.meta.dirname, '..')
const rounds = 7
/** A collection of garbage some 20 s after work costs as much as a minute of rest: neither is to be left out. */
const idleMs = 60_000
const image = 'mariposa-test:latest'
const program = ['/bin/sleep', '1000']
/** Each floor gets a new folder, as each deploy does. */
let floorRuns = 0

/** Rows of the bench table, for each driver in turn. */
export async function run({ drivers = ['process', 'docker', 'systemd'], n = 100 } = {}) {
  const rows = []
  for (const driver of drivers) rows.push(...(await hosts[driver](n)))
  return rows
}

const hosts = {
  process: (n) => measure('process', n, {}),
  docker: async (n) => {
    const { startDocker } = await bundle('test/machines/docker-host.ts', 'docker-host.mjs')
    const docker = await startDocker()
    try {
      return await measure('docker', n, { DOCKER_HOST: `unix://${docker.socketPath}` })
    } finally {
      await docker.stop()
    }
  },
  systemd: async (n) => {
    const { insideMachine, runInside } = await bundle('test/machines/nspawn.ts', 'nspawn.mjs')
    const { startSystemd } = await bundle('test/machines/systemd-host.ts', 'systemd-host.mjs')
    const host = await startSystemd()
    try {
      const script = join(insideMachine.project, 'bench/deploy.mjs')
      const argv = [insideMachine.node, script, '--inside', '--instances', String(n)]
      const { code, stdout, stderr } = await runInside(host.handle, argv)
      if (code !== 0) throw new Error(`the measurement failed: ${stderr}`)
      return JSON.parse(stdout)
    } finally {
      await host.stop()
    }
  },
}

/** Floor and deploy in turns, so that a busy moment hits both; then the cost of the daemon at rest. */
async function measure(driver, n, env) {
  const home = mkdtempSync(join(tmpdir(), 'mariposa-bench-deploy-'))
  const daemon = await startDaemon(home, driver, env)
  try {
    const pairs = []
    let idle = null
    for (let round = 0; round < rounds; round++) {
      const floor = await floors[driver](n, home, env)
      const ours = await deploy(daemon.socket, driver, n, `load-${round}`)
      if (round === rounds - 1) idle = await idleCost(daemon.pid, home)
      await remove(daemon.socket, `load-${round}`)
      if (process.env.BENCH_DEBUG) console.error({ floor, ours })
      pairs.push({ floor, ours })
    }
    return [
      {
        name: `${driver}: deploy of ${n} instances until all run (floor: ${floorNames[driver]})`,
        value: median(pairs.map((pair) => pair.ours)),
        unit: 'ms',
        floor: median(pairs.map((pair) => pair.floor)),
        ratio: median(pairs.map((pair) => pair.ours / pair.floor)),
      },
      { name: `${driver}: daemon's memory with ${n} instances at rest`, value: idle.rssMb, unit: 'MiB' },
      {
        name: `${driver}: daemon's CPU with ${n} instances at rest`,
        value: idle.cpuPercent,
        unit: '% of a core',
      },
      ...(idle.supervisor === null
        ? []
        : [
            { name: `${driver}: supervisor's memory`, value: idle.supervisor.rssMb, unit: 'MiB' },
            { name: `${driver}: supervisor's CPU`, value: idle.supervisor.cpuPercent, unit: '% of a core' },
          ]),
    ]
  } finally {
    await daemon.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

/** From the request to the event that the last instance runs; in ms. */
async function deploy(socket, driver, n, service) {
  const command = `command: ${JSON.stringify(program)}\n`
  const text = driver === 'docker' ? `image: ${image}\n${command}` : `compute_type: process\n${command}`
  const stop = `stop: {timeout: 1, preservestopped: "no"}\n`
  const running = countStarts(socket, service, n)
  await running.listening
  const from = performance.now()
  await call(socket, 'POST', '/v1/projects/default/deploy', {
    sources: [{ file: `${service}.yml`, text: text + stop, name: service }],
    scale: n,
  })
  await running.done
  return performance.now() - from
}

function countStarts(socketPath, service, n) {
  let listening
  const begun = new Promise((resolve) => {
    listening = resolve
  })
  const done = new Promise((resolve, reject) => {
    const path = `/v1/events?follow=true&project=default&service=${service}`
    const headers = { accept: 'application/x-ndjson' }
    get({ socketPath, path, headers }, (response) => {
      listening()
      const started = new Set()
      let rest = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop()
        for (const line of lines.filter((one) => one !== '')) {
          const event = JSON.parse(line)
          if (event.kind === 'instance-started') started.add(event.instance)
        }
        if (started.size < n) return
        response.destroy()
        resolve()
      })
      response.on('error', () => {})
    }).on('error', reject)
  })
  return { listening: begun, done }
}

async function remove(socket, service) {
  await call(socket, 'DELETE', `/v1/projects/default/services/${service}?force=true`)
  while ((await status(socket, `/v1/projects/default/services/${service}`)) === 200) await sleep(50)
}

const floorNames = {
  process: 'spawn in a loop',
  docker: "create and start over Docker's API, 8 at a time",
  systemd: 'write the same unit, daemon-reload, systemctl start',
}

const floors = {
  process: async (n, home) => {
    const script = join(root, 'bench/spawn-floor.mjs')
    const args = [script, join(home, `floor-${floorRuns++}`), String(n), ...program]
    return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }))
  },
  docker: async (n, _home, env) => {
    const { default: Docker } = await import('dockerode')
    const docker = new Docker({ socketPath: env.DOCKER_HOST.slice('unix://'.length), version: 'v1.41' })
    const made = []
    const from = performance.now()
    let next = 0
    const worker = async () => {
      while (next < n) {
        const name = `bench-floor-${next++}`
        const container = await docker.createContainer({ name, Image: image, Cmd: program, StopTimeout: 1 })
        made.push(container)
        await container.start()
      }
    }
    await Promise.all(Array.from({ length: 8 }, worker))
    const ms = performance.now() - from
    await Promise.all(made.map((container) => container.remove({ force: true })))
    return ms
  },
  systemd: async (n) => {
    const names = Array.from({ length: n }, (_, index) => `bench-floor-${index}.service`)
    const from = performance.now()
    for (const name of names) {
      writeFileSync(
        join('/run/systemd/system', name),
        `[Service]\nType=exec\nExecStart=${program.join(' ')}\n`,
      )
    }
    execFileSync('systemctl', ['daemon-reload'])
    execFileSync('systemctl', ['start', ...names])
    const ms = performance.now() - from
    execFileSync('systemctl', ['stop', ...names])
    for (const name of names) rmSync(join('/run/systemd/system', name))
    execFileSync('systemctl', ['daemon-reload'])
    return ms
  },
}

/** What the daemon, and the supervisor if there is one, use while nothing happens. */
async function idleCost(pid, home) {
  const supervisor = pidOf(join(home, 'data', 'process'))
  await sleep(5_000)
  const before = [pid, supervisor].map(stat)
  await sleep(idleMs)
  const [daemon, other] = [pid, supervisor].map((one, index) => {
    const now = stat(one)
    const then = before[index]
    if (now === null || then === null) return null
    return { rssMb: now.rssMb, cpuPercent: ((now.cpuTicks - then.cpuTicks) * 10 * 100) / idleMs }
  })
  return { ...daemon, supervisor: other }
}

function pidOf(folder) {
  try {
    return Number(
      execFileSync('pgrep', ['-f', `supervisor.mjs ${folder}`], { encoding: 'utf8' })
        .trim()
        .split('\n')[0],
    )
  } catch {
    return null
  }
}

function stat(pid) {
  if (pid === null) return null
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ')
  return { cpuTicks: Number(fields[11]) + Number(fields[12]), rssMb: (Number(fields[21]) * 4096) / 1024 ** 2 }
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1]
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      driver: { type: 'string' },
      instances: { type: 'string', default: '100' },
      inside: { type: 'boolean', default: false },
    },
  })
  const n = Number(values.instances)
  if (values.inside) console.log(JSON.stringify(await measure('systemd', n, {})))
  else {
    const rows = await run({ n, ...(values.driver === undefined ? {} : { drivers: [values.driver] }) })
    for (const { name, value, unit, floor, ratio } of rows) {
      const against = floor === undefined ? '' : `  (floor ${floor.toFixed(0)}, ratio ${ratio.toFixed(2)})`
      console.log(`${name}: ${value.toFixed(1)} ${unit}${against}`)
    }
  }
}
