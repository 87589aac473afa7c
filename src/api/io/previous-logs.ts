// What instances wrote that have ended: on each machine what it keeps of those that have left it, and what is still there.
import type { KeptLine } from '../../agent/io/kept-logs.js'
import { type LogRecord, paths } from '../../contract/contract.js'
import { mergeBatches } from '../../lib/io/batches.js'
import { describeError } from '../../lib/io/log.js'
import { type Instant, toIso } from '../../lib/time.js'
import type { MachineId } from '../../model/machine.js'
import { instancesNamed } from '../explain.js'
import type { ApiContext } from './context.js'
import { loggedUnits, pastLogs, refuseDown } from './instance-logs.js'
import { jsonLinesOf, PeerError } from './peers.js'

/** Which lines of ended instances are asked for. */
export interface PreviousQuery {
  readonly project: string
  /** Of a service or an instance, or the beginning of an instance's uuid. */
  readonly name: string
  readonly since: Instant | null
  readonly tail: number | null
  /** Whether only what this machine keeps is asked for. */
  readonly isOfPeer: boolean
}

type Lines = AsyncGenerator<readonly LogRecord[], void, undefined>

/** The last lines of ended instances that can be asked for; all may be. */
export const previousTailAtMost = 10_000

/** What ended instances wrote, in the order of time. What a machine cannot tell is told as a line. */
export async function* previousLogs(context: ApiContext, query: PreviousQuery, signal: AbortSignal): Lines {
  const { project, name, since, tail, isOfPeer } = query
  const kept = context.keptLogs.lines(context.keptLogs.named(project, name), since, signal)
  const sources = [
    ...kept.map((lines) => told(lines)),
    ...(isOfPeer
      ? []
      : machinesElsewhere(context).map((machine) => linesThere(context, machine, query, signal))),
    ...(isOfPeer ? [] : endedHere(context, query, signal)),
  ]
  const all = mergeBatches(sources, ({ at }) => Date.parse(at))
  if (tail === null) yield* all
  else yield await lastOf(all, tail)
}

async function* told(kept: AsyncIterable<readonly KeptLine[]>): Lines {
  for await (const lines of kept)
    yield lines.map(({ instance, line: { at, stream, line } }) => ({ at: toIso(at), instance, stream, line }))
}

/** Those that are known, whether they are there or not. */
function machinesElsewhere({ registry, machine }: ApiContext): readonly MachineId[] {
  const { machines, knownMachines } = registry.view
  return [...new Set([...machines.keys(), ...knownMachines.keys()])].filter((one) => one !== machine).sort()
}

/** Instances that have ended and are still kept where they were. */
function endedHere(context: ApiContext, query: PreviousQuery, signal: AbortSignal): readonly Lines[] {
  const { view } = context.registry
  const { project, name, since } = query
  const ended = (instancesNamed(view, project, name) ?? []).filter(({ retired }) => retired !== null)
  const units = ended.flatMap((one) => loggedUnits(view, one.unit, one.name))
  return units.map((unit) => pastLogs(context, [unit], { follow: false, since, tail: null }, signal))
}

async function* linesThere(
  context: ApiContext,
  machine: MachineId,
  { project, name, since, tail }: PreviousQuery,
  signal: AbortSignal,
): Lines {
  const { peers, registry, log, clock } = context
  const query = new URLSearchParams({ previous: 'true' })
  if (since !== null) query.set('since', toIso(since))
  if (tail !== null) query.set('tail', String(tail))
  const path = `${paths.logs(project, name)}?${query.toString()}`
  try {
    refuseDown(registry.view, machine)
    yield* jsonLinesOf<LogRecord>(await peers.ask(machine, { method: 'GET', path }, signal), clock)
  } catch (error) {
    if (signal.aborted) return
    const why = error instanceof PeerError ? `${error.message}; ${error.hint}` : describeError(error)
    log.warn('api', `no earlier logs of ${name}: ${why}`)
    const line = `mariposa: no earlier logs of ${name}: ${why}`
    yield [{ at: toIso(clock.now()), instance: name, stream: 'stderr', line, error: 'api/peer-unreachable' }]
  }
}

/** The last so many of what there is. */
async function lastOf(
  batches: AsyncIterable<readonly LogRecord[]>,
  count: number,
): Promise<readonly LogRecord[]> {
  let last: LogRecord[] = []
  for await (const records of batches) {
    for (const record of records) last.push(record)
    if (last.length > 2 * count + 1000) last = last.slice(last.length - count)
  }
  return last.slice(Math.max(0, last.length - count))
}
