// Records as the JSON that callers read (contract §2).

import { shownManifest, triggerUrlBodiesOf } from '../changes/trigger-bodies.js'
import type {
  EventBody,
  InstanceBody,
  MachineBody,
  MachineDetails,
  ServiceBody,
  ServiceDetails,
  TaskBody,
  VersionDetails,
  VersionOfService,
} from '../contract/contract.js'
import { describeWaiting } from '../engine/describe.js'
import type { NeedsOf } from '../engine/state/unit-index.js'
import { isLoopback } from '../lib/loopback.js'
import { type Instant, toIso } from '../lib/time.js'
import type { ClockOffset } from '../model/clock.js'
import type { HistoryEvent } from '../model/event.js'
import { describeTrouble, isCrashLooping, nextTryAt } from '../model/instance-state.js'
import type { Machine, MachineId } from '../model/machine.js'
import type { Instance, InstanceState, Service, ServiceVersion } from '../model/service.js'
import type { Task } from '../model/task.js'
import type { DesiredUnit, Placement, PortBinding, UnitReport } from '../model/unit.js'
import { isChecked } from '../service/assess.js'
import { driftOfInstance, driftOfService } from '../service/drift.js'
import { progressOf } from '../service/progress.js'
import { isFrozen } from '../service/queue.js'
import { stateIn } from '../service/state-in.js'
import { hostnameOf } from '../store/hostname.js'
import { describeUnreadable, unreadableOfUnit } from '../store/unreadable.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import type { Requirements } from '../unit/requirements.js'
import { type Member, statusOf } from './service-status.js'

/** What is shown of records, made for the time of the question or before. */
export interface Bodies {
  readonly instance: (instance: Instance) => InstanceBody
  readonly service: (service: Service) => ServiceBody
}

export function serviceBodyOf(
  view: ClusterView,
  service: Service,
  now: Instant,
  bodyOf: Bodies['instance'] = (instance) => instanceBodyOf(view, instance, now),
): ServiceBody {
  const key = serviceKey(service.project, service.name)
  const all = view.instancesOf(key)
  const live = all.filter((instance) => instance.retired === null)
  const leaving = all
    .filter((one) => one.retired !== null)
    .map((one) => ({ name: one.name, state: stateIn(view, one) }))
  const namesIn = (states: ReadonlySet<InstanceState>): readonly string[] =>
    leaving.filter(({ state }) => states.has(state)).map(({ name }) => name)
  const current = view.versions.get(service.current)
  const members = live.map((instance) => memberOf(view, instance, current, now, bodyOf(instance)))
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
    frozen: isFrozen(view, service.project, service.name),
    autoscaled: current?.scaling?.enable === true,
    ...driftedOr(driftOfService(view, service)),
    ...(service.heldRestart !== undefined && { restartHeld: service.heldRestart.reason }),
    ...statusOf(
      view,
      service,
      members,
      { stopping: namesIn(leavingStates), unseen: namesIn(unseenStates) },
      now,
    ),
  }
}

const leavingStates: ReadonlySet<InstanceState> = new Set(['starting', 'running', 'paused', 'stopping'])
/** On machines that are away nobody knows. */
const unseenStates: ReadonlySet<InstanceState> = new Set(['lost'])

function memberOf(
  view: ClusterView,
  instance: Instance,
  current: ServiceVersion | undefined,
  now: Instant,
  body: InstanceBody,
): Member {
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
  bodies: Bodies,
): ServiceDetails {
  const key = serviceKey(service.project, service.name)
  const current = view.versions.get(service.current)
  const triggerUrls = triggerUrlBodiesOf(view, service, triggerBase)
  return {
    ...bodies.service(service),
    createdAt: toIso(service.createdAt),
    manifest: current === undefined ? '' : shownManifest(current),
    file: current?.file ?? '',
    versions: view.versionsOf(key).map((version) => versionOf(service, version)),
    instances: view.instancesOf(key).map(bodies.instance),
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
    startedAt: startedAtOf(state, report),
    address: addressOf(view, placement, report),
    ports: (placement?.ports ?? []).map(describePort),
    slot: instance.slot ?? null,
    pid: report?.pid ?? null,
    container: report?.containerId ?? null,
    restarts: report?.restarts ?? 0,
    nextTryAt: nextAt === null ? null : toIso(nextAt),
    reason: reasonOf(view, instance, report, now),
    ...driftedOr(driftOfInstance(view, instance)),
  }
}

/** The start of the run that goes on, or of the last one of an instance that has ended. */
function startedAtOf(state: InstanceBody['state'], report: UnitReport | null): string | null {
  if (report === null) return null
  const isOver = state === 'stopping' || state === 'stopped' || state === 'failed'
  const at = state === 'running' ? report.since : isOver ? (report.startedAt ?? null) : null
  return at === null ? null : toIso(at)
}

/** Told where there is something to tell. */
function driftedOr(drifted: readonly string[]): Pick<ServiceBody, 'drifted'> {
  return drifted.length === 0 ? {} : { drifted }
}

/** What shares the network of its machine reports the loopback, which is of no use to those who ask from elsewhere. */
function addressOf(view: ClusterView, placement: Placement | null, report: UnitReport | null): string | null {
  const own = report?.address ?? null
  if (own !== null && !isLoopback(own)) return own
  const machine = placement === null ? undefined : view.machines.get(placement.machine)
  return machine?.outside ?? own ?? machine?.ip ?? null
}

/** `host:container/protocol`, with the address in front where only one is bound. */
export function describePort({ ip, host, container, protocol }: PortBinding): string {
  const address = ip === null ? '' : `${ip.includes(':') ? `[${ip}]` : ip}:`
  return `${address}${host}:${container}/${protocol}`
}

function reasonOf(view: ClusterView, instance: Instance, report: UnitReport | null, now: Instant): string {
  const unreadable = unreadableOfUnit(view, instance.unit)
  if (unreadable.length > 0) return describeUnreadable(unreadable)
  const waiting = view.waiting.get(instance.unit)
  if (waiting !== undefined) {
    return describeWaiting(waiting.refusals, (machine) => hostnameOf(view, machine))
  }
  const down = downOf(view, instance)
  if (down !== null) {
    const stops = instance.retired === null ? '' : ', and stops it when it returns'
    return `its machine ${down} is down${stops}`
  }
  if (report === null) return ''
  if (report.unknownSince === undefined && report.failure === null && report.health === 'unhealthy')
    return report.healthReason ?? 'its checks fail'
  return describeTrouble(report, now)
}

/** The machine of an instance, if it is down. */
function downOf(view: ClusterView, instance: Instance): string | null {
  const machine = view.placements.get(instance.unit)?.machine
  return machine === undefined || view.machines.has(machine) ? null : hostnameOf(view, machine)
}

export function taskBodyOf(view: ClusterView, task: Task, now: Instant): TaskBody {
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
    ...progressOf(view, task, now),
  }
}

export function machineBodyOf(
  view: ClusterView,
  machine: Machine,
  needsOf: (unit: DesiredUnit) => Requirements,
): MachineBody {
  const units = [...view.placedOn(machine.id).keys()].flatMap((name) => view.units.get(name) ?? [])
  const needs = units.filter((unit) => unit.desired === 'launched').map(needsOf)
  const memoryMb = needs.reduce((sum, one) => sum + one.memoryMb, 0)
  const cpus = needs.reduce((sum, one) => sum + one.cpu, 0) / 100
  return {
    id: machine.id,
    hostname: machine.hostname,
    ip: machine.ip,
    metadata: machine.metadata,
    capacity: machine.capacity,
    allocated: { memoryMb, cpus, units: units.length },
    units: units.length,
    cordoned: view.orders.get(machine.id)?.cordoned ?? false,
    draining: view.orders.get(machine.id)?.drain !== undefined,
    drivers: machine.drivers,
    driversAway: machine.driversAway ?? [],
    version: machine.version,
    leader: view.leader?.machine === machine.id,
    clock: clockBodyOf(view.clockOffsets.get(machine.id)),
    certificates: (machine.certificates ?? []).map(({ use, expiresAt }) => ({
      use,
      expiresAt: toIso(expiresAt),
    })),
    secretKeys: secretKeysBodyOf(machine),
    state: machineStateOf(view, machine),
    since: sinceOf(view, machine),
    downSince: downSinceOf(view, machine.id),
    awayUntil: machine.away === undefined ? null : new Date(machine.away.until).toISOString(),
  }
}

/** Since when a machine is up, away or down. */
function sinceOf(view: ClusterView, { id, away, upSince }: Machine): string | null {
  if (!view.machines.has(id)) return downSinceOf(view, id)
  const since = away?.since ?? upSince
  return since === undefined ? null : toIso(since)
}

function downSinceOf({ knownMachines, machines }: ClusterView, id: MachineId): string | null {
  const since = machines.has(id) ? undefined : knownMachines.get(id)?.downSince
  return since === undefined ? null : toIso(since)
}

function secretKeysBodyOf({ secretKeys }: Machine): MachineBody['secretKeys'] {
  if (secretKeys === undefined) return null
  return { fingerprints: secretKeys.fingerprints, problem: secretKeys.problem ?? null }
}

function machineStateOf(view: ClusterView, { id, away }: Machine): MachineBody['state'] {
  if (!view.machines.has(id)) return 'down'
  return away === undefined ? 'up' : 'away'
}

function clockBodyOf(offset: ClockOffset | undefined): MachineBody['clock'] {
  if (offset === undefined) return null
  const { aheadMs, barsLead } = offset
  return { aheadMs, barsLead }
}

export function eventBodyOf(event: HistoryEvent): EventBody {
  return { ...event, at: toIso(event.at), by: event.by ?? null }
}

/** A machine with the units that are placed on it. */
export function machineDetailsOf(view: ClusterView, machine: Machine, needsOf: NeedsOf): MachineDetails {
  const reports = view.reportsOf(machine.id)
  const placed = [...view.placedOn(machine.id).keys()].sort().map((name) => {
    const report = reports.get(name)
    return { name, active: report?.active ?? null, sub: report?.sub ?? null }
  })
  return { ...machineBodyOf(view, machine, needsOf), placed }
}
