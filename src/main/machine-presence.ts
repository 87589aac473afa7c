// Says that this machine is there, for as long as it keeps saying so, and that nobody else is it.
import type { LeaseTimes } from '../api/one-off-waits.js'
import { pause } from '../lib/io/clock.js'
import { describeError, type Log } from '../lib/io/log.js'
import { startLoop } from '../lib/io/loop.js'
import type { Instant, Time } from '../lib/time.js'
import type { Machine, MachineId } from '../model/machine.js'
import type { EventLog } from '../store/io/event-log.js'
import { refuseWhileMoving } from '../store/io/migrate.js'
import type { Registry } from '../store/io/registry.js'
import { noMark } from '../store/migration.js'
import { keys, putOf } from '../store/records.js'
import {
  type Compare,
  type Entry,
  isFull,
  isOutOfReach,
  LeaseEndedError,
  type LeaseId,
  type Op,
  StoreError,
} from '../store/store.js'
import type { ClusterView } from '../store/view.js'
import { noteUnseen } from './unseen-reports.js'

export interface Presence {
  /** Makes the machine known to the cluster, from now on under the same lease. */
  announce(machine: Machine): Promise<void>
  /**
   * Ends the heartbeat and says that the machine is away on purpose: its record stays for the time of grace, and its id is
   * free at once for whoever comes back.
   */
  leave(graceMs: number): Promise<void>
  /** Ends the heartbeat, says this last of what was here, and takes the machine out of the cluster at once. */
  withdraw(told: readonly Op[]): Promise<void>
  /** Ends the heartbeat. The record stays until its lease ends: a daemon that restarts was never away. */
  stop(): Promise<void>
}

interface PresenceOptions {
  readonly registry: Registry
  readonly events: EventLog
  readonly id: MachineId
  /** Which daemon this is: two daemons with one machine id differ in it, one that restarts does not. */
  readonly holder: string
  readonly hostname: string
  readonly ttlMs: number
  readonly clock: Time
  readonly log: Log
  /** Called when another daemon has taken the machine's id, or the records were moved away; this one must end. */
  readonly onTaken: (error: Error) => void
  /** Called when the lease has ended although we live: we were out of touch, noticed or not. */
  readonly onLost: () => void
  /** Called while the id is taken, each time that it is looked at; without it, one that stays taken is an error. */
  readonly onWait?: (taken: DuplicateMachineError) => Promise<void>
}

/** Another daemon lives under the same machine id. */
export class DuplicateMachineError extends Error {
  override readonly name = 'DuplicateMachineError'
  readonly code = 'daemon/duplicate-machine'
  readonly hint =
    'each machine needs an id of its own: give the copy another /etc/machine-id (systemd-machine-id-setup), and an empty data directory'
  constructor(id: MachineId, { hostname, since }: Claim) {
    const from = since === undefined ? '' : ` since ${new Date(since).toISOString()}`
    super(`machine id ${id} is taken: another daemon, on ${hostname}, has it${from}`)
  }
}

/** Kept under `claims/` by the same lease as the machine: who runs under its id. */
interface Claim {
  readonly holder: string
  readonly hostname: string
  readonly ttlMs: number
  /** Since when it is this holder's; programs of before do not say. */
  readonly since?: Instant
}

/** Last words in one transaction at most. */
const toldPerWrite = 100
/** How much longer than its lease a claim is waited for: etcd ends leases late, never early. */
const slackMs = 3000
const lookAgainMs = 500

/**
 * Claims the machine's id under a lease of `ttlMs` and keeps that alive; a heartbeat writes nothing. Where another daemon
 * has the id, waits until it is gone; without `onWait` for as long as a dead one could have it, and throws
 * DuplicateMachineError then.
 */
export async function claimMachine(options: PresenceOptions, stop: AbortSignal): Promise<Presence> {
  const { clock, ttlMs, log, registry } = options
  let announced: Machine | null = null
  const claimed = await claimPatiently(options, stop)
  let { lease } = claimed
  /** Takes back what this daemon shows itself of its machine while the store has no space for the record. */
  let standIn: (() => void) | null = null
  const claimAgain = async (): Promise<LeaseId> => {
    if (announced !== null) announced = { ...announced, upSince: clock.now() }
    try {
      const again = await claim(options, announced)
      standIn?.()
      standIn = null
      return again.lease
    } catch (error) {
      if (isFull(error) && announced !== null) standIn ??= registry.assume(putOf('machine', announced))
      throw error
    }
  }
  const loop = startLoop({
    clock,
    intervalMs: renewEveryMs(ttlMs),
    // Its lease runs on meanwhile: the wait does not grow.
    backoff: { firstMs: renewAgainMs(ttlMs), longestMs: renewAgainMs(ttlMs) },
    onError: (error) => {
      if (error instanceof DuplicateMachineError || isMoved(error)) options.onTaken(error)
      else if (!isOutOfReach(error))
        log.warn('machine', `cannot register this machine: ${describeError(error)}`)
    },
    pass: async () => {
      try {
        await registry.store.keepAlive(lease)
        if (announced !== null && isUndone(registry, announced, lease))
          await registry.commit([], announceOps(registry, announced, lease))
      } catch (error) {
        if (!(error instanceof LeaseEndedError)) throw error
        if (standIn === null) {
          options.onLost()
          log.warn('machine', 'machine lease expired; re-registering')
        }
        lease = await claimAgain()
      }
      return { wakeAt: null }
    },
  })
  // What the machine says of itself it says again where somebody has written over it or removed it, or the store was away.
  const unsubscribe = registry.onChange((kinds) => {
    if (!kinds.has('machine') || announced === null) return
    if (isUndone(registry, announced, lease)) loop.wake()
  })
  const endHeartbeat = async (): Promise<void> => {
    unsubscribe()
    await loop.stop()
  }
  return {
    announce: async (machine) => {
      const isBack = claimed.isAfterBoot || !registry.view.machines.has(machine.id)
      if (announced === null && isBack) await noteUnseen(registry, machine.id, clock.now())
      const key = keys.machine(machine.id)
      let joins = false
      for (let isWritten = false; !isWritten; ) {
        // One that restarts was never away; but a view that is behind may have a record whose lease has ended.
        joins ||= !registry.view.machines.has(machine.id)
        const before = { key, modRevision: registry.view.revisionOf(key) }
        announced = { ...machine, upSince: upSinceOf(registry.view, machine.id) ?? clock.now() }
        const puts = announceOps(registry, announced, lease)
        isWritten = await registry.commit([before], [...puts, ...(joins ? joined(options, machine) : [])])
      }
    },
    leave: async (graceMs) => {
      await endHeartbeat()
      if (announced !== null) await tellAway(options, announced, graceMs)
    },
    withdraw: async (told) => {
      await endHeartbeat()
      if (announced !== null) await removeMachine(options, told)
    },
    stop: endHeartbeat,
  }
}

/** Since when a machine has been up; null if it is not up, or its daemon does not report it. */
function upSinceOf({ machines }: ClusterView, id: MachineId): Instant | null {
  const there = machines.get(id)
  return there?.away === undefined ? (there?.upSince ?? null) : null
}

/** Whether a machine's record is not what its daemon says under its lease: undone by others, or never written. */
function isUndone(registry: Registry, machine: Machine, lease: LeaseId): boolean {
  const { key, value } = putOf('machine', machine)
  const entry = registry.entryAt(key)
  return registry.view.unreadable.has(key) || entry?.lease !== lease || entry.value !== value
}

/**
 * The machine under its lease, and what is to be remembered of it where it is down. That is written also where it seems to be there as it
 * is to be: a leader may have noted meanwhile that the machine is down.
 */
function announceOps({ view }: Registry, machine: Machine, lease: LeaseId): readonly Op[] {
  const known = isOfNewer(view, machine.id) ? [] : [putOf('knownMachine', machine)]
  return [putOf('machine', machine, lease), ...known]
}

/** Whether a newer program has written what is remembered of a machine: that is not ours to write over. */
function isOfNewer({ unreadable }: ClusterView, id: MachineId): boolean {
  return unreadable.get(keys.knownMachine(id))?.unfit === 'newer'
}

async function tellAway(options: PresenceOptions, machine: Machine, graceMs: number) {
  const { registry, id, clock } = options
  const own = await ownClaim(options)
  if (own === null) return
  const since = clock.now()
  const lease = await registry.store.grant(graceMs)
  const away = { ...machine, away: { since, until: since + graceMs } }
  const told = await registry.commit(
    [own],
    [putOf('machine', away, lease), { op: 'delete', key: claimKey(id) }],
  )
  if (!told) await registry.store.revoke(lease)
}

async function removeMachine(options: PresenceOptions, told: readonly Op[]): Promise<void> {
  const { registry, id } = options
  const own = await ownClaim(options)
  if (own === null) return
  for (let from = 0; from < told.length; from += toldPerWrite)
    await registry.commit([own], told.slice(from, from + toldPerWrite))
  const known = isOfNewer(registry.view, id) ? [] : [keys.knownMachine(id)]
  const gone = [keys.machine(id), ...known, claimKey(id)]
  await registry.commit(
    [own],
    gone.map((key): Op => ({ op: 'delete', key })),
  )
}

/** What holds a last word to our own claim; null where somebody has taken the id since, who says what it is. */
async function ownClaim({ registry, id, holder }: PresenceOptions): Promise<Compare | null> {
  const held = await claimOf({ registry, id })
  if (held === null || held.value.holder !== holder) return null
  return { key: claimKey(id), modRevision: held.entry.modRevision }
}

async function claimPatiently(options: PresenceOptions, stop: AbortSignal): Promise<Claimed> {
  const { clock, log } = options
  let waitsSince: number | null = null
  let told = ''
  for (;;) {
    try {
      return await claim(options, null)
    } catch (error) {
      // A store that goes out of reach meanwhile is no news of the id.
      const isTaken = error instanceof DuplicateMachineError
      if (stop.aborted || !(isTaken || (waitsSince !== null && isOutOfReach(error)))) throw error
      waitsSince ??= clock.steady()
      if (isTaken) {
        if (options.onWait !== undefined) await options.onWait(error)
        else await refuseToWaitOn(options, waitsSince, error)
        if (error.message !== told) log.warn('machine', `${error.message}; waiting until it is gone`)
        told = error.message
      }
      await pause(clock, lookAgainMs, stop)
    }
  }
}

/** Throws where whoever has the id has had it for longer than a daemon that is dead. */
async function refuseToWaitOn(
  options: PresenceOptions,
  since: number,
  taken: DuplicateMachineError,
): Promise<void> {
  const held = await claimOf(options)
  if (held !== null && options.clock.steady() - since > held.value.ttlMs + slackMs) throw taken
}

/**
 * Whether a claim is one of this machine before it was started anew, as its data directory says. A copy of the machine
 * has the same directory; but its daemon renews its lease, and a daemon that died with the machine does not.
 */
async function isFromBeforeBoot(
  { registry, holder }: PresenceOptions,
  { entry, value }: Held,
): Promise<boolean> {
  if (entry.lease === null || dataOf(value.holder) !== dataOf(holder)) return false
  const remainingMs = await registry.store.remainingMs(entry.lease)
  return remainingMs === null || remainingMs < aliveMs(value.ttlMs)
}

/** The lease of a machine, as the store has it; null where it has ended. */
export async function leaseTimesOf(
  options: Pick<PresenceOptions, 'registry' | 'id' | 'clock'>,
): Promise<LeaseTimes | null> {
  const held = await claimOf(options)
  if (held === null || held.entry.lease === null) return null
  const remainingMs = await options.registry.store.remainingMs(held.entry.lease)
  if (remainingMs === null) return null
  const { ttlMs } = held.value
  const endsAt = options.clock.now() + remainingMs
  const isLate = remainingMs + countedInMs < ttlMs - renewEveryMs(ttlMs)
  return { renewedAt: endsAt - ttlMs, endsAt, isLate }
}

/** A daemon that lives has at least so much left of its lease, also when it had to try once more to renew it. */
export function aliveMs(ttlMs: number): number {
  return ttlMs - renewEveryMs(ttlMs) - 2 * renewAgainMs(ttlMs) - countedInMs
}

/** etcd tells in whole seconds what remains of a lease. */
const countedInMs = 1000

/**
 * How far apart the leases of machines end that are cut off at one moment: each was last renewed at some time within one
 * interval, and the store looks for ended leases only now and then.
 */
export function leasesEndWithinMs(ttlMs: number): number {
  return renewEveryMs(ttlMs) + slackMs
}

/**
 * A lease with so much left was renewed after the moment at which a machine was cut off whose lease has ended by now: what
 * is left of one that was not is an interval at most.
 */
export function renewedSinceMs(ttlMs: number): number {
  return renewEveryMs(ttlMs) + countedInMs
}

function renewEveryMs(ttlMs: number): number {
  return Math.floor(ttlMs / 3)
}

function renewAgainMs(ttlMs: number): number {
  return Math.floor(ttlMs / 10)
}

/** What of a holder names the data directory; the rest is the boot. */
function dataOf(holder: string): string {
  return holder.split('/')[0] ?? ''
}

/**
 * Claims the id, and announces the machine with it. Throws DuplicateMachineError while another daemon holds the claim, and
 * `store/moved` or `store/moving` where the records were moved since this daemon started.
 */
async function claim(options: PresenceOptions, machine: Machine | null): Promise<Claimed> {
  const { registry, id, holder, hostname, ttlMs, clock } = options
  const key = claimKey(id)
  for (;;) {
    const held = await claimOf(options)
    const isOthers = held !== null && held.value.holder !== holder
    if (isOthers && !(await isFromBeforeBoot(options, held))) throw new DuplicateMachineError(id, held.value)
    const lease = await registry.store.grant(ttlMs)
    const since = (held?.value.holder === holder ? held.value.since : undefined) ?? clock.now()
    const value = JSON.stringify({ holder, hostname, ttlMs, since } satisfies Claim)
    // With the lease its record has gone, which the view may not have seen yet.
    const again =
      machine === null ? [] : [...announceOps(registry, machine, lease), ...joined(options, machine)]
    const committed = await registry.commit(
      [{ key, modRevision: held?.entry.modRevision ?? 0 }, ...noMark],
      [{ op: 'put', key, value, lease }, ...again],
    )
    if (committed) return { lease, isAfterBoot: isOthers }
    await registry.store.revoke(lease)
    await refuseWhileMoving(registry.store)
  }
}

function isMoved(error: unknown): error is StoreError {
  return error instanceof StoreError && (error.code === 'store/moved' || error.code === 'store/moving')
}

/** Tells that a machine has come, or come back. */
function joined({ events }: PresenceOptions, { id, hostname, drivers }: Machine): readonly Op[] {
  const message = `${hostname} has joined and can run ${drivers.join(', ') || 'nothing'}`
  const about = { project: null, service: null, instance: null, machine: id }
  return events.append([{ kind: 'machine-joined', ...about, message }])
}

interface Claimed {
  readonly lease: LeaseId
  /** Whether the claim was held by this machine before it booted. */
  readonly isAfterBoot: boolean
}

interface Held {
  readonly entry: Entry
  readonly value: Claim
}

async function claimOf(
  options: Pick<PresenceOptions, 'registry' | 'id'> & Partial<PresenceOptions>,
): Promise<Held | null> {
  const entry = await options.registry.store.get(claimKey(options.id))
  return entry === null ? null : { entry, value: readClaim(entry, options) }
}

/** A claim that cannot be read is somebody's as long as its lease lives; without a lease it is nobody's. */
function readClaim(
  { value, lease }: Pick<Entry, 'value' | 'lease'>,
  { holder = '', hostname = '', ttlMs = 0 }: Partial<PresenceOptions>,
): Claim {
  try {
    const claim = JSON.parse(value) as Partial<Claim> | null
    if (
      typeof claim?.holder === 'string' &&
      typeof claim.hostname === 'string' &&
      claim.ttlMs !== undefined
    ) {
      const { holder: by, hostname: on, ttlMs: ms, since } = claim
      const isTime = typeof since === 'number' && Number.isFinite(new Date(since).getTime())
      return { holder: by, hostname: on, ttlMs: Number(ms), ...(isTime && { since }) }
    }
  } catch {
    // No JSON at all.
  }
  return lease === null ? { holder, hostname, ttlMs } : { holder: '', hostname: 'an unknown host', ttlMs }
}

/** Before the id of a machine, in the key of its claim. */
export const claimPrefix = 'claims/'

function claimKey(id: MachineId): string {
  return `${claimPrefix}${id}`
}

/** For how long the machine of a claim is not taken for lost; null where the claim cannot be read. */
export function claimTtlMs(value: string): number | null {
  const unknown = -1
  const { ttlMs } = readClaim({ value, lease: null }, { ttlMs: unknown })
  return Number.isFinite(ttlMs) && ttlMs > 0 ? ttlMs : null
}
