// The order of machines that choices are made from, held against sorting them all.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type MachineRange, Ranking } from '../../src/engine/least-loaded.js'
import { LoadBuckets, MachineSet } from '../../src/engine/state/machines.js'
import { randomCases } from '../random-runs.js'

type Event =
  | { readonly do: 'first' }
  | { readonly do: 'refuse' }
  | { readonly do: 'arrive'; readonly slot: number }
  | { readonly do: 'depart'; readonly slot: number }

const events: fc.Arbitrary<readonly Event[]> = fc.array(
  fc.oneof(
    fc.constant({ do: 'first' as const }),
    fc.constant({ do: 'refuse' as const }),
    fc.record({ do: fc.constant('arrive' as const), slot: fc.nat(99) }),
    fc.record({ do: fc.constant('depart' as const), slot: fc.nat(99) }),
  ),
  { maxLength: 80 },
)

/** Machines with loads, and which of them are out: for good, for now, or because they are no part of it. */
interface Model {
  readonly loads: Int32Array
  readonly fixed: ReadonlySet<number>
  readonly refused: Set<number>
  readonly slots: readonly number[]
}

function lowest({ loads, fixed, refused, slots }: Model): number {
  const open = slots.filter((slot) => !fixed.has(slot) && !refused.has(slot))
  return open.sort((a, b) => (loads[a] ?? 0) - (loads[b] ?? 0) || a - b)[0] ?? -1
}

function fieldOf(slots: readonly number[], count: number): MachineRange {
  const placeOf = new Int32Array(count).fill(-1)
  for (const [place, slot] of slots.entries()) placeOf[slot] = place
  return { positions: Int32Array.from(slots), offsetOf: slots.length === count ? null : placeOf }
}

function rankingOf({ loads, fixed, slots }: Model): Ranking {
  const codes = Uint8Array.from(loads, (_, slot) => (fixed.has(slot) ? 7 : 0))
  const open = new MachineSet(loads.length)
  for (const [slot, code] of codes.entries()) if (code === 0) open.add(slot)
  return new Ranking(fieldOf(slots, loads.length), { codes, open }, 0, { changes: 0, departures: 0 })
}

describe('a ranking', () => {
  test('gives the least loaded machine that has not refused, whatever came and went', () => {
    const machines = fc.array(fc.record({ load: fc.nat(3), fixed: fc.boolean(), inside: fc.boolean() }), {
      minLength: 1,
      maxLength: 100,
    })
    fc.assert(
      fc.property(machines, fc.boolean(), events, (list, all, history) => {
        const numbers = list.map((_, slot) => slot)
        const model: Model = {
          loads: Int32Array.from(list, ({ load }) => load),
          fixed: new Set(numbers.filter((slot) => list[slot]?.fixed)),
          refused: new Set(),
          slots: all ? numbers : numbers.filter((slot) => list[slot]?.inside),
        }
        const levels = new LoadBuckets(model.loads)
        const ranking = rankingOf(model)
        const change = (slot: number, by: 1 | -1): void => {
          const load = (model.loads[slot] ?? 0) + by
          levels.move(slot, load - by, load)
          model.loads[slot] = load
        }
        for (const event of history) {
          const found = lowest(model)
          if (event.do === 'first') expect(ranking.first(levels)).toBe(found)
          else if (event.do === 'refuse' && found !== -1) {
            expect(ranking.first(levels)).toBe(found)
            ranking.refuse(found, 3)
            model.refused.add(found)
          } else if (event.do === 'arrive' && event.slot < list.length) change(event.slot, 1)
          else if (event.do === 'depart' && (model.loads[event.slot] ?? 0) > 0) {
            change(event.slot, -1)
            ranking.admit(event.slot, model.loads[event.slot] ?? 0)
            model.refused.delete(event.slot)
          }
        }
        expect(ranking.first(levels)).toBe(lowest(model))
        const told = new Map<number, number>()
        ranking.eachRefusal((slot, code) => told.set(slot, code))
        const expected = model.slots.flatMap((slot): [number, number][] =>
          model.fixed.has(slot) ? [[slot, 7]] : model.refused.has(slot) ? [[slot, 3]] : [],
        )
        expect([...told]).toEqual(expected)
      }),
      { numRuns: randomCases(500) },
    )
  })
})

describe('two sets of slots', () => {
  test('share what both hold, in order', () => {
    const numbers = fc.uniqueArray(fc.nat(199))
    fc.assert(
      fc.property(numbers, numbers, numbers, fc.nat(199), (one, other, gone, from) => {
        const made = [one, other].map((list) => {
          const slots = new MachineSet(200)
          for (const slot of list) slots.add(slot)
          for (const slot of gone) slots.delete(slot)
          return slots
        })
        const [a = new MachineSet(0), b = new MachineSet(0)] = made
        const shared = one.filter((slot) => other.includes(slot) && !gone.includes(slot) && slot >= from)
        expect(a.firstShared(b, from)).toBe(shared.length === 0 ? -1 : Math.min(...shared))
        expect(a.size).toBe(one.filter((slot) => !gone.includes(slot)).length)
        expect(new MachineSet(a).firstShared(a, 0)).toBe(a.firstShared(a, 0))
      }),
    )
  })
})
