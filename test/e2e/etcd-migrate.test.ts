// A single machine grows up: its records move to a real etcd, and what runs notices nothing.
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InstanceBody } from '../../src/contract/contract.js'
import type { RunningProgram } from '../cli/program.js'
import { type EtcdHost, startEtcd } from '../machines/etcd-host.js'
import { openProxy } from '../machines/proxy.js'
import { programOf } from './cluster.js'
import { ask, type Host, hostPort, hostsOf, useHosts, webManifest } from './host.js'

const newHost = useHosts()
const newOther = hostsOf(programOf('b'.repeat(32)), () => {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-other-'))
  return { driver: 'process', env: {}, makeDir: () => ({ inside: dir, outside: dir }) }
})
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
  const stop = () => ended(daemon)
  const where = ['--data-dir', host.dataDir, '--to', target] as const
  const migrate = () => host.done('store', 'migrate', ...where)
  const undo = (...more: string[]) => host.run('store', 'migrate', '--undo', ...where, ...more)
  await stop()
  expect(codeOf((await undo('--json')).stdout)).toBe('store/not-moved')
  await migrate()
  const undone = await undo()
  expect([undone.code, undone.stdout]).toEqual([0, expect.stringContaining('--store embedded')])
  const refused = async (...more: string[]): Promise<void> => {
    const words = ['--data-dir', host.dataDir, '--listen', `unix:${host.dir}/s`, '--store', target]
    const { code, stderr } = await host.run('daemon', ...words, ...more)
    expect([code, stderr]).toEqual([1, expect.stringContaining(`were moved back to ${host.dataDir}`)])
    expect(stderr).toContain('start the daemon there with --store embedded')
  }
  await refused()
  await refused('--discard')
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
  await refused()
  await refused('--discard')
  // The machine has its records again: it may not leave them for yet another store.
  const other = freshTarget()
  const joins = await host.run(
    'daemon',
    '--data-dir',
    host.dataDir,
    '--listen',
    `unix:${host.dir}/s`,
    '--store',
    other,
  )
  expect([joins.code, joins.stderr]).toEqual([1, expect.stringContaining('store migrate --to')])
  expect(etcd.ctl('get', '--prefix', `/moved/${targets}/`, '--keys-only').trim()).toBe('')
  daemon = await host.startDaemon()
  await expect.poll(async () => (await host.instances('web')).map(identity)).toEqual(before.map(identity))
  for (const instance of before) expect(await ask(hostPort(instance))).toBe(`${instance.name} v1`)
  const [usage, needless] = [
    await host.run('store', 'migrate', '--undo', '--data-dir', host.dataDir),
    await host.run('store', 'migrate', '--discard', ...where),
  ]
  expect([usage.code, needless.code]).toEqual([2, 2])
})

test('a move is not taken back while another machine uses etcd; one that was cut off meanwhile ends when it is back', async () => {
  const [host, other, target] = [newHost(), newOther(), freshTarget()]
  await host.startDaemon().then(ended)
  const where = ['--data-dir', host.dataDir, '--to', target] as const
  await host.done('store', 'migrate', ...where)
  const network = await openProxy(etcd.members[0]?.port ?? 0)
  try {
    const through = `etcd://${network.address}/moved/${targets}/`
    const daemon = await other.startDaemon('--store', through, '--agent-ttl', '5s')
    const undo = () => host.run('store', 'migrate', '--undo', '--discard', '--json', ...where)
    expect(codeOf((await undo()).stdout)).toBe('store/in-use')
    expect(await other.run('machine', 'list')).toMatchObject({ code: 0 })
    network.cut()
    await expect.poll(async () => (await undo()).code, { timeout: 60_000 }).toBe(0)
    network.heal()
    const backTo = [1, expect.stringContaining(`were moved back to ${host.dataDir}`)]
    const { code, stderr } = await daemon.ended
    expect([code, stderr]).toEqual(backTo)
    // It minds what it has a copy of while etcd is away, and hears of the move once that is back.
    network.cut()
    const alone = await other.startDaemonUntil(
      'running local units only',
      '--store',
      through,
      '--agent-ttl',
      '5s',
    )
    network.heal()
    const later = await alone.ended
    expect([later.code, later.stderr]).toEqual(backTo)
    await host.startDaemon()
  } finally {
    await network.close()
  }
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

async function ended(daemon: RunningProgram): Promise<void> {
  daemon.signal('SIGTERM')
  await daemon.ended
}

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
