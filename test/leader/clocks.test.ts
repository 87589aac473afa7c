// The clocks of machines are compared by what the store carries, however long that takes.
import { expect, test } from 'vitest'
import { aheadRangeOf, compareClocks, leavesLead } from '../../src/leader/clocks.js'
import type { ClockOffset } from '../../src/model/clock.js'
import type { Machine, MachineId } from '../../src/model/machine.js'
import type { ClusterView } from '../../src/store/view.js'

const [a, b, c, d] = ['a', 'b', 'c', 'd'] as MachineId[] as [MachineId, MachineId, MachineId, MachineId]

/** The leader `a` and others, each certain to be ahead of it by some milliseconds, give or take. */
function rangesOf(others: Readonly<Record<string, number>>, giveOrTake = 5) {
  const ranges = Object.entries(others).map(
    ([id, ms]) => [id as MachineId, { least: ms - giveOrTake, most: ms + giveOrTake }] as const,
  )
  return new Map([[a, { least: 0, most: 0 }], ...ranges])
}

function compare(
  others: Readonly<Record<string, number>>,
  known: readonly ClockOffset[] = [],
  giveOrTake = 5,
) {
  const before = new Map(known.map((offset) => [offset.machine, offset]))
  return compareClocks({ ranges: rangesOf(others, giveOrTake), known: before })
}

test('an exchange bounds the difference from both sides, whatever it took', () => {
  // The other clock is 5000 ahead; the question took 20, the answer 3000.
  const exchange = { askedAt: 1000, seenAt: 6020, saidAt: 6030, heardAt: 4030 }
  expect(aheadRangeOf(exchange)).toEqual({ least: 2000, most: 5020 })
})

test('an exchange in which a clock was set says nothing', () => {
  expect(aheadRangeOf({ askedAt: 1000, seenAt: 1010, saidAt: 61_020, heardAt: 1030 })).toBeNull()
})

test('clocks that differ by no more than a second are no matter', () => {
  expect(compare({ b: 700, c: -200 })).toEqual([])
})

test('a clock that is off by more than a second is told of, and by more than ten leads no more', () => {
  expect(compare({ b: 10, c: -20, d: 2500 })).toEqual([
    { machine: d, aheadMs: expect.closeTo(2500, -2), barsLead: false },
  ])
  expect(compare({ b: 10, c: -12_000 })).toEqual([
    { machine: c, aheadMs: expect.closeTo(-12_000, -2), barsLead: true },
  ])
})

test('it is the leader that is off where most others agree on that', () => {
  expect(compare({ b: 60_000, c: 60_010 })).toEqual([
    { machine: a, aheadMs: expect.closeTo(-60_000, -2), barsLead: true },
  ])
})

test('of two clocks, and of as many as disagree, the leader’s counts', () => {
  expect(compare({ b: 60_000 })).toEqual([{ machine: b, aheadMs: 60_000, barsLead: true }])
  expect(compare({ b: 60_000, c: -60_000 }).map(({ machine }) => machine)).toEqual([b, c])
  expect(compare({ b: 60_000, c: 20, d: 60_010 }).map(({ machine }) => machine)).toEqual([b, d])
})

test('a difference that a slow store may account for is none, and is not over for that either', () => {
  expect(compare({ b: 1200, c: 0 }, [], 3000)).toEqual([])
  const known = { machine: b, aheadMs: 1500, barsLead: false }
  expect(compare({ b: 1200, c: 0 }, [known], 3000)).toEqual([known])
  expect(compare({ b: 200, c: 0 }, [known])).toEqual([])
})

test('what is known of a machine that does not answer stays', () => {
  const known = { machine: d, aheadMs: 15_000, barsLead: true }
  expect(compare({ b: 0 }, [known])).toEqual([known])
})

test('what is known is written anew only where it has changed', () => {
  const known = { machine: b, aheadMs: 3000, barsLead: false }
  expect(compare({ b: 3400, c: 0 }, [known])[0]).toBe(known)
  expect(compare({ b: 5000, c: 0 }, [known])[0]).toMatchObject({ aheadMs: expect.closeTo(5000, -2) })
})

function viewOf(offsets: readonly ClockOffset[], machines: readonly Partial<Machine>[]): ClusterView {
  return {
    clockOffsets: new Map(offsets.map((offset) => [offset.machine, offset])),
    machines: new Map(machines.map((machine) => [machine.id, machine])),
  } as unknown as ClusterView
}

test('a machine whose clock is far off leaves the lead to one that may lead, and leads where there is none', () => {
  const off = { machine: a, aheadMs: 60_000, barsLead: true }
  expect(leavesLead(viewOf([off], [{ id: a }, { id: b }]), a)).toBe(true)
  expect(leavesLead(viewOf([off], [{ id: a }, { id: b }]), b)).toBe(false)
  expect(leavesLead(viewOf([{ ...off, barsLead: false }], [{ id: a }, { id: b }]), a)).toBe(false)
  expect(leavesLead(viewOf([off], [{ id: a }]), a)).toBe(false)
  expect(leavesLead(viewOf([off], [{ id: a }, { id: b, engine: false }]), a)).toBe(false)
  expect(leavesLead(viewOf([off], [{ id: a }, { id: b, away: { since: 0, until: 1 } }]), a)).toBe(false)
  expect(leavesLead(viewOf([off, { ...off, machine: b }], [{ id: a }, { id: b }]), a)).toBe(false)
})
