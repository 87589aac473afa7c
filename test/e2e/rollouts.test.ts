// Versions and rollouts through the real command line and daemon.
import { describe, expect, test } from 'vitest'
import type {
  DeployedService,
  PlanResponse,
  TaskBody,
  VersionOfService,
} from '../../src/contract/contract.js'
import { freePort } from '../free-port.js'
import { ask, type Host, hostPort, useHosts, webManifest } from './host.js'

const openHost = useHosts()

async function deployed(scale: number): Promise<Host> {
  const host = openHost()
  await host.startDaemon()
  await host.done('service', 'add', 'web', host.file('web.yml', webManifest('v1')), '--scale', String(scale))
  return host
}

/** Runs, and answers its checks with 500, which nobody holds against it before its deadline. */
const neverHealthy = (version: string): string => webManifest(version, '', 1000).replace('broken && ', '')

/** A program of which this machine holds one. */
const lonely = (port: number): string => `compute_type: process
command: [/bin/sleep, "100000"]
ports: ["${port}:${port}"]
stop: {timeout: 1}
`

const json = async <T>(host: Host, ...args: readonly string[]): Promise<T> =>
  JSON.parse((await host.done(...args, '--json')).stdout) as T

const ordinals = async (host: Host): Promise<readonly number[]> =>
  (await host.instances('web')).filter(({ state }) => state === 'running').map(({ ordinal }) => ordinal)

describe('versions', { timeout: 120_000 }, () => {
  test('are listed, shown, compared and gone back to', async () => {
    const host = await deployed(1)
    await host.done('service', 'update', 'web', host.file('web.yml', webManifest('v2', '# second\n')))
    const versions = await json<readonly VersionOfService[]>(host, 'service', 'versions', 'web')
    expect(versions.map(({ ordinal, current }) => [ordinal, current])).toEqual([
      [2, true],
      [1, false],
    ])
    const [second, first] = versions
    expect((await host.done('service', 'version', 'web@1', '--manifest')).stdout).toBe(webManifest('v1'))
    const diff = await host.done('service', 'diff', first?.uuid ?? '', second?.uuid.slice(0, 8) ?? '')
    expect(diff.stdout).toContain('- ')
    expect(diff.stdout).toContain('+ # second')
    await host.done('service', 'rollback', 'web', '1')
    expect(await ordinals(host)).toEqual([1])
    const [instance] = await host.instances('web')
    if (instance === undefined) throw new Error('no instance')
    expect(await ask(hostPort(instance))).toContain('v1')
  })

  test('guard a deploy against one that somebody else made', async () => {
    const host = await deployed(1)
    const [first] = await json<readonly VersionOfService[]>(host, 'service', 'versions', 'web')
    const file = host.file('web.yml', webManifest('v2'))
    const guarded = ['service', 'deploy', file, '--previous', first?.uuid ?? '']
    await host.done(...guarded)
    host.file('web.yml', webManifest('v3'))
    const late = await host.run(...guarded)
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('is not at version')])
    expect(await ordinals(host)).toEqual([2])
  })

  test('add refuses a service that exists, update one that does not', async () => {
    const host = await deployed(1)
    const file = host.file('web.yml', webManifest('v2'))
    expect((await host.run('service', 'add', 'web', file)).stderr).toContain('there is a service web already')
    expect((await host.run('service', 'update', 'shop', file)).stderr).toContain('there is no service "shop"')
    expect(await ordinals(host)).toEqual([1])
  })
})

describe('a rollout', { timeout: 120_000 }, () => {
  test('of one canary stops there, goes on by reprovision, and is reverted', async () => {
    const host = await deployed(3)
    await host.done('service', 'update', 'web', host.file('web.yml', webManifest('v2')), '--canary', '1')
    expect((await ordinals(host)).toSorted()).toEqual([1, 1, 2])
    const [canary] = (await host.instances('web')).filter(({ ordinal }) => ordinal === 2)
    await host.done('service', 'reprovision', 'web', '--rolling', '2')
    expect(await ordinals(host)).toEqual([2, 2, 2])
    expect((await host.instances('web')).map(({ name }) => name)).toContain(canary?.name)
    await host.done('service', 'revert', 'web', '1', '--rolling', '3')
    expect(await ordinals(host)).toEqual([1, 1, 1])
  })

  test('is told before it is done, and nothing is changed by that', async () => {
    const host = await deployed(2)
    const file = host.file('web.yml', webManifest('v2'))
    const plan = await json<PlanResponse>(host, 'service', 'plan', file, '--rolling', '2')
    const [web] = plan.services
    expect(web).toMatchObject({ outcome: 'updated', ordinal: 2, unplaced: [] })
    expect(await ordinals(host)).toEqual([1, 1])
    const told = await host.done('service', 'deploy', file, '--plan')
    expect(told.stdout).toContain('start web-3 (version 2)')
    expect(told.stdout).toContain(`--expect ${plan.id}`)
    const held = ['service', 'deploy', file, '--rolling', '2', '--expect']
    const refused = await host.run(...held, '0123456789ab')
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('would now start web-3')])
    const [done] = await json<readonly (DeployedService & { differences: unknown })[]>(host, ...held, plan.id)
    expect(done).toMatchObject({ outcome: 'updated', differences: [] })
    expect((await host.instances('web')).map(({ name }) => name)).toEqual(web?.start.map(({ name }) => name))
  })

  test('with numbers out of range is refused, and nothing is changed', async () => {
    const host = await deployed(2)
    const file = host.file('web.yml', webManifest('v2'))
    for (const flag of ['--rolling', '--canary']) {
      const ended = await host.run('service', 'deploy', file, flag, '3')
      expect([flag, ended.code]).toEqual([flag, 2])
    }
    const none = await host.run('service', 'reprovision', 'web', '--instance', 'web-9')
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('no running instance')])
    expect(await ordinals(host)).toEqual([1, 1])
  })

  test('that fails keeps the old instances, and goes back by itself where told to', async () => {
    const host = await deployed(2)
    const file = host.file('web.yml', neverHealthy('v2'))
    const ended = await host.run('service', 'deploy', file, '--auto-revert', '--deadline', '2s')
    expect(ended.code).toBe(1)
    expect(ended.stderr).toContain('goes back to version 1')
    expect(ended.stderr).not.toContain('to make it current again')
    await host.sawEvent(
      'web',
      ({ kind, message }) => kind === 'task-completed' && message === 'revert is done',
    )
    expect(await ordinals(host)).toEqual([1, 1])
    expect(await host.service('web')).toMatchObject({ ordinal: 1, status: 'running' })
  })

  test('of one operator is ended by that of another, who is told of nothing', async () => {
    const host = await deployed(2)
    const slow = host.file('slow.yml', `name: web\n${neverHealthy('v2')}`)
    const [begun] = await json<readonly DeployedService[]>(host, 'service', 'deploy', slow, '--detach')
    await host.done('service', 'deploy', host.file('web.yml', webManifest('v3')))
    expect(await ordinals(host)).toEqual([3, 3])
    const tasks = await json<readonly TaskBody[]>(host, 'queue', 'list')
    expect(tasks.find(({ uuid }) => uuid === begun?.task)).toMatchObject({
      state: 'terminated',
      error: 'a newer deploy took its place',
    })
  })
})

describe('the queue', { timeout: 120_000 }, () => {
  test('ends a task, which leaves the service as it is', async () => {
    const host = await deployed(2)
    const [begun] = await json<readonly DeployedService[]>(
      host,
      'service',
      'deploy',
      host.file('web.yml', neverHealthy('v2')),
      '--detach',
    )
    const uuid = begun?.task ?? ''
    expect((await host.done('queue', 'stop', uuid)).stdout).toContain('deploy terminated')
    expect((await host.run('queue', 'stop', uuid)).stderr).toContain('is over')
    const watched = await host.run('queue', 'watch', uuid)
    expect([watched.code, watched.stderr]).toEqual([1, expect.stringContaining('an operator ended it')])
  })

  test('holds what is frozen: no change is let through, and nothing is replaced, until it is lifted', async () => {
    const host = await deployed(1)
    await host.done('queue', 'freeze', '--service', 'web')
    const refused = await host.run('service', 'scale', 'web', '2')
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('web is frozen')])
    const [instance] = await host.instances('web')
    if (instance === undefined) throw new Error('no instance')
    await ask(hostPort(instance), '/break')
    await host.sawEvent('web', ({ kind, message }) => kind === 'health' && message.includes('unhealthy'))
    expect((await host.instances('web')).map(({ name, health }) => [name, health])).toEqual([
      ['web-1', 'unhealthy'],
    ])
    await host.done('queue', 'unfreeze', '--service', 'web')
    await host.sawEvent(
      'web',
      ({ kind, message }) => kind === 'task-completed' && message === 'replace is done',
    )
    const tasks = await json<readonly TaskBody[]>(host, 'queue', 'list')
    expect(tasks.map(({ task, state }) => [task, state])).toEqual([
      ['deploy', 'completed'],
      ['freeze', 'completed'],
      ['replace', 'completed'],
    ])
    expect(tasks[0]?.by?.client).toMatch(/^mariposa\//)
  })

  test('refuses what does not go together, and lets wait what goes after', async () => {
    const host = await deployed(1)
    const slow = host.file('slow.yml', `name: web\n${neverHealthy('v2')}`)
    await host.done('service', 'deploy', slow, '--detach')
    await host.done('service', 'scale', 'web', '2', '--detach')
    const twice = await host.run('service', 'scale', 'web', '3')
    expect([twice.code, twice.stderr]).toEqual([1, expect.stringContaining('a scale is active')])
    const [waiting] = await json<readonly TaskBody[]>(host, 'service', 'start', 'web', '--detach')
    expect(waiting?.state).toBe('queued')
  })

  test('waits for room no longer than a scale or a start allows', async () => {
    const host = openHost()
    await host.startDaemon()
    await host.done('service', 'deploy', host.file('web.yml', lonely(await freePort())))
    const scaled = await host.run('service', 'scale', 'web', '2', '--deadline', '4s')
    expect([scaled.code, scaled.stderr]).toEqual([
      1,
      expect.stringContaining('web-2: it was not up after 4 s: no machine can take it'),
    ])
    expect(await host.service('web')).toMatchObject({ scale: 2, running: 1 })
    await host.done('service', 'stop', 'web')
    const started = await host.run('service', 'start', 'web', '--deadline', '4500ms')
    expect([started.code, started.stderr]).toEqual([1, expect.stringContaining('was not up after 4.5 s')])
    expect(await host.service('web')).toMatchObject({ scale: 2, running: 1 })
    const wrong = await host.run('service', 'scale', 'web', '3', '--deadline', '10ms')
    expect(wrong.code).toBe(2)
  })
})
