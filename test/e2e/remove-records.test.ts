// A way out for records that cannot be read: an operator looks at them, keeps a copy, and removes them.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { InstanceBody, RecordBody } from '../../src/contract/contract.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { openEmbeddedStore } from '../../src/store/io/embedded.js'
import type { Op } from '../../src/store/store.js'
import { idleManifest, programsUnder, until } from './cluster.js'
import { type Host, useHosts } from './host.js'

const openHost = useHosts()

/** A service of two, some of whose records were damaged while the daemon was down. */
async function damaged(...keys: readonly string[]): Promise<Host> {
  const host = openHost()
  const daemon = await host.startDaemon()
  await host.done('service', 'deploy', host.file('web.yml', idleManifest()), '--scale', '2')
  daemon.signal('SIGKILL')
  await daemon.ended
  return damage(host, keys)
}

async function damage(host: Host, keys: readonly string[]): Promise<Host> {
  const store = await openEmbeddedStore({ dir: join(host.dataDir, 'store'), clock: systemClock })
  await store.txn(
    [],
    keys.map((key): Op => ({ op: 'put', key, value: `damaged ${key}` })),
  )
  await store.close()
  await host.startDaemon()
  return host
}

const check = async (host: Host): Promise<readonly string[]> =>
  (JSON.parse((await host.run('store', 'check', '--json')).stdout) as RecordBody[]).map(({ key }) => key)

const running = async (host: Host): Promise<readonly InstanceBody[]> =>
  (await host.instances('web')).filter(({ state }) => state === 'running')

test('a record that cannot be read is shown, written to a file and removed; others are refused', async () => {
  const key = 'schedules/default/none'
  const host = await damaged(key)
  const before = (await host.instances('web')).map(({ pid }) => pid)
  expect(await check(host)).toEqual([key])
  expect((await host.done('store', 'show', key)).stdout).toBe(`damaged ${key}\n`)

  const refused = await host.run('store', 'rm', 'services/default/web', '--to', join(host.dir, 'web.json'))
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/services\/default\/web is not removed: it can be read.*\n.*--force/),
  ])
  expect(() => statSync(join(host.dir, 'web.json'))).toThrow()
  for (const none of ['services/default/nobody', 'cluster', 'claims/x']) {
    const { code, stdout } = await host.run('store', 'rm', none, '--json')
    expect([code, stdout]).toEqual([1, expect.stringContaining('store/no-record')])
  }

  const file = host.file('there.json', '')
  expect((await host.run('store', 'rm', key, '--to', file)).code).toBe(1)
  expect(await check(host)).toEqual([key])
  const copy = join(host.dir, 'removed.json')
  const removed = JSON.parse((await host.done('store', 'rm', key, '--to', copy, '--json')).stdout)
  expect(removed).toMatchObject([{ key, kind: 'schedule', unfit: 'damaged', value: `damaged ${key}` }])
  expect(JSON.parse(readFileSync(copy, 'utf8'))).toEqual(removed)
  expect(statSync(copy).mode & 0o777).toBe(0o600)
  expect(await check(host)).toEqual([])
  expect((await host.run('store', 'show', key)).code).toBe(1)
  expect((await host.done('events', '--kind', 'record')).stdout).toContain(
    `${key} was removed, which could not`,
  )

  const tag = 'meta/default/colour'
  await host.done('meta', 'set', 'colour', 'red')
  expect((await host.run('store', 'delete', tag)).code).toBe(1)
  expect((await host.done('store', 'remove', tag, '--force')).stdout).toBe(`${tag} is removed\n`)
  expect((await host.run('meta', 'get', 'colour')).code).toBe(1)
  expect((await host.instances('web')).map(({ pid }) => pid)).toEqual(before)
})

test('a service is as it should be again once what could not be read of it is removed', async () => {
  const unit = 'default.web.v1@1.service'
  const keys = ['instances/default/web/00000001', `units/${unit}`, `placements/${unit}`]
  for (const some of [[`units/${unit}`], keys]) {
    const host = await damaged(...some)
    const untouched = (await host.instances('web')).find(({ name }) => name === 'web-2')?.pid
    expect(await check(host)).toEqual([...some].sort())
    await host.done('store', 'rm', ...some)
    await until(async () => expect([some, await running(host)]).toMatchObject([some, [{}, {}]]))
    expect((await running(host)).map(({ pid }) => pid)).toContain(untouched)
    await host.done('service', 'scale', 'web', '3')
  }
}, 200_000)

test('what the machine said of a unit that is removed goes with it, though it cannot be read either', async () => {
  const host = openHost()
  const daemon = await host.startDaemon()
  await host.done('service', 'deploy', host.file('web.yml', idleManifest()), '--scale', '2')
  const [first] = await host.instances('web')
  daemon.signal('SIGKILL')
  await daemon.ended
  const unit = 'default.web.v1@1.service'
  const report = `reports/${first?.machine}/${unit}`
  await damage(host, [`units/${unit}`, report])
  await host.done('store', 'rm', `units/${unit}`)
  await until(async () => expect([await check(host), await running(host)]).toMatchObject([[], [{}, {}]]))
}, 60_000)

test('what is left of a service or an instance whose record is removed goes, and no number is used again', async () => {
  const host = openHost()
  await host.startDaemon()
  for (const name of ['web', 'db'])
    await host.done('service', 'deploy', host.file(`${name}.yml`, idleManifest()), '--scale', '2')
  const removed = ['services/default/db', 'instances/default/web/00000001']
  await host.done('store', 'rm', ...removed, '--force', '--to', join(host.dir, 'removed.json'))
  await until(() => {
    const programs = programsUnder(host.dataDir).map(({ name }) => name)
    expect(programs.toSorted()).toEqual(['web-2', 'web-3'])
  })
  await host.done('service', 'deploy', host.file('db.yml', idleManifest('2')), '--scale', '2')
  expect((await host.instances('web')).map(({ name }) => name)).toEqual(['web-2', 'web-3'])
  expect((await host.done('store', 'check')).stdout).toContain('every record can be read')
})
