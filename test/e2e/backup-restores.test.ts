// Restoring backups by schedule by their ids, by the real daemon.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { VolumeBackupBody } from '../../src/contract/contract.js'
import { removeDir } from '../remove-dir.js'
import { account, openS3Server, type S3Server } from '../s3/server.js'
import { until } from './cluster.js'
import { type Host, useHosts } from './host.js'
import { linesOf } from './named-volumes.js'

const openHost = useHosts()

const manifest = (backup = '', command = 'exec sleep 1000'): string => `compute_type: process
command: [/bin/sh, "-c", "echo begun >> $DIR/lines; ${command}"]
environment: {DIR: "{{ .volume.data.path }}"}
volumes: [{name: data, path: /mnt/data${backup}}]
stop: {timeout: 5, preservestopped: "no"}
`
/** Once, and then not for long. */
const each = (to: string, more = ''): string => `, backup: {schedule: "R//PT2S", to: "${to}", keep: 2${more}}`

const dataOf = (host: Host, service: string): string =>
  join(host.dataDir, `volumes/default/${service}/data.0/data`)

async function deployed(host: Host, service: string, text: string): Promise<void> {
  await host.done('service', 'deploy', host.file(`${service}.yml`, text))
  await until(() => expect(linesOf(join(dataOf(host, service), 'lines')).length).toBeGreaterThan(0))
}

const wholeOf = async (host: Host): Promise<readonly VolumeBackupBody[]> =>
  (await host.client.volumeBackups('default')).filter(({ result }) => result === 'whole')

/** Deploys a service with so many bytes of data, and ends its schedule once these are backed up; resolves to the last backup. */
async function backedUp(host: Host, to: string, large: Buffer): Promise<VolumeBackupBody> {
  await deployed(host, 'db', manifest())
  writeFileSync(join(dataOf(host, 'db'), 'large'), large)
  await host.done('service', 'deploy', host.file('db.yml', manifest(each(to))))
  await until(async () => expect((await wholeOf(host)).length).toBeGreaterThan(0))
  await host.done('service', 'deploy', host.file('db.yml', manifest()))
  await until(async () => {
    const all = await host.client.volumeBackups('default')
    expect(all.filter(({ result }) => result === 'running')).toEqual([])
  })
  const last = (await wholeOf(host)).at(-1)
  if (last === undefined) throw new Error('no backup')
  return last
}

/** Does not become much smaller, and is the same each time. */
const large = Buffer.concat(
  Array.from({ length: 4000 }, (_, n) => createHash('sha512').update(String(n)).digest()),
)
const largeOf = (host: Host, service: string): Buffer => readFileSync(join(dataOf(host, service), 'large'))

test('a backup by schedule comes back into its own volume, and into that of another service', async () => {
  const host = openHost()
  await host.startDaemon()
  const to = join(host.dir, 'backups')
  mkdirSync(to)
  const { id, sha256 } = await backedUp(host, to, large)
  const short = (id ?? '').slice(0, 8)
  expect((await host.done('volume', 'backups')).stdout).toContain(short)

  writeFileSync(join(dataOf(host, 'db'), 'large'), 'overwritten')
  const refused = await host.run('volume', 'restore', '--from-backup', short)
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('add --force')])
  expect(largeOf(host, 'db').toString()).toBe('overwritten')
  const own = await host.done('volume', 'restore', '--from-backup', short, '--force')
  expect(own.stdout).toMatch(
    new RegExp(`^db\\.data\\.0 on .* was restored from the backup ${short} .*SHA-256 correct`),
  )
  expect(largeOf(host, 'db').equals(large)).toBe(true)
  await until(() => expect(linesOf(join(dataOf(host, 'db'), 'lines')).length).toBeGreaterThan(1))

  await host.done('service', 'deploy', host.file('copy.yml', manifest()), '--scale', '0')
  const other = await host.done('volume', 'restore', '--from-backup', id ?? '', 'copy.data', '--json')
  expect(JSON.parse(other.stdout)).toMatchObject({ service: 'copy', slot: 0, incomplete: false, sha256 })
  expect(largeOf(host, 'copy').equals(large)).toBe(true)
})

test('a backup by schedule of a volume that the instances of a machine share comes back once they are stopped', async () => {
  const host = openHost()
  await host.startDaemon()
  const to = join(host.dir, 'backups')
  mkdirSync(to)
  const shared = (more = ''): string => manifest(`, scope: service${more}`)
  const deploy = async (name: string, text: string, scale: string): Promise<unknown> =>
    await host.done('service', 'deploy', host.file(`${name}.yml`, text), '--scale', scale)
  const dataIn = (service: string): string => join(host.dataDir, `volumes/default/${service}/data/data`)
  const lines = (service: string): readonly string[] => linesOf(join(dataIn(service), 'lines'))
  await deploy('db', shared(), '2')
  await until(() => expect(lines('db')).toEqual(['begun', 'begun']))
  writeFileSync(join(dataIn('db'), 'large'), large)
  await deploy('db', shared(each(to)), '2')
  await until(async () => expect((await wholeOf(host)).length).toBeGreaterThan(0))
  await deploy('db', shared(), '2')
  const [id = ''] = (await wholeOf(host)).map((backup) => backup.id ?? '')
  writeFileSync(join(dataIn('db'), 'large'), 'overwritten')

  const inUse = await host.run('volume', 'restore', '--from-backup', id, '--force')
  expect([inUse.code, inUse.stderr]).toEqual([1, expect.stringContaining('is in use by')])
  expect(inUse.stderr).toContain('mariposa service stop db')
  expect(readFileSync(join(dataIn('db'), 'large')).toString()).toBe('overwritten')
  await host.done('service', 'stop', 'db')
  await host.done('volume', 'restore', '--from-backup', id, '--force')
  expect(readFileSync(join(dataIn('db'), 'large')).equals(large)).toBe(true)
  const before = lines('db').length
  await host.done('service', 'start', 'db')
  await until(() => expect(lines('db')).toHaveLength(before + 2))

  // Into that of another service, which has to have been made.
  await deploy('copy', shared(), '0')
  const unmade = await host.run('volume', 'restore', '--from-backup', id, 'copy.data')
  expect(unmade.code).toBe(1)
  await host.done('service', 'scale', 'copy', '1')
  await until(() => expect(lines('copy')).toEqual(['begun']))
  await host.done('service', 'scale', 'copy', '0')
  await host.done('volume', 'restore', '--from-backup', id, 'copy.data', '--force')
  expect(readFileSync(join(dataIn('copy'), 'large')).equals(large)).toBe(true)
})

/** A whole archive of something else, as large as another one: what fills it up is left out by zstd. */
function otherOf(size: number): Buffer {
  const archive = execFileSync('tar', ['--create', '--zstd', '--directory', import.meta.dirname, 'host.ts'])
  const head = Buffer.alloc(8)
  head.writeUInt32LE(0x184d2a50, 0)
  head.writeUInt32LE(size - archive.length - head.length, 4)
  return Buffer.concat([archive, head, Buffer.alloc(size - archive.length - head.length)])
}

test('what is not there, is not whole, or is said twice is refused, and nothing is stopped for it', async () => {
  const host = openHost()
  await host.startDaemon()
  const to = join(host.dir, 'backups')
  mkdirSync(to)
  const made = await backedUp(host, to, large)
  const [id, file] = [made.id ?? '', made.to ?? '']
  const before = linesOf(join(dataOf(host, 'db'), 'lines'))
  const refusedAs = async (code: number, words: string, ...args: readonly string[]): Promise<void> => {
    const refused = await host.run('volume', 'restore', ...args)
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([code, '', expect.stringContaining(words)])
  }
  await refusedAs(
    1,
    'there is no complete scheduled backup "0000ffff"',
    '--from-backup',
    '0000ffff',
    'db.data.0',
  )
  await refusedAs(1, 'there is no complete scheduled backup "0000ffff"', '--from-backup', '0000ffff')
  await refusedAs(2, '--from-backup replaces FROM', '--from-backup', id, file, 'db.data.0')
  await refusedAs(2, '--sha256 is of a file', '--from-backup', id, '--sha256', made.sha256 ?? '')
  await refusedAs(2, "missing required argument 'volume'", file)
  writeFileSync(file, otherOf(readFileSync(file).length))
  await refusedAs(1, 'the volume is unchanged', '--from-backup', id, '--force')
  writeFileSync(file, 'short')
  await refusedAs(1, 'has 5 bytes, but', '--from-backup', id, '--force')
  rmSync(file)
  await refusedAs(1, `there is no file ${file} any more`, '--from-backup', id, '--force')
  removeDir(to)
  await refusedAs(1, `there is no directory ${to}`, '--from-backup', id, '--force')
  expect(largeOf(host, 'db').equals(large)).toBe(true)
  // Once, for the archive that was changed: all else is known before.
  await until(() => expect(linesOf(join(dataOf(host, 'db'), 'lines'))).toEqual([...before, 'begun']))
})

async function giveCredentials(
  host: Host,
  server: S3Server,
  secret = account.secretAccessKey,
): Promise<void> {
  const lines = [
    `MARIPOSA_S3_ENDPOINT=${server.url}`,
    `AWS_REGION=${account.region}`,
    `AWS_ACCESS_KEY_ID=${account.accessKeyId}`,
    `AWS_SECRET_ACCESS_KEY=${secret}`,
  ]
  await host.done('meta', 'set', 's3', '--secret', '--file', host.privateFile('s3.env', lines.join('\n')))
}

test('a backup in a store comes back by way of the credentials of now, also after it broke off in the middle', async () => {
  const server = await openS3Server(['vault'])
  try {
    const host = openHost()
    await host.startDaemon()
    await giveCredentials(host, server)
    const { id, to } = await backedUp(host, 's3://vault/db', large)
    const ownAgain = async () => await host.run('volume', 'restore', '--from-backup', id ?? '', '--force')

    await giveCredentials(host, server, 'it-is-wrong')
    const denied = await ownAgain()
    expect([denied.code, denied.stderr]).toEqual([
      1,
      expect.stringContaining('the secret key is not that of the access key'),
    ])
    await giveCredentials(host, server)
    writeFileSync(join(dataOf(host, 'db'), 'large'), 'overwritten')
    let reads = 0
    server.intercept = ({ method, path }) => {
      if (method !== 'GET' || !path.endsWith('.zst')) return null
      reads += 1
      return reads === 2 ? 'half' : null
    }
    const broken = await ownAgain()
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('cannot reach')])
    expect(largeOf(host, 'db').toString()).toBe('overwritten')
    server.intercept = () => null
    expect(await ownAgain()).toMatchObject({ code: 0 })
    expect(largeOf(host, 'db').equals(large)).toBe(true)

    await host.done('service', 'deploy', host.file('copy.yml', manifest()), '--scale', '0')
    await host.done('volume', 'restore', '--from-backup', id ?? '', 'copy.data.0')
    expect(largeOf(host, 'copy').equals(large)).toBe(true)
    server.objects.delete((to ?? '').slice('s3://'.length))
    const gone = await ownAgain()
    expect([gone.code, gone.stderr]).toEqual([
      1,
      expect.stringContaining(`there is no object ${to} any more`),
    ])
  } finally {
    await server.close()
  }
})

test('a backup that stalls in its store leaves the volume as it was, and the instance comes back', async () => {
  const server = await openS3Server(['vault'])
  onTestFinished(server.close)
  const host = openHost()
  await host.startDaemon()
  await giveCredentials(host, server)
  const { id } = await backedUp(host, 's3://vault/db', large)
  const begun = linesOf(join(dataOf(host, 'db'), 'lines')).length
  let reads = 0
  server.intercept = ({ method, path }) =>
    method === 'GET' && path.endsWith('.zst') && ++reads === 2 ? 'stall' : null
  const stalled = await host.run('volume', 'restore', '--from-backup', id ?? '', '--force')
  expect([stalled.code, stalled.stderr]).toEqual([
    1,
    expect.stringMatching(/no data for 60 s|less than 1 MiB in a minute/),
  ])
  expect(largeOf(host, 'db').equals(large)).toBe(true)
  await until(() => expect(linesOf(join(dataOf(host, 'db'), 'lines')).length).toBeGreaterThan(begun))
})

test('a daemon that is killed while a backup comes back leaves the volume as it was, and the next one lets it go', async () => {
  const server = await openS3Server(['vault'])
  try {
    const host = openHost()
    const daemon = await host.startDaemon()
    await giveCredentials(host, server)
    const { id } = await backedUp(host, 's3://vault/db', large)
    writeFileSync(join(dataOf(host, 'db'), 'large'), 'overwritten')
    const before = linesOf(join(dataOf(host, 'db'), 'lines')).length
    let reads = 0
    server.intercept = ({ method, path }) => {
      if (method === 'GET' && path.endsWith('.zst')) reads += 1
      return reads === 2 ? 'hang' : null
    }
    const broken = host.run('volume', 'restore', '--from-backup', id ?? '', '--force')
    await until(() => expect(reads).toBe(2))
    daemon.signal('SIGKILL')
    await daemon.ended
    expect((await broken).code).toBe(1)
    server.intercept = () => null
    await host.startDaemon()
    await until(() => expect(linesOf(join(dataOf(host, 'db'), 'lines')).length).toBeGreaterThan(before))
    expect(largeOf(host, 'db').toString()).toBe('overwritten')
    await host.done('volume', 'restore', '--from-backup', id ?? '', '--force')
    expect(largeOf(host, 'db').equals(large)).toBe(true)
  } finally {
    await server.close()
  }
})
