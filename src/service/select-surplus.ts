// The selection policy for what is too many (contract §3).
import type { Service } from '../model/service.js'
import type { Assessed } from './assess.js'
import { selectionOrder } from './select.js'

/**
 * So many of the candidates as are to go: what does not serve yet goes first, in trouble before on its way, the newest
 * first; then what serves, oldest version and oldest instance first.
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
  if (item.up) return 2
  const { report } = item
  const inTrouble = report === null || report.restarts > 0 || report.attempts > 0 || report.failure !== null
  return inTrouble ? 0 : 1
}
