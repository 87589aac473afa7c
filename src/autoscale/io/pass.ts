// One pass over the services that are scaled by triggers: look at what their instances measure, decide, and change the
// scale as an operator would. The deciding is in `decideScale`.
import type { Log } from '../../lib/io/log.js'
import type { Pass } from '../../lib/io/loop.js'
import type { Instant } from '../../lib/time.js'
import type { HistoryEvent } from '../../model/event.js'
import type { MachineId } from '../../model/machine.js'
import { reportEveryMs, reportsUntilHeartbeat, type ScalingPolicy } from '../../model/scaling.js'
import type { Service } from '../../model/service.js'
import type { EventLog } from '../../store/io/event-log.js'
import { ledBy, type Registry } from '../../store/io/registry.js'
import { keys, putOf } from '../../store/records.js'
import type { Compare, Op, Revision } from '../../store/store.js'
import { type ClusterView, type ServiceKey, serviceKey } from '../../store/view.js'
import { decideScale, type ScaleDecision, type Watched } from '../decide.js'
import { describeScaling } from '../describe.js'
import { observe } from '../observe.js'
import { type Reading, remember } from '../readings.js'

/** A change of scale as the API makes it: its writes, or why it is not to be now. */
export type ScaleChange =
  | {
      readonly compare: readonly Compare[]
      readonly ops: readonly Op[]
      readonly events: readonly Omit<HistoryEvent, 'id' | 'at'>[]
    }
  | { readonly message: string }

export interface AutoscalePassOptions {
  readonly registry: Registry
  readonly events: EventLog
  readonly log: Log
  /** Our epoch, or null while we do not lead. */
  readonly epoch: () => number | null
  /** Whether an operator has frozen a service: then nothing is scaled, and nothing is told of what would be. */
  readonly isFrozen: (project: string, service: string) => boolean
  /** Makes a change of scale as `service scale` does. */
  readonly changeScale: (view: ClusterView, service: Service, scale: number, now: Instant) => ScaleChange
}

/** How often metrics are looked at. */
export const lookAtMetricsEveryMs = 2_000

/** A leader that is new to it begins every window anew: what it has not seen for so long has not held for so long. */
export function autoscalePass(options: AutoscalePassOptions): Pass {
  const scaler = new Autoscaler(options)
  return async (now, signal) => {
    await scaler.pass(now, signal)
    return { wakeAt: now + lookAtMetricsEveryMs }
  }
}

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
  /** When a machine's values were last written, by our own clock. */
  #heard: ReadonlyMap<MachineId, { readonly revision: Revision; readonly at: Instant }> = new Map()

  constructor(options: AutoscalePassOptions) {
    this.#options = options
  }

  async pass(now: Instant, signal: AbortSignal): Promise<void> {
    const { registry, epoch } = this.#options
    const { view } = registry
    const term = epoch()
    if (term === null) {
      this.#followed = new Map()
      this.#heard = new Map()
      return
    }
    this.#hear(now)
    const followed = new Map<ServiceKey, Followed>()
    for (const service of [...view.services.values()]) {
      const policy = view.versions.get(service.current)?.scaling
      if (policy === undefined || signal.aborted) continue
      const key = serviceKey(service.project, service.name)
      const next = this.#look(service, policy, this.#followed.get(key) ?? null, now)
      followed.set(key, next)
      await this.#settle(service, policy, next, term, now)
    }
    this.#followed = followed
    await this.#forgetGone(term)
  }

  #hear(now: Instant): void {
    const { view } = this.#options.registry
    const before = this.#heard
    this.#heard = new Map(
      [...view.metrics.keys()].map((machine) => {
        const revision = view.revisionOf(keys.metrics(machine))
        const known = before.get(machine)
        return [machine, known?.revision === revision ? known : { revision, at: now }]
      }),
    )
  }

  #look(service: Service, policy: ScalingPolicy, before: Followed | null, now: Instant): Followed {
    const { view } = this.#options.registry
    const staleAfterMs = 2 * reportsUntilHeartbeat * reportEveryMs(view.machines.size)
    const isFresh = (machine: MachineId): boolean => {
      const heard = this.#heard.get(machine)
      return heard !== undefined && now - heard.at <= staleAfterMs
    }
    // Another version may measure something else by the same name.
    const known = before?.version === service.current ? before.readings : null
    const readings = policy.triggers.map((trigger): [string, readonly Reading[]] => {
      const reading = observe(view, service, trigger, isFresh, now)
      return [trigger.name, remember(known?.get(trigger.name) ?? [], reading, trigger.windowMs)]
    })
    const changedAt = before === null ? null : before.scale === service.scale ? before.changedAt : now
    return { version: service.current, scale: service.scale, changedAt, readings: new Map(readings) }
  }

  async #settle(
    service: Service,
    policy: ScalingPolicy,
    followed: Followed,
    term: number,
    now: Instant,
  ): Promise<void> {
    const { isFrozen, registry } = this.#options
    const { view } = registry
    if (service.deleting || service.stoppedFrom !== null || isBusy(view, service)) return
    if (isFrozen(service.project, service.name)) return
    const watched = policy.triggers.map(
      (trigger): Watched => ({ trigger, readings: followed.readings.get(trigger.name) ?? [] }),
    )
    const triggeredAt = view.scalings.get(serviceKey(service.project, service.name))?.at ?? null
    const { scale, changedAt } = followed
    const decision = decideScale({ policy, scale, watched, triggeredAt, changedAt }, now)
    if (decision.kind !== 'hold') await this.#act(service, policy, decision, term, now)
  }

  /** Together with the change it is noted that a trigger acted, so that no other leader acts on the same. */
  async #act(
    service: Service,
    policy: ScalingPolicy,
    decision: Exclude<ScaleDecision, { kind: 'hold' }>,
    term: number,
    now: Instant,
  ): Promise<void> {
    const { registry, events, log, changeScale } = this.#options
    const { project, name } = service
    const key = keys.scaling(project, name)
    const nobodyElse = [ledBy(term), { key, modRevision: registry.view.revisionOf(key) }]
    const change = decision.kind === 'tell' ? nothing : changeScale(registry.view, service, decision.to, now)
    if ('message' in change) return
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
    if (await registry.commit([...nobodyElse, ...change.compare], ops))
      log.info('autoscale', message, { service: `${project}/${name}` })
  }

  /** Records of services and machines that are gone. */
  async #forgetGone(term: number): Promise<void> {
    const { registry } = this.#options
    const { view } = registry
    const ops: Op[] = []
    for (const [key, { project, service }] of view.scalings)
      if (!view.services.has(key)) ops.push({ op: 'delete', key: keys.scaling(project, service) })
    for (const machine of view.metrics.keys())
      if (!view.machines.has(machine)) ops.push({ op: 'delete', key: keys.metrics(machine) })
    if (ops.length > 0) await registry.commit([ledBy(term)], ops)
  }
}

const nothing: ScaleChange = { compare: [], ops: [], events: [] }

/** While something else is done to a service, its scale is left alone. */
function isBusy(view: ClusterView, { project, name }: Service): boolean {
  return view
    .tasksOf(serviceKey(project, name))
    .some(({ finishedAt, kind }) => finishedAt === null && kind !== 'scale')
}
