// The selection policy for what is too many (contract §3).
import type { InstanceState, Service } from '../model/service.js'
import type { UnitReport } from '../model/unit.js'
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

function usefulness({ up, report, returning, state }: Assessed): number {
  const isInTrouble = report === null || report.restarts > 0 || report.attempts > 0 || report.failure !== null
  if (up) return 4
  if (mayServe(state, report, returning)) return isInTrouble ? 2 : 3
  return isInTrouble ? 0 : 1
}

/** What ran when its machine, or its driver, was last heard of counts as up only once it is seen again. */
function mayServe(state: InstanceState, report: UnitReport | null, returning: boolean): boolean {
  return state === 'unknown' || (returning && state === 'running' && report?.health !== 'unhealthy')
}
