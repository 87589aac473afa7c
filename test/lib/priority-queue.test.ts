import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PriorityQueue } from '../../src/lib/priority-queue.js'

const Never = Number.MAX_SAFE_INTEGER

/** Everything in it, in the order in which it comes out. */
function drained<T>(queue: PriorityQueue<T>): readonly T[] {
  const items: T[] = []
  for (let item = queue.takeDue(Never); item !== undefined; item = queue.takeDue(Never)) items.push(item)
  return items
}

describe('what waits', () => {
  it('comes out by when it is due, and then in the order in which it came', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20)), (instants) => {
        const queue = new PriorityQueue<{ readonly at: number; readonly turn: number }>()
        instants.forEach((at, turn) => {
          queue.push(at, { at, turn })
        })
        const sorted = instants
          .map((at, turn) => ({ at, turn }))
          .sort((a, b) => a.at - b.at || a.turn - b.turn)
        expect(drained(queue)).toEqual(sorted)
      }),
    )
  })

  it('stays in order when some of it is dropped', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(100)), fc.nat(100), (instants, least) => {
        const queue = new PriorityQueue<number>()
        for (const at of instants) queue.push(at, at)
        queue.keep((at) => at >= least)
        queue.push(50, 50)
        const kept = [...instants.filter((at) => at >= least), 50].sort((a, b) => a - b)
        expect(drained(queue)).toEqual(kept)
      }),
    )
  })

  it('does not come out before it is due', () => {
    const queue = new PriorityQueue<string>()
    queue.push(10, 'later')
    expect(queue.takeDue(9)).toBeUndefined()
    expect(queue.nextAt).toBe(10)
    expect(queue.takeDue(10)).toBe('later')
    expect(queue.nextAt).toBeNull()
  })
})
