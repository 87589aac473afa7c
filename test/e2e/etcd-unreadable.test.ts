// One record that cannot be read, on real etcd, under a daemon that runs and one that starts: the programs go on, the
// rest of the cluster is served, and it heals.
import { afterEach, expect, test } from 'vitest'
import type { UnreadableBody } from '../../src/contract/contract.js'
import { openEtcdStore } from '../../src/store/io/etcd/etcd.js'
import { type EtcdHost, startEtcd } from '../machines/etcd-host.js'
import { idleManifest, until } from './cluster.js'
import { sufferAll, type Vandal } from './damage.js'
import { type Host, useHosts } from './host.js'

const openHost = useHosts()
let etcd: EtcdHost | null = null
afterEach(async () => {
  await etcd?.stop()
  etcd = null
})

const pidsOf = async (host: Host, service: string): Promise<readonly (number | null)[]> =>
  (await host.instances(service)).map(({ pid }) => pid)

/** Whoever has etcdctl reaches the records at any time. */
const inEtcd = (store: EtcdHost, when: Vandal['when']): Vandal => ({
  when,
  daemonArgs: ['--store', `etcd://${store.members[0]?.address}`],
  withStore: async (_, use) => {
    const opened = openEtcdStore(store.options)
    try {
      return await use(opened)
    } finally {
      await opened.close()
    }
  },
})

test.each([
  ['while a daemon runs', 'live'],
  ['before a daemon starts', 'down'],
] as const)(
  'whatever is damaged under any prefix %s, what runs goes on running',
  async (_, when) => {
    etcd = await startEtcd()
    await sufferAll(openHost(), inEtcd(etcd, when))
  },
  400_000,
)

test('programs run on beside a damaged record over a restart, and the record heals', async () => {
  const store = await startEtcd()
  etcd = store
  const host = openHost()
  const ctl = (...args: readonly string[]): string => store.ctl(...args)
  const keysOf = (): readonly string[] =>
    ctl('get', '/mariposa/', '--prefix', '--keys-only')
      .split('\n')
      .filter((line) => line !== '')
  const args = ['--store', `etcd://127.0.0.1:${store.members[0]?.port}`]
  let daemon = await host.startDaemon(...args)
  for (const name of ['web', 'db'])
    await host.done('service', 'deploy', host.file(`${name}.yml`, idleManifest()), '--scale', '2')
  const before = { web: await pidsOf(host, 'web'), db: await pidsOf(host, 'db') }
  const unreadable = async (): Promise<readonly UnreadableBody[]> =>
    JSON.parse((await host.run('store', 'check', '--json')).stdout) as readonly UnreadableBody[]

  const stillRuns = async (): Promise<void> => {
    expect(await pidsOf(host, 'db')).toEqual(before.db)
    for (const pid of [...before.web, ...before.db]) process.kill(pid ?? Number.NaN, 0)
  }

  const prefixes = new Set(keysOf().map((key) => key.slice('/mariposa/'.length).split('/')[0] ?? ''))
  for (const kind of ['services', 'versions', 'instances', 'units', 'files', 'placements', 'tasks'])
    expect(prefixes).toContain(kind)

  // A record that nobody has, as in the report: everything else of the batch is there after a start.
  ctl('put', '/mariposa/files/0', 'null')
  daemon.signal('SIGKILL')
  await daemon.ended
  daemon = await host.startDaemon(...args)
  expect(await unreadable()).toMatchObject([{ key: 'files/0', kind: 'file', unfit: 'damaged' }])
  await stillRuns()
  ctl('del', '/mariposa/files/0')
  await until(async () => expect(await unreadable()).toEqual([]))

  const told = (await host.done('events', '--kind', 'record')).stdout
  expect(told).toContain('files/0 cannot be read')
  expect(told).toContain('files/0 is gone')
  expect((await host.run('store', 'check')).code).toBe(0)
})

test('a daemon that meets records of a later format leaves the lead, and has it back when they are gone', async () => {
  const store = await startEtcd()
  etcd = store
  const host = openHost()
  const daemon = await host.startDaemon('--store', `etcd://127.0.0.1:${store.members[0]?.port}`)
  await host.done('service', 'deploy', host.file('web.yml', idleManifest()), '--scale', '1')
  const before = await pidsOf(host, 'web')
  store.ctl('put', '/mariposa/projects/later', '{"v":2,"whatever":true}')
  await daemon.said('not leading')
  expect(await pidsOf(host, 'web')).toEqual(before)
  const command = host.start('service', 'scale', 'web', '2')
  await command.said(
    'no change makes progress: no daemon leads the cluster: the record projects/later is of a newer Mariposa',
  )
  store.ctl('del', '/mariposa/projects/later')
  expect(await command.ended).toMatchObject({ code: 0, stderr: expect.stringContaining('it continues') })
})

test('records of 0.1.0, which say no format, are read and go on, and what is written is what 0.1.0 reads', async () => {
  const store = await startEtcd()
  etcd = store
  const host = openHost()
  const args = ['--store', `etcd://127.0.0.1:${store.members[0]?.port}`]
  let daemon = await host.startDaemon(...args)
  await host.done('service', 'deploy', host.file('web.yml', idleManifest()), '--scale', '2')
  const before = await pidsOf(host, 'web')
  daemon.signal('SIGKILL')
  await daemon.ended
  const { kvs } = JSON.parse(store.ctl('get', '/mariposa/', '--prefix', '--write-out', 'json')) as {
    kvs: readonly { key: string; value: string; lease?: number }[]
  }
  for (const { key, value, lease } of kvs) {
    const text = Buffer.from(value, 'base64').toString('utf8')
    // What 0.1.0 wrote is the same without the number of the format; it reads a record with it alike.
    if (lease === undefined && text.endsWith(',"v":1}'))
      store.ctl('put', Buffer.from(key, 'base64').toString('utf8'), `${text.slice(0, -7)}}`)
  }
  daemon = await host.startDaemon(...args)
  expect((await host.run('store', 'check')).code).toBe(0)
  expect(await pidsOf(host, 'web')).toEqual(before)
  await host.done('service', 'scale', 'web', '3')
})
