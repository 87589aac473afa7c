// Volumes that move between machines of a cluster: what was written is there, nobody writes meanwhile, and the old copy is
// gone only once the new one is whole.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { VolumeBody } from '../../src/contract/contract.js'
import { freePort } from '../free-port.js'
import { openProxy } from '../machines/proxy.js'
import { until } from './cluster.js'
import type { Host } from './host.js'
import { linesOf } from './named-volumes.js'
import { idA, idB, usePairs } from './pair.js'

const pairs = usePairs()

/** Says so where another one has not let go of the volume. */
const script =
  'exec 9>"$DIR/lock"; flock -n 9 || echo second >> "$DIR/lines"; echo begun >> "$DIR/lines"; exec sleep 1000'
const manifest = `compute_type: process
command: [/bin/sh, "-c", ${JSON.stringify(script)}]
environment: {DIR: "{{ .volume.data.path }}"}
volumes: ["data:/mnt/data", "more:/mnt/more"]
stop: {timeout: 5, preservestopped: "no"}
`
const volumesIn = ({ dataDir }: Host): readonly string[] => {
  const dir = join(dataDir, 'volumes/default/db')
  return existsSync(dir) ? readdirSync(dir).sort() : []
}
const linesIn = ({ dataDir }: Host, volume: string): readonly string[] =>
  linesOf(join(dataDir, 'volumes/default/db', volume, 'data/lines'))

const listed = async (host: Host): Promise<readonly VolumeBody[]> =>
  JSON.parse((await host.done('volume', 'list', '--json')).stdout) as readonly VolumeBody[]

/** Deploys on the first machine of a pair. */
async function deployed() {
  const pair = await pairs.openWithTls()
  await deployedOn(pair.a)
  return pair
}

async function deployedOn(a: Host): Promise<void> {
  await a.done('machine', 'cordon', idB)
  await a.done('service', 'deploy', a.file('db.yml', manifest))
  await a.done('machine', 'uncordon', idB)
  await until(() => expect(linesIn(a, 'data.0')).toEqual(['begun']))
}

test('a slot moves with all of its volumes, and a drain moves it back', async () => {
  const { a, b } = await deployed()
  mkdirSync(join(a.dataDir, 'volumes/default/db/more.0/data/deep'), { recursive: true })
  writeFileSync(join(a.dataDir, 'volumes/default/db/more.0/data/deep/file'), 'x'.repeat(3_000_000))
  expect((await a.done('volume', 'move', 'db.data.0', idB)).stdout).toContain('is on')
  await until(() => expect(linesIn(b, 'data.0.1')).toEqual(['begun', 'begun']))
  await until(() => expect(volumesIn(a)).toEqual([]))
  expect(existsSync(join(b.dataDir, 'volumes/default/db/more.0.1/data/deep/file'))).toBe(true)
  const now = await listed(a)
  expect(now.map(({ name, machine, state, current }) => [name, machine, state, current])).toEqual([
    ['data', idB, 'in-use', true],
    ['more', idB, 'in-use', true],
  ])

  const held = await a.run('machine', 'drain', idB, '--timeout', '60s')
  expect([held.code, held.stderr]).toEqual([1, expect.stringContaining('--volumes')])
  await a.done('machine', 'drain', idB, '--volumes')
  await until(() => expect(linesIn(a, 'data.0.2')).toEqual(['begun', 'begun', 'begun']))
  await until(() => expect(volumesIn(b)).toEqual([]))
})

test('a move goes on where its link was cut, and after an end of the daemon that it goes to', async () => {
  const { a, b } = pairs.open()
  const ways = [await listening(), await listening()] as const
  const archives = join(a.dir, 'archives')
  await withTar(a, `[ "$1" = --create ] && echo >>'${archives}'`, () => a.startDaemon(...ways[0].args))
  const daemonB = await b.startDaemon(...ways[1].args)
  const link = ways[0].network
  await deployedOn(a)
  writeFileSync(join(a.dataDir, 'volumes/default/db/more.0/data/large'), Buffer.alloc(60_000_000, 'abcdefgh'))
  link.limit(5_000_000)
  const incoming = join(b.dataDir, 'volumes/default/db/more.0.1/data.incoming/data/large')
  const come = (): number => statSync(incoming, { throwIfNoEntry: false })?.size ?? 0
  await a.done('volume', 'move', 'db.data.0', idB, '--detach')
  await until(() => expect(come()).toBeGreaterThan(5_000_000))
  const uuid = (await listed(a)).find(({ name }) => name === 'data')?.uuid ?? ''
  const refused = await a.run('volume', 'rm', uuid, '--force')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('is held for a move')])
  link.cut()
  const before = come()
  link.heal()
  await until(() => expect(come()).toBeGreaterThan(before + 5_000_000))
  // One of each volume: what was sent before was not read again.
  expect(readFileSync(archives, 'utf8')).toBe('\n\n')
  expect(volumesIn(a)).toEqual(['data.0', 'more.0'])
  daemonB.signal('SIGKILL')
  await daemonB.ended
  link.limit(Number.POSITIVE_INFINITY)
  await b.startDaemon(...ways[1].args)
  await until(() => expect(linesIn(b, 'data.0.1')).toEqual(['begun', 'begun']))
  expect(readFileSync(join(b.dataDir, 'volumes/default/db/more.0.1/data/large')).length).toBe(60_000_000)
  await until(() => expect(volumesIn(a)).toEqual([]))
})

test('a move goes on after an end of the daemon that it comes from, which keeps its copy until the other one is whole', async () => {
  const { a, b } = pairs.open()
  const ways = [await listening(), await listening()] as const
  const daemonA = await a.startDaemon(...ways[0].args)
  await b.startDaemon(...ways[1].args)
  await deployedOn(a)
  const large = Buffer.alloc(30_000_000, 'abcdefgh')
  writeFileSync(join(a.dataDir, 'volumes/default/db/more.0/data/large'), large)
  ways[0].network.limit(5_000_000)
  const incoming = join(b.dataDir, 'volumes/default/db/more.0.1/data.incoming/data/large')
  const come = (): number => statSync(incoming, { throwIfNoEntry: false })?.size ?? 0
  await a.done('volume', 'move', 'db.data.0', idB, '--detach')
  await until(() => expect(come()).toBeGreaterThan(5_000_000))
  daemonA.signal('SIGKILL')
  await daemonA.ended
  expect(volumesIn(a)).toEqual(['data.0', 'more.0'])
  expect(linesIn(b, 'data.0.1')).toEqual(['begun'])
  ways[0].network.limit(Number.POSITIVE_INFINITY)
  await a.startDaemon(...ways[0].args)
  await until(() => expect(linesIn(b, 'data.0.1')).toEqual(['begun', 'begun']))
  expect(readFileSync(join(b.dataDir, 'volumes/default/db/more.0.1/data/large')).equals(large)).toBe(true)
  await until(() => expect(volumesIn(a)).toEqual([]))
})

test('a move ends also where its machine takes longer to send anything than is waited for at first', async () => {
  const { a, b } = pairs.open()
  const ways = [await listening(), await listening()] as const
  await withTar(a, '[ "$1" = --create ] && sleep 40', () => a.startDaemon(...ways[0].args))
  await b.startDaemon(...ways[1].args)
  await deployedOn(a)
  await a.done('volume', 'move', 'db.data.0', idB)
  await until(() => expect(linesIn(b, 'data.0.1')).toEqual(['begun', 'begun']))
}, 400_000)

test('a move that is ended leaves all as it was', async () => {
  const { a, daemonB } = await deployed()
  daemonB.signal('SIGKILL')
  await daemonB.ended
  await a.done('volume', 'move', 'db.data.0', idB, '--detach')
  await until(async () => expect(await a.instances('db')).toEqual([]))
  await a.done('volume', 'move', 'db.data.0', '--cancel')
  await until(() => expect(linesIn(a, 'data.0')).toEqual(['begun', 'begun']))
})

test('a move is ended also while the daemon is away that it comes from', async () => {
  const { a, b } = pairs.open()
  const ways = [await listening(), await listening()] as const
  const daemonA = await a.startDaemon(...ways[0].args)
  await b.startDaemon(...ways[1].args)
  await deployedOn(a)
  writeFileSync(join(a.dataDir, 'volumes/default/db/more.0/data/large'), Buffer.alloc(60_000_000, 'abcdefgh'))
  ways[0].network.limit(5_000_000)
  await b.done('volume', 'move', 'db.data.0', idB, '--detach')
  await until(() => expect(volumesIn(b)).toContain('data.0.1'))
  daemonA.signal('SIGKILL')
  await daemonA.ended
  expect((await b.done('volume', 'move', 'db.data.0', '--cancel')).stdout).toContain('stays on')
  await until(() => expect(volumesIn(b)).toEqual([]))
  await a.startDaemon(...ways[0].args)
  await until(() => expect(linesIn(a, 'data.0')).toEqual(['begun', 'begun']))
})

test('what is sent ends with the move also where who took it is out of reach, and the instance comes back', async () => {
  const { a, b } = pairs.open()
  const ways = [await listening(), await listening()] as const
  await a.startDaemon(...ways[0].args)
  await b.startDaemon(...ways[1].args)
  await deployedOn(a)
  writeFileSync(
    join(a.dataDir, 'volumes/default/db/more.0/data/large'),
    Buffer.alloc(100_000_000, 'abcdefgh'),
  )
  const { network } = ways[0]
  network.limit(2_000_000)
  const incoming = join(b.dataDir, 'volumes/default/db/more.0.1/data.incoming/data/large')
  await a.done('volume', 'move', 'db.data.0', idB, '--detach')
  await until(() =>
    expect(statSync(incoming, { throwIfNoEntry: false })?.size ?? 0).toBeGreaterThan(1_000_000),
  )
  expect(packing(a)).toHaveLength(1)
  network.silence()
  await a.done('volume', 'move', 'db.data.0', '--cancel')
  await until(() => expect(linesIn(a, 'data.0')).toEqual(['begun', 'begun']))
  await until(() => expect(packing(a)).toEqual([]))
  await until(() => expect(volumesIn(b)).toEqual([]))
})

/** The programs that make archives of what a daemon keeps. */
const packing = ({ dataDir }: Host): readonly string[] =>
  readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      return words[1] === '--create' && words.some((word) => word.startsWith(`--directory=${dataDir}/`))
    } catch {
      // It has ended meanwhile.
      return false
    }
  })

test('a copy whose move was ended while the daemon was away that it goes to is deleted there', async () => {
  const { a, b } = pairs.open()
  const ways = [await listening(), await listening()] as const
  await a.startDaemon(...ways[0].args)
  const daemonB = await b.startDaemon(...ways[1].args)
  await deployedOn(a)
  writeFileSync(join(a.dataDir, 'volumes/default/db/more.0/data/large'), Buffer.alloc(60_000_000, 'abcdefgh'))
  ways[0].network.limit(5_000_000)
  await a.done('volume', 'move', 'db.data.0', idB, '--detach')
  // One of the two is whole there.
  await until(() => expect(volumesIn(b)).toEqual(['data.0.1', 'more.0.1']))
  daemonB.signal('SIGKILL')
  await daemonB.ended
  await a.done('volume', 'move', 'db.data.0', '--cancel')
  await b.startDaemon(...ways[1].args)
  await until(() => expect(volumesIn(b)).toEqual([]))
  await until(() => expect(linesIn(a, 'data.0')).toEqual(['begun', 'begun']))
})

const pinned = manifest.replace('stop:', 'affinity: "machine.role==db"\nstop:')

test('a drain moves what can move, waits for a restore, and names what stays', async () => {
  const { a, b } = pairs.open()
  const ways = [await listening(), await listening()] as const
  await a.startDaemon(...ways[0].args, '--metadata', 'role=db')
  await b.startDaemon(...ways[1].args)
  await a.done('service', 'deploy', a.file('alone.yml', pinned))
  await deployedOn(a)
  execFileSync('mkfifo', [join(a.dir, 'pipe')])
  // A pipe into which nothing is written yet.
  const restore = a.start('volume', 'restore', join(a.dir, 'pipe'), 'db.data.0', '--force')
  await until(async () => expect(await a.instances('db')).toEqual([]))
  const drain = a.start('machine', 'drain', idA, '--volumes')
  await drain.said('held for a restore')
  writeFileSync(join(a.dir, 'pipe'), 'no backup')
  await restore.ended
  const { code, stderr } = await drain.ended
  expect([code, stderr]).toEqual([1, expect.stringContaining('slot 0 of alone cannot be moved')])
  await until(() => expect(volumesIn(b)).toEqual(['data.0.1', 'more.0.1']))
})

/** What the store of the pair that was opened last says of volumes now; returns the way to have it say that again. */
function volumeRecords(): () => void {
  const answer = pairs.etcd().ctl('get', '/pairs/', '--prefix', '-w', 'json')
  const { kvs } = JSON.parse(answer) as { readonly kvs: readonly { key: string; value: string }[] }
  const records = kvs
    .map((one) => [one.key, one.value].map((text) => Buffer.from(text, 'base64').toString()))
    .filter(([key = '']) => key.includes('/volumes/'))
  return () => {
    for (const [key = '', value = ''] of records) pairs.etcd().ctl('put', key, value)
  }
}

test('a slot does not begin with nothing where a move took its data away that the restored store knows nothing of', async () => {
  const { a, b } = await deployed()
  const restoreRecords = volumeRecords()
  await a.done('volume', 'move', 'db.data.0', idB)
  await until(() => expect(linesIn(b, 'data.0.1')).toEqual(['begun', 'begun']))
  await until(() => expect(volumesIn(a)).toEqual([]))
  await a.done('service', 'stop', 'db')
  restoreRecords()
  const starting = a.start('service', 'start', 'db')
  await until(async () => {
    const { stdout } = await a.done('service', 'explain', 'db')
    expect(stdout).toContain('and the store was restored to a time before that')
  })
  expect(volumesIn(a)).toEqual([])

  for (const { uuid, name, state } of (await listed(a)).filter(({ machine }) => machine === idB)) {
    expect(state).toBe('unused')
    const file = join(a.dir, `${name}.tar`)
    await a.done('volume', 'backup', uuid, file)
    await a.done('volume', 'restore', file, `db.${name}.0`, '--force')
  }
  await until(() => expect(linesIn(a, 'data.0')).toEqual(['begun', 'begun', 'begun']))
  await starting.ended
})

/** What is started has this done, on its host, before each run of tar. */
async function withTar(host: Host, before: string, start: () => Promise<unknown>): Promise<void> {
  const bin = join(host.dir, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'tar'), `#!/bin/sh\n${before}\nPATH=\${PATH#*:} exec tar "$@"\n`, { mode: 0o755 })
  const path = process.env['PATH'] ?? ''
  process.env['PATH'] = `${bin}:${path}`
  try {
    await start()
  } finally {
    process.env['PATH'] = path
  }
}

/** How a daemon listens whose way to the others can fail. */
async function listening() {
  const port = await freePort()
  const network = await openProxy(port)
  onTestFinished(() => network.close())
  const args = [
    '--insecure-listen',
    '--listen',
    `tcp://127.0.0.1:${port}`,
    '--advertise',
    `http://${network.address}`,
  ]
  return { args, network }
}

test.runIf(process.geteuid?.() === 0)(
  'a device that a volume has does not move to a machine whose policy lets nothing run as root',
  async () => {
    const { a, b } = pairs.open()
    const ways = [await listening(), await listening()] as const
    await a.startDaemon(...ways[0].args)
    const config = b.file('daemon.yml', 'policy: {root: false}\n')
    await b.startDaemon(...ways[1].args, '--config', config)
    await deployedOn(a)
    execFileSync('mknod', [join(a.dataDir, 'volumes/default/db/more.0/data/memory'), 'c', '1', '1'])
    const refused = await a.run('volume', 'move', 'db.data.0', idB)
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('memory in the archive is a device'),
    ])
    await until(() => expect(linesIn(a, 'data.0')).toEqual(['begun', 'begun']))
    expect(volumesIn(a)).toEqual(['data.0', 'more.0'])
    await until(() => expect(volumesIn(b)).toEqual([]))
  },
)
