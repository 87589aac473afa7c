// Losing many machines at once must not cause a storm (contract §3): what was lost is replaced at a limited rate, and
// not at all for a while where most machines vanish together: then it is rather we who are cut off.
import type { Instant } from '../lib/time.js'
import type { MachineId } from '../model/machine.js'
import type { ClusterView } from '../store/view.js'

/** What holds replacements of lost instances back. */
export interface StormGuard {
  /** Nothing lost is replaced before, unless an operator says so; null: nothing is held. */
  readonly heldUntil: Instant | null
  /** How many lost instances may be replaced now. */
  readonly allowance: number
}

export const calm: StormGuard = { heldUntil: null, allowance: Number.POSITIVE_INFINITY }

/** How long replacements wait for most machines to come back. */
export const holdMs = 5 * 60_000
/** Lost instances replaced at once, and from then on per second, over all services. */
export const replacementsAtOnce = 20
export const replacementsPerSecond = 10

/**
 * Until when replacements are held: more machines vanished within the last five minutes than are there, and at least
 * two. Machines are counted by the instances that are lost on them: an empty one is of no consequence.
 */
export function heldUntil(view: ClusterView, now: Instant): Instant | null {
  const vanished = new Map<MachineId, Instant>()
  for (const [unit, instance] of view.instances) {
    const machine = view.placements.get(unit)?.machine
    if (machine === undefined || view.machines.has(machine)) continue
    const since = instance.lost?.backAt === null ? instance.lost.since : now
    vanished.set(machine, Math.min(vanished.get(machine) ?? now, since))
  }
  const recent = [...vanished.values()].filter((since) => since + holdMs > now)
  if (recent.length < 2 || recent.length <= view.machines.size) return null
  return Math.max(...recent) + holdMs
}

/** How many replacements may still be made, as of a time. */
export interface Allowance {
  readonly left: number
  readonly at: Instant
}

export const fullAllowance: Allowance = { left: replacementsAtOnce, at: 0 }

/** The allowance with what has come in since, full at most. */
export function refill({ left, at }: Allowance, now: Instant): Allowance {
  const come = Math.floor(((now - at) * replacementsPerSecond) / 1000)
  if (come <= 0) return { left, at }
  const full = left + come >= replacementsAtOnce
  return {
    left: Math.min(replacementsAtOnce, left + come),
    at: full ? now : at + (come * 1000) / replacementsPerSecond,
  }
}
