// One policy for what an invariant says does not hold: whatever part of the daemon meets it, it reaches the handler that
// ends the daemon, and is not taken for the world's fault and tried again.
import { afterEach, expect, test } from 'vitest'
import type { Driver } from '../../src/agent/driver.js'
import { startAgent } from '../../src/agent/io/agent.js'
import { startLeaseKeeper } from '../../src/leader/io/lease-keeper.js'
import { InvariantError, isBug } from '../../src/lib/invariant.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { startLoop } from '../../src/lib/io/loop.js'
import type { DriverKind } from '../../src/model/driver-kind.js'
import { failureOf } from '../../src/store/io/etcd/errors.js'
import { openEventLog } from '../../src/store/io/event-log.js'
import { openRegistry } from '../../src/store/io/registry.js'
import type { SecretBox } from '../../src/store/io/secret-box.js'
import { putOf } from '../../src/store/records.js'
import { type Store, StoreError } from '../../src/store/store.js'
import { asUnitName } from '../../src/unit/name.js'
import { unitHash } from '../../src/unit/print.js'
import { openUnitReader } from '../../src/unit/reader.js'
import { openMemoryStore } from '../store/memory-store.js'
import { unsetClock } from '../unset-clock.js'
import { idOf } from '../world/world.js'

const quiet = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} }
const machine = idOf('m')
const bug = new InvariantError('what all rely on does not hold')
const fail = (): never => {
  throw bug
}

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

/** What nobody caught, in place of the end of the process. */
function uncaught(): Promise<unknown> {
  const kinds = ['unhandledRejection', 'uncaughtException'] as const
  const before = kinds.map((kind) => process.listeners(kind as 'uncaughtException'))
  return new Promise((resolve) => {
    for (const kind of kinds) {
      process.removeAllListeners(kind)
      process.on(kind, resolve)
    }
    ending.push(() => {
      for (const [at, kind] of kinds.entries()) {
        process.removeAllListeners(kind)
        for (const listener of before[at] ?? []) process.on(kind as 'uncaughtException', listener)
      }
    })
  })
}

async function openRecords(store: Store = openMemoryStore({ clock: systemClock })) {
  const errors: unknown[] = []
  let tell = (): void => {}
  const told = new Promise<void>((resolve) => {
    tell = resolve
  })
  const onError = (error: unknown): void => {
    errors.push(error)
    tell()
  }
  const registry = await openRegistry(store, { onError, retryMs: 1 })
  ending.push(async () => {
    await registry.close()
    await store.close()
  })
  return { registry, store, errors, told }
}

test('a loop tells of it once and does not go on', async () => {
  const told: unknown[] = []
  const met = uncaught()
  let passes = 0
  const loop = startLoop({
    clock: systemClock,
    intervalMs: 1,
    backoff: { firstMs: 1, longestMs: 1 },
    onError: (error) => told.push(error),
    pass: async () => {
      passes += 1
      return fail()
    },
  })
  expect(await met).toBe(bug)
  loop.wake()
  await expect(loop.stop()).rejects.toBe(bug)
  expect([told, passes]).toEqual([[bug], 1])
})

test('an agent does not take it for the failure of a unit', async () => {
  const { registry, store } = await openRecords()
  const name = asUnitName('web.service')
  const text = '[Service]\nExecStart=/bin/true\n'
  const hash = unitHash(text)
  await store.txn(
    [],
    [
      putOf('file', { hash, text }),
      putOf('unit', { name, hash, desired: 'launched', instance: null, createdAt: 0 }),
      putOf('placement', { unit: name, machine, ports: [], cause: { kind: 'new' }, at: 0 }),
    ],
  )
  const driver = {
    kind: 'process',
    list: async () => [],
    observe: async () => null,
    watch: () => {},
    load: async () => fail(),
  } as unknown as Driver
  const met = uncaught()
  const agent = await startAgent({
    ...{ machine, registry, clock: systemClock, clockWatch: unsetClock, log: quiet },
    drivers: new Map<DriverKind, Driver>([['process', driver]]),
    units: openUnitReader((one) => registry.view.files.get(one)),
    events: openEventLog(systemClock, machine),
    secrets: {} as SecretBox,
  })
  ending.push(() => agent.stop().catch(() => {}))
  expect(await met).toBe(bug)
})

test('a lease keeper does not keep the lead by trying again', async () => {
  const store = openMemoryStore({ clock: systemClock })
  let broken = false
  const { registry } = await openRecords({
    ...store,
    keepAlive: async (lease) => (broken ? fail() : store.keepAlive(lease)),
  })
  const met = uncaught()
  const keeper = startLeaseKeeper({
    ...{ registry, machine, clock: systemClock, log: quiet, ttlMs: 600 },
    connectedForMs: () => 60_000,
    onDecides: () => {
      broken = true
    },
  })
  ending.push(() => keeper.stop().catch(() => {}))
  expect(await met).toBe(bug)
})

test('a view hands on what a listener meets, as it is, and goes on for the others', async () => {
  const { registry, store, errors } = await openRecords()
  registry.onChange(fail)
  const heard = new Promise<void>((resolve) => {
    registry.onChange(() => resolve())
  })
  await store.txn([], [putOf('file', { hash: '1', text: 'x' })])
  await heard
  expect(errors).toEqual([bug])
})

test('a mirror hands on what it meets while it follows, as it is', async () => {
  const store = openMemoryStore({ clock: systemClock })
  let broken = true
  const { errors, told } = await openRecords({
    ...store,
    // The first watch meets it.
    watch: (...words) => {
      if (!broken) return store.watch(...words)
      broken = false
      return fail()
    },
  })
  await told
  expect(errors).toEqual([bug])
})

test('a bug of ours is no word of etcd that it is away; what the world does is', () => {
  const ofNode = Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL' })
  for (const error of [bug, new TypeError('undefined is not a function'), new RangeError('no such length')]) {
    expect(isBug(error)).toBe(true)
    expect(() => failureOf(error)).toThrow(error)
  }
  for (const error of [new Error('it ended'), ofNode, 'a word'])
    expect(failureOf(error)).toMatchObject({ kind: 'unreachable' })
  const refused = new StoreError('store/full', 'no space', 'make some')
  expect(failureOf(refused)).toEqual({ kind: 'refused', error: refused })
})
