import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/lib/io/clock.js'
import { openEmbeddedStore } from '../../src/store/io/embedded.js'
import { SortedKeys } from '../../src/store/sorted-keys.js'
import type { Store } from '../../src/store/store.js'
import { randomCases } from '../random-runs.js'
import { removeDir } from '../remove-dir.js'
import { openMemoryStore } from './memory-store.js'
import { type Command, commands, comparesAt, ModelStore, replayWatch } from './model.js'

test('the memory store does what the model does', async () => {
  await fc.assert(
    fc.asyncProperty(commands, async (list) => {
      const open = async (): Promise<Store> => openMemoryStore({ clock: systemClock })
      const store = await play(
        list.filter((command) => command.kind !== 'reopen'),
        await open(),
        open,
      )
      await store.close()
    }),
    { numRuns: randomCases(300) },
  )
})

test('the embedded store does what the model does, also when it is opened again and again', async () => {
  await fc.assert(
    fc.asyncProperty(commands, fc.constantFrom(200, 1_000_000), async (list, rotateBytes) => {
      const dir = mkdtempSync(join(tmpdir(), 'store-'))
      const open = (): Promise<Store> => openEmbeddedStore({ dir, clock: systemClock, rotateBytes })
      const store = await play(list, await open(), open)
      await store.close()
      removeDir(dir)
    }),
    { numRuns: randomCases(60) },
  )
})

test('transactions that are asked for at once are decided in the order of asking', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'store-'))
  const store = await openEmbeddedStore({ dir, clock: systemClock })
  await fc.assert(
    fc.asyncProperty(commands, async (list) => {
      await store.txn([], [{ op: 'delete-prefix', prefix: '' }])
      const model = new ModelStore()
      model.revision = (await store.range('')).revision
      const asked = list.flatMap((command) => {
        if (command.kind !== 'txn') return []
        const compare = comparesAt(model.revision, command.compare)
        return [{ expected: model.txn(compare, command.ops), actual: store.txn(compare, command.ops) }]
      })
      for (const { expected, actual } of asked) expect(await actual).toEqual(expected)
      expect((await store.range('')).entries).toEqual(model.entries)
    }),
    { numRuns: randomCases(100) },
  )
  await store.close()
  removeDir(dir)
})

test('sorted keys list what a plain sort lists', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', 'ü'), maxLength: 6 })
  const changes = fc.array(fc.tuple(fc.boolean(), text), { minLength: 1, maxLength: 3000, size: 'max' })
  fc.assert(
    fc.property(changes, text, (list, prefix) => {
      const keys = new SortedKeys()
      const plain = new Set<string>()
      for (const [add, key] of list) {
        if (add && !plain.has(key)) keys.add(key)
        if (!add) keys.delete(key)
        if (add) plain.add(key)
        else plain.delete(key)
      }
      expect([...keys.withPrefix(prefix)]).toEqual([...plain].filter((key) => key.startsWith(prefix)).sort())
    }),
    { numRuns: randomCases(50) },
  )
})

test('sorted keys find each of many again', () => {
  const keys = new SortedKeys()
  const shuffled = Array.from({ length: 5000 }, (_, i) => String((i * 2741) % 5000).padStart(4, '0'))
  for (const key of shuffled) keys.add(key)
  expect([...keys.withPrefix('')]).toEqual([...shuffled].sort())
  expect([...keys.withPrefix('123')]).toHaveLength(10)
  for (const key of shuffled) keys.delete(key)
  expect([...keys.withPrefix('')]).toEqual([])
})

/** Plays commands on a store and the model, compares after each, and returns the store as it is open in the end. */
async function play(list: readonly Command[], first: Store, open: () => Promise<Store>): Promise<Store> {
  let store = first
  const model = new ModelStore()
  const leases: string[] = []
  for (const command of list) {
    const lease = 'lease' in command ? leases[command.lease % Math.max(1, leases.length)] : undefined
    if (command.kind === 'txn') {
      const compare = comparesAt(model.revision, command.compare)
      expect(await store.txn(compare, command.ops)).toEqual(model.txn(compare, command.ops))
    } else if (command.kind === 'grant') {
      leases.push(await store.grant(60_000))
    } else if (command.kind === 'put-leased' && lease !== undefined) {
      const ops = [{ op: 'put' as const, key: command.key, value: '', lease }]
      expect(await store.txn([], ops)).toEqual(model.txn([], ops))
    } else if (command.kind === 'revoke' && lease !== undefined) {
      await store.revoke(lease)
      model.revoke(lease)
      leases.splice(leases.indexOf(lease), 1)
    } else if (command.kind === 'reopen') {
      await store.close()
      store = await open()
    }
    expect(await store.range('')).toEqual({ revision: model.revision, entries: model.entries })
  }
  if (!list.some((command) => command.kind === 'reopen')) {
    expect(await replayWatch(store, model.revision)).toEqual(model.entries)
  }
  return store
}
