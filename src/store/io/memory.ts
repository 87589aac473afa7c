import type { Clock, Time } from '../../lib/time.js'
import { StoreState } from '../state.js'
import type { Store } from '../store.js'
import { immediateCommitter } from './committer.js'
import { defaultHistoryLimit, localStore } from './local-store.js'
import { WatchHistory } from './watches.js'

interface MemoryStoreOptions {
  readonly clock: Clock
  /** What leases are waited for with; default: the machine's. */
  readonly timers?: Pick<Time, 'after'>
  /** How many revisions a watch may begin in the past. */
  readonly historyLimit?: number
}

/** A store that lasts as long as the process: for tests, and for trying things out. */
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
