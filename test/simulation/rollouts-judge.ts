// What has to hold of rollouts: one that is said to be done left nothing of before, nothing that serves goes for what fits
// nowhere, and none is over for its deadline whose instances were up in time before anybody could hear of it.
import type { Instance } from '../../src/model/service.js'
import type { Task } from '../../src/model/task.js'
import type { UnitName } from '../../src/model/unit.js'
import { kindOfKey } from '../../src/store/records.js'
import type { Change } from '../../src/store/store.js'
import { type ClusterView, serviceKey } from '../../src/store/view.js'
import { neededMb } from './memory.js'
import { placeOf } from './places.js'
import { isSlotHeld } from './records-judge.js'

export interface RolloutsParts {
  readonly now: () => number
  /** For how long an instance has done its work without a break; 0 where it does not. */
  readonly servesForMs: (instance: string) => number
  /** The last time when nobody could hear of anything. */
  readonly withoutLeader: () => { readonly from: number; readonly to: number }
  /** No clock is ever set. */
  readonly isOneClock: boolean
  readonly broke: (what: string) => void
  readonly count: (what: string) => void
}

/** What serves for no longer than that may not be known to. */
const hearsWithinMs = 10_000
/** What is decided takes effect within so long. */
const decidesWithinMs = 5000
/** That the store was away for so long every daemon has noticed. */
const noticedMs = 15_000
/** Nobody is late before everybody has had at least so long to be heard again. */
const heardAgainMs = 10_000

export class RolloutsJudge {
  readonly #parts: RolloutsParts
  /** Tasks that were seen as done. */
  readonly #done = new Set<string>()
  /** When tasks were seen first, as time goes by. */
  readonly #begunAt = new Map<string, number>()
  /** Tasks that were seen as failed. */
  readonly #failed = new Set<string>()
  #placed: ReadonlySet<UnitName> = new Set()
  /** When units were last seen to have a place. */
  readonly #placedAt = new Map<UnitName, number>()
  /** Instances that were seen as ones that are to stop for good. */
  readonly #retired = new Set<string>()

  constructor(parts: RolloutsParts) {
    this.#parts = parts
  }

  /** Looks at what has changed, with the view as it is with that. */
  look(view: ClusterView, changes: readonly Change[]): void {
    const kinds = new Set(changes.map(({ key }) => kindOfKey(key)))
    if (kinds.has('task')) this.#lookAtTasks(view)
    if (kinds.has('placement')) this.#notePlaces(view)
    if (kinds.has('instance')) this.#lookAtInstances(view)
  }

  /** Whether an instance has a place, or had it a moment ago. */
  #wasPlaced({ unit }: Instance): boolean {
    return this.#parts.now() - (this.#placedAt.get(unit) ?? 0) <= decidesWithinMs
  }

  #notePlaces(view: ClusterView): void {
    const now = this.#parts.now()
    for (const unit of this.#placed) this.#placedAt.set(unit, now)
    this.#placed = new Set(view.placements.keys())
    for (const unit of this.#placed) this.#placedAt.set(unit, Number.POSITIVE_INFINITY)
  }

  #lookAtTasks(view: ClusterView): void {
    for (const task of view.tasks.values()) {
      if (!this.#begunAt.has(task.uuid)) this.#begunAt.set(task.uuid, this.#parts.now())
      if (task.state === 'failed' && !this.#failed.has(task.uuid)) {
        this.#failed.add(task.uuid)
        this.#checkLate(view, task)
      }
      if (task.state !== 'completed' || this.#done.has(task.uuid)) continue
      this.#done.add(task.uuid)
      if (task.kind === 'deploy' || task.kind === 'revert') this.#checkDone(view, task)
    }
  }

  /** What was up in time, while the store was away, is not called late as soon as that is back. */
  #checkLate(view: ClusterView, { uuid, service, error }: Task): void {
    const { now, servesForMs, withoutLeader, isOneClock, broke, count } = this.#parts
    const { from, to } = withoutLeader()
    const [, name, seconds] = /^(\S+): it was not up after ([\d.]+) s/.exec(error ?? '') ?? []
    const instance = [...view.instances.values()].find((one) => one.name === name)
    if (!isOneClock || instance === undefined || to - from < noticedMs) return
    count('deadline after an outage')
    const dueAt = (this.#begunAt.get(uuid) ?? now()) + 1000 * Number(seconds)
    const servesSince = now() - servesForMs(instance.uuid)
    if (servesSince < Math.min(dueAt, to) && now() - to < heardAgainMs)
      broke(`${service}: ${name} is late, ${now() - to} ms after the store was away, and was up in time`)
  }

  #checkDone(view: ClusterView, { project, service: name, kind, replacing }: Task): void {
    const service = view.services.get(serviceKey(project, name))
    // A canary is about as many as it has picked.
    if (service?.type !== 'continuous' || (replacing?.picks ?? null) !== null) return
    const left = instancesOf(view, name).filter(({ version }) => version !== service.current)
    if (left.length > 0)
      this.#parts.broke(`${name}: a ${kind} is done, and ${left[0]?.name} is of another version`)
  }

  #lookAtInstances(view: ClusterView): void {
    const { servesForMs, broke } = this.#parts
    for (const { name, uuid, unit, project, service, slot, retired } of view.instances.values()) {
      if (retired === null || this.#retired.has(uuid)) continue
      this.#retired.add(uuid)
      if (retired.cause !== 'replaced' || servesForMs(uuid) <= hearsWithinMs) continue
      const known = view.services.get(serviceKey(project, service))
      // Its volumes move to another machine.
      if (isSlotHeld(view, service, slot)) continue
      const current = known?.current ?? ''
      const anew = instancesOf(view, service).filter(({ version }) => version === current)
      const [next] = anew
      if (next === undefined || next.unit === unit || fitsSomewhere(view, next)) continue
      // One that has its place, or had it when that was decided, has fitted: since then its machine was given another zone.
      if (anew.some((one) => this.#wasPlaced(one))) continue
      broke(`${name} served and had to go for ${next.name}, which fits on no machine`)
    }
  }
}

/** The instances of a service that are to go on. */
function instancesOf(view: ClusterView, name: string): readonly Instance[] {
  return [...view.instances.values()].filter(({ service, retired }) => service === name && retired === null)
}

/** Whether an instance would fit on a machine on which nothing else is. */
function fitsSomewhere(view: ClusterView, { unit }: Instance): boolean {
  const needed = neededMb(view, unit)
  const { zone } = placeOf(view, unit)
  if (view.machines.size === 0) return true
  const machines = [...view.machines.values()].filter(
    ({ metadata }) => zone === null || metadata['zone'] === zone,
  )
  return machines.some(({ capacity }) => (capacity.memoryMb ?? needed) >= needed)
}
