// Hysteresis (RFD 1): what is out for a reason that may pass leaves the answers of its service little by little, so that a
// check that fails for all, or a network that is cut, does not take all of them away at once. The last one stays longest.
import type { Instant } from '../lib/time.js'
import { isListedFrom, type Listing, type OutReason } from './listing.js'

/** A third of those that were listed may leave in this time, and at least one. */
export const leaveEveryMs = 60_000
/** The last of all is out for so long before it leaves. */
export const lastStaysMs = 600_000

/**
 * Since when something lingers in the answers, which is out; null where it does not. Who was not listed before does not, nor
 * does who is known to answer nobody: it has ended, or is to stop.
 */
export function lingersSince(
  before: { readonly listing: Listing; readonly lingersSince: Instant | null } | undefined,
  listing: Listing,
  hysteresis: boolean,
  at: Instant,
): Instant | null {
  if (!hysteresis || before === undefined) return null
  if (listing.rank !== 'out' || !passing.has(listing.because.kind)) return null
  if (before.lingersSince !== null) return before.lingersSince
  const { rank } = before.listing
  const wasListed = rank === 'listed' && isListedFrom(before.listing.from, at)
  return wasListed ? at : null
}

const passing: ReadonlySet<OutReason['kind']> = new Set(['unhealthy', 'machine-down', 'machine-lost'])

/** When each of those that linger leaves, oldest first, where so many others are listed. */
export function leaveTimes(since: readonly Instant[], listed: number): readonly Instant[] {
  const atOnce = Math.max(Math.floor((listed + since.length) / 3), 1)
  const times: Instant[] = []
  for (const [index, began] of since.entries()) {
    const earlier = times[index - atOnce]
    const paced = earlier === undefined ? began : Math.max(began, earlier + leaveEveryMs)
    const isLast = listed === 0 && index === since.length - 1
    times.push(isLast ? Math.max(paced, began + lastStaysMs) : paced)
  }
  return times
}
