// Keeps the one lease that makes a machine the leader (seed: fleet-architecture, "lease model").

import type { Log } from '../../../lib/io/log.js'
import { describeError } from '../../../lib/io/log.js'
import { startLoop } from '../../../lib/io/loop.js'
import type { Instant, Time } from '../../../lib/time.js'
import type { MachineId } from '../../../model/machine.js'
import type { Registry } from '../../../store/io/registry.js'
import { leaderKey } from '../../../store/records.js'
import { isOutOfReach, LeaseEndedError, type LeaseId } from '../../../store/store.js'
import type { ClusterView } from '../../../store/view.js'
import { leavesLead } from '../clocks.js'

export interface LeaseKeeper {
  /**
   * The epoch of our leadership; null while no machine or another one leads, and during the grace period for missing
   * machines, which may just have been disconnected as we were ourselves.
   */
  epoch(): number | null
  /** Gives leadership up, so that another machine need not wait for the lease to run out. */
  stop(): Promise<void>
}

export interface LeaseKeeperOptions {
  readonly registry: Registry
  readonly machine: MachineId
  readonly clock: Time
  readonly log: Log
  /** How long a leader that is gone is waited for. */
  readonly ttlMs: number
  /** For how long we have been connected to the store without a break. */
  readonly connectedForMs: () => number
  /**
   * Called when we decide from now on: when we have taken the lead, which the view says a moment before `epoch` does, and
   * when we have waited for machines, whoever is there.
   */
  readonly onDecides: () => void
}

/**
 * How long a leader that was disconnected, or has just started, waits for missing machines that have units: when etcd was
 * unreachable they all were, and none of their units is to be moved for that.
 */
const gracePeriodMs = 10_000
/** How long such a machine leaves the lead to others: one that was connected all along decides at once. */
const electionBackoffMs = 1000

/**
 * Takes the lead when nobody holds it, and keeps it alive. A former process of this same machine is dead (the data
 * directory's lock says so), so its lead is taken over at once.
 */
export function startLeaseKeeper(options: LeaseKeeperOptions): LeaseKeeper {
  const { registry, machine, clock, log, ttlMs, connectedForMs, onDecides } = options
  let waits = false
  let vacantSince: Instant | null = null
  let lease: LeaseId | null = null
  let ours: number | null = null
  /** Why the lead is left to others; null where it is not. */
  let standsBack: string | null = null

  /** How long a vacant lead is still left to others; 0 where it is ours to take. */
  const backoffLeftMs = (): number => {
    const { leader, machines } = registry.view
    vacantSince = leader === null ? (vacantSince ?? clock.steady()) : null
    const others = [...machines.keys()].some((id) => id !== machine)
    if (vacantSince === null || !others || connectedForMs() >= gracePeriodMs) return 0
    return Math.max(0, vacantSince + electionBackoffMs - clock.steady())
  }

  /** Whoever leads does so by a lease: what stands there without one is nobody's. */
  const isOthers = (): boolean => {
    const { leader } = registry.view
    return leader !== null && leader.machine !== machine && registry.entryAt(leaderKey)?.lease !== null
  }

  const takeLead = async (): Promise<void> => {
    if (isOthers()) return
    // One that nobody can read is nobody's any more: whoever led is fenced off by the change. A newer one has an owner.
    const before = registry.view.revisionOf(leaderKey)
    const granted = await registry.store.grant(ttlMs)
    const put = { op: 'put', key: leaderKey, value: JSON.stringify({ machine }), lease: granted } as const
    const won = await registry.commit([{ key: leaderKey, modRevision: before }], [put])
    if (!won) return registry.store.revoke(granted)
    lease = granted
    const { leader } = registry.view
    ours = leader?.machine === machine ? leader.epoch : null
    log.info('engine', 'became leader', { epoch: ours })
    onDecides()
  }

  const keepLead = async (held: LeaseId): Promise<void> => {
    if (registry.view.leader?.epoch !== ours) {
      lease = null
      ours = null
      log.warn('engine', 'lost leadership: the leader record was overwritten')
      return registry.store.revoke(held)
    }
    try {
      await registry.store.keepAlive(held)
    } catch (error) {
      if (!(error instanceof LeaseEndedError)) throw error
      lease = null
      ours = null
      log.warn('engine', 'lost leadership: the lease expired')
    }
  }

  /** What a newer program wrote is not ours to decide on: it leads, and we lead again when there is nothing of the kind. */
  const reasonToStandBack = (): string | null => {
    if (registry.view.hasNewer) return 'there are records of a newer Mariposa'
    return leavesLead(registry.view, machine) ? 'its clock differs from those of the other machines' : null
  }

  const standBack = async (reason: string): Promise<void> => {
    if (standsBack !== reason) log.warn('engine', `not leading: ${reason}`)
    standsBack = reason
    const held = lease
    lease = null
    ours = null
    if (held !== null) await registry.store.revoke(held)
  }

  const loop = startLoop({
    clock,
    intervalMs: Math.floor(ttlMs / 3),
    // Its lease runs on meanwhile: the wait does not grow.
    backoff: { firstMs: Math.floor(ttlMs / 5), longestMs: Math.floor(ttlMs / 5) },
    onError: (error) => {
      if (!isOutOfReach(error)) log.warn('engine', `cannot renew the leader lease: ${describeError(error)}`)
    },
    pass: async () => {
      const reason = reasonToStandBack()
      if (reason !== null) {
        await standBack(reason)
        return { wakeAt: null }
      }
      standsBack = null
      if (lease !== null) await keepLead(lease)
      const backingOffForMs = backoffLeftMs()
      if (lease === null && backingOffForMs === 0) await takeLead()
      const leftMs = gracePeriodMs - connectedForMs()
      if (waits && leftMs <= 0) onDecides()
      waits = leftMs > 0
      return { wakeAt: waits ? clock.now() + (backingOffForMs > 0 ? backingOffForMs : leftMs) : null }
    },
  })
  const unsubscribe = registry.onChange((kinds) => {
    if (kinds.has('leader') || reasonToStandBack() !== standsBack) loop.wake()
  })

  return {
    epoch: () => {
      if (ours === null || registry.view.leader?.epoch !== ours || registry.view.hasNewer) return null
      return connectedForMs() < gracePeriodMs && missesMachines(registry.view) ? null : ours
    },
    stop: async () => {
      unsubscribe()
      await loop.stop()
      if (lease !== null) await registry.store.revoke(lease)
    },
  }
}

/** Whether units are placed on machines that are not there. */
function missesMachines(view: ClusterView): boolean {
  for (const { machine } of view.placements.values()) if (!view.machines.has(machine)) return true
  for (const unit of view.globallyPlaced()) {
    for (const machine of view.globalPlacementsOf(unit).keys()) if (!view.machines.has(machine)) return true
  }
  return false
}
