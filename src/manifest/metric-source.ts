import { metricAliases } from '../model/metric.js'

/** `containermonitor.ram_used` and the like with the metric's own name; what is no source stays as it is. */
export function canonicalSource(written: string): string {
  const dot = written.lastIndexOf('.')
  const metric = written.slice(dot + 1)
  return Object.hasOwn(metricAliases, metric) ? `${written.slice(0, dot + 1)}${metricAliases[metric]}` : written
}
