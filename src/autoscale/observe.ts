// Reads from the view what the instances of a service measured last.
import type { Instant } from '../lib/time.js'
import type { MachineId } from '../model/machine.js'
import { demandKey, type MetricTrigger } from '../model/scaling.js'
import type { Service } from '../model/service.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { type Reading, readingOf } from './readings.js'

/** Whether what a machine reports is still news. */
export type IsFresh = (machine: MachineId) => boolean

/** What a trigger of a service sees now. */
export function observe(
  view: ClusterView,
  { project, name }: Service,
  trigger: MetricTrigger,
  isFresh: IsFresh,
  now: Instant,
): Reading {
  const key = demandKey(trigger)
  const values = view
    .instancesOf(serviceKey(project, trigger.source.service ?? name))
    .filter(({ retired }) => retired === null)
    .map(({ unit }) => {
      const machine = view.placements.get(unit)?.machine
      if (machine === undefined || !view.machines.has(machine) || !isFresh(machine)) return null
      return view.metrics.get(machine)?.values[unit]?.[key] ?? null
    })
  return readingOf(values, trigger.aggregate, now)
}
