// A single machine grows up: its records move to a real etcd, and what runs notices nothing.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InstanceBody } from '../../src/contract/contract.js'
import { type EtcdHost, startEtcd } from '../machines/etcd-host.js'
import { ask, type Host, hostPort, useHosts, webManifest } from './host.js'

const newHost = useHosts()
let etcd: EtcdHost
beforeAll(async () => {
  etcd = await startEtcd()
})
afterAll(() => etcd.stop())

let targets = 0
function freshTarget(): string {
  targets += 1
  return `etcd://${etcd.options.endpoints.join(',')}/moved/${targets}/`
}

const identity = ({ name, uuid, pid, restarts, startedAt }: InstanceBody): object => ({
  name,
  uuid,
  pid,
  restarts,
  startedAt,
})

test('a machine moves to etcd: what runs goes on, is found again, and can be changed', async () => {
  const [host, target] = [newHost(), freshTarget()]
  const daemon = await host.startDaemon()
  await host.done('service', 'deploy', host.file('web.yml', webManifest('v1')), '--scale', '2')
  await host.done('meta', 'set', 'password', 'hunter2', '--secret')
  await host.done('meta', 'set', 'colour', 'blue')
  const before = await host.instances('web')
  const keys = await recordsOf(host)

  daemon.signal('SIGTERM')
  await daemon.ended
  const moved = await host.done('store', 'migrate', '--data-dir', host.dataDir, '--to', target)
  expect(moved.stdout).toContain(`start the daemon with --store ${target}`)
  for (const instance of before) expect(await ask(hostPort(instance))).toBe(`${instance.name} v1`)

  await host.startDaemon('--store', target)
  expect((await host.instances('web')).map(identity)).toEqual(before.map(identity))
  expect(await recordsOf(host)).toEqual(keys)
  await host.done('service', 'scale', 'web', '3')
  await host.done('service', 'deploy', host.file('web.yml', webManifest('v2')))
  const after = await host.instances('web')
  expect(after.map((one) => [one.ordinal, one.state])).toEqual(Array(3).fill([2, 'running']))
  for (const instance of after) expect(await ask(hostPort(instance))).toBe(`${instance.name} v2`)
})

test('the embedded store that was moved away is refused, so that nobody decides on old records', async () => {
  const [host, target] = [newHost(), freshTarget()]
  await stopped(host)
  await host.done('store', 'migrate', '--data-dir', host.dataDir, '--to', target)
  const refused = await host.run('daemon', '--data-dir', host.dataDir, '--listen', `unix:${host.dir}/s`)
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`--store ${target}`)])
  const again = await host.run('store', 'migrate', '--data-dir', host.dataDir, '--to', freshTarget())
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining(target)])
  await host.startDaemon('--store', target)
})

test('a move is taken back: at once as it was, and with what has changed since given up', async () => {
  const [host, target] = [newHost(), freshTarget()]
  let daemon = await host.startDaemon()
  await host.done('service', 'deploy', host.file('web.yml', webManifest('v1')))
  const before = await host.instances('web')
  const stop = async (): Promise<void> => {
    daemon.signal('SIGTERM')
    await daemon.ended
  }
  const where = ['--data-dir', host.dataDir, '--to', target] as const
  const migrate = () => host.done('store', 'migrate', ...where)
  const undo = (...more: string[]) => host.run('store', 'migrate', '--undo', ...where, ...more)
  await stop()
  expect(codeOf((await undo('--json')).stdout)).toBe('store/not-moved')
  await migrate()
  const undone = await undo()
  expect([undone.code, undone.stdout]).toEqual([0, expect.stringContaining('--store embedded')])
  const closed = await host.run(
    'daemon',
    '--data-dir',
    host.dataDir,
    '--listen',
    `unix:${host.dir}/s`,
    '--store',
    target,
  )
  expect([closed.code, closed.stderr]).toEqual([1, expect.stringContaining('were moved back to')])
  daemon = await host.startDaemon()
  expect((await host.instances('web')).map(identity)).toEqual(before.map(identity))
  await stop()

  await migrate()
  daemon = await host.startDaemon('--store', target)
  await host.done('service', 'scale', 'web', '2')
  expect(codeOf((await undo('--discard', '--json')).stdout)).toBe('store/locked')
  await stop()
  expect(codeOf((await undo('--json')).stdout)).toBe('store/moved-on')
  const given = await undo('--discard', '--json')
  expect(JSON.parse(given.stdout)).toEqual({
    from: target,
    to: `${host.dataDir}/store`,
    records: expect.any(Number),
    given: expect.any(Number),
  })
  daemon = await host.startDaemon()
  await expect.poll(async () => (await host.instances('web')).map(identity)).toEqual(before.map(identity))
  for (const instance of before) expect(await ask(hostPort(instance))).toBe(`${instance.name} v1`)
  const [usage, needless] = [
    await host.run('store', 'migrate', '--undo', '--data-dir', host.dataDir),
    await host.run('store', 'migrate', '--discard', ...where),
  ]
  expect([usage.code, needless.code]).toEqual([2, 2])
})

test('a move is refused while the daemon runs, and where etcd holds something', async () => {
  const [host, target] = [newHost(), freshTarget()]
  const daemon = await host.startDaemon()
  const move = ['store', 'migrate', '--data-dir', host.dataDir, '--json', '--to'] as const
  expect(codeOf((await host.run(...move, target)).stdout)).toBe('store/locked')
  daemon.signal('SIGTERM')
  await daemon.ended

  etcd.ctl('put', `/moved/${targets}/units/other`, 'x')
  expect(codeOf((await host.run(...move, target)).stdout)).toBe('store/not-empty')
  expect(etcd.ctl('get', '--prefix', `/moved/${targets}/`, '--keys-only').trim()).toBe(
    `/moved/${targets}/units/other`,
  )

  const usage = await host.run('store', 'migrate', '--data-dir', host.dataDir)
  expect([usage.code, usage.stderr]).toEqual([2, expect.stringContaining('--to etcd://')])
  const nothing = await host.run('store', 'migrate', '--data-dir', host.dir, '--json', '--to', freshTarget())
  expect([nothing.code, codeOf(nothing.stdout)]).toEqual([1, 'store/nothing-to-move'])
})

test('a move reads its options from the configuration of the daemon and tells in JSON what it has done', async () => {
  const [host, target] = [newHost(), freshTarget()]
  await stopped(host)
  const config = host.file('mariposa.yml', `store: ${target}\ndata-dir: ${host.dataDir}\n`)
  const { stdout } = await host.done('store', 'migrate', '--config', config, '--json')
  expect(JSON.parse(stdout)).toEqual({
    from: `${host.dataDir}/store`,
    to: target,
    records: expect.any(Number),
    bytes: expect.any(Number),
    digest: expect.stringMatching(/^[0-9a-f]{40}$/),
    resumed: false,
  })
  await host.startDaemon('--store', target)
})

test('a daemon does not start on records that are still being moved', async () => {
  const [host, target] = [newHost(), freshTarget()]
  etcd.ctl('put', `/moved/${targets}/moving`, 'some cluster')
  etcd.ctl('put', `/moved/${targets}/cluster`, 'some cluster')
  const words = ['--data-dir', host.dataDir, '--listen', `unix:${host.dir}/s`, '--store', target]
  const refused = await host.run('daemon', ...words)
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('being moved')])
})

/** A host whose daemon has run once. */
async function stopped(host: Host): Promise<void> {
  const daemon = await host.startDaemon()
  daemon.signal('SIGTERM')
  await daemon.ended
  expect(readFileSync(`${host.dataDir}/store/journal-00000001`).length).toBeGreaterThan(0)
}

async function recordsOf(host: Host): Promise<unknown> {
  const answers = await Promise.all(
    [
      ['service', 'list'],
      ['meta', 'list'],
      ['service', 'events'],
    ].map((words) => host.done(...words, '--json')),
  )
  return answers.map(({ stdout }) => JSON.parse(stdout))
}

function codeOf(stdout: string): string {
  return (JSON.parse(stdout) as { error: { code: string } }).error.code
}
