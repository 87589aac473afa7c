// What changes the scale of a service by itself (manifest seed: autoscale, triggers), and the records about it.
import type { Instant } from '../lib/time.js'
import type { MachineId } from './machine.js'
import { describeMetricSource, type MetricSource } from './metric.js'
import type { UnitName } from './unit.js'

/** How a value is compared with a limit. */
export type Operator = '<' | '<=' | '>' | '>=' | '==' | '!='
/** How the values of several instances become one. */
export type Aggregate = 'avg' | 'min' | 'max' | 'sum' | 'p90'

/** What a service version says about scaling; kept with the version. */
export interface ScalingPolicy {
  /** `notify`: triggers that fire are told of and change nothing. */
  readonly enable: true | 'notify'
  readonly min: number
  /** Null only with `notify`. */
  readonly max: number | null
  readonly retriggerDelayMs: number
  readonly triggers: readonly MetricTrigger[]
}

/** A trigger that scales by a metric. */
export interface MetricTrigger {
  readonly name: string
  readonly source: MetricSource
  readonly operator: Operator
  readonly value: number
  /** The value is a percentage of the limit of the same instance. */
  readonly percent: boolean
  /** For how long it must be so. */
  readonly windowMs: number
  readonly aggregate: Aggregate
  readonly action: 'increment' | 'decrement'
  readonly instances: number
}

/** When the scale of a service was last changed, or a change told of, by its triggers. Written by the autoscale pass. */
export interface ScalingRecord {
  readonly project: string
  readonly service: string
  readonly at: Instant
}

/** What triggers ask for of the instances on one machine. Written by that machine's agent alone. */
export interface MachineMetrics {
  readonly machine: MachineId
  /** By unit, then by `demandKey`. What could not be read is not there. */
  readonly values: Readonly<Record<UnitName, Readonly<Record<string, number>>>>
  /** What the entry of that machine counts of services whose triggers ask for it, by `PROJECT/SERVICE`; absent: it has none. */
  readonly entry?: Readonly<Record<string, EntryFigures>>
}

/** The requests for a service that came by one entry, since it was told before. */
export interface EntryFigures {
  /** Per second. */
  readonly rps: number
  /** Those of them that were answered with 500 or above, per second. */
  readonly failed: number
  /** Within how many seconds 95 of 100 were answered; 0 where there were none. */
  readonly p95: number
}

/** One value of an instance that some trigger asks for. */
export interface MetricDemand {
  readonly source: MetricSource
  readonly percent: boolean
}

/** Names a demand within an instance: `containermonitor.cpu_used`, with `%` where it is a part of the limit. */
export function demandKey({ source, percent }: MetricDemand): string {
  return `${describeMetricSource({ ...source, service: null })}${percent ? '%' : ''}`
}

/** How often an agent reports at most, so that all together write less than once per second. */
export function reportEveryMs(machines: number): number {
  return Math.max(5_000, Math.ceil(machines * 1.25) * 1000)
}

/** An agent whose values stay as they are says so after so many of its intervals; silence of twice that is a lack. */
export const reportsUntilHeartbeat = 6
