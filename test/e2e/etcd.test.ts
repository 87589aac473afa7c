// The whole path on a real etcd: the journey of a service, two machines on one etcd, and an etcd that goes away.
import { mkdtempSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { builtProgram, type Program } from '../cli/program.js'
import { type EtcdHost, startEtcd } from '../machines/etcd-host.js'
import { openProxy } from '../machines/proxy.js'
import { programOf } from './cluster.js'
import { ask, askedOver, type Host, hostPort, hostsOf, webManifest } from './host.js'
import { describeJourney } from './journey.js'

const file = join(import.meta.dirname, '../../dist/mariposa.js')

let etcd: EtcdHost
beforeAll(async () => {
  etcd = await startEtcd()
})
afterAll(() => etcd.stop())

let clusters = 0
const ending: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

/** Where a cluster of its own is kept for a test. */
function freshStore(address = etcd.options.endpoints.join(',')): string {
  clusters += 1
  return `etcd://${address}/test/${clusters}`
}

function hostsOn(program: Program, store: () => string): () => Host {
  return hostsOf(program, () => {
    const dir = mkdtempSync(join(tmpdir(), 'mariposa-etcd-'))
    return {
      driver: 'process',
      env: { MARIPOSA_STORE: store() },
      makeDir: () => ({ inside: dir, outside: dir }),
    }
  })
}

const server = [
  "const server = require('http').createServer((request, answer) => answer.end(process.env.VERSION))",
  "server.listen(Number(process.env.PORT), () => console.log('serving'))",
].join('; ')

describeJourney('process', {
  openHost: hostsOn(builtProgram(file), () => freshStore()),
  manifest: (version) => `compute_type: process
command: [${JSON.stringify(process.execPath)}, "-e", ${JSON.stringify(server)}]
environment: {VERSION: ${version}}
ports: ["0:8080"]
cns: {ttl: 0}
stop: {timeout: 2, preservestopped: "no"}
healthchecks:
  - {type: http, port: 8080, path: /, poll: 1, timeout: 1}
`,
  ask: (instance) => ask(hostPort(instance)),
  kill: ({ pid }) => process.kill(pid ?? 0, 'SIGKILL'),
  impossible: { manifest: 'compute_type: process\ncommand: [/no/such/program]\n', said: '/no/such/program' },
})

async function askPath(socketPath: string, path: string): Promise<{ status: number; body: unknown }> {
  const { status, text } = await askedOver(socketPath, path)
  return { status, body: JSON.parse(text) as unknown }
}

const [idA, idB] = ['a'.repeat(32), 'b'.repeat(32)] as const

describe('two daemons on one etcd', () => {
  let store = ''
  const openA = hostsOn(programOf(idA), () => store)
  const openB = hostsOn(programOf(idB), () => store)

  test('see each other, and the other leads when the leader is killed', async () => {
    store = freshStore()
    const [a, b] = [openA(), openB()]
    const first = await a.startDaemon('--agent-ttl', '2s')
    await first.said('became leader')
    const second = await b.startDaemon()
    const machines = JSON.parse((await b.done('machine', 'list', '--json')).stdout) as { id: string }[]
    expect(machines.map((machine) => machine.id).sort()).toEqual([idA, idB])
    first.signal('SIGKILL')
    await first.ended
    await second.said('became leader')
    // The lead and the machine have a lease each: either may end first.
    const listed = async () => JSON.parse((await b.done('machine', 'list', '--json')).stdout) as unknown
    await expect.poll(listed).toMatchObject([
      { id: idA, state: 'down', since: expect.any(String), downSince: expect.any(String), units: 0 },
      { id: idB, state: 'up', since: expect.any(String), downSince: null },
    ])
    await b.done('service', 'deploy', b.file('web.yml', webManifest('v1')))
    const [instance] = await b.instances('web')
    expect(instance).toMatchObject({ state: 'running', machine: idB })
    expect((await b.run('machine', 'drain', idA)).stderr).toContain('is down')
    await b.done('machine', 'remove', idA)
    expect(JSON.parse((await b.done('machine', 'list', '--json')).stdout)).toMatchObject([{ id: idB }])
  })

  test('forget a machine that is down once --forget-after is over', async () => {
    store = freshStore()
    const [a, b] = [openA(), openB()]
    const first = await a.startDaemon('--agent-ttl', '2s')
    await first.said('became leader')
    const second = await b.startDaemon('--forget-after', '8s')
    first.signal('SIGKILL')
    await first.ended
    await second.said('became leader')
    const states = async () =>
      (JSON.parse((await b.done('machine', 'list', '--json')).stdout) as { id: string; state: string }[]).map(
        ({ id, state }) => `${id.slice(0, 1)} ${state}`,
      )
    await expect.poll(states).toEqual(['a down', 'b up'])
    await expect.poll(states, { timeout: 30_000 }).toEqual(['b up'])
  })

  test('do not live side by side under one machine id: the second tells its clients so at once, and goes on when the id is free', async () => {
    store = freshStore()
    const [a, copy] = [openA(), openA()]
    // Longer than a busy host holds up the first.
    const first = await a.startDaemon('--agent-ttl', '15s')
    const second = await copy.startDaemonUntil('waiting until it is gone')
    const taken = expect.stringMatching(
      new RegExp(`machine id ${idA} is taken: another daemon, on ${hostname()}, has it since \\d{4}-`),
    )
    expect(await askPath(copy.socketPath, '/healthz')).toEqual({ status: 200, body: { status: 'ok' } })
    expect(await askPath(copy.socketPath, '/readyz')).toEqual({ status: 503, body: { status: taken } })
    expect(await askPath(copy.socketPath, '/v1/machines')).toEqual({
      status: 503,
      body: {
        error: {
          code: 'daemon/duplicate-machine',
          message: taken,
          hint: expect.stringContaining('systemd-machine-id-setup'),
          details: [],
        },
      },
    })
    expect(await askPath(copy.socketPath, '/fleet/v1/machines')).toEqual({
      status: 503,
      body: {
        error: { code: 503, message: expect.stringMatching(/unable to communicate with etcd: machine id a/) },
      },
    })
    const refused = await copy.run('service', 'list')
    expect([refused.code, refused.stderr]).toEqual([1, taken])
    // One that is gone makes way as soon as its lease has ended.
    first.signal('SIGKILL')
    await first.ended
    await second.said('is ready')
    await copy.done('machine', 'list')
  })
})

describe('an etcd that goes away', () => {
  let store = ''
  const openHost = hostsOn(builtProgram(file), () => store)

  test('leaves what runs running and restarted, reads answered, writes refused, and one line in the log', async () => {
    const network = await openProxy(etcd.members[0]?.port ?? 0)
    ending.push(() => network.close())
    store = freshStore(network.address)
    const host = openHost()
    const daemon = await host.startDaemon()
    await host.done('service', 'deploy', host.file('web.yml', webManifest('v1')))
    const [before] = await host.instances('web')
    if (before === undefined) throw new Error('no instance')

    network.cut()
    const refused = await host.run('service', 'scale', 'web', '2')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('unreachable')
    expect(refused.stderr).not.toMatch(/\n {4}at /)
    expect((await host.instances('web')).map((one) => one.name)).toEqual(['web-1'])
    expect(await ask(hostPort(before))).toBe('web-1 v1')
    process.kill(before.pid ?? 0, 'SIGKILL')
    await answersAgain(hostPort(before))
    // By then every loop has tried.
    await expect.poll(() => etcd.ctl('get', `/test/${clusters}/leader`)).toBe('')
    const said = daemon
      .saidSoFar()
      .split('\n')
      .filter((line) => / (WARN|ERROR) /i.test(line))
    expect(said.filter((line) => line.includes('store unreachable'))).toHaveLength(1)
    // A busy host may be late, which is said too.
    const known = /store unreachable|has exited|exited|restart|event loop was blocked/
    expect(said.filter((line) => !known.test(line))).toEqual([])

    network.heal()
    await daemon.said('store reachable again')
    await daemon.said('lost leadership')
    await host.sawEvent('web', (event) => event.kind === 'instance-exited')
    await host.done('service', 'scale', 'web', '2')
    const after = await host.instances('web')
    expect(after.map((one) => [one.name, one.state])).toEqual([
      ['web-1', 'running'],
      ['web-2', 'running'],
    ])
    expect(after[0]).toMatchObject({ uuid: before.uuid, restarts: 1 })
  })

  test('is waited for by a daemon that starts, with one line that says so', async () => {
    const network = await openProxy(etcd.members[0]?.port ?? 0)
    ending.push(() => network.close())
    network.cut()
    store = freshStore(network.address)
    const host = openHost()
    const place = ['--data-dir', host.dataDir, '--listen', `unix:${join(host.dir, 's')}`]
    const daemon = host.start('daemon', ...place, '--driver', 'process', '--etcd-request-timeout', '500ms')
    await daemon.said('waiting for etcd')
    // Several tries more.
    await new Promise((resolve) => setTimeout(resolve, 3000))
    network.heal()
    await daemon.said('is ready')
    expect(daemon.saidSoFar().match(/waiting for etcd/g)).toHaveLength(1)
    daemon.signal('SIGTERM')
    await daemon.ended
  })
})

async function answersAgain(port: number): Promise<void> {
  for (;;) {
    try {
      await ask(port)
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
