// What every part of a daemon is started with: its options, its clock and log, and how it ends.

import type { ApiServer } from '../../api/io/server.js'
import { type Doors, makeDoors, noDoors } from '../../api/io/startup-server.js'
import { type JumpWatch, systemClock, watchForJumps } from '../../lib/io/clock.js'
import type { Log } from '../../lib/io/log.js'
import { processorMs } from '../../lib/io/processor-time.js'
import type { KnownSecrets } from '../../lib/redact.js'
import type { Time } from '../../lib/time.js'
import { isFull } from '../../store/store.js'
import { type Compilers, compileOnceWorthIt } from '../compilers.js'
import type { DaemonLog } from '../daemon-log.js'
import { makeDataDir } from '../data-dir.js'
import { growWhileBusy } from '../heap.js'
import type { DaemonOptions } from '../options.js'
import type { CurrentOptions } from '../reload.js'
import { notYet, type StartedSoFar } from '../startup-progress.js'
import { openStoreConnectivity, type StoreConnectivity } from '../store-connectivity.js'
import type { Teardown } from '../teardown.js'

/** Why a daemon ends that was told to. */
export const stoppedOnPurpose = 'stopped on purpose'

/** How a running daemon ends: when it is told to, or by something that it cannot go on after. */
export interface Ending {
  readonly end: AbortSignal
  readonly fail: (error: unknown) => void
  /** What is done first of all when it is told to end, with all of it still at work. */
  readonly beforeEnd: (step: () => Promise<void>) => void
}

/** Needed by all parts. Each part pushes how it is stopped onto `undo`, under its name. */
export interface Base extends Ending {
  readonly current: CurrentOptions
  /** As they were at the start. */
  readonly options: DaemonOptions
  readonly clock: Time
  readonly clockWatch: JumpWatch
  readonly random: () => number
  readonly log: Log
  /** What no line of the log is to have in it. */
  readonly hidden: KnownSecrets
  readonly undo: Teardown
  readonly connectivity: StoreConnectivity
  readonly isOnEtcd: boolean
  readonly compilers: Compilers
  /** What a caller is told who comes before the API is there. */
  readonly soFar: StartedSoFar
  readonly doors: Doors
  /** The servers of the API, which are closed last of all. */
  readonly servers: Pick<ApiServer, 'end' | 'close'>[]
}

/** Prepares the data directory, and the sockets that a caller may have found already. */
export async function openBase(
  current: CurrentOptions,
  { log, hidden }: Pick<DaemonLog, 'log' | 'hidden'>,
  undo: Teardown,
  ending: Ending,
): Promise<Base> {
  const clock = systemClock
  const clockWatch = watchForJumps(clock)
  await undo.push('the watch over the clock', async () => clockWatch.end())
  const options = current.now()
  const heap = growWhileBusy(clock)
  await undo.push('the watch over the heap', async () => heap())
  const compilers = compileOnceWorthIt(clock, processorMs)
  await undo.push('the look at how much work there is', async () => compilers.stop())
  await makeDataDir(options.dataDir, process.getuid?.() ?? 0)
  const connectivity = openStoreConnectivity(clock)
  const isOnEtcd = options.store.kind === 'etcd'
  const soFar: StartedSoFar = { hasStore: false, taken: null }
  const doors = isOnEtcd ? makeDoors(options.access.tls, clock, () => notYet(soFar, connectivity)) : noDoors
  await undo.push('sockets', () => doors.close())
  const servers: Base['servers'] = []
  // Last of all: who is answered late is told that the store is closed.
  await undo.push('the API', () => each(servers, (one) => one.close()))
  await doors.open(options.listen.filter(({ kind }) => kind === 'inherited'))
  const random = () => Math.random()
  return {
    ...ending,
    current,
    options,
    clock,
    clockWatch,
    random,
    log,
    hidden,
    undo,
    connectivity,
    isOnEtcd,
    compilers,
    soFar,
    doors,
    servers,
  }
}

export async function each<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  await Promise.all(all.map(work))
}

/** What comes of a write; null where the store has no space for it. */
export async function unlessFull<T>(write: () => Promise<T>): Promise<T | null> {
  try {
    return await write()
  } catch (error) {
    if (isFull(error)) return null
    throw error
  }
}
