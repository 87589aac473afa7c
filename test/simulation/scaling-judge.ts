// What has to hold of autoscaling: each change has a reason that held, in what the machines have written and in what the
// programs truly did; bounds and delays are kept; nothing that somebody asked for is undone; what has a reason for long happens.
import { describeMetricSource } from '../../src/model/metric.js'
import {
  demandKey,
  type MetricTrigger,
  type ScalingPolicy,
  type ScalingRecord,
} from '../../src/model/scaling.js'
import type { Service } from '../../src/model/service.js'
import type { Task } from '../../src/model/task.js'
import { isFrozen } from '../../src/service/queue.js'
import { decode, decodeEvents, kindOfKey } from '../../src/store/records.js'
import type { Change, Entry } from '../../src/store/store.js'
import { type ClusterView, type ServiceKey, serviceKey } from '../../src/store/view.js'
import type { Loads } from './loads.js'

export interface ScalingParts {
  readonly now: () => number
  readonly loads: Loads
  /** Since when whoever leads does. */
  readonly ledSince: () => number
  readonly broke: (what: string) => void
  readonly count: (what: string) => void
}

/** What one trigger has to go by, from then on. */
interface Seen {
  readonly at: number
  /** Null where no instance has a value. */
  readonly value: number | null
  /** Instances on machines that are there, of which nothing is known. */
  readonly missing: number
}

/** What a leader knows is that old at most: links are slow, members of the store lag. */
const knownWithinMs = 8_000
/** What holds for no longer than that need not be seen, as by a leader that is out of touch and leads on. */
const overlookedMs = 14_000
/** A clock on the wall that is set by no more than 2 s begins no window anew. */
const clockMayStrayMs = 3_000
/** What a program uses is measured over the time between two reports, and told with the next. */
const measuredWithinMs = 30_000
/** What held for so long has come of it: the longest window, delay and report, more than once. */
const actsWithinMs = 300_000

export class ScalingJudge {
  readonly #parts: ScalingParts
  readonly #services = new Map<ServiceKey, Service>()
  readonly #tasks = new Map<string, Task>()
  readonly #scalings = new Map<ServiceKey, ScalingRecord>()
  /** By service and trigger. */
  readonly #seen = new Map<string, Seen[]>()
  /** When the scale of each was last changed by itself. */
  readonly #changedAt = new Map<ServiceKey, number>()
  /** When it was last changed by anybody. */
  readonly #scaledAt = new Map<ServiceKey, number>()

  constructor(parts: ScalingParts) {
    this.#parts = parts
  }

  /** Looks at what has changed, with the view as it is with that. */
  look(view: ClusterView, changes: readonly Change[]): void {
    for (const entries of byRevision(changes)) {
      for (const entry of entries)
        if (kindOfKey(entry.key) === 'event')
          for (const { kind, project, service, message } of decodeEvents(entry))
            if (kind === 'autoscale' && project !== null && service !== null)
              this.#checkScaling(view, serviceKey(project, service), message, entries)
      for (const entry of entries) this.#note(entry)
    }
    for (const { type, key } of changes) if (type === 'delete') this.#forget(key)
    this.#look(view)
  }

  /** In the end nothing goes on for ever, and what has had its reason for long was done. */
  judgeRest(view: ClusterView): void {
    const { broke, now, count } = this.#parts
    for (const [key, service] of view.services) {
      const policy = policyOf(view, service)
      if (policy?.enable !== true || service.deleting || service.stoppedFrom !== null) continue
      if (isFrozen(view, service.project, service.name) || service.scale === 0) continue
      if (view.tasksOf(key).some((task) => task.finishedAt === null && task.kind !== 'scale')) continue
      count('scaling judged')
      const { scale, name } = service
      if (scale < policy.min || scale > (policy.max ?? scale))
        broke(`${name}: its scale is ${scale}, of ${policy.min} to ${policy.max}`)
      const forMs = now() - (this.#changedAt.get(key) ?? 0)
      if (forMs < 60_000) broke(`${name}: its scale is still changed, ${forMs} ms ago, by a load that stays`)
      const up = policy.triggers.find(
        (one) => one.action === 'increment' && this.#holdsFor(key, one) > actsWithinMs,
      )
      if (up !== undefined && scale < (policy.max ?? scale))
        broke(
          `${name}: ${up.name} has its reason for ${this.#holdsFor(key, up)} ms, and the scale stays ${scale}`,
        )
      const down = policy.triggers.find(
        (one) => one.action === 'decrement' && this.#holdsFor(key, one) > actsWithinMs,
      )
      if (up === undefined && down !== undefined && scale > policy.min && !this.#returns(key, policy, scale))
        broke(
          `${name}: ${down.name} has its reason for ${this.#holdsFor(key, down)} ms, and the scale stays ${scale}`,
        )
    }
  }

  /** For how long a trigger's condition has held without a break, everything being known. */
  #holdsFor(key: ServiceKey, trigger: MetricTrigger): number {
    const seen = this.#seen.get(`${key} ${trigger.name}`) ?? []
    const last = seen.findLastIndex((one) => one.missing > 0 || !holds(trigger, one.value))
    const since = seen[last + 1]?.at
    return since === undefined ? 0 : this.#parts.now() - since
  }

  /** Whether the load that one instance less shares out is nearly one that adds it again. */
  #returns(key: ServiceKey, { triggers }: ScalingPolicy, scale: number): boolean {
    return triggers.some((one) => {
      const value = this.#seen.get(`${key} ${one.name}`)?.at(-1)?.value ?? 0
      return one.action === 'increment' && (value * scale) / Math.max(1, scale - 1) > 0.95 * one.value
    })
  }

  #note(entry: Entry): void {
    const kind = kindOfKey(entry.key)
    if (kind === 'service') {
      const service = decode('service', entry)
      const of = serviceKey(service.project, service.name)
      if (this.#services.get(of)?.scale !== service.scale) this.#scaledAt.set(of, this.#parts.now())
      this.#services.set(of, service)
    } else if (kind === 'task') {
      const task = decode('task', entry)
      this.#tasks.set(entry.key, task)
    } else if (kind === 'scaling') {
      const scaling = decode('scaling', entry)
      this.#scalings.set(serviceKey(scaling.project, scaling.service), scaling)
    }
  }

  #forget(key: string): void {
    const kind = kindOfKey(key)
    if (kind === 'task') this.#tasks.delete(key)
    if (kind !== 'service' && kind !== 'scaling') return
    for (const [of, { project, name }] of this.#services)
      if (key.endsWith(`/${project}/${name}`)) this.#scalings.delete(of)
  }

  /** One change that is told to be by a trigger, or by a bound, with all that was written beside it. */
  #checkScaling(view: ClusterView, key: ServiceKey, message: string, beside: readonly Entry[]): void {
    const { broke, count, now } = this.#parts
    const before = this.#services.get(key)
    const policy = before && policyOf(view, before)
    if (before === undefined || policy === undefined) {
      broke(`${key}: ${message}, and it has no policy`)
      return
    }
    const say = (what: string): void => broke(`${key}: ${what}: ${message}`)
    const to = Number(/ scale \d+ → (\d+)$/.exec(message)?.[1] ?? Number.NaN)
    const trigger = policy.triggers.find(({ name }) => message.startsWith(`${name}: `))
    count(`autoscale ${trigger?.action ?? 'bound'}${Number.isNaN(to) ? ' told' : ''}`)
    const after = beside
      .filter(({ key: one }) => kindOfKey(one) === 'service')
      .map((one) => decode('service', one))
    if (policy.enable !== true && after.length > 0) say('a policy that only tells has changed it')
    if (!Number.isNaN(to)) {
      this.#changedAt.set(key, now())
      if (to < policy.min || to > (policy.max ?? to)) say(`that is outside of ${policy.min} to ${policy.max}`)
      if (trigger !== undefined && Math.abs(to - before.scale) > trigger.instances)
        say('that is more than it asks for')
    }
    this.#checkAlone(before, after, say)
    if (trigger === undefined) return
    this.#checkDelay(key, policy, beside, say)
    this.#checkReason(key, trigger, say)
  }

  /** No rollout ends by it, and nothing else is under way. */
  #checkAlone(before: Service, after: readonly Service[], say: (what: string) => void): void {
    const open = [...this.#tasks.values()].find(
      (task) =>
        task.project === before.project &&
        (task.service === before.name || task.service === '') &&
        task.finishedAt === null &&
        task.kind !== 'scale',
    )
    if (open !== undefined) say(`it is changed beside a ${open.kind}`)
    if (before.deleting || before.stoppedFrom !== null) say('it is changed though it is to stop')
    for (const { current, rollout } of after)
      if (current !== before.current || JSON.stringify(rollout) !== JSON.stringify(before.rollout))
        say('its version, or its rollout, is another with that')
  }

  #checkDelay(
    key: ServiceKey,
    { retriggerDelayMs }: ScalingPolicy,
    beside: readonly Entry[],
    say: (what: string) => void,
  ): void {
    const scaling = beside.find(({ key: one }) => kindOfKey(one) === 'scaling')
    const last = this.#scalings.get(key)
    if (scaling === undefined) {
      say('no record says so')
      return
    }
    if (last === undefined) return
    const passedMs = decode('scaling', scaling).at - last.at
    // A clock that was set back holds nothing up.
    if (passedMs >= 0 && passedMs < retriggerDelayMs) say(`only ${passedMs} ms after the one before`)
  }

  /** In the whole of its window nothing has spoken against it for long, and the programs truly did so. */
  #checkReason(key: ServiceKey, trigger: MetricTrigger, say: (what: string) => void): void {
    const now = this.#parts.now()
    const forMs = now - (this.#scaledAt.get(key) ?? 0)
    if (trigger.action === 'decrement' && forMs < trigger.windowMs - clockMayStrayMs)
      say(`the scale was changed ${forMs} ms before, and its window is ${trigger.windowMs} ms`)
    const ledForMs = now - this.#parts.ledSince()
    if (ledForMs < trigger.windowMs - clockMayStrayMs)
      say(`whoever leads has done so for ${ledForMs} ms, and its window is ${trigger.windowMs} ms`)
    const [from, to] = [now - trigger.windowMs + knownWithinMs, now - knownWithinMs]
    const seen = this.#seen.get(`${key} ${trigger.name}`) ?? []
    let sinceAt: number | null = null
    for (const [n, one] of [...seen, null].entries()) {
      const isMet =
        one === null || (holds(trigger, one.value) && (trigger.action === 'increment' || one.missing === 0))
      if (!isMet) sinceAt ??= seen[n]?.at ?? null
      else if (sinceAt !== null) {
        const overMs = Math.min(to, one?.at ?? now) - Math.max(from, sinceAt)
        if (overMs > overlookedMs) say(`for ${overMs} ms of its window that was not so`)
        sinceAt = null
      }
    }
    if (sinceAt !== null && Math.min(to, now) - Math.max(from, sinceAt) > overlookedMs)
      say('that is not so any more')
    if (describeMetricSource(trigger.source).startsWith('entry.')) return
    const used = this.#parts.loads.coresSince(
      key.slice(key.indexOf('/') + 1),
      now - trigger.windowMs - measuredWithinMs,
    )
    const near = (cores: number): boolean =>
      holds(
        { ...trigger, value: trigger.action === 'increment' ? 0.95 * trigger.value : 1.05 * trigger.value },
        cores,
      )
    if (!used.some(near))
      say(`none of its programs used as much or as little: ${used.map((one) => one.toFixed(2)).join(' ')}`)
  }

  /** Notes what each trigger has to go by now. */
  #look(view: ClusterView): void {
    for (const [key, service] of view.services)
      for (const trigger of policyOf(view, service)?.triggers ?? []) {
        const name = `${key} ${trigger.name}`
        const known = this.#seen.get(name) ?? []
        const next = { at: this.#parts.now(), ...measuredOf(view, key, trigger) }
        const last = known.at(-1)
        if (last?.value === next.value && last.missing === next.missing) continue
        this.#seen.set(name, [...known.slice(-200), next])
      }
  }
}

function policyOf(view: ClusterView, { current }: Service): ScalingPolicy | undefined {
  return view.versions.get(current)?.scaling
}

function holds({ operator, value }: MetricTrigger, measured: number | null): boolean {
  return measured !== null && (operator === '>' ? measured > value : measured < value)
}

/** The average over what is known of the instances that go on, as the machines have told it. */
function measuredOf(
  view: ClusterView,
  key: ServiceKey,
  trigger: MetricTrigger,
): Pick<Seen, 'value' | 'missing'> {
  const there = view.instancesOf(key).filter(({ retired, unit }) => {
    const machine = view.placements.get(unit)?.machine
    return retired === null && (machine === undefined || view.machines.has(machine))
  })
  if (describeMetricSource(trigger.source).startsWith('entry.')) {
    const told = [...view.machines.keys()].flatMap((machine) => view.metrics.get(machine)?.entry?.[key] ?? [])
    const rps = told.reduce((sum, one) => sum + one.rps, 0) / Math.max(1, there.length)
    return { value: told.length === 0 ? null : rps, missing: view.machines.size - told.length }
  }
  const values = there.map(({ unit }) => {
    const machine = view.placements.get(unit)?.machine
    return machine === undefined
      ? null
      : (view.metrics.get(machine)?.values[unit]?.[demandKey(trigger)] ?? null)
  })
  const known = values.filter((value) => value !== null)
  const sum = known.reduce((a, b) => a + b, 0)
  return { value: known.length === 0 ? null : sum / known.length, missing: values.length - known.length }
}

/** What was written together, in its order. */
function byRevision(changes: readonly Change[]): readonly (readonly Entry[])[] {
  const groups = new Map<number, Entry[]>()
  for (const change of changes)
    if (change.type === 'put')
      groups.set(change.entry.modRevision, [...(groups.get(change.entry.modRevision) ?? []), change.entry])
  return [...groups].sort(([a], [b]) => a - b).map(([, entries]) => entries)
}
