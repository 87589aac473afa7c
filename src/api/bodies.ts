// Records as the JSON that callers read (contract §2).

import { describeWaiting } from '../engine/describe.js'
import { isLoopback } from '../lib/loopback.js'
import { type Instant, toIso } from '../lib/time.js'
import type { HistoryEvent } from '../model/event.js'
import { describeTrouble, instanceStateOf, isCrashLooping, nextTryAt } from '../model/instance-state.js'
import type { Machine } from '../model/machine.js'
import type { Instance, InstanceState, Service, ServiceVersion } from '../model/service.js'
import type { Task } from '../model/task.js'
import type { DesiredUnit, Placement, PortBinding, UnitReport } from '../model/unit.js'
import { isChecked, isToBeReplaced, settleMs } from '../service/assess.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import type { Requirements } from '../unit/requirements.js'
import type {
  EventBody,
  InstanceBody,
  MachineBody,
  ServiceBody,
  ServiceDetails,
  TaskBody,
  VersionDetails,
  VersionOfService,
} from './contract.js'
import { type Member, statusOf } from './service-status.js'
import { shownManifest, triggerUrlBodiesOf } from './trigger-bodies.js'

export function serviceBodyOf(view: ClusterView, service: Service, now: Instant): ServiceBody {
  const key = serviceKey(service.project, service.name)
  const all = view.instancesOf(key)
  const live = all.filter((instance) => instance.retired === null)
  const leaving = all.filter((one) => one.retired !== null && leavingStates.has(stateIn(view, one)))
  const current = view.versions.get(service.current)
  const members = live.map((instance) => memberOf(view, instance, current, now))
  return {
    name: service.name,
    uuid: service.uuid,
    project: service.project,
    type: service.type,
    scale: service.type === 'continuous' ? service.scale : live.length,
    running: members.filter(({ body }) => body.state === 'running').length,
    healthy: members.filter((member) => member.healthy).length,
    version: service.current,
    ordinal: current?.ordinal ?? service.lastOrdinal,
    image: current?.image ?? '',
    ...statusOf(
      view,
      service,
      members,
      leaving.map(({ name }) => name),
      now,
    ),
  }
}

/** On machines that are away nobody knows. */
const leavingStates: ReadonlySet<InstanceState> = new Set(['starting', 'running', 'stopping'])

function memberOf(
  view: ClusterView,
  instance: Instance,
  current: ServiceVersion | undefined,
  now: Instant,
): Member {
  const body = instanceBodyOf(view, instance, now)
  const report = view.reportOf(instance.unit)
  return {
    body,
    healthy: body.state === 'running' && isHealthy(body, isChecked(current, report)),
    crashing: report !== null && isCrashLooping(report, now),
  }
}

/** Where nothing is checked, running is what counts. */
function isHealthy(body: InstanceBody, checked: boolean): boolean {
  return body.health === 'healthy' || (!checked && body.health !== 'unhealthy')
}

/** `triggerBase`: where we serve trigger URLs; null where we do not. */
export function serviceDetailsOf(
  view: ClusterView,
  service: Service,
  triggerBase: string | null,
  now: Instant,
): ServiceDetails {
  const key = serviceKey(service.project, service.name)
  const current = view.versions.get(service.current)
  const triggerUrls = triggerUrlBodiesOf(view, service, triggerBase)
  return {
    ...serviceBodyOf(view, service, now),
    createdAt: toIso(service.createdAt),
    manifest: current === undefined ? '' : shownManifest(current),
    file: current?.file ?? '',
    versions: view.versionsOf(key).map((version) => versionOf(service, version)),
    instances: view.instancesOf(key).map((instance) => instanceBodyOf(view, instance, now)),
    ...(triggerUrls.length > 0 && { triggerUrls }),
  }
}

export function versionDetailsOf(view: ClusterView, version: ServiceVersion): VersionDetails {
  const { project, service: name, image, pinned = null, file } = version
  const key = serviceKey(project, name)
  const current = view.services.get(key)?.current === version.uuid
  const live = view.instancesOf(key).filter((one) => one.retired === null && one.version === version.uuid)
  return {
    ...versionBodyOf(version, current),
    service: name,
    project,
    image,
    pinned,
    file,
    manifest: shownManifest(version),
    instances: live.length,
  }
}

export function versionOf(service: Service, version: ServiceVersion): VersionOfService {
  return versionBodyOf(version, version.uuid === service.current)
}

function versionBodyOf(
  { uuid, ordinal, createdAt, sha1 }: ServiceVersion,
  current: boolean,
): VersionOfService {
  return { uuid, ordinal, current, createdAt: toIso(createdAt), sha1 }
}

export function instanceBodyOf(view: ClusterView, instance: Instance, now: Instant): InstanceBody {
  const placement = view.placements.get(instance.unit) ?? null
  const report = view.reportOf(instance.unit)
  const state = stateIn(view, instance)
  const nextAt = report === null || state === 'lost' ? null : nextTryAt(report, now)
  return {
    name: instance.name,
    uuid: instance.uuid,
    service: instance.service,
    project: instance.project,
    version: instance.version,
    ordinal: instance.ordinal,
    unit: instance.unit,
    machine: placement?.machine ?? null,
    state,
    health: report?.unknownSince === undefined ? (report?.health ?? 'unknown') : 'unknown',
    createdAt: toIso(instance.createdAt),
    startedAt: state === 'running' && report?.since != null ? toIso(report.since) : null,
    address: addressOf(view, placement, report),
    ports: (placement?.ports ?? []).map(describePort),
    pid: report?.pid ?? null,
    container: report?.containerId ?? null,
    restarts: report?.restarts ?? 0,
    nextTryAt: nextAt === null ? null : toIso(nextAt),
    reason: reasonOf(view, instance, report, now),
  }
}

/** What shares the network of its machine reports the loopback, which is of no use to those who ask from elsewhere. */
function addressOf(view: ClusterView, placement: Placement | null, report: UnitReport | null): string | null {
  const own = report?.address ?? null
  if (own !== null && !isLoopback(own)) return own
  const machine = placement === null ? undefined : view.machines.get(placement.machine)
  return machine?.outside ?? own ?? machine?.ip ?? null
}

/** Where an instance is in its life. */
export function stateIn(view: ClusterView, instance: Instance): InstanceState {
  const placement = view.placements.get(instance.unit) ?? null
  const machinePresent = placement !== null && view.machines.has(placement.machine)
  return instanceStateOf({ instance, placement, report: view.reportOf(instance.unit), machinePresent })
}

/** `host:container/protocol`, with the address in front where only one is bound. */
export function describePort({ ip, host, container, protocol }: PortBinding): string {
  const address = ip === null ? '' : `${ip.includes(':') ? `[${ip}]` : ip}:`
  return `${address}${host}:${container}/${protocol}`
}

/**
 * Whose last lines tell why a task failed: the one that its error names, and where that names none, those that were
 * made since it began.
 */
export function failedOf(task: Task, instances: readonly Instance[]): readonly Instance[] {
  const error = task.error ?? ''
  const named = instances.filter(
    ({ name }) => error.startsWith(name) && /^[ :]/.test(error.slice(name.length)),
  )
  return named.length > 0 ? named : instances.filter(({ createdAt }) => createdAt >= task.createdAt)
}

function reasonOf(view: ClusterView, instance: Instance, report: UnitReport | null, now: Instant): string {
  const waiting = view.waiting.get(instance.unit)
  if (waiting !== undefined) {
    return describeWaiting(waiting.refusals, (machine) => {
      return view.machines.get(machine)?.hostname ?? machine.slice(0, 8)
    })
  }
  if (report === null) return ''
  if (report.unknownSince === undefined && report.failure === null && report.health === 'unhealthy')
    return report.healthReason ?? 'its checks fail'
  return describeTrouble(report, now)
}

export function taskBodyOf(task: Task): TaskBody {
  return {
    uuid: task.uuid,
    scope: task.service === '' ? task.project : `${task.project}/${task.service}`,
    task: task.kind,
    state: task.state,
    target: task.target,
    createdAt: toIso(task.createdAt),
    finishedAt: task.finishedAt === null ? null : toIso(task.finishedAt),
    error: task.error,
    by: task.by,
  }
}

export function machineBodyOf(
  view: ClusterView,
  machine: Machine,
  needsOf: (unit: DesiredUnit) => Requirements,
): MachineBody {
  const units = [...view.placedOn(machine.id).keys()].flatMap((name) => view.units.get(name) ?? [])
  const memoryMb = units
    .filter((unit) => unit.desired === 'launched')
    .reduce((sum, unit) => sum + needsOf(unit).memoryMb, 0)
  return {
    id: machine.id,
    hostname: machine.hostname,
    ip: machine.ip,
    metadata: machine.metadata,
    capacity: machine.capacity,
    allocated: { memoryMb, units: units.length },
    units: units.length,
    cordoned: view.orders.get(machine.id)?.cordoned ?? false,
    draining: view.orders.get(machine.id)?.drain !== undefined,
    drivers: machine.drivers,
    driversAway: machine.driversAway ?? [],
    version: machine.version,
    leader: view.leader?.machine === machine.id,
    awayUntil: machine.away === undefined ? null : new Date(machine.away.until).toISOString(),
  }
}

export function eventBodyOf(event: HistoryEvent): EventBody {
  return { ...event, at: toIso(event.at), by: event.by ?? null }
}

/** How many instances of a service are as its task wants them, of how many; for progress. */
export function progressOf(
  view: ClusterView,
  task: Task,
  now: number,
): { readonly done: number; readonly total: number } {
  const key = serviceKey(task.project, task.service)
  const service = view.services.get(key)
  const instances = view.instancesOf(key)
  const live = instances.filter((one) => one.retired === null)
  const scale = service?.type === 'continuous' ? service.scale : live.length
  if (service === undefined || service.deleting || scale === 0) {
    const left = instances.filter((one) => one.retired?.kept !== true)
    return { done: left.length === 0 ? 1 : 0, total: 1 }
  }
  const outdated = outdatedOf(service, live)
  const up = live.filter((one) => !outdated.has(one) && isUp(view, one, now)).length
  const total = isRollout(task) ? sizeOf(service, live, task) : scale
  const left = isRollout(task) ? scale - total : 0
  return { done: Math.max(0, Math.min(up - left, total)), total }
}

function isRollout({ kind }: Task): boolean {
  return kind === 'deploy' || kind === 'revert' || kind === 'reprovision'
}

/** How many instances a rollout is about: those that it picked, or all. */
function sizeOf({ rollout, scale }: Service, live: readonly Instance[], task: Task): number {
  if (rollout !== null && Array.isArray(rollout.replaces)) return Math.min(scale, rollout.replaces.length)
  if (rollout !== null) return scale
  const made = live.filter((one) => one.createdAt >= task.createdAt).length
  return Math.min(scale, Math.max(1, made))
}

function outdatedOf({ rollout, current }: Service, live: readonly Instance[]): ReadonlySet<Instance> {
  if (rollout === null) return new Set()
  return new Set(live.filter((one) => isToBeReplaced(one, rollout, current)))
}

function isUp(view: ClusterView, instance: Instance, now: number): boolean {
  const report = view.reportOf(instance.unit)
  if (report?.active !== 'active') return false
  const checked = isChecked(view.versions.get(instance.version), report)
  return checked ? report.health === 'healthy' : (report.since ?? now) + settleMs <= now
}
