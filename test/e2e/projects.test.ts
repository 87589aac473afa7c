// Projects as a whole, through the real command line and daemon.
import { describe, expect, test } from 'vitest'
import type {
  DeployedService,
  PlanResponse,
  ProjectBody,
  ProjectDetails,
  ServiceBody,
} from '../../src/contract/contract.js'
import { type Host, useHosts } from './host.js'

const openHost = useHosts()

const sleeper = (mark: string): string =>
  `    command: [/bin/sleep, "10000${mark}"]\n    stop: {timeout: 1}\n    healthchecks: []\n`

const shop = (mark: string, ...services: readonly string[]): string =>
  [
    'name: shop',
    'tags: {team: sales, tier: "1"}',
    'defaults: {compute_type: process}',
    'services:',
    ...services.map((name) => `  ${name}:\n${sleeper(mark)}`),
  ].join('\n')

const json = async <T>(host: Host, ...args: readonly string[]): Promise<T> =>
  JSON.parse((await host.done(...args, '--project', 'shop', '--json')).stdout) as T

const services = async (host: Host): Promise<readonly [string, number, number][]> =>
  (await json<readonly ServiceBody[]>(host, 'service', 'list')).map(({ name, scale, running }) => [
    name,
    scale,
    running,
  ])

async function opened(...names: readonly string[]): Promise<Host> {
  const host = openHost()
  await host.startDaemon()
  await host.done('project', 'deploy', host.file('shop.yml', shop('1', ...names)), '--project', 'shop')
  return host
}

describe('a project', { timeout: 120_000 }, () => {
  test('is deployed as one change, listed with its scale, status and tags, and shown', async () => {
    const host = await opened('web', 'db')
    await host.done('service', 'scale', 'web', '2', '--project', 'shop')
    await host.done('meta', 'set', 'greeting', 'hello', '--project', 'other')
    const listed = JSON.parse((await host.done('project', 'list', '--json')).stdout) as readonly ProjectBody[]
    expect(listed).toMatchObject([
      { name: 'other', status: 'empty', serviceCount: 0, scale: 0, tags: {} },
      {
        name: 'shop',
        status: 'running',
        serviceCount: 2,
        scale: 3,
        running: 3,
        healthy: 3,
        tags: { team: 'sales', tier: '1' },
        frozen: false,
        reason: '',
      },
    ])
    const shown = await json<ProjectDetails>(host, 'project', 'show')
    expect(shown.services.map(({ name }) => name)).toEqual(['db', 'web'])
    const table = await host.done('project', 'show', 'shop')
    expect(table.stdout).toContain('Tags:    team=sales,tier=1')
    expect((await host.done('projects', 'ls', '-q')).stdout).toBe('other\nshop\n')
  })

  test('with one wrong service is not deployed at all', async () => {
    const host = openHost()
    await host.startDaemon()
    const file = host.file('shop.yml', `${shop('1', 'web')}  db: {no_such_key: 1}\n`)
    const refused = await host.run('project', 'deploy', file, '--project', 'shop')
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('no_such_key')])
    expect((await host.run('project', 'show', 'shop')).stderr).toContain('there is no project "shop"')
  })

  test('keeps what a deploy does not name, unless it prunes; the plan tells what would go', async () => {
    const host = await opened('web', 'old')
    const file = host.file('shop.yml', shop('1', 'web', 'cache'))
    await host.done('project', 'deploy', file, '--project', 'shop')
    expect((await services(host)).map(([name]) => name)).toEqual(['cache', 'old', 'web'])
    const planned = await json<PlanResponse>(host, 'project', 'deploy', file, '--plan', '--prune')
    expect(planned.services.find(({ service }) => service === 'old')).toMatchObject({
      outcome: 'removed',
      scale: { from: 1, to: 0 },
      start: [],
      stop: [{ name: 'old-1' }],
    })
    expect((await services(host)).map(([name]) => name)).toEqual(['cache', 'old', 'web'])
    const told = await host.done('project', 'deploy', file, '--plan', '--prune', '--project', 'shop')
    expect(told.stdout).toContain('old: is removed, was at version 1, scale 1 -> 0')
    const done = await json<readonly DeployedService[]>(host, 'project', 'deploy', file, '--prune')
    expect(done.map(({ service, outcome }) => [service, outcome])).toEqual([
      ['web', 'unchanged'],
      ['cache', 'unchanged'],
      ['old', 'removed'],
    ])
    expect((await services(host)).map(([name]) => name)).toEqual(['cache', 'web'])
  })

  test('stops and starts as a whole, each service at the scale that it had', async () => {
    const host = await opened('web', 'db', 'idle')
    await host.done('service', 'scale', 'web=2', 'idle=0', '--project', 'shop')
    await host.done('project', 'stop', 'shop')
    expect(await services(host)).toEqual([
      ['db', 0, 0],
      ['idle', 0, 0],
      ['web', 0, 0],
    ])
    expect((await host.done('project', 'stop', 'shop')).stdout).toBe('shop: nothing runs\n')
    await host.done('project', 'start', '--project', 'shop')
    expect(await services(host)).toEqual([
      ['db', 1, 1],
      ['idle', 0, 0],
      ['web', 2, 2],
    ])
    expect((await host.done('project', 'start', 'shop')).stdout).toBe('shop: no service of it is stopped\n')
  })

  test('is deleted as a whole once nothing runs, or by force, with its metadata', async () => {
    const host = await opened('web', 'db')
    await host.done('meta', 'set', 'greeting', 'hello', '--project', 'shop')
    const refused = await host.run('project', 'delete', 'shop')
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('instances of db, web still run'),
    ])
    const two = await host.run('project', 'delete', 'shop', '--project', 'other')
    expect([two.code, two.stderr]).toEqual([2, expect.stringContaining('two projects are named')])
    await host.done('project', 'delete', 'shop', '--force')
    expect((await host.done('project', 'list', '-q')).stdout).toBe('')
    expect(await json(host, 'meta', 'list')).toEqual([])
  })

  test('that is frozen lets nothing through', async () => {
    const host = await opened('web')
    await host.done('queue', 'freeze', '--project', 'shop')
    for (const verb of ['stop', 'start']) {
      const refused = await host.run('project', verb, 'shop')
      expect([verb, refused.code, refused.stderr]).toEqual([verb, 1, expect.stringContaining('is frozen')])
    }
    expect((await host.done('project', 'list')).stdout).toContain('running, frozen')
    await host.done('queue', 'unfreeze', '--project', 'shop')
  })
})
