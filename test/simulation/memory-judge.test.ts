// What counts as growth of what a daemon holds.
import { expect, test } from 'vitest'
import { growing } from './memory-judge.js'

const seen = (counts: readonly number[], records: readonly number[] = [0, 0, 0, 0]) =>
  growing(
    counts.map((count, n) => ({
      held: new Map([['Agent.#memory.[]', count]]),
      records: { task: records[n] ?? 0 },
    })),
  )

test('what becomes steadily more is told, unless there are more records', () => {
  expect(seen([100, 200, 300, 400])).toEqual([{ place: 'Agent.#memory.[]', counts: [100, 200, 300, 400] }])
  expect(seen([100, 200, 300, 400], [10, 40, 60, 85])).toEqual([])
  expect(seen([100, 390, 395, 400]), 'up to where it stays').toEqual([])
  expect(seen([100, 400, 90, 400]), 'to and fro').toEqual([])
  expect(seen([0, 20, 40, 60]), 'few').toEqual([])
})
