// Transactions on their way to etcd: which wait for which, and what becomes of each.
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Committer } from '../../src/store/io/etcd/committer.js'
import { etcdKeys } from '../../src/store/io/etcd/keys.js'
import type { Members } from '../../src/store/io/etcd/members.js'
import type { Comparison, Operation, TxnRequest } from '../../src/store/io/etcd/protocol.js'
import { type Op, StoreError } from '../../src/store/store.js'

// Who waits goes when what is on its way is answered, and not for the time.
beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => vi.useRealTimers())

const put = (key: string, value = '1'): Op => ({ op: 'put', key, value })
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** An etcd that answers when it is told to, and takes no request that puts something at a key that begins with `bad`. */
class HeldEtcd {
  readonly held: { readonly parts: number; answer(): void }[] = []
  readonly revisions = new Map<string, number>()
  readonly values = new Map<string, string>()
  #revision = 1

  readonly members = {
    methods: { group: 'group', txn: 'txn' },
    ask: (method: string, request: TxnRequest) =>
      new Promise((resolve, reject) => {
        const all = method === 'group' ? request.success.map(within) : [request]
        const answer = (): void => {
          if (all.some((one) => one.success.some((op) => keyOf(op).includes('bad'))))
            reject(new StoreError('store/too-large', 'too large', ''))
          else resolve(this.#write(all))
        }
        this.held.push({ parts: all.length, answer })
      }),
  } as unknown as Members

  #write(all: readonly TxnRequest[]): object {
    this.#revision += 1
    const made = all.map(({ compare }) => compare.every((one) => this.#holds(one)))
    for (const [at, { success }] of all.entries())
      if (made[at] === true) for (const op of success) this.#put(op)
    const header = { revision: { toNumber: () => this.#revision } }
    const responses = made.map((succeeded) => ({ response_txn: { succeeded } }))
    return { header, succeeded: made[0], responses }
  }

  #holds(one: Comparison): boolean {
    return 'mod_revision' in one && (this.revisions.get(String(one.key)) ?? 0) === one.mod_revision
  }

  #put(op: Operation): void {
    if (!('request_put' in op)) return
    this.revisions.set(keyOf(op), this.#revision)
    this.values.set(keyOf(op), String(op.request_put.value))
  }

  /** Answers the longest on its way; false where none is. */
  answer(): boolean {
    const next = this.held.shift()
    next?.answer()
    return next !== undefined
  }
}

function within(op: Operation): TxnRequest {
  if (!('request_txn' in op)) throw new Error('no transaction')
  return op.request_txn
}

function keyOf(op: Operation): string {
  return 'request_put' in op ? String(op.request_put.key) : ''
}

test('those that are asked for in several turns while one is on its way go with its answer, as one request', async () => {
  const etcd = new HeldEtcd()
  const committer = new Committer(etcd.members, etcdKeys('/'))
  const asked = [committer.commit({ compare: [], ops: [put('first')] })]
  for (let n = 0; n < 20; n++) {
    asked.push(committer.commit({ compare: [], ops: [put(`k${n}`)] }))
    await turn()
  }
  expect(etcd.held.map(({ parts }) => parts)).toEqual([1])
  etcd.answer()
  await turn()
  await turn()
  expect(etcd.held.map(({ parts }) => parts)).toEqual([20])
  etcd.answer()
  expect((await Promise.all(asked)).every(({ committed }) => committed)).toBe(true)
  expect(etcd.values.size).toBe(21)
})

test('where no answer comes, those that wait go after a moment, and as many as fill a request at once', async () => {
  const etcd = new HeldEtcd()
  const committer = new Committer(etcd.members, etcdKeys('/'))
  // None of them is answered.
  for (let n = 0; n < 1 + 64 + 2; n++) committer.commit({ compare: [], ops: [put(`k${n}`)] }).catch(() => {})
  await turn()
  expect(etcd.held.map(({ parts }) => parts)).toEqual([1, 64])
  await vi.advanceTimersByTimeAsync(10)
  expect(etcd.held.map(({ parts }) => parts)).toEqual([1, 64, 2])
})

test('what is acknowledged is written, what is refused is that alone, and writes of a key keep their order', async () => {
  const writes = fc.array(
    fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd', 'bad'), turns: fc.nat(2), answers: fc.nat(2) }),
    { maxLength: 40 },
  )
  await fc.assert(
    fc.asyncProperty(writes, async (steps) => {
      const etcd = new HeldEtcd()
      const committer = new Committer(etcd.members, etcdKeys('/'))
      const asked = steps.map(({ key }, n) => ({ key, value: String(n) }))
      const outcomes: Promise<unknown>[] = []
      for (const [n, { turns, answers }] of steps.entries()) {
        const { key, value } = asked[n] as { key: string; value: string }
        outcomes.push(
          committer.commit({ compare: [], ops: [put(key, value)] }).catch((error: unknown) => error),
        )
        for (let i = 0; i < turns; i++) await turn()
        for (let i = 0; i < answers; i++) etcd.answer()
      }
      for (let quiet = 0; quiet < 4; quiet++) {
        await turn()
        await vi.advanceTimersByTimeAsync(10)
        if (etcd.answer()) quiet = 0
      }
      const told = await Promise.all(outcomes)
      for (const [n, { key }] of asked.entries())
        if (key === 'bad') expect(told[n]).toBeInstanceOf(StoreError)
        else expect(told[n]).toMatchObject({ committed: true })
      const isRefused = asked.some(({ key }) => key === 'bad')
      for (const key of ['a', 'b', 'c', 'd']) {
        const written = asked.filter((one) => one.key === key).map(({ value }) => value)
        // Those that went with a refused one go again, each alone, and others of their keys may have gone before.
        const lasts = isRefused && written.length > 0 ? written : [written.at(-1)]
        expect(lasts).toContain(etcd.values.get(`/${key}`))
      }
    }),
    { numRuns: 60 },
  )
})
