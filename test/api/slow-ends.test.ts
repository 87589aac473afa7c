// What is ended because the other end of the connection holds it up, on a clock that the test moves.
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { watchSlowEnd } from '../../src/api/io/slow-ends.js'
import type { Timer } from '../../src/lib/time.js'

const mib = 1024 ** 2

/** A stream into which is written until it is full, and the minutes that pass. */
function watched() {
  const waiting: (() => void)[] = []
  const timer: Timer = { cancel: () => waiting.splice(0), unref: () => timer }
  const time = {
    after: (_ms: number, run: () => void) => {
      waiting.push(run)
      return timer
    },
  }
  const stream = new PassThrough({ highWaterMark: 64 * 1024 })
  let bytes = 0
  const fill = (): void => {
    do bytes += 16 * 1024
    while (stream.write(Buffer.alloc(16 * 1024)))
  }
  const ends: string[] = []
  const seen = { bytes: () => bytes, isHeldUp: () => stream.writableNeedDrain }
  const unwatch = watchSlowEnd(time, seen, ({ code }) => ends.push(code))
  const minute = (): void => {
    for (const run of waiting.splice(0)) run()
  }
  const take = (atLeast: number): void => {
    const until = bytes + atLeast
    while (bytes < until) {
      while (stream.read() !== null);
      fill()
    }
  }
  return { fill, take, minute, ends, unwatch }
}

test('a reader that never reads is ended after two minutes at the latest', () => {
  const { fill, minute, ends } = watched()
  fill()
  minute()
  minute()
  expect(ends).toEqual(['volume/too-slow'])
})

test('a reader who takes a little now and then is ended as well', () => {
  const { fill, take, minute, ends } = watched()
  fill()
  for (let n = 0; n < 2; n++) {
    take(mib / 4)
    minute()
  }
  expect(ends).toEqual(['volume/too-slow'])
})

test('a reader who takes a mebibyte in each minute may take as long as he likes', () => {
  const { take, minute, ends } = watched()
  for (let n = 0; n < 20; n++) {
    take(mib)
    minute()
  }
  expect(ends).toEqual([])
})

test('nobody is ended for data that take long to be read from the disk', () => {
  const { minute, ends } = watched()
  for (let n = 0; n < 20; n++) minute()
  expect(ends).toEqual([])
})

test('after its end nothing is looked at any more', () => {
  const { fill, minute, ends, unwatch } = watched()
  fill()
  unwatch()
  minute()
  minute()
  expect(ends).toEqual([])
})
