// The entry of a daemon, where it has one, and the end of one that was left by a daemon that had one.
import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { NameIndex } from '../dns/name-index.js'
import type { EntryListen } from '../entry/caddy.js'
import { type RunningEntry, startEntry } from '../entry/io/entry.js'
import { type EntryTraffic, startEntryTraffic } from '../entry/io/entry-traffic.js'
import { hasHaproxy } from '../entry/io/find-haproxy.js'
import { endKeeper, stateOfKeeper } from '../entry/io/keeper-client.js'
import { describeError, type Log } from '../lib/io/log.js'
import { startLoop } from '../lib/io/loop.js'
import type { Time } from '../lib/time.js'
import type { Machine, MachineId } from '../model/machine.js'
import type { Registry } from '../store/io/registry.js'
import type { SecretBox } from '../store/io/secret-box.js'
import type { DaemonOptions } from './options.js'
import type { Teardown } from './teardown.js'

/** As a machine tells of it; null for none. */
export function announcedEntry(
  listen: EntryListen | null,
  has: () => boolean = hasHaproxy,
): NonNullable<Machine['entry']> | null {
  if (listen === null) return null
  const at = { http: describe(listen.http), https: describe(listen.https) }
  return has() ? { ...at, tcp: true } : at
}

function describe({ host, port }: EntryListen['http']): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** HAProxy may be installed, or removed, while the daemon runs. */
const lookEveryMs = 5000

/** Tells what the machine announces of its entry whenever that has changed; until the daemon ends. */
export async function followHaproxy(
  {
    options: { entry },
    clock,
    log,
  }: { readonly options: Pick<DaemonOptions, 'entry'> } & Pick<Parts, 'clock' | 'log'>,
  tell: (entry: NonNullable<Machine['entry']>) => void,
  undo: Pick<Teardown, 'push'>,
  has: () => boolean = hasHaproxy,
): Promise<void> {
  if (entry === null) return
  const loop = startLoop({
    pass: async () => {
      const announced = announcedEntry(entry, has)
      if (announced !== null) tell(announced)
      return { wakeAt: null }
    },
    clock,
    intervalMs: lookEveryMs,
    onError: (error) => log.warn('entry', `cannot look for haproxy: ${describeError(error)}`),
  })
  await undo.push('the look for haproxy', () => loop.stop())
}

interface Parts {
  readonly machine: MachineId
  readonly registry: Registry
  readonly names: NameIndex
  readonly secrets: SecretBox
  readonly options: Pick<DaemonOptions, 'entry' | 'dataDir'>
  readonly cluster: string
  /** Null where the daemon has no entry. */
  readonly traffic: EntryTraffic | null
  readonly clock: Time
  readonly log: Log
}

/** Where the entry has its files. */
function entryDirOf({ dataDir }: Pick<DaemonOptions, 'dataDir'>): string {
  return join(dataDir, 'entry')
}

/** Begins to count what comes by the entry; null where the daemon has none. */
export async function openTraffic(
  { options, clock, log }: Pick<Parts, 'options' | 'clock' | 'log'>,
  undo: Teardown,
): Promise<EntryTraffic | null> {
  if (options.entry === null) return null
  const traffic = startEntryTraffic({ dir: entryDirOf(options), clock, log })
  await undo.push('the count of requests', () => traffic.stop())
  return traffic
}

/**
 * Starts the entry, or ends what is left of one. What it serves goes on when the daemon ends: whoever starts next takes it
 * over.
 */
export async function openEntry(parts: Parts, undo: Teardown): Promise<RunningEntry | null> {
  const { options, log, traffic } = parts
  const dir = entryDirOf(options)
  if (options.entry === null || traffic === null) {
    endLeft(dir, log).catch((error: unknown) => log.warn('entry', describeError(error)))
    return null
  }
  const entry = startEntry({ ...parts, traffic, dir, command: keeperCommand(), listen: options.entry })
  await undo.push('the entry', () => entry.stop())
  return entry
}

async function endLeft(dir: string, log: Log): Promise<void> {
  if ((await stateOfKeeper(dir)) === null) return
  log.info('entry', 'entry disabled; its proxy was stopped')
  await endKeeper(dir)
}

/** The keeper's own program, which lies beside ours. */
function keeperCommand(): readonly string[] {
  const program = realpathSync(process.argv[1] ?? '')
  return [process.execPath, '--max-semi-space-size=1', join(dirname(program), 'entry-keeper.mjs')]
}
