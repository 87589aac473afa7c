// Opens the store that the options name.
import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describeError, type Log } from '../lib/io/log.js'
import type { Clock } from '../lib/time.js'
import { clusterIdOf } from '../store/io/cluster-id.js'
import { openEmbeddedStore } from '../store/io/embedded.js'
import type { EtcdStoreOptions } from '../store/io/etcd/etcd.js'
import { lockDirectory } from '../store/io/lock.js'
import { refuseWhileMoving } from '../store/io/migrate.js'
import { type Store, StoreError } from '../store/store.js'
import { openEtcdSecrets } from './etcd-secrets.js'
import { describeStore, type EtcdSettings, type StoreOptions } from './store-options.js'
import type { Touch } from './touch.js'

export interface OpenStoreOptions {
  readonly store: StoreOptions
  readonly dataDir: string
  readonly clock: Clock
  readonly log: Log
  readonly touch: Touch
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
}

/**
 * Opens the store. Waits for etcd as long as it cannot be reached: a daemon that ended for that would only be started
 * again. Null when `stop` aborts before.
 */
export async function openStore(options: OpenStoreOptions, stop: AbortSignal): Promise<OpenedStore | null> {
  const store = await openChosen(options, stop)
  if (store === null) return null
  await options.onOpen(store)
  try {
    // The id first: a move to an empty store sees by it that it is too late.
    const clusterId = await clusterIdOf(store, randomUUID())
    await refuseWhileMoving(store)
    return { store, clusterId }
  } catch (error) {
    await store.close()
    throw error
  }
}

async function openChosen(options: OpenStoreOptions, stop: AbortSignal): Promise<Store | null> {
  const { store, dataDir, clock } = options
  if (store.kind === 'embedded') return openEmbeddedStore({ dir: storeDirOf(dataDir), clock })
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
    return { ...opened, close: () => opened.close().finally(() => lock.release()) }
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function openEtcd(
  settings: EtcdSettings,
  { log, touch }: Pick<OpenStoreOptions, 'log' | 'touch'>,
  stop: AbortSignal,
): Promise<Store | null> {
  const { openEtcdStore } = await import('../store/io/etcd/etcd.js')
  const options = await etcdOptionsOf(settings)
  const version = await reachEtcd(settings, options, log, stop)
  if (version === null) return null
  log.info('store', `is ${describeStore(settings)}`, { etcd: version })
  return openEtcdStore({
    ...options,
    onAway: (reason) => {
      touch.broke()
      log.warn('store', `is out of reach; what runs goes on running: ${reason}`)
    },
    onBack: (awayMs) => {
      touch.restored()
      log.info('store', `is back after ${(awayMs / 1000).toFixed(1)} s`)
    },
  })
}

/** Waits until etcd answers, and says so once. Resolves to its version; null when `stop` aborts before. */
async function reachEtcd(
  settings: EtcdSettings,
  options: EtcdStoreOptions,
  log: Log,
  stop: AbortSignal,
): Promise<string | null> {
  const { probeEtcd } = await import('../store/io/etcd/etcd.js')
  for (let waits = false; !stop.aborted; waits = true) {
    try {
      return await probeEtcd(options, stop)
    } catch (error) {
      if (stop.aborted) break
      if (!(error instanceof StoreError && error.code === 'store/unreachable')) throw error
      if (!waits) log.warn('store', `waits for ${describeStore(settings)}: ${describeError(error)}`)
    }
  }
  return null
}

/** What etcd's client needs, with its files read: now, and again whenever it connects or logs in anew. */
export async function etcdOptionsOf(settings: EtcdSettings): Promise<EtcdStoreOptions> {
  const { endpoints, prefix, requestTimeoutMs } = settings
  const secrets = openEtcdSecrets(settings)
  return { endpoints, prefix, requestTimeoutMs, ...secrets(), secretsNow: secrets }
}
