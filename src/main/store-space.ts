// Whether the store has space for what is written.
import { backoffMs } from '../lib/backoff.js'
import { pause } from '../lib/io/clock.js'
import { defaultBackoff, startLoop } from '../lib/io/loop.js'
import type { Instant, Time } from '../lib/time.js'
import { isFull, type Op, type Store, sizeOf } from '../store/store.js'

/** Written and removed again to see whether there is room: no record. */
const probeKey = 'space'
/** What a probe weighs at the most: more is no sign that there is room for the next change. */
const longestProbe = 64 * 1024

export interface Space {
  readonly store: Store
  /** Since when writes are refused for want of space, and why; null where the last one was not. */
  full(): Full | null
  /** Writes as soon as there is room for it, however often that takes. */
  whenItFits<T>(write: () => Promise<T>, signal: AbortSignal): Promise<T>
  /** Calls back whenever there is room again. Returns the way to end that. */
  onRoom(listener: () => void): () => void
  stop(): Promise<void>
}

interface Full {
  readonly since: Instant
  readonly reason: string
}

/**
 * The store, and whether it has space. While it has none that is tried now and then, with as much as was refused: in a
 * quiet cluster nobody else would write, and so nobody would see that there is room again.
 */
export function watchSpace(store: Store, clock: Time): Space {
  let refused: (Full & { readonly bytes: number }) | null = null
  const listeners = new Set<() => void>()
  const hasRoom = (): void => {
    if (refused === null) return
    refused = null
    for (const listener of [...listeners]) listener()
  }
  /** What needs space. */
  const asked = async <T>(bytes: number, work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      if (isFull(error)) {
        refused = {
          since: refused?.since ?? clock.now(),
          reason: error.message,
          bytes: Math.max(refused?.bytes ?? 0, bytes),
        }
        loop.wake()
      }
      throw error
    }
  }
  const txn: Store['txn'] = async (compare, ops) => {
    const result = await asked(bytesOf(ops), store.txn(compare, ops))
    // A full etcd still lets delete.
    if (result.committed && ops.some(({ op }) => op === 'put')) hasRoom()
    return result
  }
  const grant: Store['grant'] = (ttlMs) => asked(0, store.grant(ttlMs))
  const loop = startLoop({
    clock,
    intervalMs: lookEveryMs,
    // Whoever wanted to write has been told.
    onError: () => {},
    pass: async () => {
      if (refused === null) return { wakeAt: null }
      const value = 'x'.repeat(Math.min(refused.bytes, longestProbe))
      await store.txn([], [{ op: 'put', key: probeKey, value }])
      await store.txn([], [{ op: 'delete', key: probeKey }])
      hasRoom()
      return { wakeAt: null }
    },
  })
  const onRoom: Space['onRoom'] = (listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  /** Resolves when there is room, or `signal` aborts. */
  const room = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        stopListening()
        signal.removeEventListener('abort', end)
        resolve()
      }
      const stopListening = onRoom(end)
      signal.addEventListener('abort', end)
      if (refused === null || signal.aborted) end()
    })
  return {
    store: { ...store, txn, grant },
    whenItFits: async (write, signal) => {
      for (let failures = 1; ; failures++) {
        try {
          return await write()
        } catch (error) {
          if (!isFull(error) || signal.aborted) throw error
          // There may be room for the probe, and not for this.
          await pause(clock, backoffMs(failures, defaultBackoff), signal)
          await room(signal)
        }
      }
    },
    full: () => refused,
    onRoom,
    stop: () => loop.stop(),
  }
}

const lookEveryMs = 60_000

function bytesOf(ops: readonly Op[]): number {
  return ops.reduce((sum, op) => sum + sizeOf(op), 0)
}
