// How long the command line takes to start: `--help` and `service list`, beside Node doing nothing at all.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'

const program = join(import.meta.dirname, '..', 'dist', 'mariposa.js')
const rounds = 20

/** Medians of runs that take turns, so that a busy moment of the machine hits all of them alike. */
export async function run() {
  if (!existsSync(program)) throw new Error('build first: npm run build')
  const daemon = await startDaemon()
  const commands = {
    floor: ['-e', '0'],
    '--help': [program, '--help'],
    'service list': [program, 'service', 'list', '--endpoint', daemon.endpoint],
  }
  try {
    const times = await takeTurns(commands)
    const floor = median(times.floor)
    return ['--help', 'service list'].map((name) => row(name, median(times[name]), floor))
  } finally {
    daemon.close()
  }
}

function row(name, ms, floor) {
  return {
    name: `mariposa ${name}`,
    value: round(ms),
    unit: 'ms',
    floor: round(floor),
    ratio: round(ms / floor, 2),
  }
}

async function takeTurns(commands) {
  const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]))
  for (let n = 0; n < rounds; n++) {
    for (const [name, args] of Object.entries(commands)) times[name].push(await timeOf(args))
  }
  return times
}

function timeOf(args) {
  return new Promise((resolve, reject) => {
    const from = performance.now()
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0) resolve(performance.now() - from)
      else reject(new Error(`${args.join(' ')} ended with ${code}`))
    })
  })
}

/** Answers `service list` with twenty services; what is measured is the client. */
async function startDaemon() {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-bench-'))
  const services = Array.from({ length: 20 }, (_, n) => ({
    name: `web-${n}`,
    uuid: '00000000-0000-5000-8000-000000000000',
    project: 'default',
    type: 'continuous',
    scale: 3,
    running: 3,
    healthy: 3,
    version: '00000000-0000-5000-8000-000000000000',
    ordinal: 1,
    image: 'nginx:1.27',
    status: 'running',
    reason: '',
  }))
  const body = JSON.stringify(services)
  const server = createServer((_request, response) => response.end(body))
  const path = join(dir, 'mariposa.sock')
  await new Promise((resolve) => server.listen(path, resolve))
  const close = () => {
    server.close()
    rmSync(dir, { recursive: true, force: true })
  }
  return { endpoint: `unix://${path}`, close }
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}

function round(value, digits = 1) {
  return Number(value.toFixed(digits))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await run())
