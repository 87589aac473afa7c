import type { Clock, Time } from '../../src/lib/time.js'
import type { Effect } from '../../src/store/effect.js'
import type { Committer } from '../../src/store/io/committer.js'
import { closedError } from '../../src/store/io/errors.js'
import { defaultHistoryLimit, localStore } from '../../src/store/io/local-store.js'
import { WatchHistory } from '../../src/store/io/watches.js'
import { StoreState } from '../../src/store/state.js'
import type { Store } from '../../src/store/store.js'

interface MemoryStoreOptions {
  readonly clock: Clock
  /** What leases are waited for with; default: the machine's. */
  readonly timers?: Pick<Time, 'after'>
  /** How many revisions a watch may begin in the past. */
  readonly historyLimit?: number
}

/** The embedded store without its disk: it lasts as long as the process. */
export function openMemoryStore(options: MemoryStoreOptions): Store {
  const { clock, timers, historyLimit = defaultHistoryLimit } = options
  const state = new StoreState()
  return localStore({
    state,
    clock,
    ...(timers && { timers }),
    history: new WatchHistory(historyLimit, 0),
    commitWith: (announce) => immediateCommitter(state, announce),
    close: async () => {},
  })
}

/** A request is done at once. `announce` gets what has changed. */
function immediateCommitter(state: StoreState, announce: (effects: readonly Effect[]) => void): Committer {
  let closed = false
  return {
    submit: async (decide) => {
      if (closed) throw closedError()
      try {
        const { value } = decide()
        announce(state.commit())
        return value
      } finally {
        state.discard()
      }
    },
    close: async () => {
      closed = true
    },
  }
}
