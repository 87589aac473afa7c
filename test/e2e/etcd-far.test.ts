// A daemon whose etcd is far away and full: 50 MB of records as clusters have them.
import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openEtcdStore } from '../../src/store/io/etcd/etcd.js'
import { putOf } from '../../src/store/records.js'
import type { Entry, Op } from '../../src/store/store.js'
import { unitHash } from '../../src/unit/print.js'
import { useProgram } from '../cli/program.js'
import { type EtcdHost, startEtcd } from '../machines/etcd-host.js'
import { type Network, openProxy } from '../machines/proxy.js'
import { idleManifest } from './cluster.js'
import { type Host, hostsOf } from './host.js'

const newHost = hostsOf(useProgram(), () => ({
  driver: 'process',
  env: {},
  makeDir: () => {
    const dir = mkdtempSync(join(tmpdir(), 'mariposa-far-'))
    return { inside: dir, outside: dir }
  },
}))
const ending: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

const storeBytes = 50 * 1000 ** 2
/** Instances of the service that is copied until the store is as large; each copy is on a machine of its own. */
const instances = 100
/** Some renewals of the leases of the leader (each 3 s) and of the machine (each 10 s). */
const followedMs = 20_000

test('is ready, deploys and keeps its leases, however far the store is and however much is in it', async () => {
  const etcd = await startEtcd()
  ending.push(() => etcd.stop())
  const { records, bytes } = await fill(etcd)
  console.log(`${records} records, ${(bytes / 1000 ** 2).toFixed(1)} MB`)
  const network = await openProxy(etcd.members[0]?.port ?? 0)
  ending.push(() => network.close())
  for (const [delayMs, mbitPerSecond] of [
    [100, null],
    [100, 100],
    [400, 100],
  ] as const) {
    network.delay(delayMs)
    network.limit(mbitPerSecond === null ? Number.POSITIVE_INFINITY : (mbitPerSecond * 1000 ** 2) / 8)
    const times = await visit(network)
    const wide = mbitPerSecond === null ? 'as wide as it can be' : `${mbitPerSecond} Mbit/s`
    console.log(`${delayMs} ms each way, ${wide}: ${times}`)
  }
}, 1_200_000)

/** A daemon at the other end: starts, deploys, is followed for a while, removes what it deployed, and ends. */
async function visit(network: Network): Promise<string> {
  const host = newHost()
  const measured: string[] = []
  const timed = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const begun = performance.now()
    await work()
    measured.push(`${what} ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  }
  let daemon: Awaited<ReturnType<Host['startDaemon']>> | undefined
  await timed('ready', async () => {
    daemon = await host.startDaemon('--store', `etcd://${network.address}`)
  })
  await timed('deploy', () =>
    host.done('service', 'deploy', host.file('idle.yml', idleManifest()), '--scale', '2'),
  )
  await new Promise((resolve) => setTimeout(resolve, followedMs))
  await timed('update', () => host.done('service', 'deploy', host.file('idle.yml', idleManifest('2'))))
  await timed('list', () => host.instances('idle'))
  await timed('delete', () => host.done('service', 'delete', 'idle', '--force'))
  await timed('stop', async () => {
    daemon?.signal('SIGTERM')
    await daemon?.ended
  })
  const said = daemon?.saidSoFar() ?? ''
  expect(said).toContain('loading records')
  expect(said.match(/became leader epoch/g), said).toHaveLength(1)
  expect(said).not.toMatch(/store unreachable|reachable again|lease expired|lost leadership|cannot/)
  return measured.join(', ')
}

/** Has a real daemon deploy a service, and copies what that wrote under other names, each copy on another machine. */
async function fill(etcd: EtcdHost): Promise<{ readonly records: number; readonly bytes: number }> {
  const store = openEtcdStore(etcd.options)
  ending.push(() => store.close())
  const host = newHost()
  const daemon = await host.startDaemon('--store', `etcd://${etcd.members[0]?.address}`)
  await host.done('service', 'deploy', host.file('sample.yml', idleManifest()), '--scale', String(instances))
  const { entries } = await store.range('')
  await host.done('service', 'delete', 'sample', '--force')
  daemon.signal('SIGTERM')
  await daemon.ended
  await store.txn([], [{ op: 'delete-prefix', prefix: '' }])
  const sample = entries.filter(({ key }) => !/^(leader|claims\/|cluster$|outbox$|projects\/)/.test(key))
  const own = entries.filter(({ key }) => /^projects\//.test(key))
  await store.txn([], own.map(putAgain))
  let [records, bytes] = [0, 0]
  for (let n = 0; bytes < storeBytes; n++) {
    const ops = copyOf(sample, n)
    for (let from = 0; from < ops.length; from += 125) await store.txn([], ops.slice(from, from + 125))
    records += ops.length
    for (const op of ops) if (op.op === 'put') bytes += op.key.length + op.value.length
  }
  return { records, bytes }
}

/** Records of a service and its machine under other names. Nothing else is placed on that machine. */
function copyOf(sample: readonly Entry[], n: number): readonly Op[] {
  const machine = sample.find(({ key }) => key.startsWith('machines/'))?.key.slice('machines/'.length) ?? ''
  const id = createHash('md5').update(String(n)).digest('hex')
  const named = new Map([
    ['sample', `copy-${String(n).padStart(4, '0')}`],
    [machine, id],
    [machine.slice(0, 8), id.slice(0, 8)],
  ])
  const rename = (text: string): string =>
    text.replaceAll(words, (word) => {
      if (uuid.test(word) && !named.has(word)) named.set(word, randomUUID())
      return named.get(word) ?? word
    })
  const words = new RegExp(`${uuid.source}|sample|${machine}|\\b${machine.slice(0, 8)}\\b`, 'g')
  // The name of a text is its hash.
  for (const { key, value } of sample) {
    if (!key.startsWith('files/')) continue
    const { text } = JSON.parse(value) as { text: string }
    named.set(key.slice('files/'.length), unitHash(rename(text)))
  }
  const hashes = [...named].filter(([word]) => /^[0-9a-f]{40}$/.test(word))
  const withHashes = (text: string): string =>
    hashes.reduce((renamed, [before, after]) => renamed.replaceAll(before, after), rename(text))
  return [
    ...sample.map(({ key, value }) => putAgain({ key: withHashes(key), value: withHashes(value) })),
    putOf('order', { id, cordoned: true } as never),
  ]
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/

function putAgain({ key, value }: Pick<Entry, 'key' | 'value'>): Op {
  return { op: 'put', key, value }
}
