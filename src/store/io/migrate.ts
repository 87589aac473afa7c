// Moves all records of one store to another, and takes such a move back, so that at every moment exactly one of the two can be
// used, or the move is under way and can be taken up again.
import { bytesOf, digestOf, movedKey, movingKey, portionsOf, travellers } from '../migration.js'
import { clusterKey, kindOfKey, read } from '../records.js'
import { type Entry, type Op, type Revision, type Store, StoreError } from '../store.js'

interface MigrateOptions {
  /** What people call the target. */
  readonly to: string
  /** Called as records are written. */
  readonly onProgress?: (done: number, total: number) => void
  /** Ends the move; what is there already stays, for the next try. */
  readonly signal?: AbortSignal
}

/** What a migration took over. */
export interface Migrated {
  readonly records: number
  readonly bytes: number
  /** SHA-1 over all records, read back from the target. */
  readonly digest: string
  /** Whether an earlier try had begun. */
  readonly resumed: boolean
}

/** Transactions on their way at once. */
const hands = 8

/**
 * Moves the records of a store that nobody else uses to one that is empty, or holds what an earlier try has left. The
 * source keeps its records, and a mark that they are elsewhere. Throws StoreError: `store/nothing-to-move`, `store/moved`,
 * `store/not-empty`, `store/taken-over`, `store/differs`, and what the stores themselves throw.
 */
export async function migrateStore(
  source: Store,
  target: Store,
  { to, onProgress = () => {}, signal }: MigrateOptions,
): Promise<Migrated> {
  const { entries } = await source.range('')
  const records = travellers(entries)
  const cluster = valueAt(records, clusterKey)
  if (cluster === null) throw nothingToMove()
  const claim = await claimTarget(target, cluster, valueAt(entries, movedKey))
  await copy(target, records, claim, onProgress, signal)
  const digest = await verify(target, records)
  // The source is closed before the target is opened: a daemon started at any moment finds one of them at most.
  await source.txn([], [{ op: 'put', key: movedKey, value: to }])
  await write(target, claim, [{ op: 'delete', key: movingKey }])
  return { records: records.length, bytes: bytesOf(records), digest, resumed: claim.resumed }
}

interface UndoOptions {
  /** What people call the data directory of the source. */
  readonly back: string
  /** What has changed in the target since is given up. */
  readonly discard: boolean
  /** Whether the target is what a mark calls so. */
  readonly isTarget: (moved: string) => boolean
  /** Called when the target is closed and the source not yet open: what the machine has kept of the target goes. */
  readonly forget: () => Promise<void>
}

/** What a move that was taken back leaves behind. */
export interface Undone {
  readonly records: number
  /** How many records of the target are other ones, or not there, in the source. */
  readonly given: number
}

/**
 * Takes a move back: the source can be used again as it was then, and the target no more; it keeps its records. Refused while a
 * daemon uses the target, and where its records have changed since, unless that is given up. An interrupted one is taken up by
 * the next. Throws StoreError: `store/nothing-to-move`, `store/not-moved`, `store/elsewhere`, `store/in-use`, `store/moved-on`,
 * `store/taken-over`, and what the stores themselves throw.
 */
export async function undoMigration(
  source: Store,
  target: Store,
  { back, discard, isTarget, forget }: UndoOptions,
): Promise<Undone> {
  const { entries: kept } = await source.range('')
  if (valueAt(kept, clusterKey) === null) throw nothingToMove()
  const moved = valueAt(kept, movedKey)
  if (moved === null) throw notMoved()
  if (!isTarget(moved)) throw otherTarget(moved)
  const { entries: there } = await target.range('')
  if (valueAt(there, clusterKey) !== valueAt(kept, clusterKey)) throw otherRecords()
  await refuseUndo(kept, target, there, discard)
  // The target is closed before the source is opened: a daemon started at any moment finds one of them at most.
  if (valueAt(there, movedKey) === null) {
    const closed = await target.txn(
      [{ key: movedKey, modRevision: 0 }],
      [{ op: 'put', key: movedKey, value: movedBackTo(back) }],
    )
    if (!closed.committed) throw takenOver()
  }
  // Once more: a daemon claims its machine before it writes anything else, and no claim is made from here on (`noMark`).
  const { entries: now } = await target.range('')
  await refuseUndo(kept, target, now, discard)
  await forget()
  await source.txn([], [{ op: 'delete', key: movedKey }])
  return { records: travellers(kept).length, given: differences(kept, now) }
}

/** What is refused leaves the target as it is, and open again where an interrupted try has closed it. */
async function refuseUndo(
  kept: readonly Entry[],
  target: Store,
  there: readonly Entry[],
  discard: boolean,
): Promise<void> {
  const changed = differences(kept, there)
  const refusal = there.some(isOfRunning) ? inUse() : changed > 0 && !discard ? movedOn(changed) : null
  if (refusal === null) return
  if (valueAt(there, movedKey) !== null) await target.txn([], [{ op: 'delete', key: movedKey }])
  throw refusal
}

/** What lives by a lease is there while a daemon runs. One that was stopped leaves word for a while that its machine is away. */
function isOfRunning({ key, value, lease }: Entry): boolean {
  if (lease === null) return false
  const machine = kindOfKey(key) === 'machine' ? read('machine', { key, value }) : null
  return machine === null || !('record' in machine) || machine.record.away === undefined
}

function differences(kept: readonly Entry[], there: readonly Entry[]): number {
  return portionsOf(travellers(kept), travellers(there)).flat().length
}

/** Whether a daemon may run on a store; throws `store/moving` or `store/moved` if not. */
export async function refuseWhileMoving(store: Store): Promise<void> {
  const [moved, moving] = await Promise.all([store.get(movedKey), store.get(movingKey)])
  if (moved !== null) throw movedAway(moved.value)
  if (moving === null) return
  throw new StoreError(
    'store/moving',
    'records are being moved to this store',
    'wait for `mariposa store migrate`, or run it again where it was interrupted',
  )
}

/** Our right to write to the target: it ends when another move takes over. */
interface Claim {
  readonly revision: Revision
  readonly resumed: boolean
}

/** `moved` says where the source went if it is marked already. */
async function claimTarget(target: Store, cluster: string, moved: string | null): Promise<Claim> {
  const { entries } = await target.range('')
  const begun = entries.find(({ key }) => key === movingKey)
  if (begun === undefined && moved !== null) throw movedAway(moved)
  // A move to here that was taken back: its records have been given up.
  const undone = entries.find(({ key, value }) => key === movedKey && isMovedBack(value))
  const isUndone = undone !== undefined && valueAt(entries, clusterKey) === cluster
  const isFree = entries.length === 0 || isUndone
  if (begun === undefined ? !isFree : begun.value !== cluster) throw notEmpty(entries.length)
  const { committed, revision } = await target.txn(
    // A daemon that starts on an empty store writes the cluster's id first.
    begun !== undefined
      ? [{ key: movingKey, modRevision: begun.modRevision }]
      : isUndone
        ? [
            { key: movingKey, modRevision: 0 },
            { key: movedKey, modRevision: undone.modRevision },
          ]
        : [movingKey, clusterKey].map((key) => ({ key, modRevision: 0 })),
    [movingKey, clusterKey].map((key) => ({ op: 'put', key, value: cluster })),
  )
  if (!committed) throw takenOver()
  return { revision, resumed: begun !== undefined }
}

async function copy(
  target: Store,
  records: readonly Entry[],
  claim: Claim,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const there = (await target.range('')).entries.filter(({ key }) => key !== movingKey)
  const portions = portionsOf(records, there)
  const total = portions.reduce((sum, ops) => sum + ops.length, 0)
  const queue = portions.values()
  let done = 0
  const hand = async (): Promise<void> => {
    for (const ops of queue) {
      signal?.throwIfAborted()
      await write(target, claim, ops)
      done += ops.length
      onProgress(done, total)
    }
  }
  await Promise.all(Array.from({ length: hands }, hand))
}

async function verify(target: Store, records: readonly Entry[]): Promise<string> {
  const { entries } = await target.range('')
  const digest = digestOf(entries.filter(({ key }) => key !== movingKey))
  if (digest === digestOf(records)) return digest
  throw new StoreError(
    'store/differs',
    'what was written reads back differently',
    'something else writes to the target; find it, then run the command again',
  )
}

async function write(target: Store, claim: Claim, ops: readonly Op[]): Promise<void> {
  const { committed } = await target.txn([{ key: movingKey, modRevision: claim.revision }], ops)
  if (!committed) throw takenOver()
}

function valueAt(entries: readonly Entry[], wanted: string): string | null {
  return entries.find(({ key }) => key === wanted)?.value ?? null
}

export function nothingToMove(): StoreError {
  return new StoreError(
    'store/nothing-to-move',
    'the data directory holds no records',
    'name the data directory of the daemon with --data-dir',
  )
}

function movedAway(to: string): StoreError {
  if (isMovedBack(to))
    return new StoreError(
      'store/moved',
      `the records of this store were moved back ${to.slice(movedBack.length)}`,
      'start the daemon there with --store embedded',
    )
  return new StoreError(
    'store/moved',
    `the records of this data directory were moved to ${to}`,
    `start the daemon with --store ${to}`,
  )
}

/** What a store is marked with whose records are used in a data directory again. */
const movedBack = 'embedded '

function movedBackTo(where: string): string {
  return `${movedBack}${where}`
}

function isMovedBack(mark: string): boolean {
  return mark.startsWith(movedBack)
}

function notMoved(): StoreError {
  return new StoreError(
    'store/not-moved',
    'the records of this data directory were not moved: there is nothing to undo',
    'start the daemon with --store embedded',
  )
}

function otherTarget(to: string): StoreError {
  return new StoreError(
    'store/elsewhere',
    `the records of this data directory were moved to another store: ${to}`,
    `name that one: --to ${to}`,
  )
}

function otherRecords(): StoreError {
  return new StoreError(
    'store/elsewhere',
    'that store does not hold the records of this data directory any more, but others or none; nothing was changed',
    'see what has become of it; a snapshot of etcd brings them back',
  )
}

function inUse(): StoreError {
  return new StoreError(
    'store/in-use',
    'a daemon uses the store that the records were moved to, or was killed a moment ago; nothing was changed',
    'stop the daemons of all its machines; after a kill, wait until the machine is lost',
  )
}

function movedOn(records: number): StoreError {
  return new StoreError(
    'store/moved-on',
    `${records} records have changed in that store since the move; nothing was changed`,
    'with --discard these changes are given up; what was started since is stopped then',
  )
}

function notEmpty(keys: number): StoreError {
  return new StoreError(
    'store/not-empty',
    `the target is not empty: it holds ${keys} keys`,
    'choose another --etcd-prefix, or remove them if nobody needs them',
  )
}

function takenOver(): StoreError {
  return new StoreError(
    'store/taken-over',
    'something else has begun to use the target meanwhile',
    'see what it is; nothing was lost',
  )
}
