// Keeps the one lease that makes a machine the leader (seed: fleet-architecture, "lease model").

import type { Log } from '../../lib/io/log.js'
import { describeError } from '../../lib/io/log.js'
import { startLoop } from '../../lib/io/loop.js'
import type { Instant, Time } from '../../lib/time.js'
import type { MachineId } from '../../model/machine.js'
import type { Registry } from '../../store/io/registry.js'
import { leaderKey } from '../../store/records.js'
import { isOutOfReach, LeaseEndedError, type LeaseId } from '../../store/store.js'
import type { ClusterView } from '../../store/view.js'
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

interface LeaseKeeperOptions {
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
  const { registry, clock, log, ttlMs } = options
  const lead = new Lead(options)
  const loop = startLoop({
    clock,
    intervalMs: Math.floor(ttlMs / 3),
    // Its lease runs on meanwhile: the wait does not grow.
    backoff: { firstMs: Math.floor(ttlMs / 5), longestMs: Math.floor(ttlMs / 5) },
    onError: (error) => {
      if (!isOutOfReach(error)) log.warn('engine', `cannot renew the leader lease: ${describeError(error)}`)
    },
    pass: () => lead.pass(),
  })
  const unsubscribe = registry.onChange((kinds) => {
    if (kinds.has('leader') || lead.mayChangeSides()) loop.wake()
  })
  return {
    epoch: () => lead.epoch(),
    stop: async () => {
      unsubscribe()
      await loop.stop()
      await lead.giveUp()
    },
  }
}

/** The lead, held by this machine or not. */
class Lead {
  readonly #options: LeaseKeeperOptions
  #waits = false
  #vacantSince: Instant | null = null
  #lease: LeaseId | null = null
  #ours: number | null = null
  /** Why the lead is left to others; null where it is not. */
  #standsBack: string | null = null

  constructor(options: LeaseKeeperOptions) {
    this.#options = options
  }

  /** Our epoch while we decide. */
  epoch(): number | null {
    const { registry, connectedForMs } = this.#options
    const { view } = registry
    if (this.#ours === null || view.leader?.epoch !== this.#ours || view.hasNewer) return null
    return connectedForMs() < gracePeriodMs && missesMachines(view) ? null : this.#ours
  }

  /** Takes the lead, renews it or leaves it, and says when to look again. */
  async pass(): Promise<{ readonly wakeAt: Instant | null }> {
    const { clock, connectedForMs, onDecides } = this.#options
    const reason = this.#reasonToStandBack()
    if (reason !== null) {
      await this.#standBack(reason)
      return { wakeAt: null }
    }
    this.#standsBack = null
    if (this.#lease !== null) await this.#renew(this.#lease)
    const backingOffForMs = this.#backoffLeftMs()
    if (this.#lease === null && backingOffForMs === 0) await this.#take()
    const leftMs = gracePeriodMs - connectedForMs()
    if (this.#waits && leftMs <= 0) onDecides()
    this.#waits = leftMs > 0
    const againInMs = backingOffForMs > 0 ? backingOffForMs : leftMs
    return { wakeAt: this.#waits ? clock.now() + againInMs : null }
  }

  /** Whether there is a reason to stand back that was not there in the last pass, or none any more. */
  mayChangeSides(): boolean {
    return this.#reasonToStandBack() !== this.#standsBack
  }

  async giveUp(): Promise<void> {
    if (this.#lease !== null) await this.#options.registry.store.revoke(this.#lease)
  }

  /** How long a vacant lead is still left to others; 0 where it is ours to take. */
  #backoffLeftMs(): number {
    const { registry, machine, clock, connectedForMs } = this.#options
    const { leader, machines } = registry.view
    this.#vacantSince = leader === null ? (this.#vacantSince ?? clock.steady()) : null
    const others = [...machines.keys()].some((id) => id !== machine)
    if (this.#vacantSince === null || !others || connectedForMs() >= gracePeriodMs) return 0
    return Math.max(0, this.#vacantSince + electionBackoffMs - clock.steady())
  }

  /** Whoever leads does so by a lease: what stands there without one is nobody's. */
  #isOthers(): boolean {
    const { registry, machine } = this.#options
    const { leader } = registry.view
    return leader !== null && leader.machine !== machine && registry.entryAt(leaderKey)?.lease !== null
  }

  async #take(): Promise<void> {
    const { registry, machine, ttlMs, log, onDecides } = this.#options
    if (this.#isOthers()) return
    // One that nobody can read is nobody's any more: whoever led is fenced off by the change. A newer one has an owner.
    const before = registry.view.revisionOf(leaderKey)
    const granted = await registry.store.grant(ttlMs)
    const put = { op: 'put', key: leaderKey, value: JSON.stringify({ machine }), lease: granted } as const
    const won = await registry.commit([{ key: leaderKey, modRevision: before }], [put])
    if (!won) return registry.store.revoke(granted)
    this.#lease = granted
    const { leader } = registry.view
    this.#ours = leader?.machine === machine ? leader.epoch : null
    log.info('engine', 'became leader', { epoch: this.#ours })
    onDecides()
  }

  async #renew(held: LeaseId): Promise<void> {
    const { registry, log } = this.#options
    if (registry.view.leader?.epoch !== this.#ours) {
      this.#forget()
      log.warn('engine', 'lost leadership: the leader record was overwritten')
      return registry.store.revoke(held)
    }
    try {
      await registry.store.keepAlive(held)
    } catch (error) {
      if (!(error instanceof LeaseEndedError)) throw error
      this.#forget()
      log.warn('engine', 'lost leadership: the lease expired')
    }
  }

  /** What a newer program wrote is not ours to decide on: it leads, and we lead again when there is nothing of the kind. */
  #reasonToStandBack(): string | null {
    const { view } = this.#options.registry
    if (view.hasNewer) return 'there are records of a newer Mariposa'
    return leavesLead(view, this.#options.machine)
      ? 'its clock differs from those of the other machines'
      : null
  }

  async #standBack(reason: string): Promise<void> {
    const { registry, log } = this.#options
    if (this.#standsBack !== reason) log.warn('engine', `not leading: ${reason}`)
    this.#standsBack = reason
    const held = this.#lease
    this.#forget()
    if (held !== null) await registry.store.revoke(held)
  }

  #forget(): void {
    this.#lease = null
    this.#ours = null
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
