// How far V8 lets the old generation of the heap grow before it looks for garbage there.
import { getHeapStatistics, setFlagsFromString } from 'node:v8'

/** By so much it may grow while streams of data go through: their pieces lie outside of the heap, and count as a part of it. */
const streamedBytes = 64 * 1024 ** 2

/** What was asked for; null: V8 decides. */
let usualPercent: number | null = null
let streams = 0

/** Lets the old generation grow by so many percent of what lives in it, from one collection to the next. */
export function growOldBy(percent: number): void {
  usualPercent = percent
  setGrowth(percent)
}

/**
 * Gives the old generation room for the pieces of a stream of data until the returned function is called. With a small heap
 * that may grow little, each few MiB that go through would cost a collection of all that lives in it.
 */
export function makeRoomForStream(): () => void {
  const usual = usualPercent
  if (usual === null) return () => {}
  streams += 1
  setGrowth(Math.max(usual, Math.ceil((100 * streamedBytes) / getHeapStatistics().used_heap_size)))
  return () => {
    streams -= 1
    if (streams === 0) setGrowth(usual)
  }
}

function setGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`)
}
