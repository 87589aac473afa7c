// A copy of the keys under one prefix, kept current by watching. Reading it costs no round trip.
import { type Backoff, backoffMs } from '../../lib/backoff.js'
import { pause, systemClock } from '../../lib/io/clock.js'
import { ReportedStates } from '../../lib/reported-states.js'
import type { Time, Timer } from '../../lib/time.js'
import {
  type Change,
  type ChangeBatch,
  CompactedError,
  type Entry,
  type Revision,
  type Store,
  StoreError,
} from '../store.js'

export interface MirrorOptions {
  /**
   * Called with what went wrong; the mirror tries again by itself. An InvariantError, its own or a listener's, is to end
   * the process, as one of a loop does.
   */
  readonly onError: (error: unknown) => void
  /** The wait after the first failure; doubled with each further one, up to 50 times as long. Default 100. */
  readonly retryMs?: number
  /** How long `caughtUp` waits for the watch before it lists, in case nothing under the prefix changes. Default 100. */
  readonly patienceMs?: number
  /** What is taken for there until the first listing says what is. */
  readonly initial?: readonly Entry[]
  /** What is waited with; default: the machine's time. */
  readonly time?: Time
  /** Is given changes before they are shown, to get ready for them; null where that takes no time. They are shown when it resolves. */
  readonly prepare?: (changes: readonly Change[]) => Promise<void> | null
}

export interface Mirror {
  /** All keys under the prefix as of `revision`; before it is ready, what there is of the first listing. */
  readonly entries: ReadonlyMap<string, Entry>
  readonly revision: Revision
  /** Resolves when the first listing is in. */
  readonly ready: Promise<void>
  /**
   * Calls back after each change of the mirror, the first listing included (all its keys are puts, in one batch or in
   * several). After a listing the batch holds the differences. Returns the way to end that.
   */
  onChange(listener: (batch: ChangeBatch) => void): () => void
  /** Resolves when the mirror has everything up to `revision`, so that one reads what one has written. */
  caughtUp(revision: Revision): Promise<void>
  close(): Promise<void>
}

/** Opens a mirror: lists once, then follows; lists again when the watch was cut off for too long. */
export function openMirror(store: Store, prefix: string, options: MirrorOptions): Mirror {
  const following = new Following(store, prefix, options)
  const done = following.run()
  return {
    entries: following.entries,
    get revision() {
      return following.revision
    },
    ready: following.caughtUp(0),
    onChange: (listener) => following.onChange(listener),
    caughtUp: (revision) => following.caughtUp(revision),
    close: async () => {
      following.stop()
      await done
    },
  }
}

const longestWaits = 50
/** After a listing that did not help at once the next one waits. */
const listAgain: Backoff = { firstMs: 10, longestMs: 5000 }

class Following {
  readonly entries = new Map<string, Entry>()
  /** -1 until the first listing. */
  #seen: Revision = -1
  readonly #store: Store
  readonly #prefix: string
  readonly #options: MirrorOptions
  readonly #time: Time
  readonly #listeners = new Set<(batch: ChangeBatch) => void>()
  readonly #waiters = new Set<Waiter>()
  readonly #abort = new AbortController()
  readonly #told = new ReportedStates()
  #listing: Promise<void> | null = null
  /** Whether a batch of the watch is about to be shown. */
  #isPreparing = false

  constructor(store: Store, prefix: string, options: MirrorOptions) {
    this.#store = store
    this.#prefix = prefix
    this.#options = options
    this.#time = options.time ?? systemClock
    for (const entry of options.initial ?? []) this.entries.set(entry.key, entry)
  }

  get revision(): Revision {
    return Math.max(0, this.#seen)
  }

  onChange(listener: (batch: ChangeBatch) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async run(): Promise<void> {
    let [failures, compactions] = [0, 0]
    let mustList = true
    while (!this.#abort.signal.aborted) {
      try {
        if (mustList) await this.#list()
        mustList = false
        for await (const batch of this.#store.watch(this.#prefix, this.#seen, this.#abort.signal)) {
          failures = 0
          compactions = 0
          this.#told.over('follow')
          const preparing = this.#preparing(batch)
          if (preparing !== null) await preparing
          this.#take(batch)
        }
      } catch (error) {
        if (this.#abort.signal.aborted) break
        mustList = true
        if (error instanceof CompactedError) {
          if (compactions > 0) await this.#pause(backoffMs(compactions, listAgain))
          compactions += 1
          continue
        }
        this.#tell('follow', error)
        if (error instanceof StoreError && error.code === 'store/closed') break
        failures += 1
        const firstMs = this.#options.retryMs ?? 100
        await this.#pause(backoffMs(failures, { firstMs, longestMs: longestWaits * firstMs }))
      }
    }
    this.stop()
  }

  stop(): void {
    this.#abort.abort()
    for (const waiter of this.#waiters) {
      waiter.timer?.cancel()
      waiter.reject(mirrorClosed())
    }
    this.#waiters.clear()
  }

  caughtUp(revision: Revision): Promise<void> {
    if (this.#seen >= revision) return Promise.resolve()
    if (this.#abort.signal.aborted) return Promise.reject(mirrorClosed())
    const waiting = new Promise<void>((resolve, reject) => {
      const waiter: Waiter = { revision, resolve, reject, timer: null }
      this.#waiters.add(waiter)
      this.#listIfQuiet(waiter, 0)
    })
    // A mirror that is closed before anyone asked again is no unhandled failure.
    waiting.catch(() => {})
    return waiting
  }

  /** A change outside the prefix raises the revision and wakes no watch: then a listing shows that we have it all. */
  #listIfQuiet(waiter: Waiter, failures: number): void {
    if (!this.#waiters.has(waiter)) return
    const look = (): void => {
      if (this.#seen < 0) return
      // What is on its way is no sign of quiet.
      if (this.#isPreparing) {
        this.#listIfQuiet(waiter, failures)
        return
      }
      this.#list().then(
        () => {
          this.#told.over('list')
          // A listing that others began before may not show it: then nothing else would look again.
          this.#listIfQuiet(waiter, failures + 1)
        },
        (error: unknown) => {
          this.#tell('list', error)
          this.#listIfQuiet(waiter, failures + 1)
        },
      )
    }
    const firstMs = this.#options.patienceMs ?? 100
    const waitMs = backoffMs(failures + 1, { firstMs, longestMs: longestWaits * firstMs })
    waiter.timer = this.#time.after(waitMs, look).unref()
  }

  /** One listing at a time, whoever asks. */
  #list(): Promise<void> {
    this.#listing ??= this.#listOnce().finally(() => {
      this.#listing = null
    })
    return this.#listing
  }

  async #listOnce(): Promise<void> {
    const { revision, entries } = await this.#store.range(
      this.#prefix,
      this.#takesParts ? this.#takePart : undefined,
    )
    if (revision < this.#seen) return
    const changes = differences(this.entries, entries)
    const preparing = this.#options.prepare?.(changes) ?? null
    if (preparing === null) return this.#show({ revision, changes })
    await preparing
    if (revision < this.#seen || this.#abort.signal.aborted) return
    // What has come meanwhile is no news any more.
    this.#show({ revision, changes: differences(this.entries, entries) })
  }

  /** Whether a listing is the first one and nothing is served until it is all there. */
  get #takesParts(): boolean {
    return this.#seen < 0 && this.#options.initial === undefined
  }

  /** A part of the first listing: taken in while the rest is on its way, and put right by the whole if it was begun again. */
  readonly #takePart = (part: readonly Entry[]): void => {
    if (this.#abort.signal.aborted) return
    const changes = puts(this.entries, part)
    const revision = Math.max(0, ...changes.map(({ entry }) => entry.modRevision))
    this.#tellOf({ revision, changes })
  }

  #preparing({ changes }: ChangeBatch): Promise<void> | null {
    const preparing = this.#options.prepare?.(changes) ?? null
    this.#isPreparing = preparing !== null
    return (
      preparing?.finally(() => {
        this.#isPreparing = false
      }) ?? null
    )
  }

  #take(batch: ChangeBatch): void {
    // A listing in between may have shown it already.
    if (batch.revision <= this.#seen || this.#abort.signal.aborted) return
    const changes = batch.changes.map((change) => this.#knowing(change))
    this.#show({ revision: batch.revision, changes })
  }

  /** What was there before is what the mirror has: a store may have forgotten it, and listeners undo what they were told. */
  #knowing(change: Change): Change {
    const previous = this.entries.get(change.key) ?? null
    return previous?.modRevision === change.previous?.modRevision ? change : { ...change, previous }
  }

  #show(batch: ChangeBatch): void {
    this.#seen = batch.revision
    this.#tellOf(batch)
    for (const waiter of this.#waiters) {
      if (waiter.revision > this.#seen) continue
      this.#waiters.delete(waiter)
      waiter.timer?.cancel()
      waiter.resolve()
    }
  }

  #tellOf(batch: ChangeBatch): void {
    for (const change of batch.changes) {
      if (change.type === 'put') this.entries.set(change.key, change.entry)
      else this.entries.delete(change.key)
    }
    if (batch.changes.length > 0) for (const listener of this.#listeners) this.#call(listener, batch)
  }

  /** One listener's failure is not the others'. */
  #call(listener: (batch: ChangeBatch) => void, batch: ChangeBatch): void {
    try {
      listener(batch)
    } catch (error) {
      this.#options.onError(error)
    }
  }

  /** Once for the same again and again. */
  #tell(what: string, error: unknown): void {
    if (this.#abort.signal.aborted) return
    const text = error instanceof Error ? error.message : String(error)
    if (this.#told.isNews(what, text)) this.#options.onError(error)
  }

  #pause(waitMs: number): Promise<void> {
    return pause(this.#time, waitMs, this.#abort.signal)
  }
}

interface Waiter {
  readonly revision: Revision
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
  /** Until all is listed for it; null where it has not begun. */
  timer: Timer | null
}

/** What turns one set of entries into another, as if watched. */
function differences(before: ReadonlyMap<string, Entry>, after: readonly Entry[]): Change[] {
  const changes: Change[] = puts(before, after)
  const kept = new Set(after.map(({ key }) => key))
  for (const [key, previous] of before) if (!kept.has(key)) changes.push({ type: 'delete', key, previous })
  return changes
}

/** Those entries that are not there as they are. */
function puts(before: ReadonlyMap<string, Entry>, after: readonly Entry[]): (Change & { type: 'put' })[] {
  return after.flatMap((entry) => {
    const { key, modRevision } = entry
    const previous = before.get(key) ?? null
    return previous?.modRevision === modRevision ? [] : [{ type: 'put', key, entry, previous }]
  })
}

function mirrorClosed(): StoreError {
  return new StoreError('store/closed', 'the mirror is closed', 'open it again')
}
