// What has to hold of schedules: each firing starts one run, and one program; each that is due is started, skipped or
// told as missed.
import type { Run, ScheduleState } from '../../src/model/schedule.js'
import type { Service } from '../../src/model/service.js'
import { type ClusterView, serviceKey } from '../../src/store/view.js'
import type { Program } from './host.js'

export interface SchedulesParts {
  readonly now: () => number
  /** Whether all clocks are right, so that firings can be counted. */
  readonly isOneClock: boolean
  /** Whether there is one clock, and it is never set back: what it passed over is counted as well. */
  readonly isForward: boolean
  readonly broke: (what: string) => void
  /** What came about, by kind. */
  readonly count: (what: string, times?: number) => void
}

/** A leader is found, and has looked at everything, within so long. */
const decidesWithinMs = 60_000

export class SchedulesJudge {
  readonly #parts: SchedulesParts
  /** What each firing started, and since when its service has had the schedule that it was of. */
  readonly #startedBy = new Map<string, { readonly instance: string; readonly since: number }>()
  /** The firing of each instance. */
  readonly #firingOf = new Map<string, string>()
  /** The schedule of each service as it was when it was first seen: it may go on from where another has ended. */
  readonly #first = new Map<string, ScheduleState>()
  /** How many schedules were seen when that was. */
  readonly #since = new Map<string, number>()
  #seen = 0
  /** Instances of which a program was started, by uuid. */
  readonly #began = new Set<string>()
  /** The uuid of each run, by service and number. */
  readonly #runs = new Map<string, string>()
  /** How many instances were asked for by hand, were begun, and were told to have been, by service. */
  readonly #asked = new Map<string, number>()
  readonly #startedByHand = new Map<string, number>()
  readonly #completed = new Map<string, number>()
  /** Tasks of starts that were acknowledged, and those of them that are done. */
  readonly #told = new Set<string>()
  readonly #over = new Set<string>()
  #view: ClusterView | null = null

  constructor(parts: SchedulesParts) {
    this.#parts = parts
  }

  started(program: Program): void {
    const { instance, unit } = program
    if (instance === null) return
    const own = this.#view?.instances.get(unit)
    const service = own && this.#view?.services.get(serviceKey(own.project, own.service))
    const isKnown = this.#view?.reportOf(unit)?.launched === true
    // Of what was begun the moment before a machine lost its power, nobody has heard.
    if (isOfRuns(service) && this.#began.has(instance) && isKnown)
      this.#parts.broke(`${own?.name} is begun again`)
    this.#began.add(instance)
  }

  /** Looks at the runs that the store has now. */
  look(view: ClusterView): void {
    this.#view = view
    this.#noteSchedules(view)
    for (const run of [...view.services.keys()].flatMap((key) => view.runsOf(key))) {
      if (run.instance === null) continue
      const { broke, count, isOneClock } = this.#parts
      const firing = firingOf(run)
      const instance = `${run.serviceUuid} ${run.instance}`
      const other = this.#firingOf.get(instance)
      if (other === firing) continue
      const before = this.#startedBy.get(firing)
      const since = this.#since.get(run.serviceUuid) ?? 0
      // Where clocks are set back, another schedule may have a firing of which the history is forgotten.
      const isKnown = before !== undefined && isInHistory(view, run, before.instance)
      if (before !== undefined && (isOneClock || isKnown || before.since === since))
        broke(`the firing ${firing} started ${before.instance}, and then ${instance}`)
      if (other !== undefined) broke(`${instance} is the run of ${other}, and of ${firing}`)
      this.#startedBy.set(firing, { instance, since })
      this.#firingOf.set(instance, firing)
      count(`run ${run.by}`)
      if (run.by === 'start') this.#noteStart(run)
    }
    for (const instance of view.instances.values()) {
      const service = view.services.get(serviceKey(instance.project, instance.service))
      if (!isOfRuns(service)) continue
      this.#runs.set(`${service.uuid} ${instance.n}`, instance.uuid)
      if (!this.#firingOf.has(`${service.uuid} ${instance.name}`))
        this.#parts.broke(`${instance.name} is there, and no firing or start asked for it`)
    }
    this.#noteTasks(view)
  }

  /** Somebody asks for one instance more, or does not any more as that was refused. */
  asksForRun(service: string, by: number): void {
    this.#asked.set(service, (this.#asked.get(service) ?? 0) + by)
  }

  /** A start was acknowledged with that task. */
  startTold(task: string): void {
    this.#told.add(task)
  }

  /** Nothing is started that nobody asked for, and nothing twice. */
  #noteStart({ service }: Run): void {
    const runs = (this.#startedByHand.get(service) ?? 0) + 1
    this.#startedByHand.set(service, runs)
    const asked = this.#asked.get(service) ?? 0
    if (runs > asked)
      this.#parts.broke(`${service}: ${runs} runs were begun by hand, and ${asked} were asked for`)
  }

  /** Of those that were acknowledged, what their tasks came to. */
  #noteTasks(view: ClusterView): void {
    for (const { uuid, service, project, state, instance } of view.tasks.values()) {
      if (state !== 'completed' || !this.#told.has(uuid) || this.#over.has(uuid)) continue
      this.#over.add(uuid)
      const own = view.services.get(serviceKey(project, service))
      if (!isOfRuns(own)) continue
      // Where there never was an instance of it, its start was withdrawn.
      const run = this.#runs.get(`${own.uuid} ${instance}`)
      if (instance !== undefined && (run === undefined || !this.#began.has(run)))
        this.#parts.broke(`${service}: the start of its run ${instance} is completed, and it never began`)
      this.#completed.set(service, (this.#completed.get(service) ?? 0) + 1)
    }
  }

  #noteSchedules(view: ClusterView): void {
    for (const state of view.schedules.values()) {
      const first = this.#first.get(state.serviceUuid)
      if (first !== undefined && idOf(first) === idOf(state)) continue
      this.#first.set(state.serviceUuid, state)
      this.#seen += 1
      this.#since.set(state.serviceUuid, this.#seen)
    }
  }

  /** In the end every firing up to now is one of those that are counted. */
  judgeRest(view: ClusterView, isFrozen: (service: string) => boolean): void {
    const { now, isOneClock, isForward, broke, count } = this.#parts
    for (const [service, completed] of this.#completed) {
      const runs = this.#startedByHand.get(service) ?? 0
      if (runs < completed)
        broke(`${service}: ${completed} starts are done, and ${runs} runs were begun by hand`)
      count('starts judged', completed)
    }
    if (!isOneClock && !isForward) return
    for (const state of view.schedules.values()) {
      const service = view.services.get(serviceKey(state.project, state.service))
      if (service === undefined || isFrozen(state.service)) continue
      const first = this.#first.get(state.serviceUuid) ?? state
      const due = dueUpTo(state, state.decidedUpTo) - dueUpTo(state, first.decidedUpTo)
      const counted = countedIn(state) - countedIn(first)
      if (due !== counted)
        broke(`${state.service}: ${due} firings were due, and ${counted} are told: ${JSON.stringify(state)}`)
      if (isOneClock && dueUpTo(state, now() - decidesWithinMs) > dueUpTo(state, state.decidedUpTo))
        broke(`${state.service}: firings are due, and none is decided since ${state.decidedUpTo}`)
      count('schedule counted')
    }
  }
}

/** Whether each instance of a service is a run. */
function isOfRuns(service: Service | undefined): service is Service {
  return service !== undefined && service.type !== 'continuous'
}

function idOf({ schedule, origin }: ScheduleState): string {
  return JSON.stringify([schedule, origin])
}

function countedIn({ started, skipped, missed, pending }: ScheduleState): number {
  return started + skipped + missed + (pending === null ? 0 : 1)
}

/** Whether the history of its service still tells what a firing started. */
function isInHistory(view: ClusterView, { project, service, dueAt, by }: Run, instance: string): boolean {
  return view
    .runsOf(serviceKey(project, service))
    .some((one) => one.dueAt === dueAt && one.by === by && instance === `${one.serviceUuid} ${one.instance}`)
}

function firingOf({ serviceUuid, by, dueAt, instance }: Run): string {
  // What was asked for by hand may be asked for twice at once.
  return by === 'schedule' ? `${serviceUuid} ${dueAt}` : `${serviceUuid} ${dueAt} ${instance}`
}

/** How many firings of `R/<start>/PT<n>S` lie between the schedule's beginning and an instant, that included. */
function dueUpTo({ schedule, origin }: ScheduleState, until: number): number {
  const [, start = '', seconds = ''] = /^R\/(.+)\/PT(\d+)S$/.exec(schedule.expression) ?? []
  const everyMs = Number(seconds) * 1000
  const upTo = (instant: number): number => Math.floor((instant - Date.parse(start)) / everyMs) + 1
  return Math.max(0, upTo(until) - upTo(origin - 1))
}
