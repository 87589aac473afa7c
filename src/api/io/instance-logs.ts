// The logs of several instances as one stream.
import type { LogLine, LogQuery } from '../../agent/driver.js'
import { describeError } from '../../lib/io/log.js'
import { toIso } from '../../lib/time.js'
import type { UnitName } from '../../model/unit.js'
import type { LogRecord } from '../contract.js'
import type { ApiContext } from './context.js'

/** A unit whose logs are asked for, under the name that its lines carry. */
export interface LoggedUnit {
  readonly unit: UnitName
  readonly label: string
}

/** What is there already, of all units in the order of time. */
export async function* pastLogs(
  context: ApiContext,
  units: readonly LoggedUnit[],
  query: LogQuery,
  signal: AbortSignal,
): AsyncGenerator<LogRecord, void, undefined> {
  const sources = await Promise.all(
    units.map(async ({ unit, label }) => {
      const lines = linesOf(context, unit, { ...query, follow: false }, signal)[Symbol.asyncIterator]()
      return { label, lines, next: await lines.next() }
    }),
  )
  for (;;) {
    const open = sources.filter((source) => source.next.done !== true)
    if (open.length === 0) return
    const first = open.reduce((a, b) => (timeOf(b.next) < timeOf(a.next) ? b : a))
    if (first.next.done !== true) yield recordOf(first.label, first.next.value)
    first.next = await first.lines.next()
  }
}

/** Sends the logs of one unit, then what it writes from then on, until `signal` aborts or its driver ends them. */
export async function followLogs(
  context: ApiContext,
  { unit, label }: LoggedUnit,
  query: LogQuery,
  signal: AbortSignal,
  send: (record: LogRecord) => Promise<void>,
): Promise<void> {
  for await (const line of linesOf(context, unit, { ...query, follow: true }, signal))
    await send(recordOf(label, line))
}

/** The last lines of some units; what of them cannot be read in a moment is left out. */
export async function lastLogs(
  context: ApiContext,
  units: readonly LoggedUnit[],
  lines: number,
): Promise<readonly LogRecord[]> {
  const records: LogRecord[] = []
  try {
    const query = { follow: false, since: null, tail: lines }
    for await (const record of pastLogs(context, units, query, AbortSignal.timeout(readWithinMs)))
      records.push(record)
  } catch (error) {
    context.log.warn('api', `cannot read the last logs: ${describeError(error)}`)
  }
  return records
}

const readWithinMs = 3000

function linesOf(
  context: ApiContext,
  unit: UnitName,
  query: LogQuery,
  signal: AbortSignal,
): AsyncIterable<LogLine> {
  return context.agent?.driverOf(unit)?.logs(unit, query, signal) ?? nothing()
}

async function* nothing(): AsyncGenerator<LogLine, void, undefined> {}

function timeOf(next: IteratorResult<LogLine, void>): number {
  return next.done === true ? Number.POSITIVE_INFINITY : next.value.at
}

function recordOf(instance: string, { at, stream, line }: LogLine): LogRecord {
  return { at: toIso(at), instance, stream, line }
}
