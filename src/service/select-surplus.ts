// The selection policy for what is too many (contract §3).
import type { Service } from '../model/service.js'
import type { Assessed } from './assess.js'
import { selectionOrder } from './select.js'

/**
 * So many of the candidates as are to go: what does not serve goes first, in trouble before on its way, the newest
 * first; then what may serve, in trouble when last heard of before what was not; and at last what is seen to, oldest
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
  const { up, report } = item
  const isInTrouble = report === null || report.restarts > 0 || report.attempts > 0 || report.failure !== null
  if (up) return 4
  if (mayServe(item)) return isInTrouble ? 2 : 3
  return isInTrouble ? 0 : 1
}

/** Whether it serves, or may: what ran when its machine, or its driver, was last heard of is up only once it is seen again. */
export function mayServe({ up, state, report, returning }: Assessed): boolean {
  return up || state === 'unknown' || (returning && state === 'running' && report?.health !== 'unhealthy')
}
