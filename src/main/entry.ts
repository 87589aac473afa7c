// The entry of a daemon, where it has one, and the end of one that was left by a daemon that had one.
import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ApiContext } from '../api/io/context.js'
import type { NameIndex } from '../dns/name-index.js'
import type { EntryListen } from '../entry/caddy.js'
import type { OwnPorts } from '../entry/haproxy.js'
import { endProxies } from '../entry/io/end-proxies.js'
import { startEntry } from '../entry/io/entry.js'
import { type EntryTraffic, startEntryTraffic } from '../entry/io/entry-traffic.js'
import { hasHaproxy } from '../entry/io/find-haproxy.js'
import { stateOfKeeper } from '../entry/io/keeper-client.js'
import { forgetKept, keptIn } from '../entry/io/kept-files.js'
import { hasRole } from '../entry/role.js'
import { describeError, type Log } from '../lib/io/log.js'
import type { Time } from '../lib/time.js'
import { type Machine, type MachineId, metadataInEffect } from '../model/machine.js'
import type { Registry } from '../store/io/registry.js'
import type { SecretBox } from '../store/io/secret-box.js'
import type { Membership } from './daemon/membership.js'
import { ownPortsOf } from './entry-ports.js'
import { EntrySwitch } from './entry-switch.js'
import { logWords } from './log-words.js'
import type { DaemonOptions } from './options.js'
import type { CurrentOptions } from './reload.js'
import type { Teardown } from './teardown.js'

/** As a machine tells of it. */
function announcedEntry(listen: EntryListen, ownPorts: OwnPorts): NonNullable<Machine['entry']> {
  const at = { http: describe(listen.http), https: describe(listen.https), ownPorts }
  return hasHaproxy() ? { ...at, tcp: true } : at
}

function describe({ host, port }: EntryListen['http']): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The options that name ports. */
type PortOptions = 'store' | 'listen' | 'triggerListen' | 'dns'

interface Parts {
  readonly member: Membership
  readonly registry: Registry
  readonly names: NameIndex
  readonly secrets: SecretBox
  readonly current: CurrentOptions
  readonly options: Pick<DaemonOptions, 'entry' | 'dataDir' | 'logFormat' | 'logLevels' | PortOptions>
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

/** What the machine is to say of its entry when it joins; one that a proxy of before still runs for is no less an entry. */
export async function entryAtStart(
  options: Pick<DaemonOptions, 'entry' | 'dataDir' | 'metadata' | PortOptions>,
  registry: Pick<Registry, 'view' | 'isComplete'>,
  machine: MachineId,
): Promise<NonNullable<Machine['entry']> | null> {
  const { entry, metadata } = options
  if (entry === null) return null
  const inEffect = metadataInEffect(metadata, registry.view.orders.get(machine))
  const isHere = entry.role === null || (registry.isComplete() && hasRole(inEffect, entry.role))
  return isHere || (await isLeft(options)) ? announcedEntry(entry, ownPortsOf(options)) : null
}

/** A proxy of before runs, or was ended with the machine and not because it was not wanted. */
async function isLeft(options: Pick<DaemonOptions, 'dataDir'>): Promise<boolean> {
  const dir = entryDirOf(options)
  return keptIn(dir) !== null || (await stateOfKeeper(dir)) !== null
}

/**
 * Starts the entry where this machine is to run it, or ends what is left of one. What it serves goes on when the daemon ends: whoever
 * starts next takes it over.
 */
export async function openEntry(parts: Parts, undo: Teardown): Promise<ApiContext['entry']> {
  const { options, log, traffic, registry, member, current } = parts
  const { entry } = options
  const dir = entryDirOf(options)
  if (entry === null || traffic === null) {
    endLeft(dir, log).catch((error: unknown) => log.warn('entry', describeError(error)))
    return null
  }
  const started = {
    ...parts,
    machine: member.id,
    traffic,
    dir,
    command: keeperCommand(options),
    listen: entry,
    ownPorts: ownPortsOf(options),
  }
  const asSaid = new EntrySwitch(
    {
      role: entry.role,
      metadata: () =>
        registry.isComplete()
          ? metadataInEffect(current.now().metadata, registry.view.orders.get(member.id))
          : null,
      announced: () => announcedEntry(entry, started.ownPorts),
      tell: (announced) => member.tellEntry(announced),
      start: () => startEntry(started),
      endProxy: () => endProxy(dir),
      ...{ clock: parts.clock, log },
    },
    entry.role !== null && (await isLeft(options)),
  )
  const unfollow = [
    registry.onChange((kinds) => {
      if (kinds.has('order')) asSaid.wake()
    }),
    current.onChange(() => asSaid.wake()),
  ]
  await undo.push('the entry', async () => {
    for (const end of unfollow) end()
    await asSaid.stop()
  })
  asSaid.follow()
  return {
    problem: () => asSaid.now()?.problem() ?? null,
    problemOf: (served) => asSaid.now()?.problemOf(served) ?? null,
    certificateOf: (served) => asSaid.now()?.certificateOf(served) ?? null,
    exposition: () => traffic.exposition(),
  }
}

async function endLeft(dir: string, log: Log): Promise<void> {
  if (await endProxy(dir)) log.info('entry', 'entry disabled; its proxy was stopped')
}

/** For good: it is not to serve again what it has served. Resolves to whether there was one. */
async function endProxy(dir: string): Promise<boolean> {
  const wasThere = await endProxies(dir)
  forgetKept(dir)
  return wasThere
}

/** The keeper's own program, which lies beside ours. */
function keeperCommand({ logFormat, logLevels }: Parts['options']): readonly string[] {
  const program = realpathSync(process.argv[1] ?? '')
  return [
    process.execPath,
    '--max-semi-space-size=1',
    join(dirname(program), 'entry-keeper.mjs'),
    ...logWords(logFormat, logLevels),
  ]
}
