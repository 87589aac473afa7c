// How fast the process driver starts units, against a bare loop of spawn() of the same programs in the same run; and
// what its supervisor costs while it only waits. `node bench/process.mjs` runs it by itself.
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from 'esbuild'

const units = 100
const rounds = 9
const idleMs = 10_000
const program = ['/bin/sleep', '1000']

/** Rows `{ name, value, unit, floor?, ratio? }`; values are medians over some rounds. */
export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'mariposa-bench-process-'))
  try {
    const { openProcessDriver } = await bundle(folder)
    const floors = []
    const starts = []
    let idle = null
    for (let round = 0; round < rounds; round += 1) {
      floors.push(await spawnLoop(join(folder, `floor-${round}`)))
      const { startMs, cost } = await driverLoop(openProcessDriver, folder, round, round === rounds - 1)
      starts.push(startMs)
      idle = cost ?? idle
    }
    const floor = median(floors)
    const value = median(starts)
    return [
      {
        name: `process: load and start ${units} units until all run`,
        value,
        unit: 'ms',
        floor,
        ratio: value / floor,
      },
      { name: `process: supervisor's memory with ${units} units`, value: idle.rssMb, unit: 'MiB' },
      {
        name: `process: supervisor's CPU with ${units} idle units`,
        value: idle.cpuPercent,
        unit: '% of a core',
      },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The floor: the same programs, each in a session of its own with two log files, and nothing else. */
async function spawnLoop(folder) {
  mkdirSync(folder, { recursive: true })
  const from = performance.now()
  const children = Array.from({ length: units }, (_, n) => {
    const outputs = ['out', 'err'].map((stream) => openSync(join(folder, `${n}.${stream}`), 'a'))
    const child = spawn(program[0], program.slice(1), {
      cwd: '/',
      detached: true,
      stdio: ['ignore', ...outputs],
      env: {},
    })
    for (const output of outputs) closeSync(output)
    return child
  })
  await Promise.all(children.map((child) => new Promise((done) => child.once('spawn', done))))
  const ms = performance.now() - from
  const ended = children.map((child) => new Promise((done) => child.once('exit', done)))
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(ended)
  return ms
}

async function driverLoop(openProcessDriver, folder, round, measureIdle) {
  const dir = join(folder, `driver-${round}`)
  const driver = await openProcessDriver({
    dir,
    clock: { now: () => Date.now() },
    log: { info() {}, warn() {}, error: (...what) => console.error(...what) },
    supervisorCommand: [process.execPath, '--max-semi-space-size=1', join(folder, 'supervisor.mjs'), dir],
    machine: { id: 'a'.repeat(32), hostname: 'bench' },
  })
  const { signal } = new AbortController()
  try {
    const all = Array.from({ length: units }, (_, n) => unit(n))
    const from = performance.now()
    await Promise.all(
      all.map((each) => driver.load(each, signal).then(() => driver.start(each.name, signal))),
    )
    const seen = await driver.list(signal)
    const startMs = performance.now() - from
    const running = seen.filter(({ active, sub }) => active === 'active' && sub === 'running').length
    if (running !== units) throw new Error(`${running} of ${units} units run`)
    return { startMs, cost: measureIdle ? await idleCost(seen) : null }
  } finally {
    await driver.shutdownSupervisor(signal)
  }
}

function unit(n) {
  const lines = [
    ['Type', 'exec'],
    ['ExecStart', program.join(' ')],
    ['TimeoutStopSec', '10'],
  ]
  const options = lines.map(([name, value], index) => ({ section: 'Service', name, value, line: index + 2 }))
  return {
    name: `bench-${n}.service`,
    hash: 'bench',
    file: { options },
    instance: null,
    ports: [],
    environment: {},
  }
}

/** The supervisor is the parent of what it runs. */
async function idleCost(seen) {
  const pid = stat(seen[0].pid).parent
  const before = stat(pid)
  await sleep(idleMs)
  const after = stat(pid)
  return {
    rssMb: (after.rssPages * 4096) / 1024 ** 2,
    cpuPercent: ((after.cpuTicks - before.cpuTicks) * 10 * 100) / idleMs,
  }
}

function stat(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ')
  return {
    parent: Number(fields[1]),
    cpuTicks: Number(fields[11]) + Number(fields[12]),
    rssPages: Number(fields[21]),
  }
}

async function bundle(folder) {
  const root = resolve(import.meta.dirname, '..')
  const options = { bundle: true, platform: 'node', format: 'esm', target: 'node20', minify: true }
  const outfile = join(folder, 'driver.mjs')
  const contents = `import { superviseMain } from './src/agent/io/process/supervisor-main.ts'
process.exitCode = await superviseMain({ dir: process.argv[2] })`
  await build({ ...options, stdin: { contents, resolveDir: root }, outfile: join(folder, 'supervisor.mjs') })
  await build({ ...options, entryPoints: [join(root, 'src/agent/io/process/driver.ts')], outfile })
  return import(outfile)
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1]
}

if (process.argv[1] === import.meta.filename) {
  for (const { name, value, unit: measure, floor, ratio } of await run()) {
    const against = floor === undefined ? '' : `  (floor ${floor.toFixed(1)}, ratio ${ratio.toFixed(2)})`
    console.log(`${name}: ${value.toFixed(1)} ${measure}${against}`)
  }
}
