// A daemon that starts while etcd is away: it minds what was placed here before, and nothing else.

import { mkdtempSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { stateOfKeeper } from '../../src/entry/io/keeper-client.js'
import { keptIn } from '../../src/entry/io/kept-files.js'
import { useProgram } from '../cli/program.js'
import { freePort } from '../free-port.js'
import { send } from '../machines/entry-load.js'
import { startEtcd } from '../machines/etcd-host.js'
import { openProxy } from '../machines/proxy.js'
import { ask, type Host, hostPort, hostsOf, webManifest } from './host.js'

const program = useProgram()
const ending: (() => Promise<void>)[] = []
// Hooks run last first: hosts end while etcd is there.
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})
const newHost = hostsOf(program, () => ({
  driver: 'process',
  env: {},
  makeDir: () => {
    const dir = mkdtempSync(join(tmpdir(), 'mariposa-alone-'))
    return { inside: dir, outside: dir }
  },
}))

async function openScene(...options: readonly string[]) {
  const etcd = await startEtcd()
  ending.push(() => etcd.stop())
  const network = await openProxy(etcd.members[0]?.port ?? 0)
  ending.push(() => network.close())
  const host = newHost()
  const store = ['--store', `etcd://${network.address}`, '--agent-ttl', '60s'] as const
  const daemon = await host.startDaemon(...store, ...options)
  return { etcd, network, host, daemon, store }
}

type Scene = Awaited<ReturnType<typeof openScene>>

/** A daemon of the host that cannot find etcd, serving. */
async function startAlone({ host, store }: Pick<Scene, 'host' | 'store'>, ...options: readonly string[]) {
  return await host.startDaemonUntil('is ready', ...store, ...options)
}

async function runs(host: Host, service: string): Promise<string> {
  const [instance] = await host.instances(service)
  if (instance === undefined) throw new Error('no instance')
  return ask(hostPort(instance)).catch(() => 'silent')
}

function statusOf(host: Host, path: string): Promise<{ status: number; body: string; stale: unknown }> {
  return new Promise((resolve, reject) => {
    get({ socketPath: `${host.dir}/mariposa.sock`, path }, (answer) => {
      let body = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        body += chunk
      })
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, body, stale: answer.headers['x-mariposa-stale'] }),
      )
    }).on('error', reject)
  })
}

test('minds what runs: it shows it, its logs, runs commands, restarts it and replaces nothing', async () => {
  const scene = await openScene()
  const { host, network } = scene
  const file = host.file('web.yml', `${webManifest('v1')}restart: always\n`)
  await host.done('service', 'deploy', file)
  const [before] = await host.instances('web')
  scene.daemon.signal('SIGTERM')
  await scene.daemon.ended
  network.cut()

  const daemon = await startAlone(scene)
  await daemon.said('alone')
  const list = await host.done('service', 'instances', 'web', '--json')
  expect(JSON.parse(list.stdout)).toMatchObject([{ name: 'web-1', pid: before?.pid }])
  expect(list.stderr).toMatch(/^stale since \d{4}-/)
  expect((await host.done('service', 'logs', 'web')).stdout).toContain('listening on')
  expect((await host.done('service', 'exec', 'web-1', '--', 'echo', 'inside')).stdout).toContain('inside')
  expect(await statusOf(host, '/healthz')).toMatchObject({ status: 200 })
  expect(await statusOf(host, '/readyz')).toMatchObject({
    status: 503,
    body: expect.stringContaining('unreachable'),
    stale: expect.stringMatching(/^\d{4}-/),
  })
  for (const words of [
    ['service', 'scale', 'web', '3'],
    ['service', 'stop', 'web'],
    // Nobody can say that it is still what is current.
    ['service', 'deploy', file],
    ['service', 'deploy', host.file('new.yml', webManifest('v1'))],
    ['meta', 'set', 'a', '1'],
  ]) {
    const { code, stderr } = await host.run(...words)
    expect([code, stderr], words.join(' ')).toEqual([1, expect.stringContaining('unreachable')])
  }
  for (const words of [
    ['service', 'plan', file],
    ['events', '--tail', '1'],
  ])
    expect((await host.done(...words)).stderr, words.join(' ')).toMatch(/^stale since \d{4}-/m)
  process.kill(before?.pid ?? 0, 'SIGKILL')
  await expect.poll(() => runs(host, 'web'), { timeout: 30_000 }).toBe('web-1 v1')

  network.heal()
  await daemon.said('rejoined the cluster')
  await host.done('service', 'scale', 'web', '2', '--timeout', '60s')
  expect((await host.instances('web')).map(({ name }) => name)).toEqual(['web-1', 'web-2'])
  expect((await host.run('service', 'list')).stderr).toBe('')
  daemon.signal('SIGTERM')
  await daemon.ended
})

test('brings back what ran before the machine lost its power', async () => {
  const scene = await openScene()
  const { host, network, daemon: first } = scene
  await host.done('service', 'deploy', host.file('web.yml', webManifest('v1')))
  const [before] = await host.instances('web')
  await expect
    .poll(() => readFileSync(join(host.dataDir, 'local-copy.json'), 'utf8'), { timeout: 30_000 })
    .toContain(`\\"pid\\":${before?.pid}`)
  network.cut()
  const supervisor = /^PPid:\t(\d+)/m.exec(readFileSync(`/proc/${before?.pid}/status`, 'utf8'))?.[1]
  first.signal('SIGKILL')
  await first.ended
  // First, so that it sees nothing end.
  process.kill(Number(supervisor), 'SIGKILL')
  process.kill(before?.pid ?? 0, 'SIGKILL')

  const daemon = await startAlone(scene)
  await expect.poll(() => runs(host, 'web'), { timeout: 30_000 }).toBe('web-1 v1')
  network.heal()
  await daemon.said('rejoined the cluster')
  daemon.signal('SIGTERM')
  await daemon.ended
})

test('a copy of another cluster is not taken for the truth once etcd is there', async () => {
  const scene = await openScene()
  const { host, network, etcd } = scene
  await host.done('meta', 'set', 'a', '1')
  scene.daemon.signal('SIGTERM')
  await scene.daemon.ended
  network.cut()
  const daemon = await startAlone(scene)
  etcd.ctl('del', '--prefix', '/mariposa/')
  network.heal()
  await daemon.said('reloading everything from the store')
  await daemon.said('became leader')
  daemon.signal('SIGTERM')
  await daemon.ended
})

test('serves by its entry what it served, after a start of the machine too', async () => {
  const port = await freePort()
  const at = ['--entry-http', `127.0.0.1:${port}`, '--entry-https', `127.0.0.1:${await freePort()}`]
  const options = ['--entry', ...at, '--public-ip', '127.0.0.1', '--dns', 'none']
  const scene = await openScene(...options)
  const { host, network } = scene
  const route = 'entry: [{host: shop.example, tls: off, port: 8080}]\nrestart: always\n'
  await host.done('service', 'deploy', host.file('web.yml', `${webManifest('v1')}${route}`))
  const asked = { port, host: 'shop.example' }
  const serves = () =>
    expect.poll(async () => await send(asked).catch(() => null)).toMatchObject({ status: 200 })
  await serves()

  // All but the program ends, as if it had come up again before the daemon.
  const dir = join(host.dataDir, 'entry')
  const { pid, caddy } = (await stateOfKeeper(dir)) ?? {}
  scene.daemon.signal('SIGKILL')
  await scene.daemon.ended
  for (const one of [pid, caddy]) process.kill(one ?? 0, 'SIGKILL')
  await expect.poll(async () => await send(asked).catch(() => null)).toBeNull()
  network.cut()
  const daemon = await startAlone(scene, ...options)
  await daemon.said('alone')
  await serves()
  expect((await stateOfKeeper(dir))?.pid).not.toBe(pid)

  // What was switched off does not come back by itself.
  daemon.signal('SIGTERM')
  await daemon.ended
  await startAlone(scene)
  await expect.poll(() => stateOfKeeper(dir)).toBeNull()
  await expect.poll(() => keptIn(dir)).toBeNull()
})
