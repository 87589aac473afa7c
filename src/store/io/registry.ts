// The cluster's records as one process sees them: a view that follows the store, and writes that it then sees.
import { byKeys } from '../../lib/sort.js'
import { assertUnshared, comparesOf, type Decision } from '../decision.js'
import { isMadeAnew, mayBeDropped, unreadableError } from '../quarantine.js'
import { leaderKey, type RecordKind } from '../records.js'
import { type Change, type Compare, type Entry, type Op, type Store, StoreError } from '../store.js'
import { type ClusterView, LiveView } from '../view.js'
import { type Mirror, type MirrorOptions, openMirror } from './mirror.js'

export interface Registry {
  readonly view: ClusterView
  readonly store: Store
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
   * Writes records that nobody else writes, as one change if every comparison holds. Resolves when the view has seen it:
   * true if it was written. Throws where a record is shared: that takes a decision.
   */
  commit(compare: readonly Compare[], ops: readonly Op[]): Promise<boolean>
  /** The same for an operator who knows better: also what cannot be read, and what is shared. */
  overrule(compare: readonly Compare[], ops: readonly Op[]): Promise<boolean>
  /** All keys under a prefix, as the view has them, sorted. Walks over every key there is: not for every pass. */
  entriesUnder(prefix: string): readonly Entry[]
  /** A key as the view has it. */
  entryAt(key: string): Entry | null
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

/** Opens a registry; resolves when its view is complete, or has what it was given to begin with. */
export async function openRegistry(store: Store, options: MirrorOptions): Promise<Registry> {
  const view = new LiveView()
  for (const entry of options.initial ?? [])
    view.apply({ type: 'put', key: entry.key, entry, previous: null })
  const listeners = new Set<ChangeListener>()
  const mirror: Mirror = openMirror(store, '', options)
  mirror.onChange(({ changes }) => {
    const kinds = new Set<RecordKind | 'leader'>()
    for (const change of changes) {
      const kind = view.apply(change)
      if (kind !== null) kinds.add(kind)
      else if (change.key === leaderKey) kinds.add('leader')
    }
    for (const listener of listeners) call(listener, kinds, changes, options.onError)
  })
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
    commit: async (compare, ops) => {
      assertUnshared(ops)
      return write(compare, ops)
    },
    overrule,
    entriesUnder: (prefix) =>
      [...mirror.entries.values()].filter(({ key }) => key.startsWith(prefix)).sort(byKeys(({ key }) => key)),
    entryAt: (key) => mirror.entries.get(key) ?? null,
    complete,
    isComplete: () => isComplete,
    close: () => mirror.close(),
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
