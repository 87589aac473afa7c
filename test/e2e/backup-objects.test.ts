// Backups of volumes by schedule into an S3-like store, by the real daemon.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EventBody, VolumeBackupBody } from '../../src/contract/contract.js'
import { account, openS3Server, type S3Server } from '../s3/server.js'
import { until } from './cluster.js'
import { type Host, useHosts } from './host.js'
import { linesOf } from './named-volumes.js'

const openHost = useHosts()

let server: S3Server
beforeEach(async () => {
  server = await openS3Server(['vault'])
})
afterEach(async () => await server.close())

const manifest = (backup: string, command = 'exec sleep 1000'): string => `compute_type: process
command: [/bin/sh, "-c", "echo begun >> $DIR/lines; ${command}"]
environment: {DIR: "{{ .volume.data.path }}"}
volumes: [{name: data, path: /mnt/data, backup: ${backup}}]
stop: {timeout: 5, preservestopped: "no"}
`

const dataOf = (host: Host, service: string): string =>
  join(host.dataDir, `volumes/default/${service}/data.0/data`)

async function deployed(host: Host, service: string, text: string): Promise<void> {
  await host.done('service', 'deploy', host.file(`${service}.yml`, text))
  await until(() => expect(linesOf(join(dataOf(host, service), 'lines'))).toEqual(['begun']))
}

async function giveCredentials(
  host: Host,
  { key = 's3', secret = account.secretAccessKey, url = server.url } = {},
) {
  const lines = [
    '# who asks the store',
    `export MARIPOSA_S3_ENDPOINT=${url}`,
    `AWS_REGION="${account.region}"`,
    '',
    `AWS_ACCESS_KEY_ID=${account.accessKeyId}`,
    `AWS_SECRET_ACCESS_KEY=${secret}`,
  ]
  await host.done('meta', 'set', key, '--secret', '--file', host.privateFile(`${key}.env`, lines.join('\n')))
}

async function hostWithStore(): Promise<Host> {
  const host = openHost()
  await host.startDaemon()
  await giveCredentials(host)
  return host
}

const archives = (): readonly string[] =>
  [...server.objects.keys()].filter((name) => name.endsWith('.tar.zst')).sort()

const eventsOf = async (host: Host, kind: string): Promise<readonly EventBody[]> =>
  (await host.done('events', '--kind', kind, '--jsonl')).stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as EventBody)

const failuresOf = async (host: Host): Promise<readonly string[]> =>
  (await eventsOf(host, 'backup-failed')).map(({ message }) => message)

/** A firing is missed while the backup of the one before still runs, as on a busy machine. */
const isOver: ReadonlySet<string> = new Set(['whole', 'missed'])

const backupsOf = async (host: Host): Promise<readonly VolumeBackupBody[]> =>
  await host.client.volumeBackups('default')

const wholeOf = async (host: Host): Promise<readonly VolumeBackupBody[]> =>
  (await backupsOf(host)).filter(({ result }) => result === 'whole')

const metricsOf = async (host: Host): Promise<string> =>
  await new Promise((resolve, reject) => {
    get({ socketPath: host.socketPath, path: '/metrics' }, (answer) => resolve(text(answer))).on(
      'error',
      reject,
    )
  })

const plan = (more = ''): string => `{schedule: "R//PT1S", to: s3://vault/db/, ${more}}`

/** A plan whose next firing is years away: resolves once no backup is being made or due. As many as are to be kept are kept then. */
async function firesNoMore(host: Host, before: string): Promise<void> {
  const later = before.replace('R//PT1S', 'R/2099-01-01T00:00:00Z/PT1H')
  await host.done('service', 'deploy', host.file('db.yml', manifest(later)))
  await until(async () =>
    expect((await backupsOf(host)).filter(({ result }) => !isOver.has(result))).toEqual([
      expect.objectContaining({ result: 'planned', dueAt: '2099-01-01T00:00:00.000Z' }),
    ]),
  )
}

test('backups are made by schedule into a store, the newest are kept, and what another has put there stays', async () => {
  const host = await hostWithStore()
  // Neither of them is of the daemon, whatever their names are like.
  const foreign = ['vault/db/default.db.data.0.20200101T000000.000Z.00000000.tar.zst', 'vault/db/note']
  for (const name of foreign) server.objects.set(name, Buffer.from('x'))
  await deployed(host, 'db', manifest(plan('keep: 2')))
  await until(async () => expect((await eventsOf(host, 'backup-succeeded')).length).toBeGreaterThan(3))
  await firesNoMore(host, plan('keep: 2'))
  await until(() =>
    expect([...server.objects.keys()].filter((name) => !foreign.includes(name)).length).toBe(4),
  )
  const kept = archives().filter((name) => !foreign.includes(name))
  for (const name of kept) {
    expect(name).toMatch(/^vault\/db\/default\.db\.data\.0\.\d{8}T\d{6}\.\d{3}Z\.[0-9a-f]{8}\.tar\.zst$/)
    const sum = createHash('sha256')
      .update(server.objects.get(name) ?? '')
      .digest('hex')
    expect(server.objects.get(`${name}.sha256`)?.toString()).toContain(`${sum}  ${name.split('/').at(-1)}\n`)
  }
  for (const name of foreign) expect(server.objects.get(name)?.toString()).toBe('x')
  expect(server.uploads.size).toBe(0)
  const listed = await wholeOf(host)
  expect(listed.map(({ to }) => to)).toEqual(kept.map((name) => `s3://${name}`))
  // The store alone is asked with the secret, and only in what signs.
  const told = await host.run('events', '--jsonl')
  expect(`${told.stdout}${(await host.run('volume', 'show', 'db.data.0', '--json')).stdout}`).not.toContain(
    account.secretAccessKey,
  )
})

test('what the credentials lack is said at the deploy and by each backup, and mended without a deploy', async () => {
  const host = openHost()
  const daemon = await host.startDaemon()
  const warned = await host.done(
    'service',
    'deploy',
    host.file('db.yml', manifest(plan('credentials: cold'))),
  )
  expect(warned.stderr).toContain(
    'the meta key cold, which holds the credentials for the store, does not exist',
  )
  await until(async () => expect((await failuresOf(host))[0]).toContain('has no meta key cold'))
  expect(linesOf(join(dataOf(host, 'db'), 'lines'))).toEqual(['begun'])
  expect(server.asked).toEqual([])
  await giveCredentials(host, { key: 'cold', secret: 'it-is-wrong' })
  const again = manifest(plan('credentials: cold, keep: 3'))
  const deployedAgain = await host.done('service', 'deploy', host.file('db.yml', again))
  expect(deployedAgain.stderr).not.toContain('cold')
  await until(async () =>
    expect((await failuresOf(host)).at(-1)).toContain('the secret key is not that of the access key'),
  )
  await giveCredentials(host, { key: 'cold' })
  await until(async () => expect((await wholeOf(host)).length).toBeGreaterThan(0))
  // The next one may be on its way already.
  await until(() => expect(server.uploads.size).toBe(0))
  const said = `${daemon.saidSoFar()}${(await host.run('events', '--jsonl')).stdout}`
  for (const secret of ['it-is-wrong', account.secretAccessKey]) expect(said).not.toContain(secret)
})

test.each([
  ['answers 503', { status: 503, body: '<Error><Code>SlowDown</Code></Error>' }, 's3/failed|SlowDown|503'],
  ['refuses', { status: 403, body: '<Error><Code>AccessDenied</Code></Error>' }, 'does not allow'],
  [
    'has lost its bucket',
    { status: 404, body: '<Error><Code>NoSuchBucket</Code></Error>' },
    'no bucket vault',
  ],
] as const)(
  'a store that %s in the middle fails the backup, which leaves nothing',
  async (_, answer, why) => {
    const host = await hostWithStore()
    let isBroken = true
    server.intercept = ({ method, query }) =>
      isBroken && method === 'PUT' && query.has('partNumber') ? answer : null
    await deployed(host, 'db', manifest(plan('keep: 1')))
    await until(async () => expect((await failuresOf(host))[0]).toMatch(new RegExp(why)))
    expect(await metricsOf(host)).toMatch(/mariposa_volume_backup_failing\{[^}]*volume="data",slot="0"\} 1/)
    await until(() => expect([server.uploads.size, archives()]).toEqual([0, []]))
    isBroken = false
    await until(async () => expect((await wholeOf(host)).length).toBe(1))
  },
)

test('an upload whose begin was answered to nobody is not left beside the backup that was made after all', async () => {
  const host = await hostWithStore()
  let lost = 0
  server.intercept = ({ query }) => (query.has('uploads') && lost++ === 0 ? 'lost' : null)
  await deployed(
    host,
    'db',
    manifest('{schedule: "R/2000-01-01T00:00:00Z/PT4S", to: s3://vault/db/, keep: 1}'),
  )
  await until(async () => expect((await wholeOf(host)).length).toBe(1))
  expect(server.asked.filter((line) => /^POST .*uploads/.test(line)).length).toBeGreaterThan(1)
  await until(() => expect(server.uploads.size).toBe(0))
})

test('what a daemon leaves that is killed in the middle of an upload, the next one takes away', async () => {
  const host = openHost()
  const daemon = await host.startDaemon()
  await giveCredentials(host)
  let isHanging = true
  server.intercept = ({ method, query }) =>
    isHanging && method === 'PUT' && query.has('partNumber') ? 'hang' : null
  await deployed(host, 'db', manifest(plan('keep: 3')))
  await until(() => expect(server.asked.some((line) => line.includes('partNumber'))).toBe(true))
  daemon.signal('SIGKILL')
  await daemon.ended
  expect(server.uploads.size).toBe(1)
  const half = [...server.uploads.keys()]
  isHanging = false
  await host.startDaemon()
  await until(async () =>
    expect(await failuresOf(host)).toEqual([expect.stringContaining('its daemon stopped before the end')]),
  )
  await until(async () => expect((await wholeOf(host)).length).toBeGreaterThan(0))
  await until(() => expect(half.filter((id) => server.uploads.has(id))).toEqual([]))
})

test('an object whose backup has an unknown outcome goes, and no good one with it', async () => {
  const host = openHost()
  const daemon = await host.startDaemon()
  await giveCredentials(host)
  await deployed(host, 'db', manifest(plan('keep: 1')))
  await until(async () => expect((await wholeOf(host)).length).toBe(1))
  // Whole, and the daemon is killed before it has noted that.
  let second = ''
  server.intercept = ({ method, path }) => {
    if (method !== 'PUT' || !path.endsWith('.sha256') || archives().length < 2) return null
    second = path
    return 'hang'
  }
  await until(() => expect(second).not.toBe(''))
  daemon.signal('SIGKILL')
  await daemon.ended
  const [good = '', unknown = ''] = archives()
  expect(second).toBe(`/${unknown}.sha256`)
  server.intercept = ({ method }) => (method === 'POST' ? { status: 503 } : null)
  await host.startDaemon()
  await until(() => expect(archives()).toEqual([good]))
  expect((await wholeOf(host)).map(({ to }) => to)).toEqual([`s3://${good}`])
})

test('an object that somebody has put in the place of a backup is not deleted', async () => {
  const host = await hostWithStore()
  await deployed(host, 'db', manifest('{schedule: "R//PT3S", to: s3://vault, keep: 1}'))
  await until(async () => expect((await wholeOf(host)).length).toBe(1))
  const [first = ''] = archives()
  server.objects.set(first, Buffer.from('something else'))
  await until(async () => expect((await wholeOf(host)).some(({ to }) => to === `s3://${first}`)).toBe(false))
  await until(async () => expect((await eventsOf(host, 'backup-succeeded')).length).toBeGreaterThan(2))
  expect(server.objects.get(first)?.toString()).toBe('something else')
})

test('after a change of the store, what expires is deleted where it was put', async () => {
  const host = await hostWithStore()
  await deployed(host, 'db', manifest(plan('keep: 1')))
  await until(async () => expect((await wholeOf(host)).length).toBe(1))
  const other = await openS3Server(['vault'])
  try {
    await giveCredentials(host, { url: other.url })
    await until(() => expect([...server.objects.keys()]).toEqual([]))
    await until(async () => {
      const [newest] = await wholeOf(host)
      expect(other.objects.has((newest?.to ?? '').slice('s3://'.length))).toBe(true)
    })
  } finally {
    await other.close()
  }
})

test('a store that cannot delete keeps what has expired, holds up nothing, and is asked again', async () => {
  const host = await hostWithStore()
  server.intercept = ({ method, path }) => (method === 'DELETE' && path.endsWith('.zst') ? 'hang' : null)
  const beside = join(host.dir, 'backups')
  mkdirSync(beside)
  await deployed(host, 'db', manifest(plan('keep: 1')))
  await deployed(host, 'other', manifest(`{schedule: "R//PT1S", to: ${beside}, keep: 1}`))
  await until(() => expect(server.asked.some((line) => line.startsWith('DELETE'))).toBe(true))
  const before = (await eventsOf(host, 'backup-succeeded')).length
  await until(async () =>
    expect((await eventsOf(host, 'backup-succeeded')).length).toBeGreaterThan(before + 4),
  )
  expect((await wholeOf(host)).length).toBe(2)
  expect(archives().length).toBeGreaterThan(2)
})

test('a store that does not answer holds up no backups into a directory', async () => {
  const host = await hostWithStore()
  const to = join(host.dir, 'backups')
  mkdirSync(to)
  server.intercept = () => 'hang'
  for (const service of ['one', 'two', 'three'])
    await deployed(host, service, manifest('{schedule: "R//PT1S", to: "s3://vault/db"}'))
  const running = async () => (await backupsOf(host)).filter(({ result }) => result === 'running')
  await until(async () => expect(await running()).toHaveLength(2))
  await deployed(host, 'near', manifest(`{schedule: "R//PT1S", to: ${to}}`))
  await until(async () => expect((await wholeOf(host)).map(({ service }) => service)).toContain('near'))
  expect(await running()).toHaveLength(2)
})

test('an instance that was stopped for a backup is back once all was read, also if the store does not take it', async () => {
  const host = await hostWithStore()
  await deployed(host, 'db', manifest('{schedule: "R//PT1H", to: "s3://vault/db"}'))
  server.intercept = ({ query }) => (query.has('partNumber') ? 'hang' : null)
  const stopping = manifest('{schedule: "R//PT1S", to: "s3://vault/db", consistency: stopped}')
  await host.done('service', 'deploy', host.file('db.yml', stopping), '--detach')
  await until(() => expect(server.asked.at(-1)).toContain('partNumber'))
  await until(async () => expect((await host.instances('db')).map(({ state }) => state)).toEqual(['running']))
  expect((await backupsOf(host)).map(({ result }) => result)).toContain('running')
})

test('no instance is stopped for a store that refuses, and what one was stopped for can be restored', async () => {
  const host = await hostWithStore()
  let isBroken = true
  server.intercept = ({ query }) =>
    isBroken && query.has('uploads')
      ? { status: 403, body: '<Error><Code>AccessDenied</Code></Error>' }
      : null
  await deployed(host, 'db', manifest(plan('keep: 9, consistency: stopped').replace('PT1S', 'PT8S')))
  const lines = (): readonly string[] => linesOf(join(dataOf(host, 'db'), 'lines'))
  await until(async () => expect((await failuresOf(host))[0]).toContain('does not allow this'))
  expect(lines()).toEqual(['begun'])
  isBroken = false
  await until(async () => expect((await wholeOf(host)).length).toBeGreaterThan(0))
  await host.done('service', 'deploy', host.file('db.yml', manifest('{before_backup: ["true"]}')))
  const { to, sha256, consistency } = (await wholeOf(host)).at(-1) ?? {}
  expect(consistency).toBe('stopped')
  const file = host.file('got.tar.zst', '')
  writeFileSync(file, server.objects.get((to ?? '').slice('s3://'.length)) ?? '')
  writeFileSync(join(dataOf(host, 'db'), 'own'), 'x')
  await host.done('volume', 'restore', file, 'db.data.0', '--force', '--sha256', sha256 ?? '')
  expect(() => readFileSync(join(dataOf(host, 'db'), 'own'))).toThrow('ENOENT')
})
