// The metrics that triggers may name: those of Container Monitor, and where a metric is looked for.

/** What a metric is a part of, where there is such a thing: 80 % of the memory, of the cores, of the disk. */
export type MetricLimit = 'memory' | 'swap' | 'cpu' | 'disk'

interface MetricKind {
  /** A gauge is compared as it is; of a counter, how much it grows per second. */
  readonly type: 'gauge' | 'counter'
  readonly limit?: MetricLimit
}

const gauge: MetricKind = { type: 'gauge' }
const counter: MetricKind = { type: 'counter' }
const gauges = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, gauge]))
const counters = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, counter]))

/** The metrics of Container Monitor (fidelity page 3b) by name, and `cpu_used`, the cores in use. */
export const containerMonitorMetrics: Readonly<Record<string, MetricKind>> = {
  cpu_used: { type: 'gauge', limit: 'cpu' },
  mem_agg_usage: { type: 'gauge', limit: 'memory' },
  mem_swap: { type: 'gauge', limit: 'swap' },
  zfs_used: { type: 'gauge', limit: 'disk' },
  cpucap_cur_usage_percentage: { type: 'gauge', limit: 'cpu' },
  ...gauges('load_average', 'mem_limit', 'mem_swap_limit', 'tcp_current_established_connections_total'),
  ...gauges('vfs_elements_wait_state', 'vfs_elements_run_state'),
  ...gauges('zfs_available', 'zfs_logicalused', 'zfs_recordsize', 'zfs_quota', 'zfs_compressratio'),
  ...gauges('zfs_refcompressratio', 'zfs_referenced', 'zfs_logicalreferenced', 'zfs_usedbydataset'),
  ...gauges('zfs_usedbysnapshots', 'cpucap_baseline_percentage', 'cpucap_burst_limit_seconds'),
  ...gauges('cpucap_effective_percentage', 'cpucap_max_usage_percentage', 'cpucap_waiting_threads_count'),
  ...gauges('cpucap_limit_percentage'),
  ...counters('cpu_user_usage', 'cpu_sys_usage', 'cpu_wait_time', 'mem_anon_alloc_fail', 'time_of_day'),
  ...counters('net_agg_packets_in', 'net_agg_packets_out', 'net_agg_bytes_in', 'net_agg_bytes_out'),
  ...counters('tcp_failed_connection_attempt_count', 'tcp_retransmitted_segment_count'),
  ...counters('tcp_duplicate_ack_count', 'tcp_listen_drop_count', 'tcp_listen_drop_Qzero_count'),
  ...counters('tcp_half_open_drop_count', 'tcp_retransmit_timeout_drop_count', 'tcp_active_open_count'),
  ...counters('tcp_passive_open_count', 'vfs_bytes_read_count', 'vfs_bytes_written_count'),
  ...counters('vfs_read_operation_count', 'vfs_write_operation_count', 'vfs_wait_time_count'),
  ...counters('vfs_wait_length_time_count', 'vfs_run_time_count', 'vfs_run_length_time_count'),
  ...counters('cpucap_above_base_seconds_total', 'cpucap_above_seconds_total', 'cpucap_below_seconds_total'),
}

/**
 * Those of Container Monitor's names that nothing on a Linux host measures of one instance: of ZFS and of SmartOS's caps on
 * processors, and what the kernel counts for all of a machine alone, or not at all.
 */
export const unmeasuredMetrics: ReadonlySet<string> = new Set([
  ...['zfs_used', 'zfs_available', 'zfs_logicalused', 'zfs_recordsize', 'zfs_quota', 'zfs_compressratio'],
  ...['zfs_refcompressratio', 'zfs_referenced', 'zfs_logicalreferenced', 'zfs_usedbydataset'],
  ...['zfs_usedbysnapshots', 'cpucap_baseline_percentage', 'cpucap_burst_limit_seconds'],
  ...['cpucap_effective_percentage', 'cpucap_max_usage_percentage', 'cpucap_waiting_threads_count'],
  ...['cpucap_above_base_seconds_total', 'cpucap_above_seconds_total', 'cpucap_below_seconds_total'],
  ...['load_average', 'cpu_wait_time', 'tcp_duplicate_ack_count', 'tcp_half_open_drop_count'],
  ...['vfs_elements_wait_state', 'vfs_elements_run_state', 'vfs_wait_time_count'],
  ...['vfs_wait_length_time_count', 'vfs_run_time_count', 'vfs_run_length_time_count'],
])

/** What we measure beside Container Monitor's names, by the names that it gives to plugins. */
export const pluginMetrics: ReadonlySet<string> = new Set(['plugin_uptime_seconds', 'plugin_restarts'])

/** Names that mean the same as one of Container Monitor's (contract §4). */
export const metricAliases: Readonly<Record<string, string>> = { ram_used: 'mem_agg_usage' }

/**
 * What the entry counts of the requests for a service. `rps`: requests per second; `errors`: those of them that were answered with
 * 500 or above, per second, or as a part of all requests where it is compared with a percentage; `p95`: within how many
 * seconds 95 of 100 were answered. Rates are shared out among the instances of the service.
 */
export const entryMetrics = ['rps', 'errors', 'p95'] as const
export type EntryMetric = (typeof entryMetrics)[number]

const ofEntry = 'entry.'

/** What a source names behind `entry.`, be it one of `entryMetrics` or not; null where it is no metric of the entry. */
export function entryMetricOf({ metric }: Pick<MetricSource, 'metric'>): string | null {
  return metric.startsWith(ofEntry) ? metric.slice(ofEntry.length) : null
}

export function isEntryMetric(name: string): name is EntryMetric {
  return (entryMetrics as readonly string[]).includes(name)
}

type MetricProvider = 'containermonitor' | 'containerpilot'

/** Where a metric comes from. */
export interface MetricSource {
  /** The service whose instances have it; null for the trigger's own. */
  readonly service: string | null
  /** The first of them that has the metric counts; none for one of the entry, of which programs of before find no value. */
  readonly providers: readonly MetricProvider[]
  /** `entry.` and its name for one of the entry. */
  readonly metric: string
}

const sourceShape =
  /^(?:service\.([A-Za-z0-9_-]{1,63})\.)?(containermonitor|containerpilot)(?:\|(containermonitor|containerpilot))?\.([A-Za-z_:][A-Za-z0-9_:]*)$/
const entryShape = /^(?:service\.([A-Za-z0-9_-]{1,63})\.)?(entry\.[A-Za-z_:][A-Za-z0-9_:]*)$/

/**
 * Reads `containermonitor.<metric>`, `containerpilot.<metric>`, `entry.<metric>`, the same behind `service.<name>.`, and the first
 * two with a `|` between them. Aliases of metrics become the metrics' own names. Undefined when the text is none of these.
 */
export function parseMetricSource(text: string): MetricSource | undefined {
  const [, of = null, ofItsEntry] = entryShape.exec(text) ?? []
  if (ofItsEntry !== undefined) return { service: of, providers: [], metric: ofItsEntry }
  const match = sourceShape.exec(text)
  if (!match) return undefined
  const [, service = null, first, second, name = ''] = match
  const providers = [first, second].filter(isProvider)
  return { service, providers: [...new Set(providers)], metric: ownName(name, providers) }
}

/**
 * Where a source is read from. Container Monitor took more metrics than its own from programs; here a program publishes them
 * as ContainerPilot's, so what Container Monitor has no name for is read there.
 */
export function readFrom(source: MetricSource): MetricSource {
  const { providers, metric } = source
  if (!providers.includes('containermonitor') || providers.includes('containerpilot')) return source
  return isOfContainerMonitor(metric) ? source : { ...source, providers: [...providers, 'containerpilot'] }
}

/** Whether a metric has a name of Container Monitor, or one of those that it gives to plugins. */
export function isOfContainerMonitor(metric: string): boolean {
  return Object.hasOwn(containerMonitorMetrics, metric) || metric.startsWith('plugin_')
}

/** The text that reads back as a source. */
export function describeMetricSource({ service, providers, metric }: MetricSource): string {
  const from = providers.length === 0 ? '' : `${providers.join('|')}.`
  return `${service === null ? '' : `service.${service}.`}${from}${metric}`
}

function isProvider(word: string | undefined): word is MetricProvider {
  return word === 'containermonitor' || word === 'containerpilot'
}

function ownName(name: string, providers: readonly MetricProvider[]): string {
  const alias = Object.hasOwn(metricAliases, name) ? metricAliases[name] : undefined
  return providers.includes('containermonitor') ? (alias ?? name) : name
}
