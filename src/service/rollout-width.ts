// The width of a rollout (`parallel`): how many instances are replaced at a time. A drain has one as well.
import type { Rollout, Service } from '../model/service.js'
import type { Assessed } from './assess.js'
import type { Roles } from './roles.js'

/**
 * How many instances to make: up to the scale, but at most `parallel` ahead of those that make way for them, of which
 * some go now.
 */
export function missingInstances(
  { scale, rollout }: Service,
  { there, going, staying, awaited }: Roles,
  leaving: number,
): number {
  const plain = scale - there.length
  if (going.length === 0) return plain
  const parallel = rollout?.parallel ?? Math.max(...going.map(({ drain }) => drain?.parallel ?? 1))
  const coming = awaited.filter((item) => !item.up).length
  const ahead = Math.min(parallel - coming, parallel + plain + leaving)
  return Math.min(scale - staying.length, Math.max(plain, ahead))
}

/** How many of those that are up may go before their replacements are: the width may be missing from the scale, no more. */
export function spareOf({ scale }: Service, { parallel }: Rollout, there: readonly Assessed[]): number {
  return there.filter((item) => item.up).length - (scale - parallel)
}

/** How many slots may become empty now; `idle` of those that have one serve nobody, and go by no rollout. */
export function slotsToEmpty({ scale }: Service, { parallel }: Rollout, held: number, idle: number): number {
  return parallel - idle - Math.max(0, scale - held)
}
