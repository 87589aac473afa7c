// Whether the store has space for what is written.
import { startLoop } from '../lib/io/loop.js'
import type { Instant, Time } from '../lib/time.js'
import { type Op, type Store, StoreError, sizeOf } from '../store/store.js'

/** Written and removed again to see whether there is room: no record. */
const probeKey = 'space'
/** What a probe weighs at the most: more is no sign that there is room for the next change. */
const longestProbe = 64 * 1024

export interface Space {
  readonly store: Store
  /** Since when writes are refused for want of space; null where the last one was not. */
  fullSince(): Instant | null
  stop(): Promise<void>
}

/**
 * The store, and whether it has space. While it has none that is tried now and then, with as much as was refused: in a
 * quiet cluster nobody else would write, and so nobody would see that there is room again.
 */
export function watchSpace(store: Store, clock: Time): Space {
  let refused: { readonly since: Instant; readonly bytes: number } | null = null
  const txn: Store['txn'] = async (compare, ops) => {
    try {
      const result = await store.txn(compare, ops)
      if (result.committed && ops.length > 0) refused = null
      return result
    } catch (error) {
      if (error instanceof StoreError && error.code === 'store/full') {
        refused = {
          since: refused?.since ?? clock.now(),
          bytes: Math.max(refused?.bytes ?? 0, bytesOf(ops)),
        }
        loop.poke()
      }
      throw error
    }
  }
  const loop = startLoop({
    clock,
    intervalMs: lookEveryMs,
    // Whoever wanted to write has been told.
    onError: () => {},
    pass: async () => {
      if (refused === null) return { wakeAt: null }
      const value = 'x'.repeat(Math.min(refused.bytes, longestProbe))
      await store.txn([], [{ op: 'put', key: probeKey, value }])
      await txn([], [{ op: 'delete', key: probeKey }])
      return { wakeAt: null }
    },
  })
  return { store: { ...store, txn }, fullSince: () => refused?.since ?? null, stop: () => loop.stop() }
}

const lookEveryMs = 60_000

function bytesOf(ops: readonly Op[]): number {
  return ops.reduce((sum, op) => sum + sizeOf(op), 0)
}
