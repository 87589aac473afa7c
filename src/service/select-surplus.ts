// The selection policy for what is too many (contract §3).
import type { Service } from '../model/service.js'
import type { Assessed } from './assess.js'
import { selectionOrder } from './select.js'

/**
 * So many of the candidates as are to go: what does not serve goes first, in trouble before on its way, the newest
 * first; then what may serve, what ran well when it was last heard of after the others; and at last what is seen to, oldest
 * version and oldest instance first.
 */
export function firstToGo(
  service: Service,
  candidates: readonly Assessed[],
  count: number,
): readonly Assessed[] {
  const order = selectionOrder(service.current)
  return [...candidates]
    .sort(
      (a, b) =>
        usefulness(a) - usefulness(b) || (a.up ? order(a.instance, b.instance) : b.instance.n - a.instance.n),
    )
    .slice(0, Math.max(0, count))
}

function usefulness(item: Assessed): number {
  if (item.up) return 4
  if (mayServe(item)) return isPromising(item) ? 3 : 2
  return isInTrouble(item) ? 0 : 1
}

function isInTrouble({ report }: Assessed): boolean {
  return report === null || report.restarts > 0 || report.attempts > 0 || report.failure !== null
}

/** Whether it ran without trouble when it was last heard of. */
function isPromising(item: Assessed): boolean {
  return item.report?.active === 'active' && !isInTrouble(item)
}

/**
 * Of those that are to go, the ones that can be spared: what ran well when its driver was last heard of goes only as far as what is up
 * meets the scale without it. The others may prove to have ended, and then it would be missing.
 */
export function spared(
  going: readonly Assessed[],
  candidates: readonly Assessed[],
  scale: number,
): readonly Assessed[] {
  const chosen = new Set(going)
  const up = candidates.filter((item) => item.up && !chosen.has(item)).length
  return going.filter((item) => item.up || !(mayServe(item) && isPromising(item)) || up >= scale)
}

/** Whether it serves, or may: what ran when its machine, or its driver, was last heard of is up only once it is seen again. */
export function mayServe({ up, state, report, returning }: Assessed): boolean {
  return up || state === 'unknown' || (returning && state === 'running' && report?.health !== 'unhealthy')
}
