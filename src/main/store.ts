// Opens the store that the options name.
import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { steadyClock } from '../lib/io/clock.js'
import { describeError, type Log, silentLog } from '../lib/io/log.js'
import { clusterIdOf } from '../store/io/cluster-id.js'
import { openEmbeddedStore } from '../store/io/embedded.js'
import { replacedError } from '../store/io/errors.js'
import type { EtcdStoreOptions } from '../store/io/etcd/etcd.js'
import { closeAndRelease, lockDirectory } from '../store/io/lock.js'
import { refuseWhileMoving } from '../store/io/migrate.js'
import { clusterKey } from '../store/records.js'
import { type Store, StoreError } from '../store/store.js'
import { openEtcdSecrets } from './etcd-secrets.js'
import type { StoreConnectivity } from './store-connectivity.js'
import { describeStore, type EtcdSettings, type StoreOptions } from './store-options.js'

interface OpenStoreOptions {
  readonly store: StoreOptions
  readonly dataDir: string
  readonly log: Log
  /** Keeps a password out of the log. */
  readonly hide: (secret: string) => void
  readonly connectivity: StoreConnectivity
  /** The cluster whose records are known from before; null where none are. */
  readonly known: string | null
  /** Why this machine may not join; null: it may. A store that was moved back to it says so first: that is the way out. */
  readonly left: StoreError | null
  /** Is given the store as soon as there is one, before anything is asked of it. */
  readonly onOpen: (store: Store) => Promise<void>
}

/** Where the embedded store lies in a data directory. */
export function storeDirOf(dataDir: string): string {
  return join(dataDir, 'store')
}

export interface OpenedStore {
  readonly store: Store
  /** Made once, with the store. */
  readonly clusterId: string
  /** Null: the store is there. Otherwise it did not answer, and this resolves once it does and is the one that is known. */
  readonly away: Promise<void> | null
}

/**
 * Opens the store. Where it cannot be reached and nothing is known from before, waits: a daemon that ended for that would
 * only be started again. Null when `stop` aborts before.
 */
export async function openStore(options: OpenStoreOptions, stop: AbortSignal): Promise<OpenedStore | null> {
  const opened = await openChosen(options, stop)
  if (opened === null) return null
  const { store, reached } = opened
  await options.onOpen(store)
  const { known } = options
  if (reached !== null && known !== null)
    return { store, clusterId: known, away: reached.then(() => checkKnown(store, known)) }
  try {
    const [id] = await Promise.all([store.get(clusterKey), refuseWhileMoving(store)])
    if (options.left !== null) throw options.left
    if (id !== null) return { store, clusterId: id.value, away: null }
    // The id first, and then another look: a move to an empty store sees by the id that it is too late.
    const clusterId = await clusterIdOf(store, randomUUID())
    await refuseWhileMoving(store)
    return { store, clusterId, away: null }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** The store that has come is to be the one whose records were copied. */
async function checkKnown(store: Store, known: string): Promise<void> {
  const found = await store.get(clusterKey)
  if (found?.value !== known) throw replacedError()
  await refuseWhileMoving(store)
}

interface ChosenStore {
  readonly store: Store
  /** Resolves when it was reached for the first time; null: it was already. */
  readonly reached: Promise<void> | null
}

async function openChosen(options: OpenStoreOptions, stop: AbortSignal): Promise<ChosenStore | null> {
  const { store, dataDir } = options
  if (store.kind === 'embedded')
    return { store: await openEmbeddedStore({ dir: storeDirOf(dataDir), clock: steadyClock }), reached: null }
  // The data directory has one daemon at a time, whatever store it uses: programs and secrets are kept there too.
  const dir = storeDirOf(dataDir)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const lock = await lockDirectory(dir)
  try {
    const opened = await openEtcd(store, options, stop)
    if (opened === null) {
      await lock.release()
      return null
    }
    const { store: etcd, reached } = opened
    return { store: { ...etcd, close: () => closeAndRelease(etcd, lock) }, reached }
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function openEtcd(
  settings: EtcdSettings,
  { log, hide, connectivity, known }: Pick<OpenStoreOptions, 'log' | 'hide' | 'connectivity' | 'known'>,
  stop: AbortSignal,
): Promise<ChosenStore | null> {
  const { openEtcdStore } = await import('../store/io/etcd/etcd.js')
  const options = await etcdOptionsOf(settings, log, hide)
  const tell = (version: string): void =>
    log.info('store', `using ${describeStore(settings)}`, { etcd: version })
  const first = await reachEtcd(settings, options, { log, connectivity }, stop, known === null)
  if (stop.aborted) return null
  if (first !== null) {
    tell(first)
    if (connectivity.outage() !== null) connectivity.restored()
  } else connectivity.lost('it has not answered since this daemon started')
  const store = openEtcdStore({
    ...options,
    onAway: (reason) => {
      connectivity.lost(reason)
      log.warn('store', `store unreachable; running units continue: ${reason}`)
    },
    onBack: (awayMs) => {
      connectivity.restored()
      log.info('store', `store reachable again after ${(awayMs / 1000).toFixed(1)} s`)
    },
    onProgress: ({ records, bytes }) =>
      log.info('store', 'loading records', { records, mib: (bytes / 1024 ** 2).toFixed(1) }),
  })
  if (first !== null) return { store, reached: null }
  const reached = reachEtcd(settings, options, { log, connectivity }, stop, true).then((version) => {
    if (version === null) throw new StoreError('store/closed', 'the daemon is exiting', 'start it again')
    tell(version)
    connectivity.restored()
  })
  return { store, reached }
}

/** Asks etcd until it answers, or once. Resolves to its version; null when it did not, or `stop` aborts before. */
async function reachEtcd(
  settings: EtcdSettings,
  options: EtcdStoreOptions,
  { log, connectivity }: Pick<OpenStoreOptions, 'log' | 'connectivity'>,
  stop: AbortSignal,
  patiently: boolean,
): Promise<string | null> {
  const { probeEtcd } = await import('../store/io/etcd/etcd.js')
  for (let waits = false; !stop.aborted; waits = true) {
    try {
      return await probeEtcd(options, stop)
    } catch (error) {
      if (stop.aborted) break
      if (!(error instanceof StoreError && error.code === 'store/unreachable')) throw error
      if (patiently) connectivity.lost(error.message.replace(/^the store is unreachable: /, ''))
      if (!waits && patiently)
        log.warn('store', `waiting for ${describeStore(settings)}: ${describeError(error)}`)
      if (!patiently) break
    }
  }
  return null
}

/** What etcd's client needs, with its files read: now, and again whenever it connects or logs in anew. */
export async function etcdOptionsOf(
  settings: EtcdSettings,
  log: Log = silentLog,
  hide: OpenStoreOptions['hide'] = () => {},
): Promise<EtcdStoreOptions> {
  const { endpoints, prefix, requestTimeoutMs } = settings
  const secrets = openEtcdSecrets(
    settings,
    (why) => log.warn('store', `keeping the current certificates and password: ${why}`),
    hide,
  )
  return { endpoints, prefix, requestTimeoutMs, ...secrets(), secretsNow: secrets }
}
