// Two machines with an entry: one loses its power, the other serves on, and the one that is back serves the same, routes that were
// made in its absence too, over HTTP and over plain TCP.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtProgram } from '../../cli/program.js'
import { removeDir } from '../../remove-dir.js'
import { send } from '../entry-load.js'
import { insideMachine } from '../nspawn.js'
import { type Cluster, startCluster } from './cluster.js'
import type { ClusterMachine } from './cluster-machine.js'
import { tellOf } from './workload.js'

const program = builtProgram(join(import.meta.dirname, '../../../dist/mariposa.js'))
const dir = mkdtempSync(join(tmpdir(), 'mariposa-entry-returns-'))

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({
    ...{ machines: 3, ttlSeconds: 15, tls: true, programs: ['/usr/bin/caddy', '/usr/sbin/haproxy'] },
    ...{ metadata: ['role=edge', 'role=edge', ''], daemon: ['--entry', 'role=edge'] },
  })
})
afterAll(async () => {
  await cluster?.stop()
  removeDir(dir)
})

const named = (n: number): ClusterMachine => cluster.machines[n] ?? expect.fail(`no machine ${n}`)

const answering = [
  "const server = require('http').createServer((asked, answer) => answer.end(process.env.WHO))",
  'server.listen(Number(process.env.PORT))',
].join('; ')

/** A service on the machine that has no entry. */
async function deploy(who: string, entry: string): Promise<void> {
  const file = join(dir, `${who}.yml`)
  writeFileSync(
    file,
    `compute_type: process
command: [${insideMachine.node}, "-e", ${JSON.stringify(answering)}]
environment: {WHO: "${who}"}
ports: ["0:8080"]
affinity: ["machine.role!=edge"]
stop: {timeout: 1, preservestopped: "no"}
healthchecks: [{type: tcp, port: 8080, poll: 1, timeout: 1, start_period: 60}]
entry: [${entry}]
`,
  )
  const env = { MARIPOSA_ENDPOINT: `unix://${named(0).socket}` }
  const ended = await program.run(['service', 'deploy', file, '--timeout', '90s'], { env, cwd: dir })
  if (ended.code !== 0) throw new Error(`exit ${ended.code}\n${ended.stderr}`)
}

/** What an entry answers at a port; why not, where nobody listens. */
async function answerOf({ address }: ClusterMachine, port: number, path = '/'): Promise<string> {
  try {
    const { status, text } = await send({ address, port, host: 'shop.example', path })
    return `${status} ${text}`
  } catch (error) {
    return String(error)
  }
}

async function serves(machine: ClusterMachine): Promise<void> {
  await expect.poll(() => answerOf(machine, 80)).toBe('200 shop')
  await expect.poll(() => answerOf(machine, 9000)).toBe('200 store')
}

test('an entry machine that lost its power comes back with what the other serves, plain TCP and new routes too', async ({
  onTestFailed,
}) => {
  onTestFailed(() => tellOf(cluster))
  const [stays, dark] = [named(0), named(1)]
  await deploy('shop', '{host: shop.example, tls: off}')
  await deploy('store', '{tcp: 9000}')
  await serves(stays)
  await serves(dark)

  await dark.cutPower()
  expect([await answerOf(stays, 80), await answerOf(stays, 9000)]).toEqual(['200 shop', '200 store'])
  await cluster.until('the machine counts as lost', (view) => !view.machines.has(dark.id))
  expect([await answerOf(stays, 80), await answerOf(stays, 9000)]).toEqual(['200 shop', '200 store'])
  await deploy('news', '{host: shop.example, path: /news, tls: off}')
  await expect.poll(() => answerOf(stays, 80, '/news')).toBe('200 news')

  await dark.boot()
  await serves(dark)
  await expect.poll(() => answerOf(dark, 80, '/news')).toBe('200 news')
  await serves(stays)
})
