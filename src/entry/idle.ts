// For which instances that are to stop the proxy has nothing under way any more.
import type { UnitName } from '../model/unit.js'
import type { LeavingUpstream } from './upstreams.js'

/**
 * The proxy's list of instances is never older than 200 ms; after so long no request can still be led by one from before, with room
 * for a busy machine.
 */
export const listLastsMs = 1000

/** Since when the proxy's keeper has known that each is to get no requests, in milliseconds of the steady clock. */
export type OutSince = ReadonlyMap<UnitName, number>

/** Those that leave now; what was known before stays. `at`: when the keeper was last told of who serves. */
export function outSince(leaving: readonly LeavingUpstream[], before: OutSince, at: number): OutSince {
  return new Map(leaving.map(({ unit }) => [unit, before.get(unit) ?? at]))
}

/** Whom to ask the proxy about: those for which no request can begin any more. */
export function askable(
  leaving: readonly LeavingUpstream[],
  since: OutSince,
  at: number,
): readonly LeavingUpstream[] {
  return leaving.filter(({ unit, targets }) => {
    const from = since.get(unit)
    return targets !== null && from !== undefined && at - from >= listLastsMs
  })
}

/** Those of them that have no request under way, by the proxy's own count of requests for each target. In order of their names. */
export function idleOf(
  asked: readonly LeavingUpstream[],
  underWay: ReadonlyMap<string, number>,
): readonly UnitName[] {
  return asked
    .filter(({ targets }) => targets?.every((target) => (underWay.get(target) ?? 0) === 0))
    .map(({ unit }) => unit)
    .sort()
}

/** What several proxies count together. */
export function sumOf(all: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const sum = new Map<string, number>()
  for (const counts of all)
    for (const [target, count] of counts) sum.set(target, (sum.get(target) ?? 0) + count)
  return sum
}

/** Names that it has from SRV records end in a dot. */
const rootBeforePort = /\.(?=:\d+$)/

/** The proxy's count of requests for each target, from its answer; null for what is no such answer. */
export function readUnderWay(text: string): ReadonlyMap<string, number> | null {
  const counts = new Map<string, number>()
  const found: unknown = parsed(text)
  // It says `null` where it has none.
  if (found === null) return counts
  if (!Array.isArray(found)) return null
  for (const one of found as readonly unknown[]) {
    const { address, num_requests: requests } = (one ?? {}) as Record<string, unknown>
    if (typeof address !== 'string' || typeof requests !== 'number') return null
    const target = address.replace(rootBeforePort, '')
    counts.set(target, (counts.get(target) ?? 0) + requests)
  }
  return counts
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
