import { expect, test } from 'vitest'
import { newestOnly } from '../../src/lib/io/newest-only.js'

test('carries out one value at a time and passes over those that are no longer the newest', async () => {
  const begun: number[] = []
  const ends: (() => void)[] = []
  const set = newestOnly<number>(
    (value) =>
      new Promise((resolve) => {
        begun.push(value)
        ends.push(resolve)
      }),
  )
  const all = [1, 2, 3].map(set)
  expect(begun).toEqual([1])
  ends[0]?.()
  await expect.poll(() => begun).toEqual([1, 3])
  ends[1]?.()
  await Promise.all(all)

  const later = set(4)
  expect(begun).toEqual([1, 3, 4])
  ends[2]?.()
  await later
})
