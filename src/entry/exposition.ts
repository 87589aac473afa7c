// What the entry counted, in Prometheus' text format.
import { durationBounds, type Totals, type Traffic } from './traffic.js'

const requests = 'mariposa_entry_requests_total'
const duration = 'mariposa_entry_request_duration_seconds'

/** Requests by service and status, and how long their answers took by service; what nothing is claimed for has no service. */
export function entryExposition(traffic: Pick<Traffic, 'totals'>): string {
  const totals = [...traffic.totals()]
  const lines = [
    `# HELP ${requests} Requests that the entry of this machine answered; 499: the client was gone first.`,
    `# TYPE ${requests} counter`,
    ...totals.flatMap(([service, one]) => requestLines(labelsOf(service), one)),
    `# HELP ${duration} From the first byte of a request to the last of its answer.`,
    `# TYPE ${duration} histogram`,
    ...totals.flatMap(([service, one]) => durationLines(labelsOf(service), one)),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

/** Names of projects and services have nothing that would have to be escaped. */
function labelsOf(key: string): string {
  const [project = '', service = ''] = key.split('/', 2)
  return `project="${project}",service="${service}"`
}

function requestLines(labels: string, { byStatus }: Totals): readonly string[] {
  return [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${requests}{${labels},code="${status}"} ${count}`)
}

function durationLines(labels: string, { within, requests: all, seconds }: Totals): readonly string[] {
  return [
    ...durationBounds.map(
      (bound, index) => `${duration}_bucket{${labels},le="${bound}"} ${within[index] ?? 0}`,
    ),
    `${duration}_bucket{${labels},le="+Inf"} ${all}`,
    `${duration}_sum{${labels}} ${seconds}`,
    `${duration}_count{${labels}} ${all}`,
  ]
}
