import { expect, it } from 'vitest'
import {
  noRestarts,
  noteAsked,
  noteWait,
  parseRestartCount,
} from '../../../src/drivers/systemd/restart-count.js'

const again = (count = noRestarts, since: number, ranMs = 50) => noteAsked(noteWait(count, since, ranMs))

it('a restart waits as Docker does: 100 ms, doubled up to a minute, from the start again after a steady run', () => {
  let count = noRestarts
  const waits: number[] = []
  for (let n = 1; n <= 12; n += 1) {
    const waiting = noteWait(count, n * 1000, 9999)
    waits.push((waiting.dueAt ?? 0) - n * 1000)
    count = noteAsked(waiting)
  }
  expect(waits).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 51_200, 60_000, 60_000])
  const steady = noteWait(count, 99_000, 10_000)
  expect(steady).toMatchObject({ asked: 12, dueAt: 99_100 })
  expect(noteWait(noteAsked(steady), 100_000, 20)).toMatchObject({ dueAt: 100_200 })
})

it('a wait that is told of twice is one, and asked for once', () => {
  const waiting = noteWait(noRestarts, 5000, 50)
  expect(noteWait(waiting, 5000, 50)).toBe(waiting)
  const asked = noteAsked(waiting)
  expect(asked).toMatchObject({ asked: 1, dueAt: null })
  expect(noteWait(asked, 5000, 50)).toBe(asked)
})

it('a count outlives the daemon, and a text that is none counts for nothing', () => {
  const count = again(again(undefined, 1000), 2000)
  expect(parseRestartCount(JSON.stringify(count))).toEqual(count)
  for (const text of ['', '{', '{}', '[]', 'null', '{"asked":"1"}'])
    expect(parseRestartCount(text)).toEqual(noRestarts)
})
