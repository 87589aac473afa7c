// Backups of volumes in an S3-like store, by the real command line and daemon.
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useProgram } from '../cli/program.js'
import { account, openS3Server, type S3Server } from '../s3/server.js'
import { until } from './cluster.js'
import { type Host, hostsOf } from './host.js'
import { linesOf } from './named-volumes.js'

let server: S3Server
let more: Readonly<Record<string, string>> = {}
const openHost = hostsOf(useProgram(), () => ({
  driver: 'process',
  env: {
    MARIPOSA_S3_ENDPOINT: server.url,
    AWS_REGION: account.region,
    AWS_ACCESS_KEY_ID: account.accessKeyId,
    AWS_SECRET_ACCESS_KEY: account.secretAccessKey,
    ...more,
  },
  makeDir: () => {
    const dir = mkdtempSync(join(tmpdir(), 'mariposa-e2e-'))
    return { inside: dir, outside: dir }
  },
}))

beforeEach(async () => {
  server = await openS3Server(['vault'])
  more = {}
})
afterEach(async () => await server.close())

const manifest = (hook = '') => `compute_type: process
command: [/bin/sh, "-c", "echo begun >> $DIR/lines; exec sleep 1000"]
environment: {DIR: "{{ .volume.data.path }}"}
volumes: [{name: data, path: /mnt/data${hook}}]
stop: {timeout: 5, preservestopped: "no"}
`
const url = 's3://vault/backups/db 1.tar.zst'
const object = 'vault/backups/db 1.tar.zst'

async function deployed(host: Host, name: string, hook?: string): Promise<string> {
  await host.done('service', 'deploy', host.file(`${name}.yml`, manifest(hook)))
  const data = join(host.dataDir, 'volumes/default', name, 'data.0/data')
  await until(() => expect(linesOf(join(data, 'lines'))).toEqual(['begun']))
  return data
}

test('a backup in a store is restored into another service, and not where it was changed since', async () => {
  const host = openHost()
  await host.startDaemon()
  await deployed(host, 'db')
  const other = await deployed(host, 'db2')
  const backup = JSON.parse((await host.done('volume', 'backup', 'db.data.0', url, '--json')).stdout) as {
    readonly to: string
    readonly sha256: string
    readonly bytes: number
  }
  const stored = server.objects.get(object) ?? Buffer.of()
  const sum = createHash('sha256').update(stored).digest('hex')
  expect(backup).toMatchObject({ to: url, sha256: sum, bytes: stored.length })
  expect(server.objects.get(`${object}.sha256`)?.toString()).toMatch(
    new RegExp(`^${sum}  db 1\\.tar\\.zst\\n# ETag [0-9a-f]{32}-1\\n$`),
  )
  expect(server.uploads.size).toBe(0)

  writeFileSync(join(other, 'own'), 'x')
  const restored = await host.done('volume', 'restore', url, 'db2.data.0', '--force')
  expect(restored.stdout).toContain('SHA-256 correct')
  await until(() => expect(linesOf(join(other, 'lines'))).toEqual(['begun', 'begun']))
  expect(() => readFileSync(join(other, 'own'))).toThrow('ENOENT')

  // Whole for zstd and tar, and another one than was written: only the checksum tells.
  await host.done('volume', 'backup', 'db2.data.0', 's3://vault/other')
  server.objects.set(object, server.objects.get('vault/other') ?? Buffer.of())
  const refused = await host.run('volume', 'restore', url, 'db2.data.0', '--force', '--sha256', sum, '--json')
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('volume/bad-checksum')])
  server.objects.set(`${object}.sha256`, Buffer.from(`${sum}  db 1.tar.zst\n`))
  const plain = await host.run('volume', 'restore', url, 'db2.data.0', '--force', '--json')
  expect([plain.code, plain.stdout]).toEqual([1, expect.stringContaining('volume/bad-checksum')])

  server.objects.set(`${object}.sha256`, Buffer.from(`${sum}  db 1.tar.zst\n# ETag another-1\n`))
  const foreign = await host.done('volume', 'restore', url, 'db2.data.0', '--force')
  expect(foreign.stdout).not.toContain('SHA-256')
  expect(foreign.stderr).toContain(`belongs to an earlier object and was not compared`)

  const file = host.file('db.tar.zst', '')
  writeFileSync(`${file}.sha256`, '')
  server.objects.set(`${object}.sha256`, Buffer.from(''))
  for (const from of [url, file]) {
    const unreadable = await host.run('volume', 'restore', from, 'db2.data.0', '--force', '--json')
    expect([unreadable.code, unreadable.stdout]).toEqual([
      1,
      expect.stringContaining('volume/unreadable-checksum'),
    ])
  }
})

test('what cannot be stored or read stops no instance, and says why', async () => {
  more = { AWS_SECRET_ACCESS_KEY: 'wrong' }
  const wrong = openHost()
  await wrong.startDaemon()
  const lines = join(await deployed(wrong, 'db'), 'lines')
  const refused = async (host: Host, code: number, error: string, ...args: readonly string[]) => {
    const ended = await host.run(...args, '--json')
    expect([ended.code, ended.stdout]).toEqual([
      code,
      expect.stringMatching(new RegExp(`"code": ?"${error}"`)),
    ])
    expect(ended.stdout + ended.stderr).not.toContain(account.secretAccessKey)
    expect(linesOf(lines)).toEqual(['begun'])
  }
  const stopped = ['--consistency', 'stopped']
  await refused(wrong, 1, 's3/denied', 'volume', 'backup', 'db.data.0', url, ...stopped)
  await refused(wrong, 1, 's3/denied', 'volume', 'restore', url, 'db.data.0', '--force')

  more = { MARIPOSA_ENDPOINT: wrong.endpoint }
  const none = { AWS_ACCESS_KEY_ID: '' }
  const nowhere = { MARIPOSA_S3_ENDPOINT: 'http://127.0.0.1:1' }
  await refused(wrong, 2, 'cli/usage', 'volume', 'backup', 'db.data.0', 's3://vault', ...stopped)
  for (const [env, code, error, at] of [
    [{}, 1, 's3/no-bucket', 's3://other/db'],
    [{}, 1, 's3/no-object', 's3://vault/nothing'],
    [none, 2, 'cli/usage', url],
    [nowhere, 1, 's3/unreachable', url],
  ] as const) {
    more = env
    const host = asAnother(wrong)
    if (error !== 's3/no-object')
      await refused(host, code, error, 'volume', 'backup', 'db.data.0', at, ...stopped)
    await refused(host, code, error, 'volume', 'restore', at, 'db.data.0', '--force')
  }
  expect([server.objects.size, server.uploads.size]).toEqual([0, 0])
})

/** The daemon of a host, asked with the environment of now. */
function asAnother({ endpoint }: Host): Host {
  const host = openHost()
  return { ...host, run: (...args) => host.run('--endpoint', endpoint, ...args) }
}

test.each([
  ['SIGTERM', null],
  ['SIGINT', 130],
  ['SIGHUP', null],
] as const)('a backup that is ended by %s leaves nothing in the store', async (signal, code) => {
  const host = openHost()
  await host.startDaemon()
  const hook = ', backup: {before_backup: [sh, "-c", "touch $DIR/prepared; exec sleep 1000"]}'
  const data = await deployed(host, 'db', hook)
  const backup = host.start('volume', 'backup', 'db.data.0', url)
  await until(() => expect(readFileSync(join(data, 'prepared'), 'utf8')).toBe(''))
  expect(server.uploads.size).toBe(1)
  backup.signal(signal)
  expect((await backup.ended).code).toBe(code)
  expect([server.objects.size, server.uploads.size]).toEqual([0, 0])
})

test('a store that breaks off leaves no object of a backup, and a volume as it was of a restore', async () => {
  const host = openHost()
  await host.startDaemon()
  const data = await deployed(host, 'db')
  server.intercept = ({ query }) =>
    query.has('partNumber') ? { status: 507, body: '<Error><Code>XMinioStorageFull</Code></Error>' } : null
  const full = await host.run('volume', 'backup', 'db.data.0', url)
  expect([full.code, full.stderr]).toEqual([1, expect.stringContaining('507 (XMinioStorageFull)')])
  expect([server.objects.size, server.uploads.size]).toEqual([0, 0])

  server.intercept = () => null
  await host.done('volume', 'backup', 'db.data.0', url)
  server.intercept = ({ method, path }) => (method === 'GET' && path.endsWith('zst') ? 'half' : null)
  const broken = await host.run('volume', 'restore', url, 'db.data.0', '--force')
  expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining(`cannot reach ${server.url}`)])
  // Its instance was stopped for it, and is back.
  await until(() => expect(linesOf(join(data, 'lines'))).toEqual(['begun', 'begun']))

  // As whole as its length says, and still not all.
  const stored = server.objects.get(object) ?? Buffer.of()
  server.intercept = ({ method, path }) =>
    method === 'GET' && path.endsWith('zst') ? { status: 200, body: stored.subarray(0, -20) } : null
  const short = await host.run('volume', 'restore', url, 'db.data.0', '--force', '--json')
  expect([short.code, short.stdout]).toEqual([1, expect.stringMatching(/volume\/bad-(archive|checksum)/)])
  await until(() => expect(linesOf(join(data, 'lines'))).toEqual(['begun', 'begun', 'begun']))
})
