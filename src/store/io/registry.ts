// The cluster's records as one process sees them: a view that follows the store, and writes that it then sees.
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
export interface Decided<D extends Decision> {
  readonly decision: D
  readonly committed: boolean
}

/** Is told which kinds of records a batch touched, and the changes themselves. */
export type ChangeListener = (kinds: ReadonlySet<RecordKind | 'leader'>, changes: readonly Change[]) => void

/** From so many changes on, what they hold is read in slices before any of them is shown. */
const manyChanges = 500

/** Opens a registry; resolves when its view is complete, or has what it was given to begin with. */
export async function openRegistry(store: Store, options: MirrorOptions): Promise<Registry> {
  const view = new LiveView()
  for (const entry of options.initial ?? [])
    view.apply({ type: 'put', key: entry.key, entry, previous: null })
  const listeners = new Set<ChangeListener>()
  const slices = new Slices(options.time)
  const mirror: Mirror = openMirror(store, '', {
    ...options,
    prepare: (changes) =>
      changes.length < manyChanges ? null : slices.run(view.readAhead(changes), Number.POSITIVE_INFINITY),
  })
  const assumed = new Assumed()
  const show = (changes: readonly Change[]): void => {
    const kinds = new Set<RecordKind | 'leader'>()
    for (const change of changes) {
      const kind = view.apply(change)
      if (kind !== null) kinds.add(kind)
      else if (change.key === leaderKey) kinds.add('leader')
    }
    view.forgetAhead()
    for (const listener of listeners) call(listener, kinds, changes, options.onError)
  }
  mirror.onChange(({ changes }) => show(assumed.seenIn(changes)))
  let isComplete = false
  const complete = mirror.ready.then(() => {
    isComplete = true
  })
  if (options.initial === undefined) await complete
  // A registry that is closed before is no unhandled failure.
  else complete.catch(() => {})
  const overrule = async (compare: readonly Compare[], ops: readonly Op[]): Promise<boolean> => {
    // What was decided on a part of the records could be wrong of the others.
    if (!isComplete) throw incompleteError()
    const { committed, revision } = await store.txn(compare, ops)
    await mirror.caughtUp(revision)
    return committed
  }
  const write = async (compare: readonly Compare[], ops: readonly Op[]): Promise<boolean> => {
    refuseUnreadable(view, ops)
    return overrule(compare, ops)
  }
  return {
    view,
    store,
    rightOfWay: new RightOfWay(),
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    decide: async (decide, fence = []) => {
      const decision = decide(view)
      if (decision.ops.length === 0) return { decision, committed: true }
      // No await between the decision and its comparisons: value and revision come from one read.
      const compare = [...fence, ...comparesOf(view, decision)]
      return { decision, committed: await write(compare, decision.ops) }
    },
    holds: async (keys) => {
      if (!isComplete) throw incompleteError()
      const seen = keys.map((key) => ({ key, revision: view.revisionOf(key) }))
      if (seen.length === 0) await store.get(leaderKey)
      const found = await Promise.all(
        seen.map(async ({ key, revision }) => {
          const now = (await store.get(key))?.modRevision ?? 0
          return { isSame: now === revision, now }
        }),
      )
      const others = found.filter(({ isSame }) => !isSame)
      await Promise.all(others.map(({ now }) => mirror.caughtUp(now)))
      return others.length === 0
    },
    commit: async (compare, ops) => {
      assertUnshared(ops)
      return write(compare, ops)
    },
    overrule,
    entriesUnder: (prefix) =>
      [...mirror.entries.values()].filter(({ key }) => key.startsWith(prefix)).sort(byKeys(({ key }) => key)),
    snapshot: () => ({ revision: mirror.revision, entries: [...mirror.entries.values()] }),
    assume: ({ key, value }) => {
      const entry: Entry = { key, value, createRevision: 0, modRevision: 0, lease: null }
      const isHeld = () => mirror.entries.has(key)
      assumed.entries.set(key, entry)
      if (!isHeld()) show([{ type: 'put', key, entry, previous: null }])
      return () => {
        if (assumed.entries.get(key) !== entry) return
        assumed.entries.delete(key)
        if (!isHeld()) show([{ type: 'delete', key, previous: entry }])
      }
    },
    entryAt: (key) => mirror.entries.get(key) ?? null,
    complete,
    isComplete: () => isComplete,
    close: () => mirror.close(),
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

function incompleteError(): StoreError {
  return new StoreError(
    'store/unreachable',
    'the store is out of reach since this daemon started: it knows only what was placed on its machine',
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
