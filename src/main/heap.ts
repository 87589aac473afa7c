// How V8 keeps the daemon's heap.
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { growOldBy } from '../lib/io/old-generation.js'
import type { Time, Timer } from '../lib/time.js'

/** Is said before the daemon's own code is loaded, of which V8 would otherwise keep room for far more than lives in it. */
export function keepHeapSmall(): void {
  // A daemon at rest makes little garbage and lives long: a young generation that does not grow saves memory.
  growYoungBy(1)
  // Left alone V8 lets the old generation grow to several times what lives in it before it looks for garbage there.
  growOldBy(30)
  // At rest V8 would collect again and again to win back some 20 MiB, for ten times the processor time of all else.
  setFlagsFromString('--no-memory-reducer')
}

/** That a daemon is busy while it starts is no sign of what comes. */
const startsWithinMs = 10_000
/** How often it is looked whether the daemon is busy, which is within a burst of a few thousand writes; while the young generation grows, how often its size is. */
const [lookEveryMs, measureEveryMs] = [1000, 20]
/** The part of its time in which the event loop is at work from which on it is; a processor may be shared with many. */
const busyFrom = 0.6
/** So large the young generation may become, or a little larger: twice as much saves little more. */
const youngBytesAtMost = 8 * 1024 ** 2

/**
 * Lets the young generation grow while the daemon is busy: what requests need for a moment would else be taken for what
 * stays, and be collected again and again for a third of all its processor time. Returns the way to end that.
 */
export function growWhileBusy(clock: Pick<Time, 'after'>): () => void {
  let timer: Timer
  const lookAfter = (ms: number): void => {
    const before = performance.eventLoopUtilization()
    const look = (): void => {
      const { utilization } = performance.eventLoopUtilization(before)
      const grows = mayGrow(utilization, youngBytes())
      growYoungBy(grows ? 2 : 1)
      lookAfter(grows ? measureEveryMs : lookEveryMs)
    }
    timer = clock.after(ms, look).unref()
  }
  timer = clock.after(startsWithinMs, () => lookAfter(lookEveryMs)).unref()
  return () => timer.cancel()
}

/** Whether a young generation of that size may grow, where the event loop is at work for such a part of its time. */
export function mayGrow(busy: number, bytes: number): boolean {
  return busy >= busyFrom && bytes < youngBytesAtMost
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0
}

function growYoungBy(factor: 1 | 2): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`)
}
