// The cluster as a daemon sees it: the store, whether that has space, and the view of its records.
import { InvariantError } from '../../lib/invariant.js'
import { describeError, type Log, roundMs } from '../../lib/io/log.js'
import { type LocalCopy, localCopyIn, readLocalCopy } from '../../store/io/local-copy.js'
import { openRegistry, type Registry, type Written } from '../../store/io/registry.js'
import { kindOfKey } from '../../store/records.js'
import { isOutOfReach, type Op, type Store, StoreError } from '../../store/store.js'
import { hiding } from '../daemon-log.js'
import { recordsLeft } from '../left-behind.js'
import { openClusterBox } from '../secret-keys.js'
import { type OpenedStore, openStore, storeDirOf } from '../store.js'
import { describeStore } from '../store-options.js'
import { type Space, watchSpace } from '../store-space.js'
import { within } from '../teardown.js'
import type { Base } from './base.js'

/** How long a store may take to be opened until clients are told that it is waited for. */
const doorsAfterMs = 300

export interface Cluster {
  readonly clusterId: string
  /** Null: the store is there. Otherwise it resolves once it is. */
  readonly away: OpenedStore['away']
  readonly space: Space
  readonly registry: Registry
  readonly secrets: ReturnType<typeof openClusterBox>
  readonly copies: LocalCopies
}

/** What this machine has kept of the cluster from before. */
interface LocalCopies {
  readonly file: string
  readonly last: LocalCopy | null
  /** The one that the view is opened with while etcd is away. */
  readonly ofEtcd: LocalCopy | null
}

/** Opens the store and follows it; null when the daemon is told to end before there is one. */
export async function openCluster(base: Base): Promise<Cluster | null> {
  const { options, clock, undo, soFar, hidden, compilers } = base
  const copies = await readCopies(base)
  const opened = await openStoreInTime(base, copies)
  if (opened === null) return null
  soFar.hasStore = true
  const { clusterId, away } = opened
  const space = watchSpace(opened.store, clock)
  await undo.push('the watch over space', () => space.stop())
  const registry = await followStore(base, space.store, away === null ? null : copies.ofEtcd)
  await undo.push('the view', () => registry.close())
  compilers.knows(registry.view.units.size)
  registry.onChange(() => compilers.knows(registry.view.units.size))
  const secrets = hiding(openClusterBox(registry, options.secretKeyFile), hidden)
  return { clusterId, away, space, registry, secrets, copies }
}

async function readCopies({ options, isOnEtcd }: Base): Promise<LocalCopies> {
  const file = localCopyIn(options.dataDir)
  const last = options.agent ? await readLocalCopy(file) : null
  return { file, last, ofEtcd: isOnEtcd ? last : null }
}

/** Who asks while etcd is waited for is told so. */
async function openStoreInTime(base: Base, { last, ofEtcd }: LocalCopies): Promise<OpenedStore | null> {
  const { options, clock, log, hidden, undo, connectivity, isOnEtcd, doors, end } = base
  const onOpen = (store: Store): Promise<void> => {
    undo.hurryBy(() => store.close())
    return undo.push('the store', () => store.close())
  }
  const where = { store: options.store, dataDir: options.dataDir }
  const known = ofEtcd?.cluster ?? null
  const hide = (secret: string): void => hidden.add(secret)
  // Whoever has a copy of what was placed here is no newcomer.
  const isNew = isOnEtcd && options.agent && last === null && !options.discard
  const left = isNew ? await recordsLeft(storeDirOf(options.dataDir), describeStore(options.store)) : null
  const opening = openStore({ ...where, known, left, log, hide, connectivity, onOpen }, end)
  if (isOnEtcd && !(await within(opening, doorsAfterMs, clock))) await doors.open(options.listen)
  return await opening
}

function followStore(
  { isOnEtcd, log, fail, end }: Base,
  store: Store,
  copy: LocalCopy | null,
): Promise<Registry> {
  return openRegistry(store, {
    onError: (error) => {
      if (error instanceof InvariantError) fail(error)
      else if (error instanceof StoreError && error.code === 'store/replaced') fail(error)
      else if (!end.aborted && !isOutOfReach(error))
        log.warn('store', `cannot apply changes from the store: ${describeError(error)}`)
    },
    onWrite: (written) => tellWrite(log, written),
    // All that is written is seen by watching; a listing is for a store that others write to as well.
    ...(isOnEtcd && { patienceMs: 2000 }),
    ...(copy !== null && { initial: copy.entries }),
  })
}

function tellWrite(log: Log, { ops, committed, tookMs }: Written): void {
  log.debug('store', committed ? 'written' : 'conflict: records changed meanwhile, deciding again', () => ({
    records: countKinds(ops),
    ms: roundMs(tookMs),
  }))
}

/** How many records of each kind: `instance:3,unit:3`. */
function countKinds(ops: readonly Op[]): string {
  const counts = new Map<string, number>()
  for (const op of ops) {
    const kind = kindOfKey(op.op === 'delete-prefix' ? op.prefix : op.key) ?? 'other'
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return [...counts].map(([kind, count]) => `${kind}:${count}`).join(',')
}
