// What an instance uses, by the names of Container Monitor (fidelity page 3b), and what a trigger makes of it.
import type { Instant } from '../../lib/time.js'
import { containerMonitorMetrics, type MetricLimit } from '../../model/metric.js'

/** What was read of a running instance at one moment; null where the host does not tell. */
export interface InstanceUse {
  readonly at: Instant
  /** The same by the clock that nobody sets: for how long lies between two readings. */
  readonly steadyAt: number
  readonly startedAt: Instant | null
  readonly restarts: number
  readonly cpuNs: number | null
  readonly cpuUserNs: number | null
  readonly cpuSystemNs: number | null
  /** In cores. */
  readonly cpuLimit: number | null
  readonly memoryBytes: number | null
  readonly memoryLimitBytes: number | null
  readonly swapBytes: number | null
  readonly swapLimitBytes: number | null
  /** How often its memory was at its limit when more was asked for. */
  readonly memoryFails: number | null
  readonly io: BlockIo | null
  /** Empty where the instance shares the network of its machine, which tells nothing of it alone. */
  readonly interfaces: readonly InterfaceUse[]
  readonly tcp: Readonly<Record<string, number>>
}

export interface BlockIo {
  readonly readBytes: number
  readonly writtenBytes: number
  readonly reads: number
  readonly writes: number
}

export interface InterfaceUse {
  readonly name: string
  readonly bytesIn: number
  readonly bytesOut: number
  readonly packetsIn: number
  readonly packetsOut: number
}

/** One figure by its name; one per interface carries that as a label. */
interface Figure {
  readonly name: string
  readonly type: 'gauge' | 'counter'
  readonly value: number
  readonly interface?: string
}

/** All figures of one reading that need no other. What the host does not tell is left out, as unlimited limits are. */
export function figuresOf(use: InstanceUse): readonly Figure[] {
  const uptimeSeconds = use.startedAt === null ? null : Math.max(0, (use.at - use.startedAt) / 1000)
  const single: readonly (readonly [string, number | null])[] = [
    ['cpu_user_usage', use.cpuUserNs],
    ['cpu_sys_usage', use.cpuSystemNs],
    ['mem_agg_usage', use.memoryBytes],
    ['mem_limit', use.memoryLimitBytes],
    ['mem_anon_alloc_fail', use.memoryFails],
    ['mem_swap', use.swapBytes],
    ['mem_swap_limit', use.swapLimitBytes],
    ['cpucap_limit_percentage', use.cpuLimit === null ? null : use.cpuLimit * 100],
    ['vfs_bytes_read_count', use.io?.readBytes ?? null],
    ['vfs_bytes_written_count', use.io?.writtenBytes ?? null],
    ['vfs_read_operation_count', use.io?.reads ?? null],
    ['vfs_write_operation_count', use.io?.writes ?? null],
    ...Object.entries(use.tcp),
    ['time_of_day', use.at],
    ['plugin_uptime_seconds', uptimeSeconds],
    ['plugin_restarts', use.restarts],
  ]
  return [
    ...single.flatMap(([name, value]) => (value === null ? [] : [{ name, type: typeOf(name), value }])),
    ...use.interfaces.flatMap(({ name, ...counts }) =>
      interfaceFigures(counts).map((figure) => ({ ...figure, interface: name })),
    ),
  ]
}

function interfaceFigures(counts: Omit<InterfaceUse, 'name'>): readonly Figure[] {
  return [
    { name: 'net_agg_packets_in', type: 'counter', value: counts.packetsIn },
    { name: 'net_agg_packets_out', type: 'counter', value: counts.packetsOut },
    { name: 'net_agg_bytes_in', type: 'counter', value: counts.bytesIn },
    { name: 'net_agg_bytes_out', type: 'counter', value: counts.bytesOut },
  ]
}

/** What is no name of Container Monitor's is a gauge. */
function typeOf(name: string): 'gauge' | 'counter' {
  return Object.hasOwn(containerMonitorMetrics, name)
    ? (containerMonitorMetrics[name]?.type ?? 'gauge')
    : 'gauge'
}

/** The cores in use between two readings; null without an earlier one of the same run. */
export function cpuUsed(before: InstanceUse | null, now: InstanceUse): number | null {
  if (before === null || before.cpuNs === null || now.cpuNs === null) return null
  const passedNs = (now.steadyAt - before.steadyAt) * 1e6
  return passedNs <= 0 || now.cpuNs < before.cpuNs ? null : (now.cpuNs - before.cpuNs) / passedNs
}

/**
 * A metric as a trigger compares it: a gauge as it is, of a counter how much it grew per second, summed over
 * interfaces; as a percentage of the instance's own limit where that is asked for. Null for what is not known.
 */
export function metricOf(
  name: string,
  percent: boolean,
  before: InstanceUse | null,
  now: InstanceUse,
): number | null {
  const value = plainValue(name, before, now)
  if (!percent || value === null) return value
  const kind = Object.hasOwn(containerMonitorMetrics, name) ? containerMonitorMetrics[name] : undefined
  const limit = kind?.limit === undefined ? null : limitOf(kind.limit, now)
  if (limit === null || limit <= 0) return null
  return name === 'cpucap_cur_usage_percentage' ? value / limit : (value / limit) * 100
}

function plainValue(name: string, before: InstanceUse | null, now: InstanceUse): number | null {
  if (name === 'cpu_used' || name === 'cpucap_cur_usage_percentage') {
    const cores = cpuUsed(before, now)
    return cores === null || name === 'cpu_used' ? cores : cores * 100
  }
  const current = totalOf(name, now)
  if (typeOf(name) === 'gauge' || current === null) return current
  const earlier = before === null ? null : totalOf(name, before)
  const seconds = before === null ? 0 : (now.steadyAt - before.steadyAt) / 1000
  // A counter that fell began anew.
  return earlier === null || seconds <= 0 || current < earlier ? null : (current - earlier) / seconds
}

function totalOf(name: string, use: InstanceUse): number | null {
  const figures = figuresOf(use).filter((figure) => figure.name === name)
  return figures.length === 0 ? null : figures.reduce((sum, { value }) => sum + value, 0)
}

function limitOf(limit: MetricLimit, use: InstanceUse): number | null {
  const limits: Readonly<Record<MetricLimit, number | null>> = {
    memory: use.memoryLimitBytes,
    swap: use.swapLimitBytes,
    cpu: use.cpuLimit,
    disk: null,
  }
  return limits[limit]
}
