// Which events of the history a request asks for.

import { findListedMachine, listedMachines } from '../changes/machines.js'
import { isProblem, noSuchService, type Problem } from '../changes/problem.js'
import { unknownProject } from '../changes/projects.js'
import { byKeys } from '../lib/sort.js'
import type { Actor } from '../model/actor.js'
import { type EventKind, eventKinds, type HistoryEvent } from '../model/event.js'
import { decodeEvents } from '../store/records.js'
import type { Entry } from '../store/store.js'
import type { ClusterView } from '../store/view.js'
import { instancesNamed } from './explain.js'

/** Query parameters of GET events, as they come. */
export interface EventsQuerystring {
  readonly follow?: string
  /** An RFC 3339 time, or an event's id: what was written after that event. */
  readonly since?: string
  readonly until?: string
  readonly tail?: string
  readonly project?: string
  /** A service, or an instance. */
  readonly service?: string
  /** An id or the beginning of one, or a hostname. */
  readonly machine?: string
  /** Kinds, between commas. */
  readonly kind?: string
  /** A part of what is known of who asked. */
  readonly by?: string
}

interface EventsAsked {
  /** Go on with what happens from now on. */
  readonly follow: boolean
  /** Only the last so many of those that there are already; null: all. */
  readonly tail: number | null
  /** Only what was written after this event; null: from the first. */
  readonly after: string | null
  readonly isWanted: (event: HistoryEvent) => boolean
}

/** Reads what is asked for. Without `follow` the answer goes on: that is what a stream of events is for. */
export function readEventsQuery(view: ClusterView, query: EventsQuerystring): EventsAsked | Problem {
  const { follow = 'true', since, until, tail } = query
  if (follow !== 'true' && follow !== 'false') return bad('follow has to be true or false')
  const after = since !== undefined && idPattern.test(since) ? since : null
  const from = since === undefined || after !== null ? Number.NEGATIVE_INFINITY : Date.parse(since)
  const to = until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until)
  if (Number.isNaN(from)) return bad("since has to be an RFC 3339 time or an event's id")
  if (Number.isNaN(to)) return bad('until has to be an RFC 3339 time')
  if (tail !== undefined && !/^\d{1,9}$/.test(tail)) return bad('tail has to be a whole number')
  const kinds = query.kind?.split(',').map((kind) => kind.trim()) ?? []
  const unknown = kinds.find((kind) => !(eventKinds as readonly string[]).includes(kind))
  if (unknown !== undefined) return bad(`there is no kind "${unknown}"`, `kinds: ${eventKinds.join(', ')}`)
  const isAbout = aboutWhat(view, query, kinds as readonly EventKind[])
  return {
    follow: follow === 'true',
    tail: tail === undefined ? null : Number(tail),
    after,
    isWanted: (event) => event.at >= from && event.at <= to && isAbout(event),
  }
}

/** As `openEventLog` makes them. */
const idPattern = /^\d{13}-\d{4,}-/

function aboutWhat(
  view: ClusterView,
  { project, service, machine, by }: EventsQuerystring,
  kinds: readonly EventKind[],
): (event: HistoryEvent) => boolean {
  const machines = listedMachines(view).filter(({ hostname }) => hostname === machine)
  const isThere = (id: string): boolean =>
    machine === undefined || id.startsWith(machine) || machines.some((one) => one.id === id)
  return (event) =>
    (project === undefined || event.project === project) &&
    (service === undefined || event.service === service || event.instance === service) &&
    (machine === undefined || (event.machine !== null && isThere(event.machine))) &&
    (kinds.length === 0 || kinds.includes(event.kind)) &&
    (by === undefined || (event.by !== undefined && namesOf(event.by).some((name) => name.includes(by))))
}

function namesOf({ user, client, address, certificate }: Actor): readonly string[] {
  return [user, client, address, certificate].flatMap((name) => name ?? [])
}

/**
 * Refuses a project, service or machine that nobody has heard of, and no event is of: it is mistyped. What was deleted may be
 * asked for what became of it for as long as the history knows. Of a service or machine that is still to come, events can be
 * followed.
 */
export function unknownInHistory(
  view: ClusterView,
  entries: readonly Entry[],
  {
    project,
    service,
    machine,
    follow,
  }: Pick<EventsQuerystring, 'project' | 'service' | 'machine' | 'follow'>,
): Problem | null {
  const isToldOf = (query: EventsQuerystring): boolean => {
    const isAbout = aboutWhat(view, query, [])
    return entries.some((entry) => decodeEvents(entry).some(isAbout))
  }
  if (project !== undefined) {
    const problem = unknownProject(view, project)
    if (problem !== null && !isToldOf({ project })) return problem
  }
  if (follow !== 'false') return null
  if (machine !== undefined) {
    const found = findListedMachine(view, machine)
    if (isProblem(found) && found.status === 404 && !isToldOf({ machine })) return found
  }
  if (service === undefined || isServiceOrInstance(view, service, project)) return null
  return isToldOf({ service, ...(project !== undefined && { project }) })
    ? null
    : noSuchService(view, project ?? null, service)
}

function isServiceOrInstance(view: ClusterView, name: string, project: string | undefined): boolean {
  if (project !== undefined) return instancesNamed(view, project, name) !== null
  const projects = new Set([...view.services.values()].map((service) => service.project))
  return [...projects].some((one) => instancesNamed(view, one, name) !== null)
}

/** The events of the history that are asked for, in the order in which they were written. */
export function selectEvents(
  entries: readonly Entry[],
  { after, tail, isWanted }: EventsAsked,
): readonly HistoryEvent[] {
  const written = entries.toSorted(
    byKeys(
      ({ createRevision }) => createRevision,
      ({ key }) => key,
    ),
  )
  const wanted = sliceAfter(written.flatMap(decodeEvents), after).filter(isWanted)
  return tail === null ? wanted : wanted.slice(Math.max(0, wanted.length - tail))
}

/** What was written after an event; where that is gone already, what has a later id. */
function sliceAfter(written: readonly HistoryEvent[], after: string | null): readonly HistoryEvent[] {
  if (after === null) return written
  const at = written.findIndex(({ id }) => id === after)
  return at >= 0 ? written.slice(at + 1) : written.filter(({ id }) => id > after)
}

function bad(message: string, hint?: string): Problem {
  return { status: 400, code: 'api/bad-request', message, ...(hint !== undefined && { hint }) }
}
