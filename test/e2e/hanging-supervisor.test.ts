// A process supervisor that is there and says nothing, under the real daemon.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { RunningProgram } from '../cli/program.js'
import { idleManifest, until } from './cluster.js'
import { type Host, useHosts } from './host.js'

// Before the host's own end, which needs the supervisor.
let frozen: number | null = null
const thaw = (): void => {
  if (frozen !== null) process.kill(frozen, 'SIGCONT')
  frozen = null
}

const openHost = useHosts()
afterEach(thaw)

/** The process of an instance, and its parent, the supervisor; asked of the machine, whatever the daemon says. */
async function processOf(
  host: Host,
  service: string,
): Promise<{ readonly pid: number; readonly parent: number }> {
  const { stdout } = await host.done('service', 'events', service, '--kind', 'instance-started', '--jsonl')
  const pid = Number(/runs as process (\d+)/.exec(stdout)?.[1])
  return { pid, parent: Number(/^PPid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) }
}

interface FrozenHost {
  readonly host: Host
  readonly daemon: RunningProgram
  readonly pid: number
  readonly supervisor: number
}

/** A daemon with two services, whose supervisor has been stopped. */
async function frozenHost(): Promise<FrozenHost> {
  const host = openHost()
  const daemon = await host.startDaemon()
  const files = ['web.yml', 'halted.yml'].map((name) => host.file(name, idleManifest()))
  await host.done('service', 'deploy', ...files)
  const { pid, parent: supervisor } = await processOf(host, 'web')
  process.kill(supervisor, 'SIGSTOP')
  frozen = supervisor
  return { host, daemon, pid, supervisor }
}

async function machineList(host: Host): Promise<string> {
  return (await host.done('machine', 'list')).stdout
}

async function isUnknown(host: Host): Promise<void> {
  expect(await machineList(host)).toContain('process (away)')
  const [web] = await host.instances('web')
  expect(web).toMatchObject({ name: 'web-1', state: 'unknown' })
  expect(web?.reason).toMatch(/^unknown since .*process/)
}

/** It runs on as it was: the same process, and no other instance was made. */
async function isBack(host: Host, pid: number): Promise<void> {
  expect(await machineList(host)).not.toContain('(away)')
  expect(await host.instances('web')).toMatchObject([{ name: 'web-1', state: 'running' }])
  expect(readFileSync(`/proc/${pid}/comm`, 'utf8')).toBe('sleep\n')
}

test('a supervisor that hangs is away until it goes on: nothing is done for what it runs, nor said to be', async () => {
  const { host, pid, supervisor } = await frozenHost()
  const asked = host.run('service', 'logs', 'web')
  await until(() => isUnknown(host))
  const advice = `kill -CONT ${supervisor}`
  const commands = [
    await asked,
    await host.run('service', 'logs', 'web'),
    await host.run('service', 'exec', 'web-1', '--', '/bin/true'),
  ]
  for (const { code, stdout, stderr } of commands) {
    expect(code).toBe(1)
    expect(stdout + stderr).toContain(advice)
  }
  const changes = await Promise.all([
    host.run('service', 'deploy', host.file('other.yml', idleManifest()), '--timeout', '3s'),
    host.run('service', 'stop', 'halted', '--timeout', '3s'),
  ])
  expect(changes.map(({ code }) => code)).toEqual([3, 3])
  expect(await host.instances('halted')).toMatchObject([{ state: 'unknown' }])

  thaw()
  await until(async () => {
    await isBack(host, pid)
    expect(await host.instances('other')).toMatchObject([{ name: 'other-1', state: 'running' }])
    expect(await host.service('halted')).toMatchObject({ status: 'stopped' })
  })
  const { stdout } = await host.done('events', '--kind', 'machine')
  expect(stdout).toMatch(new RegExp(`process does not answer: .*${advice}`))
  expect(stdout).toContain('process answers again, after')
})

test('a daemon that starts meanwhile is ready, and all goes on when the supervisor does', async () => {
  const { host, daemon, pid } = await frozenHost()
  daemon.signal('SIGTERM')
  expect(await daemon.ended).toMatchObject({ code: 0 })
  await host.startDaemon()
  await until(() => isUnknown(host))
  thaw()
  await until(() => isBack(host, pid))
})

test('a supervisor that is killed while it hangs is followed by another one, which takes over what runs', async () => {
  const { host, pid, supervisor } = await frozenHost()
  await until(() => isUnknown(host))
  process.kill(supervisor, 'SIGKILL')
  frozen = null
  await until(() => isBack(host, pid))
})

test('a driver that is asked for and cannot be had is told as that, and as no bug', async () => {
  const host = openHost()
  mkdirSync(host.dataDir, { recursive: true })
  const inTheWay = join(host.dataDir, 'process')
  writeFileSync(inTheWay, '')
  const words = ['daemon', '--data-dir', host.dataDir, '--listen', host.endpoint.replace('unix://', 'unix:')]
  const { code, stderr } = await host.run(...words, '--driver', 'process')
  rmSync(inTheWay)
  expect(code).toBe(1)
  expect(stderr).toMatch(/^mariposa: the folder \S+ cannot be used: \S/)
  expect(stderr).not.toContain('bug')
})
