// The simulated etcd behaves as an etcd of several members does, over links that lose what is on its way.
import { expect, test } from 'vitest'
import { openMirror } from '../../src/store/io/mirror.js'
import type { Store } from '../../src/store/store.js'
import { Clockwork } from './clockwork.js'
import { Etcd } from './etcd.js'
import { Link } from './link.js'

test('what is asked of a member that lags is answered when it has heard of it, and its watch is as late', async () => {
  const { etcd, links, at, go } = open()
  etcd.members[1]?.lag(2000)
  const [early, late] = [watched(links[0]), watched(links[1])]
  const answered = put(links[1], 'a').then(() => at())
  const asked = at()
  await go(1000)
  expect([early, late]).toEqual([['a'], []])
  await go(5000)
  expect((await answered) - asked).toBeGreaterThanOrEqual(2000)
  expect(late).toEqual(['a'])
})

test('a change whose answer comes too late took effect, and whoever asked does not know', async () => {
  const { etcd, links, go } = open()
  etcd.members[1]?.lag(60_000)
  const outcome = put(links[1], 'a').then(() => 'answered', codeOf)
  await go(4000)
  expect(await outcome).toBe('store/unreachable')
  expect((await etcd.truth.get('a'))?.value).toBe('1')
})

test('a watch goes on at another member when its own is lost, without a gap', async () => {
  const { etcd, links, go } = open()
  const seen = watched(links[1])
  await put(links[0], 'a', go)
  etcd.members[1]?.lose('dead')
  await put(links[0], 'b', go)
  await go(3000)
  await put(links[0], 'c', go)
  await go(3000)
  expect(seen).toEqual(['a', 'b', 'c'])
})

test('without a majority nothing is answered and no lease ends; then each has its full time', async () => {
  const { etcd, links, go } = open()
  const granting = links[0].store.grant(10_000)
  await go(100)
  const lease = await granting
  await go(8000)
  for (const member of etcd.members.slice(1)) member.lose('cut')
  const outcome = put(links[0], 'a').then(() => 'answered', codeOf)
  await go(60_000)
  expect(await outcome).toBe('store/unreachable')
  for (const member of etcd.members.slice(1)) member.come()
  await go(9000)
  expect(await etcd.truth.remainingMs(lease)).toBeGreaterThan(0)
  await go(5000)
  expect(await etcd.truth.remainingMs(lease)).toBeNull()
})

test('whoever turns to another member after a compaction lists again, and has all in the end', async () => {
  const { etcd, links, time, go } = open()
  const problems: unknown[] = []
  const mirror = openMirror(links[1].store, '', { onError: (error) => problems.push(error), time })
  await go(100)
  links[1].cut()
  await put(links[0], 'a', go)
  await put(links[0], 'b', go)
  etcd.compact()
  etcd.members[1]?.lose('dead')
  links[1].heal()
  await go(5000)
  expect([...mirror.entries.keys()]).toEqual(['a', 'b'])
  expect(problems).toEqual([])
})

/** Three members, and three daemons, each with a member of its own; `go` lets so much time pass. */
function open() {
  const clockwork = new Clockwork(1)
  const etcd = new Etcd(clockwork, 3, 10)
  const problems: unknown[] = []
  etcd.start((error) => problems.push(error))
  const events = { onAway: () => {}, onBack: () => {} }
  const [one, two, three] = [0, 1, 2].map((n) => new Link(clockwork, etcd, n, events)) as [Link, Link, Link]
  const go = async (ms: number): Promise<void> => {
    // Time goes on only as far as there is something to happen.
    clockwork.after(ms, () => {})
    await clockwork.run(
      clockwork.now + ms,
      () => {},
      () => problems.length > 0,
    )
    expect(problems).toEqual([])
  }
  const time = {
    now: () => clockwork.now,
    steady: () => clockwork.now,
    after: clockwork.after.bind(clockwork),
  }
  return { etcd, links: [one, two, three] as const, at: () => clockwork.now, time, go }
}

async function put({ store }: Link, key: string, go: ((ms: number) => Promise<void>) | null = null) {
  const done = store.txn([], [{ op: 'put', key, value: '1' }])
  await go?.(500)
  return done
}

/** The keys of the changes that somebody hears of, as they come. */
function watched({ store }: { readonly store: Store }): readonly string[] {
  const seen: string[] = []
  const follow = async (): Promise<void> => {
    for await (const { changes } of store.watch('', 0, new AbortController().signal))
      seen.push(...changes.map(({ key }) => key))
  }
  follow().catch((error: unknown) => seen.push(String(error)))
  return seen
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown }).code
}
