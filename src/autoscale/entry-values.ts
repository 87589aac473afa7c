// What the entries of all machines count of the requests for a service, as values of its instances.

import type { Instant } from '../lib/time.js'
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
  /** By the clock on the wall, as losses are told. */
  readonly now: Instant
}

/**
 * So long after a machine was lost its clients may be on their way to another entry, or wait for this one: what the others count
 * is no less load. For ever would keep a service as large as it was until the machine is removed.
 */
const lostForMs = 5 * 60_000

/**
 * A value for each instance, the same for all: its share of the rates, and the time of all answers, as far as they are known; null
 * where nothing is. `unheard`: entries that have said nothing of late, whose part is not in the values.
 */
export function entryValues(
  view: Pick<ClusterView, 'machines' | 'knownMachines' | 'metrics'>,
  service: ServiceKey,
  { metric, percent }: { readonly metric: EntryMetric; readonly percent: boolean },
  { instances, isFresh, now }: Sharers,
): { readonly values: readonly (number | null)[]; readonly unheard: number } {
  const shares = Math.max(1, instances)
  const told = [...view.machines.values()]
    .filter(({ entry }) => entry !== undefined)
    // The proxy of a daemon that was stopped goes on, and nobody counts.
    .map(({ id, away }) =>
      away === undefined && isFresh(id) ? (view.metrics.get(id)?.entry?.[service] ?? null) : null,
    )
  const known = told.filter((figures) => figures !== null)
  const value = known.length === 0 ? null : combined[metric](known, shares, percent)
  return {
    values: Array.from({ length: shares }, () => value),
    unheard: told.length - known.length + lostOf(view, now),
  }
}

/** Machines with an entry that were lost a short while ago. What is told to have been later than now was before the clock was set back. */
function lostOf(
  { machines, knownMachines }: Pick<ClusterView, 'machines' | 'knownMachines'>,
  now: Instant,
): number {
  const lost = [...knownMachines.values()].filter(
    ({ id, entry, downSince = now }) =>
      entry !== undefined && !machines.has(id) && Math.abs(now - downSince) < lostForMs,
  )
  return lost.length
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
