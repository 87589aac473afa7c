// Routes of logs: those of a service's instances, of what has ended, and of one unit.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { LogQuery } from '../../agent/driver.js'
import { noSuchService } from '../../changes/problem.js'
import type { LogRecord } from '../../contract/contract.js'
import { journalQuery, logsQuery } from '../../contract/queries.js'
import { inBatches } from '../../lib/io/batches.js'
import { describeError } from '../../lib/io/log.js'
import { keys } from '../../store/records.js'
import { instancesNamed } from '../explain.js'
import { keptLines, pastRunsNamed } from '../schedules.js'
import { type ApiContext, ProblemError } from './context.js'
import {
  followedLogs,
  type LoggedUnit,
  lastTogether,
  lastTogetherAtMost,
  loggedUnits,
  pastLogs,
  ToldSoFar,
} from './instance-logs.js'
import { machineHeader } from './peers.js'
import { type PreviousQuery, previousLogs, previousTailAtMost } from './previous-logs.js'
import { goneSignal, type Streaming, streamLines } from './streams.js'
import { findUnit } from './unit-routes.js'

interface LogsQuerystring {
  readonly follow?: string
  readonly since?: string
  readonly tail?: string
  readonly previous?: string
}

export function logRoutes(server: FastifyInstance, context: ApiContext): void {
  server.get<{ Params: { project: string; name: string }; Querystring: LogsQuerystring }>(
    '/v1/projects/:project/logs/:name',
    { schema: { querystring: logsQuery } },
    async ({ params, query, headers }, reply) => {
      const { project, name } = params
      if (query.previous === 'true') {
        const of = { project, name, isOfPeer: headers[machineHeader] !== undefined }
        await sendPrevious(context, { ...previousQueryOf(query), ...of }, reply)
        return
      }
      const gone = pastRunsNamed(context.registry.view, project, name)
      if (gone.length === 0 && instancesNamed(context.registry.view, project, name) === null) {
        throw new ProblemError(noSuchService(context.registry.view, project, name))
      }
      const logQuery = logQueryOf(query)
      const kept = gone.flatMap((run) => keptLines(run, logQuery))
      const named = () =>
        (instancesNamed(context.registry.view, project, name) ?? []).flatMap((one) =>
          loggedUnits(context.registry.view, one.unit, one.name),
        )
      await sendLogs(context, kept, named, logQuery, streamLines(reply, context.clock))
    },
  )
  server.get<{ Params: { name: string }; Querystring: LogsQuerystring }>(
    '/v1/units/:name/journal',
    { schema: { querystring: journalQuery } },
    async ({ params, query, headers }, reply) => {
      const unit = findUnit(context, params.name)
      const label = unit.instance?.name ?? unit.name
      const here: readonly LoggedUnit[] = [{ unit: unit.name, label, machine: context.machine }]
      const asked = headers[machineHeader] !== undefined
      const named = () => (asked ? here : loggedUnits(context.registry.view, unit.name, label))
      await sendLogs(context, [], named, logQueryOf(query), streamLines(reply, context.clock))
    },
  )
}

function previousQueryOf(query: LogsQuerystring): Pick<PreviousQuery, 'since' | 'tail'> {
  const { follow, since, tail } = logQueryOf(query)
  if (follow) throw badQuery('follow', 'left out with previous: an ended instance writes no more lines')
  if (tail !== null && tail > previousTailAtMost)
    throw badQuery('tail', `at most ${previousTailAtMost} with previous; without it all lines are sent`)
  return { since, tail }
}

/**
 * Logs of ended instances. Of a name that nobody here knows the machines are asked before the answer begins: where none of them
 * has anything, it is refused.
 */
async function sendPrevious(context: ApiContext, query: PreviousQuery, reply: FastifyReply): Promise<void> {
  const { view } = context.registry
  const { project, name, isOfPeer } = query
  const lines = previousLogs(context, query, goneSignal(reply))
  const isKnown =
    isOfPeer ||
    context.keptLogs.named(project, name).length > 0 ||
    instancesNamed(view, project, name) !== null ||
    pastRunsNamed(view, project, name).length > 0
  const first = isKnown ? null : await lines.next()
  if (first?.done === true) throw new ProblemError(noSuchService(view, project, name))
  const stream = streamLines(reply, context.clock)
  try {
    if (first !== null) await stream.sendAll(inBatches(first.value))
    await stream.sendAll(lines)
  } catch (error) {
    if (!stream.signal.aborted) context.log.warn('api', `logs ended: ${describeError(error)}`)
  } finally {
    stream.end()
  }
}

function logQueryOf({ follow, since, tail }: LogsQuerystring): LogQuery {
  const at = since === undefined ? null : Date.parse(since)
  const count = tail === undefined ? null : Number(tail)
  if (at !== null && Number.isNaN(at)) throw badQuery('since', 'an RFC 3339 time')
  if (count !== null && !(Number.isInteger(count) && count >= 0)) throw badQuery('tail', 'a whole number')
  return { follow: follow === 'true', since: at, tail: count }
}

function badQuery(name: string, expected: string): ProblemError {
  return new ProblemError({ status: 400, code: 'api/bad-request', message: `${name} has to be ${expected}` })
}

/**
 * First what is kept of instances that are gone, then the logs of those that are there: what there is in the order of
 * time; with `follow` each unit's lines as they come, of later units too.
 */
async function sendLogs(
  context: ApiContext,
  kept: readonly LogRecord[],
  named: () => readonly LoggedUnit[],
  query: LogQuery,
  stream: Streaming,
): Promise<void> {
  try {
    const units = named()
    if (isTogether(query, kept.length + units.length))
      await sendLastTogether(context, kept, named, query, stream)
    else {
      await stream.sendAll(inBatches(kept))
      if (query.follow) await followAll(context, named, () => query.tail, query, stream)
      else await stream.sendAll(pastLogs(context, units, query, stream.signal))
    }
  } catch (error) {
    // The answer has begun, so the only way to tell is to break it off.
    if (!stream.signal.aborted) context.log.warn('api', `logs ended: ${describeError(error)}`)
  } finally {
    stream.end()
  }
}

/** Whether the last lines of all of them are asked for, and not of one. */
function isTogether(query: LogQuery, writers: number): query is LogQuery & { readonly tail: number } {
  return query.tail !== null && query.tail <= lastTogetherAtMost && writers > 1
}

/** Of those that are followed each begins with as many of its own last lines as are among the last of all. */
async function sendLastTogether(
  context: ApiContext,
  kept: readonly LogRecord[],
  named: () => readonly LoggedUnit[],
  query: LogQuery & { readonly tail: number },
  stream: Streaming,
): Promise<void> {
  const last = await lastTogether(context, kept, named(), query, stream.signal)
  const told = query.follow ? last.filter(({ unit }) => unit === null) : last
  await stream.sendAll(inBatches(told.map(({ record }) => record)))
  if (!query.follow) return
  const own = new Map<string, number>()
  for (const { unit } of last) if (unit !== null) own.set(placeOf(unit), (own.get(placeOf(unit)) ?? 0) + 1)
  await followAll(context, named, (place) => own.get(place) ?? 0, query, stream)
}

function placeOf({ machine, unit }: LoggedUnit): string {
  return `${machine} ${unit}`
}

/** `tailOf` says how many of the last lines of a place those that are there already begin with; null: all. */
async function followAll(
  context: ApiContext,
  named: () => readonly LoggedUnit[],
  tailOf: (place: string) => number | null,
  query: LogQuery,
  stream: Streaming,
): Promise<void> {
  const { registry, log } = context
  if (stream.signal.aborted) return
  const followed = new Set<string>()
  const toldOf = new Map<string, ToldSoFar>()
  /** `changed`: the reports that have changed; null at first. */
  const follow = (changed: ReadonlySet<string> | null): void => {
    const units = named()
    const places = new Set(units.map(placeOf))
    for (const place of toldOf.keys()) if (!places.has(place) && !followed.has(place)) toldOf.delete(place)
    for (const unit of units) {
      const place = placeOf(unit)
      if (unit.machine === null || followed.has(place)) continue
      if (!registry.view.reportsOf(unit.machine).has(unit.unit)) continue
      const before = toldOf.get(place)
      // One that was gone from there is followed again once something is said of it.
      if (before !== undefined && changed?.has(keys.report(unit.machine, unit.unit)) !== true) continue
      followed.add(place)
      const told = before ?? new ToldSoFar()
      toldOf.set(place, told)
      // A unit that appears later is shown from its beginning.
      const wanted = { ...query, tail: changed === null ? tailOf(place) : null }
      stream
        .sendAll(followedLogs(context, unit, wanted, stream.signal, told))
        .catch((error: unknown) => {
          if (!stream.signal.aborted) log.warn('api', `logs of ${unit.label} ended: ${describeError(error)}`)
        })
        .finally(() => followed.delete(place))
    }
  }
  follow(null)
  const unsubscribe = registry.onChange((kinds, changes) => {
    if (kinds.has('report')) follow(new Set(changes.map(({ key }) => key)))
  })
  await new Promise((resolve) => {
    stream.signal.addEventListener('abort', resolve)
  })
  unsubscribe()
}
