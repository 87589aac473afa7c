// What the etcd store makes of a bad network and a bad etcd: no acknowledged write is lost, no change is missed or told
// twice, leases are kept or their loss is told, and the log has a line per change of state.
import { afterEach, describe, expect, test } from 'vitest'
import { compactEtcd, type EtcdStoreOptions, openEtcdStore } from '../../src/store/io/etcd/etcd.js'
import { type Mirror, openMirror } from '../../src/store/io/mirror.js'
import { type ChangeBatch, LeaseEndedError, type Store } from '../../src/store/store.js'
import { type EtcdHost, type EtcdHostOptions, startEtcd } from '../machines/etcd-host.js'
import { type Network, openProxy } from '../machines/proxy.js'

const ending: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

describe('a store whose etcd', () => {
  test('is cut off for 3 s misses nothing', async () => {
    const scene = await openScene()
    await scene.busy(async ([proxy]) => {
      proxy.cut()
      await seconds(3)
      proxy.heal()
    })
    // Without a write under way at that moment all of them may have waited for the new connection.
    expect([[], ['away', 'back']]).toContainEqual(scene.states)
    expect(await scene.lease()).toBe('kept')
  })

  test('has gone without a word is found again on a new connection', async () => {
    const scene = await openScene()
    await scene.busy(async ([proxy]) => {
      proxy.silence()
      await seconds(4)
      proxy.heal()
    })
    expect(scene.states.slice(0, 2)).toEqual(['away', 'back'])
    expect(await scene.lease()).toBe('kept')
  })

  test('has gone without a word while nobody writes is noticed by its watch', async () => {
    const scene = await openScene()
    const [proxy] = scene.proxies
    proxy.silence()
    proxy.heal()
    const { revision } = await scene.direct.txn([], [{ op: 'put', key: 'quiet', value: '1' }])
    await scene.mirror.caughtUp(revision)
    await scene.agrees()
  })

  test('answers as soon as this process lets it is not away, however long that was busy', async () => {
    const etcd = await startEtcd()
    ending.push(() => etcd.stop())
    const told: string[] = []
    const onAway = (reason: string): unknown => told.push(reason)
    const store = openEtcdStore({ ...etcd.options, requestTimeoutMs: 500, onAway })
    ending.push(() => store.close())
    const lease = await store.grant(10_000)
    const [member] = etcd.members
    member?.freeze()
    const asked = [
      store.get('k'),
      store.keepAlive(lease),
      store.txn([], [{ op: 'put', key: 'k', value: '1' }]),
    ]
    await seconds(0.1)
    // Nothing is sent or read for four times as long as an answer is waited for.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000)
    member?.thaw()
    await Promise.all(asked)
    expect(told).toEqual([])
  })

  test('is killed and started again has all that it had acknowledged', async () => {
    const scene = await openScene()
    await scene.busy(async (_proxies, etcd) => {
      await etcd.members[0]?.kill()
      await seconds(1)
      etcd.members[0]?.start()
    })
    // A write that was not under way at that moment may have waited for the new one.
    expect([[], ['away', 'back']]).toContainEqual(scene.states)
    expect(await scene.lease()).toBe('kept')
  })

  test('has forgotten what happened meanwhile is listed again', async () => {
    const scene = await openScene()
    const [proxy] = scene.proxies
    await scene.writes(10)
    proxy.cut()
    for (let i = 0; i < 20; i++) await scene.direct.txn([], [{ op: 'put', key: `x${i}`, value: 'away' }])
    await scene.direct.txn([], [{ op: 'delete', key: 'x0' }])
    await compactEtcd(scene.etcd.options, (await scene.direct.range('')).revision)
    proxy.heal()
    await scene.writes(10)
    await scene.caughtUp()
    expect(contentOf(scene.mirror)).toEqual((await scene.direct.range('')).entries)
    expect(scene.errors).toEqual([])
  })

  test('answers 200 ms late works as ever', async () => {
    const scene = await openScene()
    await scene.busy(async ([proxy]) => {
      proxy.delay(200)
      await seconds(3)
      proxy.delay(0)
    })
    expect(scene.states).toEqual([])
    expect(await scene.lease()).toBe('kept')
  })

  test('loses one member of three, whichever it is, goes on with the others', async () => {
    const scene = await openScene({ members: 3 })
    for (const member of scene.etcd.members) {
      await scene.busy(async () => {
        await member.kill()
        await seconds(4)
        member.start()
        await seconds(1)
      })
    }
    expect(await scene.lease()).toBe('kept')
  })

  test('has a member that is frozen, leader or not, turns to another', async () => {
    const scene = await openScene({ members: 3 })
    for (const member of scene.etcd.members) {
      await scene.busy(async () => {
        member.freeze()
        await seconds(5)
        member.thaw()
      })
    }
    expect(await scene.lease()).toBe('kept')
  })

  test('is away for longer than a lease tells of its end, and only then', async () => {
    const scene = await openScene({}, { requestTimeoutMs: 1000 })
    const [proxy] = scene.proxies
    const lease = await scene.store.grant(2000)
    await scene.store.txn([], [{ op: 'put', key: 'mine', value: '', lease }])
    proxy.cut()
    await expect(scene.store.keepAlive(lease)).rejects.toMatchObject({ code: 'store/unreachable' })
    await untilGone(scene.direct, 'mine')
    await expect(scene.store.keepAlive(lease)).rejects.toMatchObject({ code: 'store/unreachable' })
    proxy.heal()
    await scene.writes(1)
    await expect(scene.store.keepAlive(lease)).rejects.toThrow(LeaseEndedError)
    await scene.agrees()
  })

  test('was replaced by another says so in place of answering with strange data', async () => {
    const [first, second] = [await startEtcd(), await startEtcd()]
    ending.push(() => first.stop())
    ending.push(() => second.stop())
    // Away at first: of two that are there, whichever is connected sooner is asked.
    await second.members[0]?.kill()
    const store = openEtcdStore({
      ...first.options,
      endpoints: [...first.options.endpoints, ...second.options.endpoints],
    })
    ending.push(() => store.close())
    await store.txn([], [{ op: 'put', key: 'a', value: '1' }])
    const { revision } = await store.range('')
    const watched = store.watch('', revision, new AbortController().signal)[Symbol.asyncIterator]().next()
    const refused = expect(watched).rejects.toMatchObject({ code: 'store/replaced' })
    second.members[0]?.start()
    await second.answers()
    await first.members[0]?.kill()
    await refused
    await expect(store.range('')).rejects.toMatchObject({ code: 'store/replaced' })
  })
})

describe('a store that must prove who it is', () => {
  test('speaks TLS with a certificate of its own, logs in, and is let in again after its token is lost', async () => {
    const etcd = await startEtcd({ tls: true, login: { name: 'mariposa', password: 's3cret' } })
    ending.push(() => etcd.stop())
    const store = openEtcdStore(etcd.options)
    ending.push(() => store.close())
    const { revision } = await store.txn([], [{ op: 'put', key: 'a', value: '1' }])
    const mirror = openMirror(store, '', { onError: () => {} })
    ending.push(() => mirror.close())
    await mirror.caughtUp(revision)
    const lease = await store.grant(10_000)
    // A token lives in the memory of etcd.
    await etcd.members[0]?.kill()
    etcd.members[0]?.start()
    await etcd.answers()
    await store.keepAlive(lease)
    const again = await store.txn([], [{ op: 'put', key: 'a', value: '2', lease }])
    await mirror.caughtUp(again.revision)
    expect(mirror.entries.get('a')?.value).toBe('2')
  })

  test('is told when its password, its rights or its certificate are wrong', async () => {
    const etcd = await startEtcd({ tls: true, login: { name: 'mariposa', password: 's3cret' } })
    ending.push(() => etcd.stop())
    const tell = async (options: Partial<EtcdStoreOptions>): Promise<string> => {
      const store = openEtcdStore({ ...etcd.options, requestTimeoutMs: 1000, ...options })
      try {
        return await store.range('').then(
          () => 'let in',
          (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
        )
      } finally {
        await store.close()
      }
    }
    expect(await tell({})).toBe('let in')
    expect(await tell({ login: { name: 'mariposa', password: 'wrong' } })).toContain('store/denied: ')
    expect(await tell({ login: null })).toContain('store/denied: ')
    expect(await tell({ prefix: '/elsewhere/' })).toContain('store/denied: ')
    expect(await tell({ tls: null })).toContain('store/unreachable: ')
    const { authority } = etcd.options.tls ?? { authority: null }
    expect(await tell({ tls: { authority, certificate: null, key: null } })).toContain('store/unreachable: ')
  })
})

interface Scene {
  readonly etcd: EtcdHost
  readonly proxies: readonly [Network, ...Network[]]
  /** Reaches etcd through the proxies. */
  readonly store: Store
  /** Reaches etcd itself. */
  readonly direct: Store
  /** Of `store`. */
  readonly mirror: Mirror
  readonly errors: readonly unknown[]
  /** What was told of etcd's coming and going. */
  readonly states: readonly string[]
  /** Writes so many times through the proxies; resolves when all are acknowledged. */
  writes(count: number): Promise<void>
  /** Writes on and on through the proxies while something happens to etcd, and for a moment after. */
  busy(happens: (proxies: Scene['proxies'], etcd: EtcdHost) => Promise<void>): Promise<void>
  caughtUp(): Promise<void>
  /** The mirror has seen each change once, in order, and holds what etcd holds, with all that was acknowledged. */
  agrees(): Promise<void>
  /** What became of a lease of 10 s that was renewed all the while. */
  lease(): Promise<'kept' | 'lost'>
}

async function openScene(
  options: EtcdHostOptions = {},
  more: Partial<EtcdStoreOptions> = {},
): Promise<Scene> {
  const etcd = await startEtcd(options)
  ending.push(() => etcd.stop())
  const opened = await Promise.all(etcd.members.map((member) => openProxy(member.port)))
  for (const proxy of opened) ending.push(() => proxy.close())
  const proxies = opened as unknown as Scene['proxies']
  const states: string[] = []
  const store = openEtcdStore({
    ...etcd.options,
    endpoints: proxies.map((proxy) => proxy.address),
    onAway: () => states.push('away'),
    onBack: () => states.push('back'),
    ...more,
  })
  const direct = openEtcdStore(etcd.options)
  ending.push(() => store.close())
  ending.push(() => direct.close())

  const errors: unknown[] = []
  const mirror = openMirror(store, '', { onError: (error) => errors.push(error), patienceMs: 60_000 })
  ending.push(() => mirror.close())
  await mirror.ready
  const start = mirror.revision
  const seen: ChangeBatch[] = []
  mirror.onChange((batch) => seen.push(batch))

  const lease = await store.grant(10_000)
  let lost = false
  const renewing = setInterval(() => {
    store.keepAlive(lease).catch((error: unknown) => {
      lost ||= error instanceof LeaseEndedError
    })
  }, 1000)
  ending.push(async () => clearInterval(renewing))

  const acknowledged: string[] = []
  let count = 0
  const write = async (): Promise<void> => {
    count += 1
    const key = `w/${String(count).padStart(6, '0')}`
    try {
      await store.txn([], [{ op: 'put', key, value: 'x' }])
      acknowledged.push(key)
    } catch (error) {
      expect(error).toMatchObject({ code: 'store/unreachable' })
    }
  }
  const caughtUp = async (): Promise<void> => {
    const { revision } = await direct.txn([], [{ op: 'put', key: 'end', value: '' }])
    await mirror.caughtUp(revision)
  }
  const agrees = async (): Promise<void> => {
    await caughtUp()
    const { revision, entries } = await direct.range('')
    expect(contentOf(mirror)).toEqual(entries)
    const keys = new Set(entries.map((entry) => entry.key))
    expect(acknowledged.filter((key) => !keys.has(key))).toEqual([])
    expect(seen.map((batch) => batch.revision)).toEqual(await revisionsBetween(direct, start, revision))
    expect(errors).toEqual([])
  }
  return {
    etcd,
    proxies,
    store,
    direct,
    mirror,
    errors,
    states,
    writes: async (times) => {
      const before = acknowledged.length
      while (acknowledged.length < before + times) await write()
    },
    busy: async (happens) => {
      let over = false
      const writers = Array.from({ length: 4 }, async () => {
        while (!over) {
          await write()
          await seconds(0.01)
        }
      })
      await seconds(0.2)
      await happens(proxies, etcd)
      const before = acknowledged.length
      while (acknowledged.length < before + 20) await seconds(0.05)
      over = true
      await Promise.all(writers)
      await agrees()
    },
    caughtUp,
    agrees,
    lease: async () => {
      await store.keepAlive(lease).catch(() => {
        lost = true
      })
      return lost ? 'lost' : 'kept'
    },
  }
}

/** Every revision that changed something, as etcd itself tells it. */
async function revisionsBetween(direct: Store, start: number, end: number): Promise<readonly number[]> {
  const stop = new AbortController()
  const revisions: number[] = []
  for await (const { revision } of direct.watch('', start, stop.signal)) {
    revisions.push(revision)
    if (revision >= end) stop.abort()
  }
  return revisions
}

async function untilGone(store: Store, key: string): Promise<void> {
  const stop = new AbortController()
  const { revision, entries } = await store.range(key)
  if (entries.length === 0) return
  for await (const { changes } of store.watch(key, revision, stop.signal)) {
    if (changes.some((change) => change.type === 'delete')) stop.abort()
  }
}

function contentOf(mirror: Mirror): readonly unknown[] {
  return [...mirror.entries.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** Faults last for a while; there is no event to wait for. */
function seconds(count: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, count * 1000)
  })
}
