// A project of five services on three machines, processes and containers, that find each other by names alone, under a load through the
// entries of two of them that never stops: what is planned fails no request, and what is not fails no more than were under way.
// `MARIPOSA_SHOW_UPDATES=10` asks for more updates, `MARIPOSA_SHOW_RATE=500` for more requests a second.
import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { serviceKey } from '../../../src/store/view.js'
import { builtProgram } from '../../cli/program.js'
import { until } from '../../e2e/cluster.js'
import { removeDir } from '../../remove-dir.js'
import { send } from '../entry-load.js'
import { importNode } from '../node-image.js'
import { insideMachine } from '../nspawn.js'
import { type Counted, type Failure, quantile, type SteadyLoad, startSteadyLoad } from '../steady-load.js'
import { type Cluster, startCluster } from './cluster.js'
import type { ClusterMachine } from './cluster-machine.js'
import { tellOf } from './workload.js'

const root = join(import.meta.dirname, '../../..')
const program = builtProgram(join(root, 'dist/mariposa.js'))
const shopProgram = 'test/machines/shop-program.mjs'
const shopImage = 'mariposa-shop:latest'
const dir = mkdtempSync(join(tmpdir(), 'mariposa-entry-show-'))
const updates = Number(process.env['MARIPOSA_SHOW_UPDATES'] ?? 1)
const perSecond = Number(process.env['MARIPOSA_SHOW_RATE'] ?? 100)
/** Room for the answers that take five seconds, and for the others beside them. */
const connections = Math.max(12, Math.ceil(perSecond * 0.6))
/** Twenty requests a second go through all services, of more the rest are answered by the front alone. */
const askOthersEvery = Math.max(1, Math.round(perSecond / 20))
const scales = { front: 3, api: 2, ads: 2, store: 2, cache: 2 }

let cluster: Cluster
let load: SteadyLoad
beforeAll(async () => {
  cluster = await startCluster({
    ...{ machines: 3, ttlSeconds: 20, tls: true, docker: true, programs: ['/usr/bin/caddy'] },
    ...{ metadata: ['role=edge', 'role=edge', ''], daemon: ['--entry', 'role=edge'] },
  })
  await importNode(
    cluster.machines.flatMap(({ docker }) => docker?.socketPath ?? []),
    {
      names: [shopImage],
      furnish: (image) => copyFileSync(join(root, shopProgram), join(image, 'shop-program.mjs')),
    },
  )
  await deploy('v0')
  await Promise.all(
    Object.entries(scales).map(([service, scale]) => done('service', 'scale', service, `${scale}`)),
  )
  const entries = [named(0), named(1)]
  for (const entry of entries)
    await until(async () => {
      expect(await answerOf(entry)).toBe('200 {"version":"v0","missed":[]}')
    })
  load = startSteadyLoad({
    ...{ entries: entries.map(({ address }) => address), port: 80, host: 'shop.example' },
    ...{ perSecond, connections, givesUpAfterMs: 20_000, askOthersEvery },
  })
})
afterAll(async () => {
  load?.kill()
  await cluster?.stop()
  removeDir(dir)
})

const named = (n: number): ClusterMachine => cluster.machines[n] ?? expect.fail(`no machine ${n}`)

/** A program of a machine is told where its daemon answers for names; a container asks whom it is given. */
const asProcess = {
  how: `compute_type: process
    command: [${insideMachine.node}, ${join(insideMachine.project, shopProgram)}]`,
  environment: 'NAMES: "127.0.0.1:8053"',
}
const asContainer = {
  how: `image: ${shopImage}
    command: [${insideMachine.node}, /shop-program.mjs]`,
  environment: 'PORT: "8080"',
}

function service(name: string, { how, environment }: typeof asProcess, others: readonly string[]): string {
  // Two of a kind are never on one machine; of the front there are more than machines now and then.
  const apart = name === 'front' ? '!=~' : '!='
  return `  ${name}:
    ${how}
    affinity: ["service${apart}${name}"]
    environment:
      NAME: ${name}
      OTHERS: "${others.map((other) => `{{ .services.${other}.address }}`).join(' ')}"
      ${environment}
    ${name === 'front' ? 'entry: [{host: shop.example, tls: off}]' : ''}
`
}

/** Programs start slowly on a busy host. */
const shop = (version: string): string => `defaults:
  ports: ["0:8080"]
  environment: {VERSION: ${version}}
  cns: {ttl: 1}
  stop: {timeout: 10, preservestopped: "no"}
  healthchecks: [{type: tcp, port: 8080, poll: 2, timeout: 2, start_period: 90}]
services:
${[
  service('front', asProcess, ['api', 'ads']),
  service('api', asContainer, ['store', 'cache']),
  service('ads', asProcess, ['cache']),
  service('store', asProcess, []),
  service('cache', asContainer, []),
].join('')}`

async function done(...args: readonly string[]): Promise<void> {
  const env = { MARIPOSA_ENDPOINT: `unix://${named(0).socket}`, MARIPOSA_PROJECT: 'shop' }
  const ended = await program.run(args, { env, cwd: dir })
  if (ended.code !== 0)
    throw new Error(`${args.join(' ')}: exit ${ended.code}\n${ended.stdout}\n${ended.stderr}`)
}

async function deploy(version: string): Promise<void> {
  const file = join(dir, 'shop.yml')
  writeFileSync(file, shop(version))
  await done('service', 'deploy', file, '--timeout', '180s')
}

/** What an entry answers; why not, where nobody listens. */
async function answerOf({ address }: ClusterMachine): Promise<string> {
  try {
    const { status, text } = await send({ address, port: 80, host: 'shop.example' })
    return `${status} ${text}`
  } catch (error) {
    return String(error)
  }
}

/** Resolves when each service has as many instances as it should that are well, on so many machines. */
async function isWhole(machines: number): Promise<void> {
  await cluster.until(`${machines} machines, and all services as they should be`, (view) => {
    if (view.machines.size !== machines) return false
    return Object.entries(scales).every(([name, scale]) => {
      const well = view.instancesOf(serviceKey('shop', name)).filter(({ unit, retired }) => {
        const machine = view.placements.get(unit)?.machine
        const isThere = machine !== undefined && view.machines.has(machine)
        return retired === null && isThere && view.reportOf(unit)?.health === 'healthy'
      })
      return well.length === scale
    })
  })
}

/** Does something under the load; what ended meanwhile, with what was under way when it was done and some more. */
async function during(what: string, act: () => Promise<unknown>): Promise<Counted> {
  onTestFailed(() => tellOf(cluster))
  const { underWay } = await load.now()
  const from = performance.now()
  await act()
  const tookMs = performance.now() - from
  const counted = await load.settled(3 * perSecond)
  tell(`${what}, with ${underWay} under way`, tookMs, counted)
  return counted
}

function tell(what: string, tookMs: number, { durations, failures, missed, skipped }: Counted): void {
  const [p50, p99] = [0.5, 0.99].map((share) => Math.round(quantile(durations, share)))
  console.info(
    [
      `${what}, ${(tookMs / 1000).toFixed(1)} s: ${failures.length} of ${durations.length} failed`,
      `p50 ${p50} ms, p99 ${p99} ms, ${skipped} not begun for want of a connection`,
      `${missed.length} times another answered for one that a name led to, load ${loadavg()[0]?.toFixed(1)}`,
      ...(failures.length > 0 ? [`failed by second of their end: ${bySecond(failures)}`] : []),
      ...failures.slice(0, 20).map((failure) => `\n  ${describeFailure(failure)}`),
    ].join('; '),
  )
}

/** How many ended in each second after the first of them began to fail, so that one cause can be told from the next. */
function bySecond(failures: readonly Failure[]): string {
  const ends = failures.map(({ at, ms }) => at + ms)
  const first = Math.min(...ends)
  const counts = new Map<number, number>()
  for (const second of ends.map((end) => Math.floor((end - first) / 1000)))
    counts.set(second, (counts.get(second) ?? 0) + 1)
  return [...counts]
    .sort(([one], [other]) => one - other)
    .map(([second, count]) => `${second}: ${count}`)
    .join(', ')
}

function describeFailure({ at, entry, method, path, ms, status, error }: Failure): string {
  return `${new Date(at).toISOString()} ${entry} ${method} ${path}: ${status} after ${ms} ms: ${error.trim()}`
}

/** No request has failed, and no name has led to anybody who was not there. */
function expectNothingLost({ durations, failures, missed }: Counted): void {
  expect(failures.map(describeFailure)).toEqual([])
  expect(missed).toEqual([])
  expect(durations.length).toBeGreaterThanOrEqual(3 * perSecond)
}

test('nothing is lost while nothing is changed', async () => {
  expectNothingLost(await during('nothing is changed', async () => {}))
})

test('nothing is lost while the front is scaled from 3 to 10 and back', async () => {
  expectNothingLost(
    await during('the front is scaled from 3 to 10 and back', async () => {
      await done('service', 'scale', 'front', '10')
      await done('service', 'scale', 'front', '3')
    }),
  )
})

test('nothing is lost while a machine is drained that has an entry', async () => {
  expectNothingLost(await during('a machine is drained', () => done('machine', 'drain', named(1).name)))
  await done('machine', 'uncordon', named(1).name)
})

test('nothing is lost in rolling updates of all services', { timeout: 240_000 * updates }, async () => {
  for (let n = 1; n <= updates; n++)
    expectNothingLost(await during(`all services are updated, ${n} of ${updates}`, () => deploy(`v${n}`)))
})

test('a kill -9 of an instance loses no more than were under way', async () => {
  const { failures, missed } = await during('kill -9 of an instance of the front', async () => {
    const [first] = cluster.view
      .instancesOf(serviceKey('shop', 'front'))
      .filter(({ retired }) => retired === null)
    const { machine, pid } = (first === undefined ? null : cluster.view.reportOf(first.unit)) ?? {}
    await cluster.machines.find(({ id }) => id === machine)?.run('kill', '-9', String(pid))
    await cluster.until('it runs again', (view) => {
      const report = first === undefined ? null : view.reportOf(first.unit)
      return report?.health === 'healthy' && report.pid !== pid
    })
  })
  expect(failures.length).toBeLessThanOrEqual(connections)
  expect(missed).toEqual([])
})

test('a machine that loses its power loses no more than were under way, and nothing when it is back', async () => {
  const dark = await during('power off of a machine', async () => {
    await named(2).cutPower()
    await isWhole(2)
  })
  expect(dark.failures.length).toBeLessThanOrEqual(connections)
  expectNothingLost(
    await during('it boots again', async () => {
      await named(2).boot()
      await isWhole(3)
    }),
  )
})
