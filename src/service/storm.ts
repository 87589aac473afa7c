// Losing many machines at once must not cause a storm (contract §3): what was lost is replaced at a limited rate, and
// not at all for a while where most machines vanish together (`src/store/losses.ts`).
import type { Elapsed } from '../lib/elapsed.js'
import type { Instant } from '../lib/time.js'
import type { MachineId } from '../model/machine.js'

/** What holds replacements of lost instances back. */
export interface StormGuard {
  /** Before when nothing lost on a machine is replaced, unless an operator says so; null: it is not held. */
  readonly heldUntil: (machine: MachineId) => Instant | null
  /** How many lost instances may be replaced now. */
  readonly allowance: number
}

export const calm: StormGuard = { heldUntil: () => null, allowance: Number.POSITIVE_INFINITY }

/** Lost instances replaced at once, and from then on per second, over all services. */
export const replacementsAtOnce = 20
export const replacementsPerSecond = 10

/** How many replacements may still be made, as of a time. */
interface Allowance {
  readonly left: number
  readonly at: Instant
}

export const fullAllowance: Allowance = { left: replacementsAtOnce, at: 0 }

/** The allowance with what has come in since, full at most. */
export function refill({ left, at }: Allowance, time: Elapsed): Allowance {
  const elapsedMs = time.since(at)
  const come = Math.floor((elapsedMs * replacementsPerSecond) / 1000)
  if (come <= 0) return { left, at }
  const full = left + come >= replacementsAtOnce
  return {
    left: Math.min(replacementsAtOnce, left + come),
    at: time.now - (full ? 0 : elapsedMs - (come * 1000) / replacementsPerSecond),
  }
}
