// Whether the store has space for what is written.
import { systemClock } from '../lib/io/clock.js'
import { startLoop } from '../lib/io/loop.js'
import { type Op, type Store, StoreError, sizeOf } from '../store/store.js'

/** Written and removed again to see whether there is room: no record. */
const probeKey = 'space'
/** What a probe weighs at the most: more is no sign that there is room for the next change. */
const longestProbe = 64 * 1024

export interface Space {
  readonly store: Store
  /** Whether the last write was refused for want of space. */
  isFull(): boolean
  stop(): Promise<void>
}

/**
 * The store, and whether it has space. While it has none that is tried now and then, with as much as was refused: in a
 * quiet cluster nobody else would write, and so nobody would see that there is room again.
 */
export function watchSpace(store: Store): Space {
  let refused: number | null = null
  const txn: Store['txn'] = async (compare, ops) => {
    try {
      const result = await store.txn(compare, ops)
      if (result.committed && ops.length > 0) refused = null
      return result
    } catch (error) {
      if (error instanceof StoreError && error.code === 'store/full') {
        refused = Math.max(refused ?? 0, bytesOf(ops))
        loop.poke()
      }
      throw error
    }
  }
  const loop = startLoop({
    clock: systemClock,
    intervalMs: lookEveryMs,
    // Whoever wanted to write has been told.
    onError: () => {},
    pass: async () => {
      if (refused === null) return { wakeAt: null }
      await store.txn([], [{ op: 'put', key: probeKey, value: 'x'.repeat(Math.min(refused, longestProbe)) }])
      await txn([], [{ op: 'delete', key: probeKey }])
      return { wakeAt: null }
    },
  })
  return { store: { ...store, txn }, isFull: () => refused !== null, stop: () => loop.stop() }
}

const lookEveryMs = 60_000

function bytesOf(ops: readonly Op[]): number {
  return ops.reduce((sum, op) => sum + sizeOf(op), 0)
}
