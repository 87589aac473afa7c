// How requests become durable. Many that arrive together share one write to disk.
import type { Effect } from '../effect.js'
import type { Staged, StoreState } from '../state.js'
import { closedError } from './errors.js'

/** Makes effects durable, all or none: when it rejects, none of them will be found again. */
type Persist = (effects: readonly Effect[]) => Promise<void>

/** Decides requests in the order in which they come, and answers each when what it saw and changed is durable. */
export interface Committer {
  submit<T>(decide: () => Staged<T>): Promise<T>
  /** Refuses new requests; resolves when those before are answered. */
  close(): Promise<void>
}

/** So many requests at most share one write: keeps one write in memory and the wait for it bounded. */
const groupLimit = 1000

/**
 * For a durable store. Requests wait until the write before is done; then all that wait are decided in order, each
 * seeing the ones before, and written as one. Nothing is visible to readers and watchers before it is durable, and if
 * the write fails nothing of the group ever was. As no group is decided before the last one is settled, a failed write
 * leaves nobody behind who had relied on it.
 */
export class GroupCommitter implements Committer {
  readonly #state: StoreState
  readonly #persist: Persist
  readonly #announce: (effects: readonly Effect[]) => void
  readonly #nextTurn: () => Promise<void>
  #queue: Request[] = []
  #running: Promise<void> | null = null
  #closed = false

  /** `nextTurn` lets others go on before a group is made up. */
  constructor(
    state: StoreState,
    persist: Persist,
    announce: (effects: readonly Effect[]) => void,
    nextTurn: () => Promise<void> = nextImmediate,
  ) {
    this.#nextTurn = nextTurn
    this.#state = state
    this.#persist = persist
    this.#announce = announce
  }

  submit<T>(decide: () => Staged<T>): Promise<T> {
    if (this.#closed) return Promise.reject(closedError())
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ decide: () => settle(decide, resolve, reject), reject })
      this.#running ??= this.#run()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      // Callers that were just answered get to ask again, and so share the next write.
      await this.#nextTurn()
      await this.#commit(this.#queue.splice(0, groupLimit))
    }
    this.#running = null
  }

  async #commit(group: readonly Request[]): Promise<void> {
    try {
      const answers = group.map((request) => request.decide())
      const effects = this.#state.staged
      if (effects.length > 0) await this.#persist(effects)
      this.#announce(this.#state.commit())
      for (const answer of answers) answer()
    } catch (error) {
      this.#state.discard()
      for (const { reject } of group) reject(error)
    }
  }
}

interface Request {
  /** Decides, and returns what gives the answer: a refusal too may rest on a request of the same group. */
  readonly decide: () => () => void
  readonly reject: (error: unknown) => void
}

function settle<T>(
  decide: () => Staged<T>,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): () => void {
  try {
    const { value } = decide()
    return () => resolve(value)
  } catch (error) {
    return () => reject(error)
  }
}

function nextImmediate(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
