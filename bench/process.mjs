// How fast the process driver starts units, against a bare loop of spawn() of the same programs in the same run; and
// what its supervisor costs while it only waits. `node bench/process.mjs` runs it by itself.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
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
      floors.push(spawnLoop(join(folder, `floor-${round}`)))
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

/** The floor, in a process of its own: what a fork costs depends on the memory of who forks. */
function spawnLoop(folder) {
  const script = join(import.meta.dirname, 'spawn-floor.mjs')
  return Number(
    execFileSync(process.execPath, [script, folder, String(units), ...program], { encoding: 'utf8' }),
  )
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
  const contents = `import { superviseMain } from './src/supervisor/io/supervisor-main.ts'
process.exitCode = await superviseMain({ dir: process.argv[2] })`
  await build({ ...options, stdin: { contents, resolveDir: root }, outfile: join(folder, 'supervisor.mjs') })
  await build({ ...options, entryPoints: [join(root, 'src/drivers/process/io/driver.ts')], outfile })
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
