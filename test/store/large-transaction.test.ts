// A transaction of thousands of records is read over many turns of the event loop, and seen in one.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/lib/io/clock.js'
import { toEnd } from '../../src/lib/sliced-work.js'
import type { UnitName } from '../../src/model/unit.js'
import { openRegistry } from '../../src/store/io/registry.js'
import { keys, putOf } from '../../src/store/records.js'
import type { Change, Entry, Op } from '../../src/store/store.js'
import { LiveView } from '../../src/store/view.js'
import { idOf } from '../world/world.js'
import { openMemoryStore } from './memory-store.js'

const many = 30_000
const onError = (error: unknown): never => expect.fail(String(error))
const unit = (n: number) => `web-${n}.service` as UnitName

function placement(n: number, at: number): Op {
  return putOf('placement', { unit: unit(n), machine: idOf('a'), ports: [], cause: { kind: 'new' }, at })
}

const textOf = (op: Op): string => ('value' in op ? op.value : '')

test('a large transaction leaves others their turns while it is read, and all of it is seen in one of them', async () => {
  const store = openMemoryStore({ clock: systemClock })
  const registry = await openRegistry(store, { onError })
  const { view } = registry
  try {
    for (const at of [1, 2]) {
      let isOver = false
      const seen: number[] = []
      const turn = (): void => {
        seen.push([...view.placements.values()].filter((one) => one.at === at).length)
        if (!isOver) setImmediate(turn)
      }
      setImmediate(turn)
      const ops: readonly Op[] = Array.from({ length: many }, (_, n) => placement(n, at))
      expect(await registry.commit([], ops)).toBe(true)
      expect(view.placements.size).toBe(many)
      expect(view.revisionOf(keys.placement(unit(7)))).toBe(at)
      isOver = true
      expect(seen.length).toBeGreaterThan(1)
      expect(seen.filter((count) => count !== 0 && count !== many)).toEqual([])
    }
  } finally {
    await registry.close()
    await store.close()
  }
})

test('a mirror that closes while a large transaction is read shows none of it, and ends', async () => {
  const store = openMemoryStore({ clock: systemClock })
  const registry = await openRegistry(store, { onError })
  const ops = Array.from({ length: many }, (_, n) => placement(n, 1))
  const writing = registry.commit([], ops).catch((error: unknown) => error)
  await new Promise(setImmediate)
  await registry.close()
  expect(await writing).toMatchObject({ code: 'store/closed' })
  expect(registry.view.placements.size).toBe(0)
  await store.close()
})

const values = fc.constantFrom(
  null,
  'x{',
  '{}',
  textOf(placement(0, 1)),
  textOf(placement(0, 2)),
  textOf(placement(1, 3)),
)
type Writes = readonly { readonly n: number; readonly value: string | null }[]
const writes: fc.Arbitrary<Writes> = fc.array(fc.record({ n: fc.nat(2), value: values }), { maxLength: 12 })

test('what was read ahead is taken in as if it had not been, also where something came in between', () => {
  fc.assert(
    fc.property(writes, writes, writes, (before, between, batch) => {
      const [plain, ahead] = [new LiveView(), new LiveView()]
      const entries = new Map<string, Entry>()
      let revision = 0
      const changesOf = (list: Writes, known: Map<string, Entry>) =>
        list.flatMap((write) => changeOf(write, known, ++revision))
      const taken = (view: LiveView, changes: readonly Change[]): void => {
        for (const change of changes) view.apply(change)
      }
      const first = changesOf(before, entries)
      const planned = changesOf(batch, new Map(entries))
      const second = changesOf(between, entries)
      const third = changesOf(batch, entries)
      taken(plain, [...first, ...second, ...third])
      taken(ahead, first)
      toEnd(ahead.readAhead(planned))
      taken(ahead, second)
      toEnd(ahead.readAhead(third))
      taken(ahead, third)
      ahead.forgetAhead()
      expect([...ahead.placements]).toEqual([...plain.placements])
      expect([...ahead.unreadable]).toEqual([...plain.unreadable])
      expect([...ahead.placedOn(idOf('a'))]).toEqual([...plain.placedOn(idOf('a'))])
    }),
  )
})

/** A write to what there is. */
function changeOf({ n, value }: Writes[number], entries: Map<string, Entry>, modRevision: number): Change[] {
  const key = keys.placement(unit(n))
  const previous = entries.get(key) ?? null
  if (value === null) {
    entries.delete(key)
    return previous === null ? [] : [{ type: 'delete', key, previous }]
  }
  const createRevision = previous?.createRevision ?? modRevision
  const entry: Entry = { key, value, modRevision, createRevision, lease: null }
  entries.set(key, entry)
  return [{ type: 'put', key, entry, previous }]
}
