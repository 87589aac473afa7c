// The cluster's records as one process sees them: a view that follows the store, and writes that it then sees.
import { steadyClock } from '../../lib/io/clock.js'
import { RightOfWay } from '../../lib/io/right-of-way.js'
import { Slices } from '../../lib/io/slices.js'
import { byKeys } from '../../lib/sort.js'
import { assertUnshared, comparesOf, type Decision } from '../decision.js'
import { isMadeAnew, mayBeDropped, unreadableError } from '../quarantine.js'
import { leaderKey, type RecordKind } from '../records.js'
import {
  type Change,
  type Compare,
  type Entry,
  type Op,
  type Revision,
  type Store,
  StoreError,
} from '../store.js'
import { type ClusterView, LiveView } from '../view.js'
import { type Mirror, type MirrorOptions, openMirror } from './mirror.js'

/** Typed records over a store, with the view and its commits. */
export interface Registry {
  readonly view: ClusterView
  readonly store: Store
  /**
   * Passes decide service by service beside it, for as long as there is something to do; a change of many services, which
   * would meet one of those each time, has it alone.
   */
  readonly rightOfWay: RightOfWay
  /** Calls back after each batch of changes, which the view has by then. Returns the way to end that. */
  onChange(listener: ChangeListener): () => void
  /**
   * Decides on the view as it is, and writes what was decided as one change if nothing that it rests on has changed
   * since: what is compared is read in the turn in which it is decided. Resolves when the view has seen the outcome.
   * `fence` is a further comparison, such as the leader's (`ledBy`).
   */
  decide<D extends Decision>(
    decide: (view: ClusterView) => D,
    fence?: readonly Compare[],
  ): Promise<Decided<D>>
  /**
   * Whether records are in the store as the view has them: a decision that there is nothing to do is worth what it was made
   * on. Where they are not, resolves when the view has seen what they are, as far as that can be told. Without keys it
   * only asks whether the store is there. To be called in the turn of the decision.
   */
  holds(keys: readonly string[]): Promise<boolean>
  /**
   * Writes records that nobody else writes, as one change if every comparison holds. Resolves when the view has seen it:
   * true if it was written. Throws where a record is shared: that takes a decision.
   */
  commit(compare: readonly Compare[], ops: readonly Op[]): Promise<boolean>
  /** The same for an operator who knows better: also what cannot be read, and what is shared. */
  overrule(compare: readonly Compare[], ops: readonly Op[]): Promise<boolean>
  /** All keys under a prefix, as the view has them, sorted. Walks over every key there is: not for every pass. */
  entriesUnder(prefix: string): readonly Entry[]
  /** All keys as of one revision, in no order. */
  snapshot(): { readonly revision: Revision; readonly entries: readonly Entry[] }
  /** A key as the view has it. */
  entryAt(key: string): Entry | null
  /**
   * Shows a record in the view for as long as the store does not hold one at its key, as when it has no space for it.
   * Returns the way to take it back.
   */
  assume(op: Extract<Op, { readonly op: 'put' }>): () => void
  /** Resolves when the view has all that the store holds; until then it has what it was opened with, and nothing is written. */
  readonly complete: Promise<void>
  isComplete(): boolean
  close(): Promise<void>
}

/** What was decided, and whether it took effect: false where somebody else was first, so that one looks again. */
interface Decided<D extends Decision> {
  readonly decision: D
  readonly committed: boolean
}

/** Is told which kinds of records a batch touched, and the changes themselves. */
export type ChangeListener = (kinds: ReadonlySet<RecordKind | 'leader'>, changes: readonly Change[]) => void

/** From so many changes on, what they hold is read in slices before any of them is shown. */
const manyChanges = 500

/** What was written, and whether: false where something had changed meanwhile. */
export interface Written {
  readonly ops: readonly Op[]
  readonly committed: boolean
  readonly tookMs: number
}

interface RegistryOptions extends MirrorOptions {
  /** Called after each transaction that the store has answered. */
  readonly onWrite?: (written: Written) => void
}

/** Opens a registry; resolves when its view is complete, or has what it was given to begin with. */
export async function openRegistry(store: Store, options: RegistryOptions): Promise<Registry> {
  const registry = new MirroredRegistry(store, options)
  if (options.initial === undefined) await registry.complete
  // A registry that is closed before is no unhandled failure.
  else registry.complete.catch(() => {})
  return registry
}

class MirroredRegistry implements Registry {
  readonly view = new LiveView()
  readonly store: Store
  readonly rightOfWay = new RightOfWay()
  readonly complete: Promise<void>
  readonly #mirror: Mirror
  readonly #onError: MirrorOptions['onError']
  readonly #onWrite: RegistryOptions['onWrite']
  readonly #listeners = new Set<ChangeListener>()
  readonly #assumed = new Assumed()
  #isComplete = false

  constructor(store: Store, options: RegistryOptions) {
    this.store = store
    this.#onWrite = options.onWrite
    this.#onError = options.onError
    for (const entry of options.initial ?? [])
      this.view.apply({ type: 'put', key: entry.key, entry, previous: null })
    const slices = new Slices(options.time)
    this.#mirror = openMirror(store, '', {
      ...options,
      prepare: (changes) =>
        changes.length < manyChanges
          ? null
          : slices.run(this.view.readAhead(changes), Number.POSITIVE_INFINITY),
    })
    this.#mirror.onChange(({ changes }) => this.#show(this.#assumed.seenIn(changes)))
    this.complete = this.#mirror.ready.then(() => {
      this.#isComplete = true
    })
  }

  onChange(listener: ChangeListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async decide<D extends Decision>(
    decide: (view: ClusterView) => D,
    fence: readonly Compare[] = [],
  ): Promise<Decided<D>> {
    const decision = decide(this.view)
    if (decision.ops.length === 0) return { decision, committed: true }
    // No await between the decision and its comparisons: value and revision come from one read.
    const compare = [...fence, ...comparesOf(this.view, decision)]
    return { decision, committed: await this.#write(compare, decision.ops) }
  }

  async holds(keys: readonly string[]): Promise<boolean> {
    if (!this.#isComplete) throw incompleteError()
    const seen = keys.map((key) => ({ key, revision: this.view.revisionOf(key) }))
    if (seen.length === 0) await this.store.get(leaderKey)
    const found = await Promise.all(
      seen.map(async ({ key, revision }) => {
        const now = (await this.store.get(key))?.modRevision ?? 0
        return { isSame: now === revision, now }
      }),
    )
    const others = found.filter(({ isSame }) => !isSame)
    await Promise.all(others.map(({ now }) => this.#mirror.caughtUp(now)))
    return others.length === 0
  }

  async commit(compare: readonly Compare[], ops: readonly Op[]): Promise<boolean> {
    assertUnshared(ops)
    return this.#write(compare, ops)
  }

  async overrule(compare: readonly Compare[], ops: readonly Op[]): Promise<boolean> {
    // What was decided on a part of the records could be wrong of the others.
    if (!this.#isComplete) throw incompleteError()
    const from = steadyClock.now()
    const { committed, revision } = await this.store.txn(compare, ops)
    this.#onWrite?.({ ops, committed, tookMs: steadyClock.now() - from })
    await this.#mirror.caughtUp(revision)
    return committed
  }

  entriesUnder(prefix: string): readonly Entry[] {
    return [...this.#mirror.entries.values()]
      .filter(({ key }) => key.startsWith(prefix))
      .sort(byKeys(({ key }) => key))
  }

  snapshot(): { readonly revision: Revision; readonly entries: readonly Entry[] } {
    return { revision: this.#mirror.revision, entries: [...this.#mirror.entries.values()] }
  }

  entryAt(key: string): Entry | null {
    return this.#mirror.entries.get(key) ?? null
  }

  assume({ key, value }: Extract<Op, { readonly op: 'put' }>): () => void {
    const entry: Entry = { key, value, createRevision: 0, modRevision: 0, lease: null }
    const isHeld = () => this.#mirror.entries.has(key)
    this.#assumed.entries.set(key, entry)
    if (!isHeld()) this.#show([{ type: 'put', key, entry, previous: null }])
    return () => {
      if (this.#assumed.entries.get(key) !== entry) return
      this.#assumed.entries.delete(key)
      if (!isHeld()) this.#show([{ type: 'delete', key, previous: entry }])
    }
  }

  isComplete(): boolean {
    return this.#isComplete
  }

  close(): Promise<void> {
    return this.#mirror.close()
  }

  #show(changes: readonly Change[]): void {
    const kinds = new Set<RecordKind | 'leader'>()
    for (const change of changes) {
      const kind = this.view.apply(change)
      if (kind !== null) kinds.add(kind)
      else if (change.key === leaderKey) kinds.add('leader')
    }
    this.view.forgetAhead()
    for (const listener of this.#listeners) call(listener, kinds, changes, this.#onError)
  }

  async #write(compare: readonly Compare[], ops: readonly Op[]): Promise<boolean> {
    refuseUnreadable(this.view, ops)
    return this.overrule(compare, ops)
  }
}

/** Records that are shown where the store holds none. */
class Assumed {
  readonly entries = new Map<string, Entry>()

  /** What the changes of the store come to in a view that shows these. */
  seenIn(changes: readonly Change[]): readonly Change[] {
    return this.entries.size === 0 ? changes : changes.map((change) => this.#seen(change))
  }

  #seen(change: Change): Change {
    const { key } = change
    const entry = this.entries.get(key)
    if (entry === undefined) return change
    const previous = change.previous ?? entry
    return change.type === 'put' ? { ...change, previous } : { type: 'put', key, entry, previous }
  }
}

/** Of a daemon that has not seen the store since its start. */
export function incompleteError(): StoreError {
  return new StoreError(
    'store/unreachable',
    'the store has been unreachable since this daemon started: it only knows the units of its machine',
    'nothing was changed; what runs goes on running until the store is back',
  )
}

/** One listener's failure is not the others'. */
function call(
  listener: ChangeListener,
  kinds: Parameters<ChangeListener>[0],
  changes: readonly Change[],
  onError: MirrorOptions['onError'],
): void {
  try {
    listener(kinds, changes)
  } catch (error) {
    onError(error)
  }
}

/** Throws StoreError where a write would undo a record that nobody here can read, and that is not the writer's to make. */
function refuseUnreadable({ unreadable }: ClusterView, ops: readonly Op[]): void {
  if (unreadable.size === 0) return
  for (const op of ops) {
    if (op.op === 'delete-prefix') continue
    const held = unreadable.get(op.key)
    if (held === undefined || (op.op === 'put' ? isMadeAnew(held) : mayBeDropped(held))) continue
    throw unreadableError(held)
  }
}

/** The comparison that fences a leader's write: it holds only while that leader leads. */
export function ledBy(epoch: number): Compare {
  return { key: leaderKey, modRevision: epoch }
}
