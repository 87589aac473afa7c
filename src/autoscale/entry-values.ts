// What the entries of all machines count of the requests for a service, as values of its instances.

import type { MachineId } from '../model/machine.js'
import type { EntryMetric } from '../model/metric.js'
import type { EntryFigures } from '../model/scaling.js'
import type { ClusterView, ServiceKey } from '../store/view.js'

/** Whether what a machine reports is still news. */
export type IsFresh = (machine: MachineId) => boolean

/** Who has the values. */
interface Sharers {
  /** How many instances share the requests; what comes for a service without any counts as one. */
  readonly instances: number
  readonly isFresh: IsFresh
}

/**
 * A value for each instance, the same for all: its share of the rates, and the time of all answers. A machine with an entry
 * that has said nothing of late adds a null, as an instance without a value does, so that nothing is taken away for it.
 */
export function entryValues(
  view: Pick<ClusterView, 'machines' | 'metrics'>,
  service: ServiceKey,
  { metric, percent }: { readonly metric: EntryMetric; readonly percent: boolean },
  { instances, isFresh }: Sharers,
): readonly (number | null)[] {
  const shares = Math.max(1, instances)
  const told = [...view.machines.values()]
    .filter(({ entry }) => entry !== undefined)
    .map(({ id }) => (isFresh(id) ? (view.metrics.get(id)?.entry?.[service] ?? null) : null))
  const known = told.filter((figures) => figures !== null)
  const missing = told.filter((figures) => figures === null)
  if (known.length === 0) return Array.from({ length: shares }, () => null)
  const value = combined[metric](known, shares, percent)
  return [...Array.from({ length: shares }, () => value), ...missing]
}

type Combined = (told: readonly EntryFigures[], shares: number, percent: boolean) => number

const combined: Readonly<Record<EntryMetric, Combined>> = {
  rps: (told, shares) => sum(told, 'rps') / shares,
  errors: (told, shares, percent) => {
    if (!percent) return sum(told, 'failed') / shares
    const requests = sum(told, 'rps')
    return requests === 0 ? 0 : (100 * sum(told, 'failed')) / requests
  },
  // Of the entry that is slowest: how the times of each are spread is not told.
  p95: (told) => Math.max(...told.map(({ p95 }) => p95)),
}

function sum(told: readonly EntryFigures[], key: 'rps' | 'failed'): number {
  return told.reduce((total, figures) => total + figures[key], 0)
}
