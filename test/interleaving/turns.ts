// One thing at a time, in an order that a seed chooses: whoever asks the store waits for a turn before the request
// arrives there, and for another before the answer is back. Between two turns everything that can run has run.
import type { Store } from '../../src/store/store.js'

/** Numbers from 0 up to 1, the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = (seed * 48_271 + 11) % 2_147_483_647 || 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return (state - 1) / 2_147_483_646
  }
}

export interface Turns {
  /** Resolves when it is this one's turn. */
  take(): Promise<void>
  /** Gives one waiting request its turn; false where none waits. */
  give(): Promise<boolean>
}

export function turnsIn(random: () => number): Turns {
  const waiting: (() => void)[] = []
  return {
    take: () => new Promise((resolve) => waiting.push(resolve)),
    give: async () => {
      const [next] = waiting.splice(Math.floor(random() * waiting.length), 1)
      next?.()
      // Promises that this settles, and those that they settle, have gone on when the next turn of the loop comes.
      await new Promise((resolve) => setImmediate(resolve))
      return next !== undefined
    },
  }
}

/** A store as one process reaches it: requests, answers and what it watches take their turns. */
export function interleaved(store: Store, turns: Turns): Store {
  const asked = async <T>(ask: () => Promise<T>): Promise<T> => {
    await turns.take()
    const answer = await ask()
    await turns.take()
    return answer
  }
  return {
    get: (key) => asked(() => store.get(key)),
    range: (prefix) => asked(() => store.range(prefix)),
    txn: (compare, ops) => asked(() => store.txn(compare, ops)),
    grant: (ttlMs) => store.grant(ttlMs),
    keepAlive: (lease) => store.keepAlive(lease),
    remainingMs: (lease) => store.remainingMs(lease),
    revoke: (lease) => store.revoke(lease),
    watch: async function* (prefix, after, signal) {
      for await (const batch of store.watch(prefix, after, signal)) {
        await turns.take()
        yield { revision: batch.revision, changes: batch.changes }
      }
    },
    close: () => Promise.resolve(),
  }
}
