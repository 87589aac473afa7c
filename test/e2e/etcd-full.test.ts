// A daemon that starts while etcd has no space left: it minds what was placed here, and joins once there is room.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { useProgram } from '../cli/program.js'
import { type EtcdHost, startEtcd } from '../machines/etcd-host.js'
import { programsUnder, until } from './cluster.js'
import { ask, askedOver, type Host, hostPort, hostsOf, webManifest } from './host.js'

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
    const dir = mkdtempSync(join(tmpdir(), 'mariposa-full-'))
    return { inside: dir, outside: dir }
  },
}))

const full = '{"status":"etcd has no space left"}'

/** A service whose programs can be told from others. */
function named(version: string): string {
  return webManifest(version).replace('environment:\n', 'environment:\n  INSTANCE: "{{ .instance.name }}"\n')
}

/** Writes beside us until etcd raises its alarm. */
async function fill(etcd: EtcdHost): Promise<void> {
  const value = 'x'.repeat(100_000)
  for (let n = 0; !etcd.ctl('alarm', 'list').includes('NOSPACE'); n++) {
    try {
      etcd.ctl('put', `/others/${n}`, value)
    } catch {
      // The alarm is raised with the first that is refused.
    }
  }
}

/** What an operator does about it. */
function makeRoom(etcd: EtcdHost): void {
  etcd.ctl('del', '--prefix', '/others/')
  const [status] = JSON.parse(etcd.ctl('endpoint', 'status', '--write-out=json')) as readonly {
    Status: { header: { revision: number } }
  }[]
  etcd.ctl('compact', String(status?.Status.header.revision))
  etcd.ctl('defrag')
  etcd.ctl('alarm', 'disarm')
}

/** Ends all that runs on a host as a loss of power does. */
async function losePower(host: Host, daemon: { readonly pid: number; readonly ended: Promise<unknown> }) {
  process.kill(daemon.pid, 'SIGKILL')
  await daemon.ended
  const programs = programsUnder(host.dataDir)
  // Supervisors first, so that they see nothing end.
  const pids = new Set([...programs.map(({ parent }) => parent), ...programs.map(({ pid }) => pid)])
  expect(pids.size).toBeGreaterThan(1)
  for (const pid of pids) process.kill(Number(pid), 'SIGKILL')
  rmSync(host.socketPath, { force: true })
}

async function answered(host: Host): Promise<string> {
  const [instance] = await host.instances('web')
  return instance === undefined ? 'no instance' : ask(hostPort(instance)).catch(() => 'silent')
}

test('a daemon that starts on a full etcd serves what runs here, refuses changes, and joins when there is room', async () => {
  const etcd = await startEtcd({ quotaBytes: 4 * 1024 * 1024 })
  ending.push(() => etcd.stop())
  const host = newHost()
  const store = ['--store', `etcd://${etcd.members[0]?.address}`, '--agent-ttl', '3s'] as const
  const first = await host.startDaemon(...store)
  await host.done('service', 'deploy', host.file('web.yml', `${named('v1')}restart: always\n`))
  await fill(etcd)
  await losePower(host, first)
  // Its lease ends also where nothing can be written.
  await until(async () => expect(etcd.ctl('get', '--prefix', '/mariposa/machines/')).toBe(''))

  const daemon = await host.startDaemonUntil('is ready', ...store)
  await daemon.said('store is full')
  await until(async () => expect(await answered(host)).toBe('web-1 v1'))
  expect(await askedOver(host.socketPath, '/readyz')).toEqual({ status: 503, text: full })
  expect(await askedOver(host.socketPath, '/healthz')).toMatchObject({ status: 200 })
  const list = await host.done('service', 'instances', 'web')
  expect(list.stderr).toMatch(/^stale since \d{4}-\S+: the store of the daemon has no space left/)
  expect((await host.done('service', 'logs', 'web')).stdout).toContain('listening on')
  expect((await host.done('service', 'exec', 'web-1', '--', 'echo', 'inside')).stdout).toContain('inside')
  for (const words of [
    ['service', 'scale', 'web', '3'],
    ['service', 'stop', 'web'],
    ['service', 'deploy', host.file('new.yml', named('v2'))],
    ['meta', 'set', 'a', '1'],
  ]) {
    const { code, stderr } = await host.run(...words)
    const told = expect.stringMatching(/etcd has no space left\n.*alarm/)
    expect([code, stderr], words.join(' ')).toEqual([1, told])
  }
  const [before] = programsUnder(host.dataDir)
  process.kill(Number(before?.pid), 'SIGKILL')
  await until(async () => expect(await answered(host)).toBe('web-1 v1'))

  makeRoom(etcd)
  await daemon.said('rejoined the cluster')
  await until(async () => expect(await askedOver(host.socketPath, '/readyz')).toMatchObject({ status: 200 }))
  await host.done('service', 'scale', 'web', '2')
  expect((await host.instances('web')).map(({ name }) => name)).toEqual(['web-1', 'web-2'])
  expect((await host.run('service', 'list')).stderr).toBe('')
})

test('a daemon ends in order while etcd is full, and starts again, also without a word to anybody', async () => {
  const etcd = await startEtcd({ quotaBytes: 4 * 1024 * 1024 })
  ending.push(() => etcd.stop())
  const host = newHost()
  const store = ['--store', `etcd://${etcd.members[0]?.address}`] as const
  const first = await host.startDaemon(...store)
  await host.done('service', 'deploy', host.file('web.yml', named('v1')))
  const programs = () => programsUnder(host.dataDir).map(({ pid }) => pid)
  const before = programs()
  await fill(etcd)
  for (let daemon = first, n = 0; n < 3; n++) {
    daemon.signal('SIGTERM')
    expect((await daemon.ended).code).toBe(0)
    daemon = await host.startDaemonUntil('store is full', ...store)
    expect(programs()).toEqual(before)
    if (n < 2) continue
    makeRoom(etcd)
    await daemon.said('rejoined the cluster')
  }
  expect(programs()).toEqual(before)
  await host.done('service', 'scale', 'web', '2')
})
