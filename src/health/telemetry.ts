// ContainerPilot's own word on the health of an instance: the JSON of its `/status` (fidelity page 3a).
import { parseJsonOrNone } from '../lib/json.js'

interface TelemetryStatus {
  readonly jobs: readonly TelemetryJob[]
  readonly watches: readonly string[]
}

interface TelemetryJob {
  readonly name: string
  /** `unknown`, `healthy`, `unhealthy`, `maintenance` or `completed`. */
  readonly status: string
}

/**
 * Reads a status. Keys are capitalised in what ContainerPilot sends and small in its plans: both are read. Services are
 * jobs with a port, and older versions name them alone. A lack of jobs is no problem: lists may be `null`.
 */
export function parseTelemetryStatus(text: string): TelemetryStatus | { readonly problem: string } {
  const body = parseJsonOrNone(text)
  if (!isMap(body)) return { problem: 'its answer is not a JSON object' }
  const lists = [listAt(body, 'jobs'), listAt(body, 'services'), listAt(body, 'watches')]
  const [jobs, services, watches] = lists
  if (jobs === undefined || services === undefined || watches === undefined)
    return { problem: 'its jobs, services or watches are no list' }
  if (!['jobs', 'services'].some((key) => keyOf(body, key) !== undefined))
    return { problem: 'its answer tells neither jobs nor services' }
  const named = new Map<string, TelemetryJob>()
  for (const entry of [...services, ...jobs]) {
    const job = jobOf(entry)
    if (job === null) return { problem: 'a job in its answer has no name or status' }
    named.set(job.name, job)
  }
  return {
    jobs: [...named.values()],
    watches: watches.filter((watch): watch is string => typeof watch === 'string'),
  }
}

/** The names of the jobs that are unhealthy: all else, maintenance too, speaks of no fault. */
export function unhealthyJobs({ jobs }: TelemetryStatus): readonly string[] {
  return jobs.filter(({ status }) => status === 'unhealthy').map(({ name }) => name)
}

type JsonMap = Readonly<Record<string, unknown>>

function isMap(value: unknown): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function keyOf(map: JsonMap, name: string): string | undefined {
  return Object.keys(map).find((key) => key.toLowerCase() === name)
}

/** The list of that name, empty where it is `null` or not there; undefined where it is something else. */
function listAt(map: JsonMap, name: string): readonly unknown[] | undefined {
  const key = keyOf(map, name)
  const value = key === undefined ? null : map[key]
  if (value === null || value === undefined) return []
  return Array.isArray(value) ? value : undefined
}

function jobOf(entry: unknown): TelemetryJob | null {
  if (!isMap(entry)) return null
  const name = entry[keyOf(entry, 'name') ?? '']
  const status = entry[keyOf(entry, 'status') ?? '']
  return typeof name === 'string' && typeof status === 'string'
    ? { name, status: status.toLowerCase() }
    : null
}
