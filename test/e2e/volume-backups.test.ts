// Backups of volumes that are directories, under the embedded supervisor.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { until } from './cluster.js'
import { useHosts } from './host.js'
import { linesOf } from './named-volumes.js'
import { backsUp, restoresIntoNew } from './volume-backups.js'

const openHost = useHosts()

test('a backup is restored into another service, whose instance is stopped meanwhile and comes back', async () => {
  const host = openHost()
  const dir = join(host.dataDir, 'volumes/default')
  await backsUp(host, 'compute_type: process', async (service) =>
    linesOf(join(dir, service, 'data.0/data/lines')),
  )
})

test('a slot that was held by a daemon which was killed has its instance again, and its data as they were', async () => {
  const host = openHost()
  const daemon = await host.startDaemon()
  const manifest = `compute_type: process
command: [/bin/sh, "-c", "echo begun >> $DIR/lines; exec sleep 1000"]
environment: {DIR: "{{ .volume.data.path }}"}
volumes: ["data:/mnt/data"]
stop: {timeout: 5, preservestopped: "no"}
`
  await host.done('service', 'deploy', host.file('db.yml', manifest))
  const data = join(host.dataDir, 'volumes/default/db/data.0/data')
  await until(() => expect(linesOf(join(data, 'lines'))).toEqual(['begun']))
  // A pipe that nobody writes into: the daemon waits for the rest of the backup.
  execFileSync('mkfifo', [join(host.dir, 'pipe')])
  const restoring = host.start('volume', 'restore', join(host.dir, 'pipe'), 'db.data.0', '--force')
  await until(async () => expect(await host.instances('db')).toEqual([]))
  await until(() => expect(readdirSync(join(data, '..'))).toContain('data.incoming'))
  daemon.signal('SIGKILL')
  await daemon.ended
  await restoring.ended
  mkdirSync(join(data, '../data.incoming'), { recursive: true })
  writeFileSync(join(data, '../data.incoming/half'), '')
  await host.startDaemon()
  await until(() => expect(linesOf(join(data, 'lines'))).toEqual(['begun', 'begun']))
})

test('a backup is restored into slots that have no volume yet, and one that broke off holds its slot until it is whole', async () => {
  const host = openHost()
  const dir = (service: string): string => join(host.dataDir, 'volumes/default', service, 'data.0/data')
  const lines = async (service: string) => linesOf(join(dir(service), 'lines'))
  await restoresIntoNew(host, 'compute_type: process', lines, dir)
})

test('a volume whose restore was ended by an end of the daemon keeps its slot empty, until it is given up', async () => {
  const host = openHost()
  const daemon = await host.startDaemon()
  await host.done('service', 'deploy', host.file('db.yml', withHook('true')), '--scale', '0')
  const data = join(host.dataDir, 'volumes/default/db/data.0/data')
  execFileSync('mkfifo', [join(host.dir, 'pipe')])
  const restoring = host.start('volume', 'restore', join(host.dir, 'pipe'), 'db.data.0')
  await until(() => expect(existsSync(`${data}.incoming`)).toBe(true))
  daemon.signal('SIGKILL')
  await daemon.ended
  await restoring.ended
  await host.startDaemon()
  await host.run('service', 'scale', 'db', '1', '--detach')
  const explained = async () => (await host.done('service', 'explain', 'db')).stdout
  await until(async () => expect(await explained()).toContain('slot 0 waits: its volume data is incomplete'))
  expect(await host.instances('db')).toEqual([])
  await host.done('volume', 'rm', 'db.data.0', '--force')
  await until(() => expect(linesOf(join(data, 'lines'))).toEqual(['begun']))
})

test('what a daemon that was killed has left of a restore goes, also of a volume that no slot has', async () => {
  const host = openHost()
  const daemon = await host.startDaemon()
  const manifest = withHook('true').replace('name: data', 'name: data\n    scope: service')
  await host.done('service', 'deploy', host.file('db.yml', manifest))
  const data = join(host.dataDir, 'volumes/default/db/data/data')
  await until(() => expect(linesOf(join(data, 'lines'))).toEqual(['begun']))
  await host.done('service', 'stop', 'db')
  execFileSync('mkfifo', [join(host.dir, 'pipe')])
  const restoring = host.start('volume', 'restore', join(host.dir, 'pipe'), 'db.data', '--force')
  await until(() => expect(existsSync(`${data}.incoming`)).toBe(true))
  daemon.signal('SIGKILL')
  await daemon.ended
  await restoring.ended
  // As where it was killed between the two steps that put the new data in the place of the old ones.
  renameSync(data, `${data}.before`)
  await host.startDaemon()
  await until(() =>
    expect(
      readdirSync(join(data, '..'))
        .filter((name) => name !== 'users')
        .sort(),
    ).toEqual(['data', 'volume.json']),
  )
  await host.done('service', 'start', 'db')
  await until(() => expect(linesOf(join(data, 'lines'))).toEqual(['begun', 'begun']))
})

test('a copy that the end of the daemon cuts off leaves both volumes as they were, and both instances come back', async () => {
  const host = openHost()
  // What packs waits, so that the daemon ends in the middle.
  const bin = join(host.dir, 'bin')
  mkdirSync(bin)
  const begun = join(host.dir, 'begun')
  const waiting = `case "$*" in *--version* | *-d*) ;; *) touch ${begun}; while [ -e ${begun} ]; do sleep 0.1; done ;; esac`
  writeFileSync(join(bin, 'zstd'), `#!/bin/sh\n${waiting}\nPATH=$OLD_PATH exec zstd "$@"\n`, { mode: 0o755 })
  vi.stubEnv('OLD_PATH', process.env['PATH'])
  vi.stubEnv('PATH', `${bin}:${process.env['PATH'] ?? ''}`)
  try {
    const daemon = await host.startDaemon()
    for (const name of ['db', 'db2', 'db3'])
      await host.done(
        'service',
        'deploy',
        host.file(`${name}.yml`, withHook('true')),
        '--scale',
        name === 'db3' ? '0' : '1',
      )
    const dir = (name: string): string => join(host.dataDir, 'volumes/default', name, 'data.0')
    const lines = (name: string) => linesOf(join(dir(name), 'data/lines'))
    await until(() => expect([lines('db'), lines('db2')]).toEqual([['begun'], ['begun']]))
    writeFileSync(join(dir('db2'), 'data/kept'), 'kept')
    const stopped = ['--consistency', 'stopped']
    const cloning = host.start('volume', 'clone', 'db.data.0', 'db2.data.0', '--force', ...stopped)
    await until(() => expect(existsSync(`${dir('db2')}/data.incoming`)).toBe(true))
    await until(() => expect(existsSync(begun)).toBe(true))
    daemon.signal('SIGKILL')
    await daemon.ended
    expect((await cloning.ended).code).not.toBe(0)
    vi.unstubAllEnvs()
    await host.startDaemon()
    await until(() =>
      expect([lines('db'), lines('db2')]).toEqual([
        ['begun', 'begun'],
        ['begun', 'begun'],
      ]),
    )
    expect(readdirSync(join(dir('db2'), 'data')).sort()).toEqual(['kept', 'lines'])
    for (const name of ['db', 'db2'])
      expect(readdirSync(dir(name)).filter((one) => one.startsWith('data'))).toEqual(['data'])
    await host.done('volume', 'clone', 'db.data.0', 'db3.data', ...stopped)
    expect(lines('db3')).toEqual(['begun', 'begun'])
  } finally {
    vi.unstubAllEnvs()
  }
})

test('a backup without a file to go into, and a restore of what is no file, stop nothing', async () => {
  const host = openHost()
  await host.startDaemon()
  const manifest = `compute_type: process
command: [/bin/sleep, "1000"]
volumes: ["data:/mnt/data"]
`
  await host.done('service', 'deploy', host.file('db.yml', manifest))
  const [before] = await host.instances('db')
  const stopped = ['--consistency', 'stopped']
  for (const to of [join(host.dir, 'no/such/file'), host.dir]) {
    const ended = await host.run('volume', 'backup', 'db.data.0', to, ...stopped)
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(`cannot write ${to}`)])
  }
  const restored = await host.run('volume', 'restore', host.dir, 'db.data.0', '--force')
  expect([restored.code, restored.stderr]).toEqual([2, expect.stringContaining('is a directory')])
  expect((await host.instances('db')).map(({ name }) => name)).toEqual([before?.name])
})

test.each([
  ['SIGTERM', null],
  ['SIGINT', 130],
  ['SIGHUP', null],
] as const)('a backup that is ended by %s leaves no half of a file', async (signal, code) => {
  const host = openHost()
  await host.startDaemon()
  await host.done('service', 'deploy', host.file('db.yml', withHook('touch "$DIR/begun"; exec sleep 1000')))
  const data = join(host.dataDir, 'volumes/default/db/data.0/data')
  const backup = host.start('volume', 'backup', 'db.data.0', join(host.dir, 'out'))
  await until(() => expect(readdirSync(data)).toContain('begun'))
  expect(readdirSync(host.dir)).toContainEqual(expect.stringMatching(/^out\..+\.part$/))
  backup.signal(signal)
  expect((await backup.ended).code).toBe(code)
  expect(readdirSync(host.dir).filter((name) => name.startsWith('out'))).toEqual([])
})

test('two backups to one file at once do not write into each other', async () => {
  const host = openHost()
  await host.startDaemon()
  const waits = 'touch "$DIR/begun"; until [ -e "$DIR/go" ]; do sleep 0.1; done'
  await host.done('service', 'deploy', host.file('db.yml', withHook(waits)))
  await host.done('service', 'deploy', host.file('db2.yml', withHook('true')))
  const data = join(host.dataDir, 'volumes/default/db/data.0/data')
  const out = join(host.dir, 'out')
  const first = host.start('volume', 'backup', 'db.data.0', out)
  await until(() => expect(readdirSync(data)).toContain('begun'))
  await host.done('volume', 'backup', 'db2.data.0', out)
  expect(namesIn(out)).toContain('./lines')
  writeFileSync(join(data, 'go'), '')
  expect((await first.ended).code).toBe(0)
  expect(namesIn(out)).toContain('./go')
  expect(readdirSync(host.dir).filter((name) => name.endsWith('.part'))).toEqual([])
})

test('a backup of what is to stand still fails where another program writes into it', async () => {
  const host = openHost()
  const daemon = await host.startDaemon()
  await host.done('service', 'deploy', host.file('db.yml', withHook('true')))
  const written = join(host.dataDir, 'volumes/default/db/data.0/data/written')
  writeFileSync(written, randomBytes(64 * 1024 * 1024))
  const writing = setInterval(() => appendFileSync(written, 'x'), 5)
  try {
    const out = join(host.dir, 'out')
    const stopped = ['--consistency', 'stopped']
    const { code, stderr } = await host.run('volume', 'backup', 'db.data.0', out, ...stopped)
    expect(code).toBe(1)
    expect(stderr).toContain('was changed or deleted while it was read')
    expect(daemon.saidSoFar()).toContain('was changed or deleted while it was read')
    expect(readdirSync(host.dir).filter((name) => name.startsWith('out'))).toEqual([])
    await host.done('volume', 'backup', 'db.data.0', out, '--consistency', 'live')
  } finally {
    clearInterval(writing)
  }
})

test.each([
  ['deleted with its service', ['service', 'delete', 'db', '--volumes', '--force']],
  ['given other data', ['volume', 'restore', 'FILE', 'db.data.0', '--force']],
])('a live backup of a volume that is %s meanwhile fails, and leaves no file', async (_, words) => {
  const host = openHost()
  // What packs waits, so that the data go while most of them are still to be read.
  const bin = join(host.dir, 'bin')
  mkdirSync(bin)
  const [begun, go] = [join(host.dir, 'begun'), join(host.dir, 'go')]
  const waiting = `case "$*" in *--version* | *-d*) ;; *) touch ${begun}; until [ -e ${go} ]; do sleep 0.05; done ;; esac`
  writeFileSync(join(bin, 'zstd'), `#!/bin/sh\n${waiting}\nPATH=$OLD_PATH exec zstd "$@"\n`, { mode: 0o755 })
  vi.stubEnv('OLD_PATH', process.env['PATH'])
  vi.stubEnv('PATH', `${bin}:${process.env['PATH'] ?? ''}`)
  try {
    await host.startDaemon()
    await host.done('service', 'deploy', host.file('db.yml', withHook('true')))
    const data = join(host.dataDir, 'volumes/default/db/data.0/data')
    for (const name of ['a', 'b']) writeFileSync(join(data, name), randomBytes(4 * 1024 * 1024))
    const other = join(host.dir, 'other.tar.zst')
    execFileSync('tar', ['--zstd', '-cf', other, '-C', bin, '.'], { env: { PATH: process.env['OLD_PATH'] } })
    const backup = host.start('volume', 'backup', 'db.data.0', join(host.dir, 'out'))
    await until(() => expect(existsSync(begun)).toBe(true))
    await host.done(...words.map((word) => (word === 'FILE' ? other : word)))
    await until(() => expect(existsSync(join(data, 'a'))).toBe(false))
    writeFileSync(go, '')
    const ended = await backup.ended
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining('while it was read: the backup')])
    expect(readdirSync(host.dir).filter((name) => name.startsWith('out'))).toEqual([])
  } finally {
    vi.unstubAllEnvs()
  }
})

test('a backup that is asked for by HTTP/1.0, which has nothing behind its end, is refused, and stops nothing', async () => {
  const host = openHost()
  await host.startDaemon()
  await host.done('service', 'deploy', host.file('db.yml', withHook('true')))
  const before = await host.instances('db')
  for (const consistency of ['live', 'stopped', 'paused']) {
    const text = await spoken(
      host.socketPath,
      `POST /v1/volumes/db.data.0/backup?consistency=${consistency} HTTP/1.0\r\n\r\n`,
    )
    expect(text).toMatch(/^HTTP\/1\.[01] 400 /)
    expect(text).toContain('"api/no-trailers"')
  }
  expect((await host.instances('db')).map(({ uuid, state }) => [uuid, state])).toEqual(
    before.map(({ uuid }) => [uuid, 'running']),
  )
  await host.done('volume', 'backup', 'db.data.0', join(host.dir, 'out'), '--consistency', 'stopped')
})

/** What a daemon answers to a request as it is written. */
async function spoken(socketPath: string, asked: string): Promise<string> {
  const socket = createConnection({ path: socketPath })
  socket.end(asked)
  let text = ''
  for await (const chunk of socket.setEncoding('utf8')) text += String(chunk)
  return text
}

/** A program whose volume is only whole once `before_backup` has been run. */
const withHook = (hook: string, more = '') => `compute_type: process
command: [/bin/sh, "-c", "echo begun >> $DIR/lines; exec sleep 1000"]
environment: {DIR: "{{ .volume.data.path }}", DUMPED: "yes"}
volumes:
  - name: data
    path: /mnt/data
    backup: {before_backup: [sh, "-c", ${JSON.stringify(hook)}]${more}}
stop: {timeout: 5, preservestopped: "no"}
`

/** The names of what is in a backup. */
const namesIn = (file: string): readonly string[] =>
  execFileSync('tar', ['--zstd', '-tf', file], { encoding: 'utf8' }).split('\n').sort()

test('what prepares a backup runs inside the instance before it is read, and fails the backup where it fails', async () => {
  const host = openHost()
  await host.startDaemon()
  const data = join(host.dataDir, 'volumes/default/db/data.0/data')
  const file = (name: string): string => join(host.dir, name)
  await host.done('service', 'deploy', host.file('db.yml', withHook('echo "$DUMPED" > "$DIR/dump"')))
  for (const how of ['live', 'stopped']) {
    await host.done('volume', 'backup', 'db.data.0', file(how), '--consistency', how)
    expect(namesIn(file(how))).toContain('./dump')
    rmSync(join(data, 'dump'))
  }
  const failing = withHook('echo one; echo "no such database" >&2; exit 3')
  await host.done('service', 'deploy', host.file('db.yml', failing))
  const [before] = await host.instances('db')
  const failed = await host.run('volume', 'backup', 'db.data.0', file('failed'), '--consistency', 'stopped')
  expect([failed.code, failed.stderr]).toEqual([
    1,
    expect.stringContaining('ended with status 3: one | no such'),
  ])
  expect(readdirSync(host.dir).filter((name) => name.startsWith('failed'))).toEqual([])
  // It was not stopped for that.
  expect((await host.instances('db')).map(({ name }) => name)).toEqual([before?.name])

  const endless = withHook('echo waits; sleep 1000', ', before_backup_timeout: 1')
  await host.done('service', 'deploy', host.file('db.yml', endless))
  const late = await host.run('volume', 'backup', 'db.data.0', file('late'))
  expect([late.code, late.stderr]).toEqual([
    1,
    expect.stringContaining('longer than 1 s and was killed: waits'),
  ])
})

test('a volume that has to be prepared is not backed up while nothing runs that could do it, unless that is left out', async () => {
  const host = openHost()
  await host.startDaemon()
  const file = (name: string): string => join(host.dir, name)
  await host.done('service', 'deploy', host.file('db.yml', withHook('true')))
  await host.done('service', 'stop', 'db')
  const refused = await host.run('volume', 'backup', 'db.data.0', file('refused'))
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--skip-hook')])
  await host.done('volume', 'backup', 'db.data.0', file('given'), '--skip-hook')
  expect(namesIn(file('given'))).toContain('./lines')
})

test('a second backup does not prepare anew what a first one reads, and one that is given up leaves nothing behind', async () => {
  const host = openHost()
  await host.startDaemon()
  const data = join(host.dataDir, 'volumes/default/db/data.0/data')
  const hook = 'echo $$ >> "$DIR/hooks"; test -e "$DIR/go" || exec sleep 1000'
  await host.done('service', 'deploy', host.file('db.yml', withHook(hook)))
  const first = host.start('volume', 'backup', 'db.data.0', join(host.dir, 'first'))
  await until(() => expect(linesOf(join(data, 'hooks'))).toHaveLength(1))
  const second = await host.run('volume', 'backup', 'db.data.0', join(host.dir, 'second'))
  expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('another backup')])
  first.signal('SIGKILL')
  await first.ended
  writeFileSync(join(data, 'go'), '')
  await until(async () => {
    const third = await host.run('volume', 'backup', 'db.data.0', join(host.dir, 'third'))
    expect(third.code).toBe(0)
  })
  const [pid] = linesOf(join(data, 'hooks'))
  expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH')
})
