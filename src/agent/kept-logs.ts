// The logs of instances that have left a machine: which there are, and which of them go.
import type { Elapsed } from '../lib/elapsed.js'
import { parseJsonOrNone } from '../lib/json.js'
import { byKeys } from '../lib/sort.js'
import type { Instant } from '../lib/time.js'
import type { DriverKind } from '../model/driver-kind.js'
import type { OutputLine, UnitName } from '../model/unit.js'

/** What an instance wrote on a machine that it has left. It is written down as it is. */
export interface KeptLog {
  /** The name of its files. */
  readonly id: string
  readonly unit: UnitName
  readonly project: string
  readonly service: string
  /** The instance's name. */
  readonly instance: string
  /** Null where nobody knew it any more. */
  readonly uuid: string | null
  readonly driver: DriverKind
  /** Its lines are of this time, the bounds included. */
  readonly from: Instant
  readonly until: Instant
  /** When it left the machine. */
  readonly keptAt: Instant
  /** What the copy takes; null: there is none, as what ran it keeps its lines itself. */
  readonly bytes: number | null
}

/** How long logs are kept, and how much of them in all; an age of 0 keeps none. */
export interface LogRetention {
  readonly maxAgeMs: number
  readonly maxBytes: number
}

export const defaultLogRetention: LogRetention = { maxAgeMs: 7 * 86_400_000, maxBytes: 1024 ** 3 }

/** However little each of them takes. */
export const keptLogsAtMost = 5000

/** Those that are kept no longer: too old, or the oldest of too many or too much. */
export function logsToRemove(
  logs: Iterable<KeptLog>,
  { maxAgeMs, maxBytes }: LogRetention,
  elapsed: Elapsed,
): readonly KeptLog[] {
  let [bytes, count] = [0, 0]
  return [...logs].sort(byKeys((log) => -log.keptAt)).filter((log) => {
    bytes += log.bytes ?? 0
    count += 1
    return elapsed.since(log.keptAt) >= maxAgeMs || bytes > maxBytes || count > keptLogsAtMost
  })
}

/** Those that a service's or an instance's name, or the beginning of an instance's uuid, stands for. */
export function logsNamed(logs: Iterable<KeptLog>, project: string, word: string): readonly KeptLog[] {
  const isNamed = ({ service, instance, uuid }: KeptLog): boolean =>
    service === word || instance === word || (word.length >= 8 && uuid?.startsWith(word) === true)
  return [...logs].filter((log) => log.project === project && isNamed(log))
}

/** The same logs as few rows of such as follow each other, so that only one of each row has to be open at a time. */
export function inRows(logs: Iterable<KeptLog>): readonly (readonly KeptLog[])[] {
  const rows: KeptLog[][] = []
  for (const log of [...logs].sort(byKeys((one) => one.from))) {
    const row = rows.find((one) => (one.at(-1)?.until ?? log.from) < log.from)
    if (row === undefined) rows.push([log])
    else row.push(log)
  }
  return rows
}

/** A line as a copy has it, without its end. */
export function printKeptLine({ at, stream, line }: OutputLine): string {
  return JSON.stringify([at, stream === 'stdout' ? 1 : 2, line])
}

/** Reads one back; null for what is none. */
export function readKeptLine(text: string): OutputLine | null {
  const value = parseJsonOrNone(text)
  if (!Array.isArray(value)) return null
  const [at, stream, line] = value as readonly unknown[]
  if (typeof at !== 'number' || typeof line !== 'string') return null
  return { at, stream: stream === 2 ? 'stderr' : 'stdout', line }
}

/** What a file says of a kept log; null for what says nothing. */
export function readKeptLog(text: string): KeptLog | null {
  const value = parseJsonOrNone(text) as Partial<KeptLog> | null | undefined
  if (typeof value !== 'object' || value === null) return null
  const { id, unit, project, service, instance, driver, from, until, keptAt } = value
  const hasNames = [id, unit, project, service, instance, driver].every((one) => typeof one === 'string')
  const hasTimes = [from, until, keptAt].every((one) => typeof one === 'number')
  return hasNames && hasTimes ? (value as KeptLog) : null
}
