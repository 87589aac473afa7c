// What a daemon that leads nothing holds in memory beside a bare server of node:http, in one run: daemons on one etcd, so many units
// each by the process driver, a minute after all run.
//   node bench/memory.mjs [--root OTHER]... [--env 'NAME=VALUE ...']... [--each 2] [--units 30]
// `--root` has daemons of another checkout beside ours, `--env` has more of ours in such an environment. As root, with etcd installed.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { call } from './api.mjs'
import { bundleExports } from './bundle.mjs'
import { startDaemonAs } from './daemon.mjs'

const root = join(import.meta.dirname, '..')
const restMs = 60_000
const server = `require('node:http').createServer((_, answer) => answer.end('{}')).listen(process.argv[1])`

/** Rows of the bench table. */
export async function run({ others = [], envs = [], each = 2, units = 30 } = {}) {
  const { startEtcd } = await bundleExports(
    `export { startEtcd } from './test/machines/etcd-host.ts'`,
    'memory-etcd.mjs',
  )
  const home = mkdtempSync(join(tmpdir(), 'mariposa-bench-memory-'))
  const ends = [() => rmSync(home, { recursive: true, force: true })]
  try {
    const etcd = await startEtcd()
    ends.unshift(() => etcd.stop())
    const kinds = [
      { name: 'a daemon', root },
      ...others.map((other) => ({ name: `a daemon of ${other}`, root: other })),
      ...envs.map((env) => ({ name: `a daemon with ${env}`, root, env: variablesOf(env) })),
    ]
    const daemons = []
    for (const kind of [{ name: 'the leader', root }, ...Array.from({ length: each }, () => kinds).flat()]) {
      const letter = '0123456789abcdef'[daemons.length]
      const options = ['--store', `etcd://${etcd.options.endpoints[0]}`]
      const daemon = await startDaemonAs(join(home, letter), letter, options, kind.root, kind.env)
      ends.unshift(() => daemon.stop())
      daemons.push({ ...daemon, name: kind.name })
    }
    const floor = await startFloor(join(home, 'floor.sock'))
    ends.unshift(() => floor.kill())
    const names = Array.from({ length: units * daemons.length }, (_, n) => `memory-${n}.service`)
    const [{ socket }] = daemons
    ends.unshift(() => remove(socket, names))
    await launch(socket, names)
    await sleep(restMs)
    return [{ pid: floor.pid, name: 'a bare server of node:http' }, ...daemons].map(({ pid, name }) => {
      const { all, own } = memoryOf(pid)
      return { name: `memory: ${name}`, value: all, unit: 'MiB', own, floor: memoryOf(floor.pid).all }
    })
  } finally {
    for (const end of ends) await end()
  }
}

function variablesOf(text) {
  return Object.fromEntries(text.split(' ').map((one) => one.split('=')))
}

async function startFloor(socket) {
  const child = spawn(process.execPath, ['-e', server, socket], { stdio: 'ignore' })
  while (!existsSync(socket)) await sleep(50)
  await call(socket, 'GET', '/')
  return child
}

async function launch(socket, names) {
  const options = [{ section: 'Service', name: 'ExecStart', value: '/bin/sleep 100000' }]
  for (const name of names) {
    const unit = { name, desiredState: 'launched', options }
    await call(socket, 'PUT', `/fleet/v1/units/${name}`, unit)
  }
  while ((await active(socket)) < names.length) await sleep(500)
}

async function active(socket) {
  let count = 0
  for (let page = ''; page !== null; ) {
    const { states = [], nextPageToken } = await call(socket, 'GET', `/fleet/v1/state${page}`)
    count += states.filter((one) => one.systemdActiveState === 'active').length
    page = nextPageToken === undefined ? null : `?nextPageToken=${nextPageToken}`
  }
  return count
}

/** What runs would outlive the daemons. */
async function remove(socket, names) {
  for (const name of names) await call(socket, 'DELETE', `/fleet/v1/units/${name}`).catch(() => {})
  while ((await call(socket, 'GET', '/v1/units')).length > 0) await sleep(200)
}

/** In MiB: all that is resident, and what of it is not mapped from a file. */
function memoryOf(pid) {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  const of = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)[1]) / 1024
  return { all: of('VmRSS'), own: of('RssAnon') }
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      root: { type: 'string', multiple: true },
      env: { type: 'string', multiple: true },
      each: { type: 'string' },
      units: { type: 'string' },
    },
  })
  console.table(
    await run({
      ...(values.root !== undefined && { others: values.root }),
      ...(values.env !== undefined && { envs: values.env }),
      ...(values.each !== undefined && { each: Number(values.each) }),
      ...(values.units !== undefined && { units: Number(values.units) }),
    }),
  )
}
