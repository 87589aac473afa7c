// What every route needs, and how a route changes something.
import { TLSSocket } from 'node:tls'
import type { FastifyReply, FastifyRequest, preHandlerHookHandler } from 'fastify'
import type { CheckedLogin, Driver, KeptVolume, PlainLogin } from '../../agent/driver.js'
import type { Agent } from '../../agent/io/agent.js'
import type { KeptLogs } from '../../agent/io/kept-logs.js'
import type { ReportedVolumes } from '../../agent/io/local-volumes.js'
import type { Collector } from '../../agent/io/metrics/collector.js'
import type { VolumeFiles } from '../../agent/io/volume-files.js'
import type { TriggerSightings } from '../../autoscale/io/sightings.js'
import { isProblem, type Problem, problemBody } from '../../changes/problem.js'
import { unknownProject } from '../../changes/projects.js'
import { type Change, opsOf } from '../../changes/services.js'
import type { TasksResponse } from '../../contract/contract.js'
import type { NameIndex } from '../../dns/name-index.js'
import type { Explainer } from '../../engine/explain.js'
import type { Log } from '../../lib/io/log.js'
import type { Slices } from '../../lib/io/slices.js'
import { type RetryPolicy, tryUntilDone } from '../../lib/io/tries.js'
import type { Instant, Time } from '../../lib/time.js'
import type { AdmissionSettings } from '../../manifest/settings.js'
import type { Actor } from '../../model/actor.js'
import type { DriverKind } from '../../model/driver-kind.js'
import type { ResolvedImage, TidiedImage } from '../../model/image.js'
import type { MachineId } from '../../model/machine.js'
import type { Task } from '../../model/task.js'
import type { Sender } from '../../notify/io/sender.js'
import type { EventLog } from '../../store/io/event-log.js'
import type { Registry } from '../../store/io/registry.js'
import type { KeyedBox } from '../../store/io/secret-box.js'
import type { ClusterView } from '../../store/view.js'
import type { UnitReader } from '../../unit/reader.js'
import { describeActor } from '../actor.js'
import { taskBodyOf } from '../bodies.js'
import type { EntryHere } from '../entry.js'
import type { KeptBodies } from '../kept-bodies.js'
import type { LeaseTimes } from '../one-off-waits.js'
import type { Staleness } from '../staleness.js'
import type { Peers } from './peers.js'

export interface ApiContext {
  readonly registry: Registry
  readonly units: UnitReader
  /** Says why machines would take a unit or not. */
  readonly explainer: Explainer
  /** What listings show; follows the registry. */
  readonly bodies: KeptBodies
  readonly events: EventLog
  readonly machine: MachineId
  /** The agent of this machine; null when the daemon runs without one. */
  readonly agent: Agent | null
  /** Reads what the instances on this machine use; null without an agent. */
  readonly collector: Collector | null
  /** What instances have written that were on this machine and are not any more. */
  readonly keptLogs: Pick<KeptLogs, 'named' | 'lines'>
  /** What the triggers of services see. */
  readonly sightings: TriggerSightings
  /** Asks this machine's Docker what an image means; null where it runs none. */
  readonly imageResolver: () => ((image: string, signal: AbortSignal) => Promise<ResolvedImage>) | null
  /** Has this machine's Docker fetch an image before anything needs it; null where it runs none. */
  readonly imageFetcher: () => NonNullable<Driver['fetchImage']> | null
  /** Has this machine's Docker ask a registry whether a login is right; null where it runs none. */
  readonly loginChecker: () => ((login: PlainLogin, signal: AbortSignal) => Promise<CheckedLogin>) | null
  /** Asks this machine's Docker what becomes of the images that are needed, and of those that are not; null where it runs none. */
  readonly imageTeller: () =>
    | ((needed: readonly string[], signal: AbortSignal) => Promise<readonly TidiedImage[]>)
    | null
  /** Asks the drivers of this machine which named volumes they keep. */
  readonly listVolumes: (signal: AbortSignal) => Promise<ReportedVolumes>
  /** Deletes a named volume of this machine that nothing has. Throws DriverError. */
  readonly deleteVolume: (volume: KeptVolume, signal: AbortSignal) => Promise<void>
  /** The driver of this machine that keeps a volume, by its uuid; null where none does. Throws DriverError. */
  readonly volumeKeeper: (volume: KeptVolume, signal: AbortSignal) => Promise<Driver | null>
  /** The drivers of this machine. */
  readonly driversHere: ReadonlyMap<DriverKind, Driver>
  /** The files of its volumes. */
  readonly volumeFiles: VolumeFiles
  /** How much of a volume of this machine has been sent to another one, by its uuid. */
  readonly sentBytes: Map<string, number>
  /** How much the volumes of this machine take of its disk, by their uuids, as they were measured last. */
  readonly usedBytes: Map<string, number>
  /** What this daemon does with volumes whose slots are held for it. */
  readonly volumeWorks: Set<string>
  /** Programs that run once for callers of this daemon, by the ids of their requests. */
  readonly attended: Set<string>
  /** Volumes of this machine, by their uuids, that `before_backup` has prepared, or does, for a backup that goes on. */
  readonly preparedVolumes: Set<string>
  /** The lease of a machine, as the store has it; null where it has ended. */
  readonly leaseOf: (machine: MachineId) => Promise<LeaseTimes | null>
  /** The daemons of the other machines. */
  readonly peers: Peers
  readonly secrets: KeyedBox
  readonly manifests: AdmissionSettings
  /** Sends tests of webhooks; events are sent by the leader. */
  readonly sender: Sender
  /** The cluster's own id. */
  readonly cluster: string
  /** Where this daemon serves trigger URLs, as `https://host:port`; null where it does not. */
  readonly triggerBase: string | null
  readonly clock: Time
  /** Where long answers and changes take turns. */
  readonly slices: Slices
  /** Numbers from 0 up to 1. */
  readonly random: () => number
  /** Names, and where they are answered. */
  readonly dns: {
    readonly names: NameIndex
    readonly endpoints: () => readonly string[]
    readonly upstream: () => readonly string[]
  }
  /** What this daemon knows of the entry; null where it runs none. */
  readonly entry: (EntryHere & { exposition(): string }) | null
  readonly log: Log
  readonly version: string
  /** Since when what is answered may be out of date, and why; null while it is not. */
  readonly stale: () => Staleness | null
  /** Why the daemon cannot do all that is asked of it; null where it can. */
  readonly notReady: () => string | null
}

/** Thrown by a route to answer with a problem. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.message)
    this.problem = problem
  }
}

/** The value, or the end of the request with its problem. */
export function orRefuse<T extends object>(value: T | Problem): T {
  if (isProblem(value)) throw new ProblemError(value)
  return value
}

/** A list of what is in a project: one that nobody has heard of is refused. */
export function ofKnownProject(view: ClusterView): { readonly preHandler: preHandlerHookHandler } {
  return {
    preHandler: ({ params, query }, _reply, done) => {
      const { project } = { ...(query as { project?: string }), ...(params as { project?: string }) }
      const problem = project === undefined ? null : unknownProject(view, project)
      done(problem === null ? undefined : new ProblemError(problem))
    },
  }
}

export function answerProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  // What a caller may show in a header of HTTP; a certificate is shown below it.
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer')
  return reply.code(problem.status).send(problemBody(problem))
}

/** Who asks. On a unix socket nobody but the client says so. */
export function actorOf({ headers, raw: { socket } }: FastifyRequest): Actor {
  const shown =
    socket instanceof TLSSocket && socket.authorized ? socket.getPeerCertificate().subject.CN : null
  return describeActor(headers, socket.remoteAddress ?? null, [shown].flat()[0] ?? null)
}

/** What a change is made with. */
export type ChangeContext = Pick<ApiContext, 'registry' | 'events' | 'clock' | 'random'>

/**
 * For how long a change is decided anew where others were faster. A change of many services at once meets whoever writes
 * one of them. From the second try on the passes of this daemon let it by; where another daemon leads, its passes over some
 * hundred services that were deployed just now go on for seconds, and then are over. Nobody who asks is kept for longer
 * than programs in front of the API mostly wait, which is half a minute.
 */
export const retryPolicy: RetryPolicy = { firstMs: 10, longestMs: 500, withinMs: 15_000 }

/**
 * Decides a change on the view as it is and writes it; decides again when something of it changed meanwhile. What takes
 * long to be found out for that is found out in `prepare`, before each try.
 */
export async function applyChange<T extends Change>(
  { registry, events, clock, random }: ChangeContext,
  by: Actor | null,
  decide: (view: ClusterView, now: number) => T | Problem,
  prepare: (() => Promise<void>) | null = null,
): Promise<T> {
  const decideNow = async () => {
    const nothing: { holds: Promise<boolean> | null } = { holds: null }
    const decided = await registry.decide((view) => {
      const change = orRefuse(decide(view, clock.now()))
      const ops = opsOf(change, by)
      // That there is nothing to do is an answer, too: not of a view that may be behind.
      nothing.holds = ops.length === 0 ? registry.holds(change.seen ?? []) : null
      if (ops.length === 0) return { change, decidedOn: [], ops }
      const drafts = by === null ? change.events : change.events.map((event) => ({ ...event, by }))
      return { change, decidedOn: change.decidedOn, ops: [...ops, ...events.append(drafts)] }
    })
    return nothing.holds === null || (await nothing.holds) ? decided : { ...decided, committed: false }
  }
  const done = await tryUntilDone({ time: clock, random }, retryPolicy, async (failures) => {
    await prepare?.()
    const isFirst = failures === 0
    const { decision, committed } = await (isFirst ? decideNow() : registry.rightOfWay.alone(decideNow))
    return committed ? decision.change : null
  })
  if (done !== null) return done
  throw contended()
}

/** Others were faster each time, for as long as is waited for. */
export function contended(): ProblemError {
  return new ProblemError({
    status: 409,
    code: 'api/contended',
    message: 'the same service is being changed by others too fast for this change to be made',
    hint: 'try again',
  })
}

/** Applies a change in the name of who asks for it; resolves to the tasks that it began, or that it joins. */
export async function changeFor(
  context: ApiContext,
  request: FastifyRequest,
  decide: (view: ClusterView, now: Instant) => Change | Problem,
): Promise<TasksResponse> {
  const by = actorOf(request)
  const { tasks, joined = [], ended = [], notes = [] } = await applyChange(context, by, decide)
  const { registry, clock } = context
  const bodyOf = (task: Task) => taskBodyOf(registry.view, task, clock.now())
  const begun = tasks.map((task) => ({ ...task, by }))
  const answer = { tasks: [...begun, ...joined].map(bodyOf), ...(notes.length > 0 && { notes }) }
  return ended.length === 0 ? answer : { ...answer, ended: ended.map(bodyOf) }
}
