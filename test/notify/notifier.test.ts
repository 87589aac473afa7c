// What the sender of webhooks does while something is in its way: it tries again more and more slowly, and tells of it once.
import { afterEach, describe, expect, test } from 'vitest'
import { isProblem } from '../../src/changes/problem.js'
import { retryDeliveries } from '../../src/changes/webhooks.js'
import { systemClock } from '../../src/lib/io/clock.js'
import type { Log } from '../../src/lib/io/log.js'
import type { Time } from '../../src/lib/time.js'
import type { MachineId } from '../../src/model/machine.js'
import type { Delivery, Webhook } from '../../src/model/webhook.js'
import { type Notifier, startNotifier } from '../../src/notify/io/notifier.js'
import { unwrittenAtMost } from '../../src/notify/outbox.js'
import { newReceiver } from '../../src/notify/receivers.js'
import { openEventLog } from '../../src/store/io/event-log.js'
import { openRegistry } from '../../src/store/io/registry.js'
import type { SecretBox } from '../../src/store/io/secret-box.js'
import { leaderKey, outboxKey, putOf } from '../../src/store/records.js'
import { type Op, type Store, StoreError } from '../../src/store/store.js'
import { SmallService } from '../service/small-service.js'
import { openMemoryStore } from '../store/memory-store.js'

const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
const undo: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

interface Scene {
  /** Bodies that were posted. */
  readonly posts: string[]
  readonly logged: string[]
  /** How often a result was to be written while the store refused it. */
  refusals: number
  refuses: boolean
  /** What the receiver waits for before it answers. */
  answersAfter: Promise<void>
  /** The next time that events are told takes effect, and nobody hears of that. */
  losesAnswer: boolean
  /** The next time that a result is written takes effect, and nobody hears of that. */
  losesResult: boolean
  /** What the receiver answers. */
  status: number
  /** The attempts that are noted of the delivery that is next in line. */
  attempts: () => number
  /** Writes the events once more, as who did not hear whether they were written, and one behind them. */
  writeAgain: () => Promise<unknown>
}

/** A service with a webhook, and `events` scale events of it, on a store that can refuse to write results. */
async function scene(events: number, secrets: Partial<SecretBox> = {}): Promise<Scene> {
  const state: Scene = {
    posts: [],
    logged: [],
    refusals: 0,
    refuses: false,
    answersAfter: Promise.resolve(),
    losesAnswer: false,
    losesResult: false,
    status: 204,
    attempts: () => 0,
    writeAgain: () => Promise.resolve(),
  }
  const memory = openMemoryStore({ clock: systemClock })
  const store: Store = {
    ...memory,
    txn: async (compare, ops) => {
      if (state.losesAnswer && ops.some((op) => op.op === 'put' && op.key === outboxKey)) {
        await memory.txn(compare, ops)
        state.losesAnswer = false
        throw new StoreError('store/unreachable', 'no answer', '')
      }
      const isResult = ops.some(
        (op) => op.op === 'put' && op.key.startsWith('deliveries/') && /"attemptCount":[1-9]/.test(op.value),
      )
      if (isResult && state.losesResult) {
        await memory.txn(compare, ops)
        state.losesResult = false
        throw new StoreError('store/unreachable', 'no answer', '')
      }
      if (!state.refuses || !isResult) return memory.txn(compare, ops)
      state.refusals += 1
      throw new Error('the disk is full')
    },
  }
  const { receiver, first } = withWebhook()
  const { registry, log } = await begun(store, first, {
    secrets: { seal: (text) => text, open: () => secret, ...secrets },
    told: (message) => state.logged.push(message),
    send: async (body) => {
      state.posts.push(body)
      await state.answersAfter
      return state.status
    },
  })
  state.refuses = true
  state.attempts = () => registry.view.queueOf(receiver.uuid)[0]?.attempts.length ?? 0
  const about = { kind: 'scale', project: 'default', service: 'web', instance: null, machine: null } as const
  const drafts = Array.from({ length: events }, (_, n) => ({
    ...about,
    message: `${n}`,
    data: { scale: { from: n, to: n + 1 } },
  }))
  const ops = log.append(drafts)
  await registry.commit([], ops)
  state.writeAgain = async () => {
    await registry.commit([], ops)
    await registry.commit(
      [],
      log.append([{ ...about, message: 'last', data: { scale: { from: 9, to: 8 } } }]),
    )
  }
  return state
}

/** A receiver, and what is in the store with it. */
function withWebhook() {
  const { service, versions } = new SmallService(1, { room: 1, bootMs: 0, bad: new Set() })
  const webhook: Webhook = {
    url: 'http://127.0.0.1:9/',
    events: ['scale'],
    secret: null,
    headers: {},
    allowPrivate: true,
  }
  const receiver = newReceiver(service, webhook, 'sealed', systemClock.now())
  const version = versions.map((one) => putOf('version', { ...one, webhooks: [webhook] }))
  return { receiver, first: [putOf('service', service), ...version, putOf('receiver', receiver)] }
}

interface Told {
  readonly secrets: SecretBox
  readonly told: (message: string) => void
  /** Returns what the receiver answers. */
  readonly send: (body: string) => Promise<number>
}

const toNobody: Told = {
  secrets: { seal: (text) => text, open: () => secret },
  told: () => {},
  send: async () => 204,
}

/** A notifier that leads on a store, in which there is something at first. */
async function begun(
  store: Store,
  first: readonly Op[],
  { secrets, told, send }: Told,
  clock: Time = systemClock,
) {
  const { revision: epoch } = await store.txn([], [{ op: 'put', key: leaderKey, value: '{}' }])
  const registry = await openRegistry(store, { onError: () => {} })
  if (first.length > 0) await store.txn([], first)
  const log = openEventLog(systemClock, 'a'.repeat(32) as MachineId)
  const note = (_: string, message: string): void => told(message)
  const notes: Log = { debug: () => {}, info: note, warn: note, error: note }
  const notifier: Notifier = startNotifier({
    registry,
    events: log,
    secrets,
    sender: {
      send: async ({ body }) => {
        const status = await send(body)
        return { at: systemClock.now(), tookMs: 0, status, error: null, retryAfterMs: null }
      },
      close: () => {},
    },
    cluster: 'test',
    clock,
    log: notes,
    epoch: () => epoch,
    onError: (error) => note('', String(error)),
    backoff: { firstMs: 5, longestMs: 20 },
  })
  undo.push(
    () => store.close(),
    () => registry.close(),
    () => notifier.stop(),
  )
  return { notifier, registry, log }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}

describe('a delivery whose result the store refuses', () => {
  test('is made once; its result is written when it can be, and what is behind it in line waits', async () => {
    const state = await scene(3)
    await until(() => state.refusals >= 20)
    expect(state.posts).toHaveLength(1)
    expect(state.logged).toEqual(['cannot write results: the disk is full'])
    state.refuses = false
    await until(() => state.logged.filter((line) => line.includes(' delivered to ')).length === 3)
    expect(state.posts).toHaveLength(3)
    expect(new Set(state.posts).size).toBe(3)
  })
})

test('events that nobody hears of are passed over by the hundred', { timeout: 30_000 }, async () => {
  const { notifier, registry, log } = await begun(openMemoryStore({ clock: systemClock }), [], toNobody)
  const about = { kind: 'unit', project: null, service: null, instance: null, machine: null } as const
  for (let n = 0; n <= unwrittenAtMost + 1; n++)
    await registry.commit([], log.append([{ ...about, message: `${n}` }]))
  await until(() => registry.entryAt(outboxKey) !== null)
  await until(() => (notifier.toldUpTo() ?? 0) > unwrittenAtMost)
})

test('an event that is written twice is told once', async () => {
  const state = await scene(1)
  state.refuses = false
  const told = () => state.logged.filter((line) => line.includes(' delivered to ')).length
  await until(() => told() === 1)
  await state.writeAgain()
  await until(() => told() === 2)
  expect(state.posts).toHaveLength(2)
  expect(new Set(state.posts).size).toBe(2)
})

test('what was told is not told again where nobody heard that it was', async () => {
  const state = await scene(0)
  state.refuses = false
  let answer = (): void => {}
  state.answersAfter = new Promise((resolve) => {
    answer = resolve
  })
  await state.writeAgain()
  await until(() => state.posts.length === 1)
  state.losesAnswer = true
  await state.writeAgain()
  await until(() => !state.losesAnswer)
  // The second goes out as soon as the first has arrived, before it is looked at again what is to be told.
  answer()
  const told = () => state.logged.filter((line) => line.includes(' delivered to ')).length
  await until(() => told() === 2)
  await state.writeAgain()
  await until(() => told() >= 3)
  expect(state.posts).toHaveLength(3)
  expect(new Set(state.posts).size).toBe(3)
})

test('an attempt is noted once where nobody heard that it was', async () => {
  const state = await scene(0)
  state.refuses = false
  state.status = 500
  state.losesResult = true
  await state.writeAgain()
  await until(() => !state.losesResult)
  let answer = (): void => {}
  state.answersAfter = new Promise((resolve) => {
    answer = resolve
  })
  await until(() => state.posts.length === 2)
  expect(state.logged).toEqual(['cannot write results: no answer'])
  expect(state.attempts()).toBe(1)
  answer()
})

test('what was given up is sent at once when somebody has it tried again, as by the API of another machine', async () => {
  const { receiver, first } = withWebhook()
  const { uuid } = receiver
  const about = { id: 'evt_1', event: 'scale', subject: 'default/web', body: '{}' } as const
  const tried = { attempts: [], attemptCount: 17, firstAttemptAt: 1, nextAt: null } as const
  const dead: Delivery = { ...about, ...tried, receiver: uuid, sequence: '1', createdAt: 1, state: 'dead' }
  let rest = (): void => {}
  const resting = new Promise<void>((resolve) => {
    rest = resolve
  })
  // Nothing but a change ends its rest.
  const clock: Time = {
    ...systemClock,
    after: (ms, act) => {
      if (ms < 60_000) return systemClock.after(ms, act)
      rest()
      return systemClock.after(600_000, () => {}).unref()
    },
  }
  const posts: string[] = []
  const send = async (body: string): Promise<number> => posts.push(body) && 204
  const store = openMemoryStore({ clock: systemClock })
  const { registry } = await begun(store, [...first, putOf('delivery', dead)], { ...toNobody, send }, clock)
  await until(() => registry.view.receivers.size > 0)
  await resting
  const retried = retryDeliveries(registry.view, [receiver], undefined, systemClock.now())
  if (isProblem(retried)) throw new Error(retried.message)
  await registry.decide(() => retried)
  await until(() => posts.length === 1)
})

describe('a delivery that cannot be made', () => {
  test('is a failed attempt whatever is wrong with its secret, and is told of once', async () => {
    const state = await scene(1, {
      open: () => {
        throw new TypeError('the envelope is damaged')
      },
    })
    state.refuses = false
    await until(() => state.logged.length > 0)
    expect(state.logged).toHaveLength(1)
    expect(state.logged[0]).toContain('the request cannot be built: the envelope is damaged; retrying')
    expect(state.posts).toEqual([])
  })
})
