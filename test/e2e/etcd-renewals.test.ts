// What operators do to an etcd that has a user and certificates, while a daemon stays up.
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type EtcdHost, type EtcdHostOptions, startEtcd } from '../machines/etcd-host.js'
import { type Host, useHosts, webManifest } from './host.js'

const newHost = useHosts()
const ending: (() => Promise<void>)[] = []
// Hosts end first, while there is an etcd to do it with: hooks run last first.
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

const login = { name: 'mariposa', password: 's3cret' }

async function open(options: EtcdHostOptions = {}) {
  const etcd = await startEtcd({ ...options, login })
  ending.push(() => etcd.stop())
  const host = newHost()
  const daemon = await host.startDaemon(...optionsFor(host, etcd))
  return { etcd, host, daemon }
}

/** The daemon reads copies, as a tool that renews certificates would put them there. */
function optionsFor(host: Host, etcd: EtcdHost): readonly string[] {
  const endpoints = etcd.options.endpoints.join(',')
  const user = [
    '--etcd-user',
    login.name,
    '--etcd-password-file',
    host.privateFile('password', `${login.password}\n`),
  ]
  if (etcd.certificates === null) return ['--store', `etcd://${endpoints}`, ...user]
  copyCertificates(host, etcd)
  const files = ['ca', 'cert', 'key'].flatMap((what) => [
    `--etcd-${what}-file`,
    join(host.dir, `${what}.pem`),
  ])
  return ['--store', `etcds://${endpoints}`, ...user, ...files]
}

function copyCertificates(host: Host, { certificates }: EtcdHost): void {
  for (const [from, to] of [
    ['ca.crt', 'ca'],
    ['client.crt', 'cert'],
    ['client.key', 'key'],
  ] as const)
    copyFileSync(join(certificates ?? '', from), join(host.dir, `${to}.pem`))
}

/** Resolves when a change is taken again. */
async function takesChanges(host: Host): Promise<void> {
  await expect
    .poll(() => host.run('meta', 'set', 'still', 'there'), { timeout: 60_000 })
    .toMatchObject({ code: 0 })
}

test('a snapshot that is restored into the same etcd is what counts, and the daemon stays up', async () => {
  const { etcd, host, daemon } = await open()
  const [member] = etcd.members
  await host.done('service', 'deploy', host.file('web.yml', webManifest('v1')))
  const before = await host.instances('web')
  etcd.rootCtl('snapshot', 'save', join(host.dir, 'snapshot.db'))
  await host.done('service', 'deploy', host.file('late.yml', webManifest('v1')))
  await host.done('service', 'scale', 'web', '2')
  for (let n = 0; n < 30; n++) await host.done('meta', 'set', 'n', String(n))

  await member?.kill()
  etcd.rootCtl(
    'snapshot',
    'restore',
    join(host.dir, 'snapshot.db'),
    '--data-dir',
    join(host.dir, 'r'),
    ...etcd.restoreAs,
  )
  member?.start(join(host.dir, 'r'))
  await takesChanges(host)
  await daemon.said('another etcd')
  await expect.poll(() => host.service('late')).toBeUndefined()
  await expect
    .poll(async () => (await host.instances('web')).map(({ name, pid }) => `${name} ${pid}`), {
      timeout: 30_000,
    })
    .toEqual(before.map(({ name, pid }) => `${name} ${pid}`))
})

test('a restored etcd that has grown past what was known is found out all the same', async () => {
  const { etcd, host, daemon } = await open()
  const [member] = etcd.members
  await host.done('meta', 'set', 'before', '1')
  etcd.rootCtl('snapshot', 'save', join(host.dir, 'snapshot.db'))
  await host.done('meta', 'set', 'after', '1')
  process.kill(daemon.pid, 'SIGSTOP')
  await member?.kill()
  etcd.rootCtl(
    'snapshot',
    'restore',
    join(host.dir, 'snapshot.db'),
    '--data-dir',
    join(host.dir, 'r'),
    ...etcd.restoreAs,
  )
  member?.start(join(host.dir, 'r'))
  await etcd.answers()
  for (let n = 0; n < 100; n++) etcd.ctl('put', '/mariposa/other', String(n))
  process.kill(daemon.pid, 'SIGCONT')
  await expect
    .poll(async () => JSON.parse((await host.done('meta', 'list', '--json')).stdout) as unknown, {
      timeout: 60_000,
    })
    .toMatchObject([{ key: 'before' }])
  await daemon.said('another etcd')
})

test('a password that is changed is read from its file', async () => {
  const { etcd, host, daemon } = await open()
  etcd.changePassword('an0ther')
  expect(await host.run('meta', 'set', 'still', 'there')).toMatchObject({ code: 1 })
  await daemon.said('store unreachable')
  host.file('password', 'an0ther\n')
  await takesChanges(host)
  await daemon.said('store reachable again')
  expect(daemon.saidSoFar().split('is ready')).toHaveLength(2)
})

test.each(['same', 'another'] as const)(
  'certificates by the %s authority take the place of the old ones',
  async (by) => {
    const { etcd, host, daemon } = await open({ tls: true })
    const [member] = etcd.members
    etcd.renewCertificates(by)
    await member?.kill()
    member?.start()
    if (by === 'another') await daemon.said('store unreachable')
    copyCertificates(host, etcd)
    await takesChanges(host)
    expect(daemon.saidSoFar().split('is ready')).toHaveLength(2)
  },
)
