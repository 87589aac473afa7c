// Reads from the view what the instances of a service measured last.
import type { Instant } from '../lib/time.js'
import type { MachineId } from '../model/machine.js'
import { entryMetricOf, isEntryMetric } from '../model/metric.js'
import { demandKey, type MetricTrigger, reportEveryMs, reportsUntilHeartbeat } from '../model/scaling.js'
import type { Instance, Service } from '../model/service.js'
import { keys } from '../store/records.js'
import type { Revision } from '../store/store.js'
import { type ClusterView, type ServiceKey, serviceKey } from '../store/view.js'
import { entryValues, type IsFresh } from './entry-values.js'
import { type Reading, readingOf } from './readings.js'

/** When the values of machines were last written, by the clock of who looks. */
export type Heard = ReadonlyMap<MachineId, { readonly revision: Revision; readonly at: Instant }>

/** What is heard of machines now, after what was heard before. */
export function hear(view: ClusterView, before: Heard, now: Instant): Heard {
  return new Map(
    [...view.metrics.keys()].map((machine) => {
      const revision = view.revisionOf(keys.metrics(machine))
      const known = before.get(machine)
      return [machine, known?.revision === revision ? known : { revision, at: now }]
    }),
  )
}

/** A machine that has been silent for twice as long as it takes to give a sign of life has no values. */
export function freshAmong(heard: Heard, machines: number, now: Instant): IsFresh {
  const staleAfterMs = 2 * reportsUntilHeartbeat * reportEveryMs(machines)
  return (machine) => {
    const one = heard.get(machine)
    return one !== undefined && now - one.at <= staleAfterMs
  }
}

/** What a trigger of a service sees now; `wall`: what the clock on the wall says, where `now` is another. */
export function observe(
  view: ClusterView,
  { project, name }: Service,
  trigger: MetricTrigger,
  isFresh: IsFresh,
  now: Instant,
  wall: Instant = now,
): Reading {
  const measured = serviceKey(project, trigger.source.service ?? name)
  const counted = countedInstances(view, measured)
  const metric = entryMetricOf(trigger.source)
  if (metric !== null && isEntryMetric(metric)) {
    const asked = { metric, percent: trigger.percent }
    const { values, unheard } = entryValues(view, measured, asked, {
      instances: counted.length,
      isFresh,
      now: wall,
    })
    const reading = readingOf(values, trigger.aggregate, now)
    return { ...reading, missing: reading.missing + unheard }
  }
  const key = demandKey(trigger)
  const values = counted.map(({ unit }) => {
    const machine = view.placements.get(unit)?.machine
    if (machine === undefined || !view.machines.has(machine) || !isFresh(machine)) return null
    return view.metrics.get(machine)?.values[unit]?.[key] ?? null
  })
  return readingOf(values, trigger.aggregate, now)
}

/**
 * The instances that share the work. What is lost is kept until its machine is back or forgotten, which may take weeks: once
 * others have taken its place it is no lack.
 */
function countedInstances(view: ClusterView, measured: ServiceKey): readonly Instance[] {
  const asked = [...view.instancesOf(measured)].filter(({ retired }) => retired === null)
  const there = asked.filter(({ lost }) => lost === null)
  const lost = asked.filter((instance) => instance.lost !== null)
  const short = Math.max(0, (view.services.get(measured)?.scale ?? 0) - there.length)
  return [...there, ...lost.slice(0, short)]
}
