// The logs of several instances as one stream.

import type { LogLine, LogQuery } from '../../agent/driver.js'
import { type LogRecord, paths } from '../../contract/contract.js'
import { type Backoff, backoffMs } from '../../lib/backoff.js'
import { fingerprintOf } from '../../lib/fingerprint.js'
import { InvariantError } from '../../lib/invariant.js'
import { mergeBatches } from '../../lib/io/batches.js'
import { pause } from '../../lib/io/clock.js'
import { describeError } from '../../lib/io/log.js'
import { type Instant, toIso } from '../../lib/time.js'
import { DriverError } from '../../model/driver-error.js'
import type { MachineId } from '../../model/machine.js'
import type { UnitName } from '../../model/unit.js'
import { hostnameOf } from '../../store/hostname.js'
import type { ClusterView } from '../../store/view.js'
import type { ApiContext } from './context.js'
import { jsonLinesOf, PeerError } from './peers.js'

/** A unit whose logs are asked for, under the name that its lines carry. */
export interface LoggedUnit {
  readonly unit: UnitName
  readonly label: string
  /** Where it is placed; null: nowhere. */
  readonly machine: MachineId | null
  /** What the machine is called, where a unit is on several. */
  readonly hostname?: string
}

/** A unit on each machine that it is placed on; of one that is placed nowhere, what is still here. */
export function loggedUnits(view: ClusterView, unit: UnitName, label: string): readonly LoggedUnit[] {
  const everywhere = [...view.globalPlacementsOf(unit).keys()].sort()
  if (everywhere.length === 0) {
    return [{ unit, label, machine: view.placements.get(unit)?.machine ?? null }]
  }
  return everywhere.map((machine) => {
    return { unit, label, machine, hostname: view.machines.get(machine)?.hostname ?? machine }
  })
}

/** What is there already, of all units in the order of time. */
export async function* pastLogs(
  context: ApiContext,
  units: readonly LoggedUnit[],
  query: LogQuery,
  signal: AbortSignal,
): AsyncGenerator<readonly LogRecord[], void, undefined> {
  const sources = units.map((unit) => labelled(context, unit, { ...query, follow: false }, signal))
  const merged = mergeBatches(sources, ({ line }) => line.at)
  for await (const lines of merged) yield lines.map(({ unit, line }) => recordOf(unit, line))
}

async function* labelled(
  context: ApiContext,
  unit: LoggedUnit,
  query: LogQuery,
  signal: AbortSignal,
): AsyncGenerator<readonly { readonly unit: LoggedUnit; readonly line: ToldLine }[], void, undefined> {
  for await (const lines of linesOf(context, unit, query, signal)) yield lines.map((line) => ({ unit, line }))
}

/**
 * The logs of one unit, then what it writes from then on, until `signal` aborts or it is gone. What cannot be read for a
 * while, as of a machine whose daemon is started anew, is told once and taken up again where it was; so is one that is followed
 * again with what was `told` of it.
 */
export async function* followedLogs(
  context: ApiContext,
  unit: LoggedUnit,
  query: LogQuery,
  signal: AbortSignal,
  told = new ToldSoFar(),
): AsyncGenerator<readonly LogRecord[], void, undefined> {
  const begun = context.clock.now()
  for (let failures = 0; ; failures += 1) {
    let hasFailed = unit.machine !== null && unit.machine !== context.machine
    // Of none that is there already, all that is written from now on, also where it cannot be read at first.
    const asked = failures === 0 || query.tail !== 0 ? query : { ...query, since: begun, tail: null }
    for await (const lines of linesOf(context, unit, told.rest({ ...asked, follow: true }), signal)) {
      const news = lines.filter((line) => told.isNews(line))
      if (news.some(({ error }) => error === undefined)) failures = 0
      if (news.length > 0) yield news.map((line) => recordOf(unit, line))
      hasFailed ||= lines.at(-1)?.error !== undefined
    }
    if (!hasFailed || signal.aborted || !isStillThere(context.registry.view, unit)) return
    await pause(context.clock, backoffMs(failures + 1, askAgain), signal)
  }
}

/** A unit that has moved is followed where it is now. */
function isStillThere(view: ClusterView, { unit, label, machine }: LoggedUnit): boolean {
  return loggedUnits(view, unit, label).some((one) => one.machine === machine)
}

const askAgain: Backoff = { firstMs: 500, longestMs: 5000 }

/**
 * Times of lines may be a guess that comes out otherwise the next time (docs/decisions/0003-process-supervisor.md), so a little
 * more than what is missing is asked for, and what has been told is left out.
 */
const overlapMs = 2000
const guessMs = 1000

/** What of a log has been told, up to where it broke off. */
export class ToldSoFar {
  #at: Instant | null = null
  /** The last lines that were told, without their text: many may follow many lines. Those before `#first` are forgotten. */
  #recent: { readonly at: Instant; readonly print: number }[] = []
  #first = 0
  /** Before those that are remembered there are some that will come too: forgotten, as they were so many, or never asked for. */
  #isCut = false
  /** Of those, what is still to come again before anything new does, and how often. */
  #again = new Map<number, number>()
  /** The first of those has come again. */
  #comesAgain = false
  #error: string | null = null

  /** What is still to be asked for. */
  rest(query: LogQuery): LogQuery {
    if (this.#at === null) {
      this.#isCut = query.tail !== null
      return query
    }
    this.#again = new Map()
    this.#recent = this.#recent.slice(this.#first)
    this.#first = 0
    this.#comesAgain = false
    for (const { print } of this.#recent) this.#again.set(print, (this.#again.get(print) ?? 0) + 1)
    return { ...query, since: Math.max(this.#at - overlapMs, query.since ?? -Infinity), tail: null }
  }

  /** Whether a line has not been told yet; it is from now on. */
  isNews({ at, stream, line, error }: ToldLine): boolean {
    if (error !== undefined) {
      const isSame = this.#error === line
      this.#error = line
      return !isSame
    }
    this.#error = null
    const print = fingerprintOf([stream, line], printedAtMost)
    const before = this.#again.get(print) ?? 0
    if (before > 0) {
      this.#again.set(print, before - 1)
      this.#comesAgain = true
      return false
    }
    const oldest = this.#recent[this.#first]?.at ?? at
    if (this.#again.size > 0 && this.#isCut && !this.#comesAgain && at <= oldest + guessMs) return false
    this.#again.clear()
    this.#note(at, print)
    return true
  }

  #note(at: Instant, print: number): void {
    this.#at = Math.max(at, this.#at ?? at)
    this.#recent.push({ at, print })
    const from = this.#at - overlapMs - guessMs
    let oldest = this.#recent[this.#first]
    while (oldest !== undefined && (this.#recent.length - this.#first > recentAtMost || oldest.at < from)) {
      this.#isCut = oldest.at >= from
      this.#first += 1
      oldest = this.#recent[this.#first]
    }
    if (this.#first > recentAtMost) {
      this.#recent = this.#recent.slice(this.#first)
      this.#first = 0
    }
  }
}

/** As many as a program writes in that time that writes without a pause. */
const recentAtMost = 50_000
const printedAtMost = 200

/** The last lines of several units together; more than this are the last of each. */
export const lastTogetherAtMost = 10_000

/** A line that is told, and the unit that wrote it; null: one that is gone. */
interface WrittenBy {
  readonly unit: LoggedUnit | null
  readonly record: LogRecord
}

/** The last `tail` lines of what is `kept` of those that are gone and of units, together and in the order of time. */
export async function lastTogether(
  context: ApiContext,
  kept: readonly LogRecord[],
  units: readonly LoggedUnit[],
  query: LogQuery & { readonly tail: number },
  signal: AbortSignal,
): Promise<readonly WrittenBy[]> {
  let last = kept.map((record): WrittenBy => ({ unit: null, record }))
  const sources = units.map((unit) => labelled(context, unit, { ...query, follow: false }, signal))
  for await (const lines of mergeBatches(sources, ({ line }) => line.at)) {
    for (const { unit, line } of lines) last.push({ unit, record: recordOf(unit, line) })
    if (last.length > 2 * query.tail) last = last.slice(last.length - query.tail)
  }
  return last.slice(Math.max(0, last.length - query.tail))
}

/** A line of a log, or why there are none. */
interface ToldLine extends LogLine {
  readonly error?: string
}

/** The lines of a unit. That they cannot be read is told as a line, beside those of others. */
async function* linesOf(
  context: ApiContext,
  { unit, machine }: LoggedUnit,
  query: LogQuery,
  signal: AbortSignal,
): AsyncGenerator<readonly ToldLine[], void, undefined> {
  const elsewhere = machine !== null && machine !== context.machine
  try {
    if (elsewhere) refuseDown(context.registry.view, machine)
    if (elsewhere) yield* linesElsewhere(context, unit, machine, query, signal)
    else yield* context.agent?.driverOf(unit)?.logs(unit, query, signal) ?? []
  } catch (error) {
    if (signal.aborted) return
    if (error instanceof InvariantError) throw error
    // It has yet to begin, or is gone.
    if (error instanceof DriverError && error.code.endsWith('/unknown-unit')) return
    const why = error instanceof PeerError ? `${error.message}; ${error.hint}` : describeError(error)
    context.log.warn('api', `no logs of ${unit}: ${why}`)
    const line = `mariposa: no logs of ${unit}: ${why}`
    const code = elsewhere ? 'api/peer-unreachable' : 'api/internal'
    const told = error instanceof DriverError ? error.code : code
    yield [{ at: context.clock.now(), stream: 'stderr', line, error: told }]
  }
}

/** Throws PeerError for a machine that is not there. */
export function refuseDown(view: ClusterView, machine: MachineId): void {
  if (view.machines.has(machine)) return
  throw new PeerError(`its machine ${hostnameOf(view, machine)} is down`, { hint: downHint })
}

const downHint = 'mariposa machine list shows since when'

/** The lines that the daemon of another machine has. */
async function* linesElsewhere(
  { peers, clock }: ApiContext,
  unit: UnitName,
  machine: MachineId,
  { follow, since, tail }: LogQuery,
  signal: AbortSignal,
): AsyncGenerator<readonly ToldLine[], void, undefined> {
  const query = new URLSearchParams({ follow: String(follow) })
  if (since !== null) query.set('since', toIso(since))
  if (tail !== null) query.set('tail', String(tail))
  const path = `${paths.unitJournal(unit)}?${query.toString()}`
  const answer = await peers.ask(machine, { method: 'GET', path }, signal)
  for await (const records of jsonLinesOf<LogRecord>(answer, clock))
    yield records.map(({ at, stream, line, error }) => ({
      ...{ at: Date.parse(at), stream, line },
      ...(error !== undefined && { error }),
    }))
}

function recordOf({ label, hostname }: LoggedUnit, { at, stream, line, error }: ToldLine): LogRecord {
  return {
    at: toIso(at),
    instance: label,
    stream,
    line,
    ...(hostname !== undefined && { machine: hostname }),
    ...(error !== undefined && { error }),
  }
}
