// One pass over the services that are scaled by triggers: look at what their instances measure, decide, and change the
// scale as an operator would. The deciding is in `decideScale`.
import { isProblem } from '../../changes/problem.js'
import { changeScales, emptyChange } from '../../changes/services.js'
import type { Log } from '../../lib/io/log.js'
import type { Pass } from '../../lib/io/loop.js'
import type { Instant, Time } from '../../lib/time.js'
import type { ScalingPolicy } from '../../model/scaling.js'
import type { Service } from '../../model/service.js'
import { isFrozen } from '../../service/queue.js'
import { eachService, type ServiceDecision, servicesWhere } from '../../store/io/each-service.js'
import type { EventLog } from '../../store/io/event-log.js'
import { ledBy, type Registry } from '../../store/io/registry.js'
import { keys, putOf } from '../../store/records.js'
import type { Op } from '../../store/store.js'
import { isGone } from '../../store/unreadable.js'
import { type ClusterView, type ServiceKey, serviceKey } from '../../store/view.js'
import { decideScale, type ScaleDecision, type Watched } from '../decide.js'
import { describeScaling } from '../describe.js'
import { freshAmong, type Heard, hear, observe } from '../observe.js'
import { type Reading, remember } from '../readings.js'

interface AutoscalePassOptions {
  /** What windows are measured with, beside the clock on the wall that each pass is given. */
  readonly time: Pick<Time, 'steady'>
  readonly registry: Registry
  readonly events: EventLog
  readonly log: Log
  /** Our epoch, or null while we do not lead. */
  readonly epoch: () => number | null
}

/** How often metrics are looked at. */
export const lookAtMetricsEveryMs = 2_000

/** A leader that is new to it begins every window anew: what it has not seen for so long has not held for so long. */
export function autoscalePass(options: AutoscalePassOptions): Pass {
  const scaler = new Autoscaler(options)
  return async (now, signal) => {
    await scaler.pass(now, signal)
    // Where nothing is scaled by triggers there is nothing to look at before somebody deploys such a thing.
    return { wakeAt: scaler.isIdle ? null : now + lookAtMetricsEveryMs }
  }
}

/** A pass may wait for a while between its clock and ours. */
const clockMayStrayMs = 2_000

/** What is remembered of a service between two passes. */
interface Followed {
  readonly version: string
  readonly scale: number
  readonly changedAt: Instant | null
  readonly readings: ReadonlyMap<string, readonly Reading[]>
}

class Autoscaler {
  readonly #options: AutoscalePassOptions
  #followed: ReadonlyMap<ServiceKey, Followed> = new Map()
  #heard: Heard = new Map()
  /** The epoch of the last pass: one may end and the next begin between two passes. */
  #term: number | null = null

  /** By how much the clock on the wall is ahead of the one that nobody sets. */
  #ahead: number | null = null

  constructor(options: AutoscalePassOptions) {
    this.#options = options
  }

  /** Whether no service is scaled by triggers, as far as we are to know. */
  get isIdle(): boolean {
    return this.#followed.size === 0
  }

  async pass(now: Instant, signal: AbortSignal): Promise<void> {
    const { registry, epoch, log } = this.#options
    const term = epoch()
    if (term !== this.#term) this.#beginAnew()
    this.#term = term
    if (term === null) return
    this.#noteClock(now)
    this.#heard = hear(registry.view, this.#heard, now)
    const before = this.#followed
    const followed = new Map<ServiceKey, Followed>()
    await eachService(registry, {
      log,
      epoch: term,
      now,
      signal,
      services: servicesWhere(registry.view, ({ scaling }) => scaling !== undefined),
      decide: (view, service) => {
        const policy = view.versions.get(service.current)?.scaling
        if (policy === undefined) return null
        const key = serviceKey(service.project, service.name)
        const next = this.#look(view, service, policy, before.get(key) ?? null, now)
        followed.set(key, next)
        return this.#decide(view, service, policy, next, now)
      },
      onDecided: ({ message }, { project, name }) => {
        if (message !== null) log.info('autoscale', message, { service: `${project}/${name}` })
      },
    })
    this.#followed = followed
    await this.#forgetGone(term)
  }

  /** Windows that were measured by a clock that was set since begin anew. */
  #noteClock(now: Instant): void {
    const ahead = now - this.#options.time.steady()
    if (Math.abs(ahead - (this.#ahead ?? ahead)) > clockMayStrayMs) this.#beginAnew()
    this.#ahead = ahead
  }

  #beginAnew(): void {
    this.#followed = new Map()
    this.#heard = new Map()
  }

  #look(
    view: ClusterView,
    service: Service,
    policy: ScalingPolicy,
    before: Followed | null,
    now: Instant,
  ): Followed {
    const isFresh = freshAmong(this.#heard, view.machines.size, now)
    // Another version may measure something else by the same name.
    const known = before?.version === service.current ? before.readings : null
    const readings = policy.triggers.map((trigger): [string, readonly Reading[]] => {
      const reading = observe(view, service, trigger, isFresh, now)
      return [trigger.name, remember(known?.get(trigger.name) ?? [], reading, trigger.windowMs)]
    })
    const changedAt = before === null ? null : before.scale === service.scale ? before.changedAt : now
    return { version: service.current, scale: service.scale, changedAt, readings: new Map(readings) }
  }

  #decide(
    view: ClusterView,
    service: Service,
    policy: ScalingPolicy,
    followed: Followed,
    now: Instant,
  ): ScalingDecision {
    if (service.deleting || service.stoppedFrom !== null || isBusy(view, service)) return hold
    // Nothing is told of what would be, either.
    if (isFrozen(view, service.project, service.name)) return hold
    const watched = policy.triggers.map(
      (trigger): Watched => ({ trigger, readings: followed.readings.get(trigger.name) ?? [] }),
    )
    const triggeredAt = view.scalings.get(serviceKey(service.project, service.name))?.at ?? null
    const { scale, changedAt } = followed
    const decision = decideScale({ policy, scale, watched, triggeredAt, changedAt }, now)
    return decision.kind === 'hold' ? hold : this.#changeOf(view, service, policy, decision, now)
  }

  /** Together with the change it is noted that a trigger acted, so that no other leader acts on the same. */
  #changeOf(
    view: ClusterView,
    service: Service,
    policy: ScalingPolicy,
    decision: Exclude<ScaleDecision, { kind: 'hold' }>,
    now: Instant,
  ): ScalingDecision {
    const { events } = this.#options
    const { project, name } = service
    const change =
      decision.kind === 'tell' ? emptyChange : changeScales(view, project, { [name]: decision.to }, now)
    if (isProblem(change)) return hold
    const message = describeScaling(policy, service.scale, decision)
    const told = {
      kind: 'autoscale',
      project,
      service: name,
      instance: null,
      machine: null,
      message,
    } as const
    const noted = putOf('scaling', { project, service: name, at: now })
    const ops = [...change.ops, noted, ...events.append([told, ...change.events])]
    return { decidedOn: change.decidedOn, ops, wakeAt: null, message }
  }

  /** Records of services and machines that are gone. */
  async #forgetGone(term: number): Promise<void> {
    await this.#options.registry.decide(
      (view) => {
        const scalings = [...view.scalings]
          .filter(([key]) => isGone(view, key))
          .map(([, { project, service }]) => ({
            key: keys.scaling(project, service),
            of: keys.service(project, service),
          }))
        const metrics = [...view.metrics.keys()]
          .filter((machine) => !view.machines.has(machine))
          .map((machine) => ({ key: keys.metrics(machine), of: keys.machine(machine) }))
        const some = [...scalings, ...metrics].slice(0, forgottenAtOnce)
        return {
          // A service of that name may be deployed again, and a machine come back.
          decidedOn: some.map(({ of }) => of),
          ops: some.map(({ key }): Op => ({ op: 'delete', key })),
        }
      },
      [ledBy(term)],
    )
  }
}

interface ScalingDecision extends ServiceDecision {
  /** What it tells; null where nothing is to change. */
  readonly message: string | null
}

const hold: ScalingDecision = { decidedOn: [], ops: [], wakeAt: null, message: null }

/** Each is up to two comparisons, of which etcd takes 128. The rest goes with the next pass. */
const forgottenAtOnce = 50

/** While something else is done to a service, its scale is left alone. */
function isBusy(view: ClusterView, { project, name }: Service): boolean {
  return view
    .tasksOf(serviceKey(project, name))
    .some(({ finishedAt, kind }) => finishedAt === null && kind !== 'scale')
}
