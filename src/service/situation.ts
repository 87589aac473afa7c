// What the planner knows of one service, gathered from the view.
import type { UnitOfVersion, VersionUnit } from '../compile/version-unit.js'
import { type ClockJump, noJumps } from '../lib/elapsed.js'
import { eachInSteps, type Steps, toEnd } from '../lib/sliced-work.js'
import type { InstanceSituation } from '../model/instance-state.js'
import type { DrainOrder } from '../model/machine.js'
import type { RunInput } from '../model/run-variables.js'
import type { Service, ServiceVersion } from '../model/service.js'
import type { Task } from '../model/task.js'
import type { UnitName, Waiting } from '../model/unit.js'
import type { VolumeRecord } from '../model/volume.js'
import { type ClusterView, type ServiceKey, serviceKey } from '../store/view.js'
import { parseUnit } from '../unit/parse.js'
import type { UnitReader } from '../unit/reader.js'
import { stopTimeoutOf } from '../unit/stop-timeout.js'
import { type AwaitedService, awaitedBy, type Hold, stoppingFirst } from './awaited.js'
import { isFrozen } from './queue.js'
import { drainMs, entryNewsMs, rememberedMs } from './remembered.js'
import { type RestartDue, restartDueOf } from './restarts.js'
import { calm, type StormGuard } from './storm.js'
import { type Taker, takersIn } from './takers.js'

/** One instance with everything known of it. */
export interface ServiceInstance extends InstanceSituation {
  /** Its version; null when that was removed. */
  readonly version: ServiceVersion | null
  readonly waiting: Waiting | null
  /** Its machine takes nothing new, so that its leaving makes room for nobody. */
  readonly cordoned: boolean
  /** Its machine is being drained, so that it is to be replaced elsewhere; null while it is not. */
  readonly drain: DrainOrder | null
  /** Its unit is to leave its machine. */
  readonly unloading: boolean
  /** The record of its unit is gone, as where an operator removed one that could not be read: it can run nowhere. */
  readonly unitGone: boolean
  /** Some machine still has something of it. */
  readonly reported: boolean
  /** It is to stop, and serves those a moment longer who remember its names. */
  readonly isLeaving: boolean
  /** How long its stop may take; null while it is not to stop, and where its text is not known. */
  readonly stop: StopLimits | null
}

/** How long the stop of an instance may take, infinite where it waits without end. */
interface StopLimits {
  /** As its own version says. */
  readonly ownMs: number
  /** As the version says that is current now. */
  readonly currentMs: number
  /** What its machine is told beside its own text; null for nothing. */
  readonly withinMs: number | null
}

/**
 * Whether some machine takes a unit that waits once these others have left theirs, and does not take it before. Who
 * knows the machines gives the answer; the planner for services asks.
 */
export type MakesRoom = (waiting: UnitName, leaving: readonly UnitName[]) => boolean

/** What finds out about versions and machines for the planner. */
export interface SituationTools {
  readonly unitOf: UnitOfVersion
  readonly makesRoom: MakesRoom
  readonly units: Pick<UnitReader, 'file' | 'needs'>
  /** In a dry run programs never end: a run counts as completed once it has begun. */
  readonly runsEndWell?: true
}

export interface ServiceSituation {
  readonly service: Service
  /** Null where its record is gone, as where an operator removed one that could not be read. */
  readonly current: ServiceVersion | null
  /** Newest first. */
  readonly versions: readonly ServiceVersion[]
  /** What instances of the current version run that are made now. */
  readonly unit: VersionUnit
  /** The same with what one run alone is given. */
  readonly unitWith: (input: RunInput) => VersionUnit
  readonly instances: readonly ServiceInstance[]
  /** Tasks that are not over, oldest first. */
  readonly tasks: readonly Task[]
  /** Nothing of it is to be changed until it is unfrozen. */
  readonly frozen: boolean
  readonly storm: StormGuard
  readonly makesRoom: MakesRoom
  /** For how long others may be sent to a unit after it has left the names; 0 where nobody finds it by one. */
  readonly rememberedMs: (unit: UnitName) => number
  /**
   * The same where the entry has nothing under way for it, if that is less; null where it is not, or no entry leads to it. Left
   * out: null.
   */
  readonly rememberedIdleMs?: (unit: UnitName) => number | null
  /** How often the clock was set that its instants are of, as far as is known. */
  readonly jumps: readonly ClockJump[]
  /** Where the volumes of its slots are, by their keys; absent for none. */
  readonly volumes?: ReadonlyMap<string, VolumeRecord>
  /** For how long this daemon has been connected to the store without a break; for ever where it is left out. */
  readonly connectedForMs?: number
  /** The services that it waits for; absent where it waits for none. */
  readonly awaited?: readonly AwaitedService<ServiceInstance>[] | undefined
  /** What holds it, once that was found out; absent for nothing. */
  readonly hold?: Hold
  /** What it waited for has come, in this pass. */
  readonly comesUp?: true
  /** The services that stop before it does, by name. */
  readonly stopFirst?: readonly string[]
  /** The services that take over what the entry serves for it, while its deletion waits for them; absent otherwise. */
  readonly takers?: readonly Taker<ServiceInstance>[] | undefined
  readonly runsEndWell?: true | undefined
  /** What a change of the metadata is to restart; absent, or null, for nothing. */
  readonly restartDue?: RestartDue | null
}

/** Everything known of a service. */
export function situationOf(
  view: ClusterView,
  service: Service,
  tools: SituationTools,
  storm: StormGuard = calm,
  jumps: readonly ClockJump[] = noJumps,
): ServiceSituation {
  return toEnd(situationSteps(view, service, tools, storm, jumps))
}

/** How many instances are looked at in one step. */
export const instancesAtATime = 500

/** The same a part at a time, of a view that does not change between them. */
export function* situationSteps(
  view: ClusterView,
  service: Service,
  { unitOf, makesRoom, units, runsEndWell }: SituationTools,
  storm: StormGuard = calm,
  jumps: readonly ClockJump[] = noJumps,
): Steps<ServiceSituation> {
  const key = serviceKey(service.project, service.name)
  const current = view.versions.get(service.current) ?? null
  const unit = current === null ? noVersion : unitOf(current, service.uuid, view.metaOf(service.project))
  const tasks = view.tasksOf(key).filter((task) => task.finishedAt === null)
  const instances = yield* withStops(view, yield* known(view, key, service.deleting), unit, units)
  const others = (name: string): readonly ServiceInstance[] =>
    instancesOf(view, serviceKey(service.project, name))
  return {
    service,
    current,
    versions: view.versionsOf(key),
    unit,
    unitWith: (input) =>
      current === null ? noVersion : unitOf(current, service.uuid, view.metaOf(service.project), input),
    instances,
    tasks,
    frozen: isFrozen(view, service.project, service.name),
    storm,
    makesRoom,
    rememberedMs: (name) => Math.max(rememberedByNames(view, name, units), drainOf(view, name)),
    rememberedIdleMs: (name) => {
      const idleMs = Math.max(rememberedByNames(view, name, units), entryNewsMs)
      return idleMs < drainOf(view, name) ? idleMs : null
    },
    jumps,
    volumes: view.volumesOf(key),
    awaited: awaitedBy(view, service, current, others),
    stopFirst: stoppingFirst(view, service, tasks),
    takers: takersIn(view, service.project, tasks, others),
    runsEndWell,
    restartDue: restartDueOf(current, instances, view.metaOf(service.project)),
  }
}

function rememberedByNames(view: ClusterView, name: UnitName, units: Pick<UnitReader, 'needs'>): number {
  const unit = view.units.get(name)
  return unit === undefined || !view.files.has(unit.hash) ? 0 : rememberedMs(unit, units)
}

function drainOf(view: ClusterView, name: UnitName): number {
  const version = view.versions.get(view.instances.get(name)?.version ?? '')
  return version === undefined ? 0 : drainMs(version)
}

/** Why no instances of a service can be made where nobody knows what its current version is. */
export const versionIsGone = 'there is no record of its current version; deploy it again'
const noVersion: VersionUnit = { kind: 'problem', message: versionIsGone }

/** The instances of a service with everything known of them, by number. There may be ten thousand: nothing is looked up twice. */
export function instancesOf(view: ClusterView, key: ServiceKey): readonly ServiceInstance[] {
  return toEnd(known(view, key, false))
}

/** With its service everything goes that runs of it, also what was to run once for somebody. */
function known(view: ClusterView, key: ServiceKey, withOneOffs: boolean): Steps<readonly ServiceInstance[]> {
  let latest: ServiceVersion | null = null
  const versionOf = (uuid: string): ServiceVersion | null => {
    if (latest?.uuid !== uuid) latest = view.versions.get(uuid) ?? null
    return latest
  }
  const all = withOneOffs ? view.allInstancesOf(key) : view.instancesOf(key)
  return eachInSteps(all, instancesAtATime, (instance) => {
    const { unit: name } = instance
    const placement = view.placements.get(name) ?? null
    const order = placement === null ? undefined : view.orders.get(placement.machine)
    const report = placement === null ? null : (view.reportsOf(placement.machine).get(name) ?? null)
    const unit = view.units.get(name)
    return {
      instance,
      placement,
      report,
      machinePresent: placement !== null && view.machines.has(placement.machine),
      version: versionOf(instance.version),
      waiting: view.waiting.size === 0 ? null : (view.waiting.get(name) ?? null),
      cordoned: order?.cordoned === true,
      drain: order?.drain ?? null,
      unloading: unit?.desired === 'inactive',
      unitGone: unit === undefined,
      isLeaving: unit?.stopAfterMs !== undefined && unit.desired === 'loaded',
      reported: report !== null || view.isReported(name),
      stop: null,
    }
  })
}

/** The instances, with how long the stop of each may take that is to stop. */
function withStops(
  view: ClusterView,
  instances: readonly ServiceInstance[],
  current: VersionUnit,
  units: SituationTools['units'],
): Steps<readonly ServiceInstance[]> {
  const timeoutOf = (hash: string): number | null =>
    view.files.has(hash) ? stopTimeoutOf(units.file(hash)) : null
  return eachInSteps(instances, instancesAtATime, (item) => {
    const { instance, unloading } = item
    if (instance.retired === null || instance.retired.kept || unloading) return item
    const unit = view.units.get(instance.unit)
    const ownMs = unit === undefined ? null : timeoutOf(unit.hash)
    const currentMs = current.kind === 'problem' ? null : (timeoutOf(current.hash) ?? timeoutIn(current.text))
    if (unit === undefined || ownMs === null || currentMs === null) return item
    return { ...item, stop: { ownMs, currentMs, withinMs: unit.stopWithinMs ?? null } }
  })
}

function timeoutIn(text: string | null): number | null {
  return text === null ? null : stopTimeoutOf(parseUnit(text).file)
}
