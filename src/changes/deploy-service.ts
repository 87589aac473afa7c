// What a deploy makes of one service: its record, a new version with its unit file, and a task.
import { entryOfManifest } from '../compile/entry.js'
import { scalingOf } from '../compile/scaling.js'
import { slotVolumes, volumeBackups } from '../compile/volumes.js'
import type { DeployedService, DeployRequest } from '../contract/contract.js'
import { elapsedAt } from '../lib/elapsed.js'
import { sha1 } from '../lib/hash.js'
import type { Instant } from '../lib/time.js'
import type { ServiceManifest } from '../manifest/schema.js'
import type { SourcedFile } from '../model/arriving-file.js'
import { routesOfVersion } from '../model/entry.js'
import type { Meta } from '../model/meta.js'
import { madeOf } from '../model/meta-fingerprints.js'
import { defaultDeadlineMs, noFilter, type RolloutOrder } from '../model/order.js'
import { maxScale, type Rollout, type Service, type ServiceVersion } from '../model/service.js'
import { isRollout, type Task } from '../model/task.js'
import { isAsAsked } from '../service/as-asked.js'
import { waitingFirst } from '../service/awaited.js'
import { driftOfService, isMadeOfOthers } from '../service/drift.js'
import { isOpen } from '../service/select.js'
import { instancesOf } from '../service/situation.js'
import { keys, putOf } from '../store/records.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { unitHash } from '../unit/print.js'
import type { Requirements } from '../unit/requirements.js'
import type { PreparedVersion } from './prepare.js'
import { isProblem, type Problem } from './problem.js'
import { pinnedNow } from './resolved-images.js'
import { type Change, changeOf, dataOf, emptyChange, eventOf, refusalOf, taskOf } from './services.js'

export interface MadeVersion {
  readonly service: Service
  readonly version: ServiceVersion
  /** What its instances ask of a machine. */
  readonly needs: Requirements
  readonly madeAt: Instant
  /** Of its template unit. */
  readonly text: string
}

/** One service of a deploy as it is to be. */
export interface DeployedVersion {
  readonly change: Change
  readonly answer: DeployedService
  /** One version, or none where nothing is new. */
  readonly made: readonly MadeVersion[]
}

/** Decides for one service that is valid. */
export function deployService(
  view: ClusterView,
  prepared: PreparedVersion,
  request: DeployRequest,
  now: Instant,
): DeployedVersion | Problem {
  const decided = decideService(view, prepared, request, now)
  if (isProblem(decided)) return decided
  const deployed = withEntry(view, decided)
  if (prepared.existing === null) return deployed
  const drifted = isBeingMadeAnew(view, prepared.existing, deployed.answer)
    ? []
    : driftOfService(view, prepared.existing)
  return drifted.length === 0 ? deployed : { ...deployed, answer: { ...deployed.answer, drifted } }
}

/** With what its answer says of the entry. */
function withEntry(view: ClusterView, deployed: DeployedVersion): DeployedVersion {
  const { made, answer } = deployed
  const version = made[0]?.version ?? view.versions.get(answer.version)
  const hasRoutes = routesOfVersion(version ?? {}).length > 0
  return hasRoutes ? { ...deployed, answer: { ...answer, entry: true } } : deployed
}

/** Whether the rollout that an unchanged deploy follows replaces all that is made of other values. */
function isBeingMadeAnew(view: ClusterView, service: Service, { outcome, task }: DeployedService): boolean {
  const current = view.versions.get(service.current)
  if (outcome !== 'unchanged' || current === undefined || isMadeOfOthers(view, service, current)) return false
  const going = task === null ? undefined : view.tasks.get(task)
  return going !== undefined && isRollout(going) && (going.replacing?.picks ?? null) === null
}

function decideService(
  view: ClusterView,
  prepared: PreparedVersion,
  request: DeployRequest,
  now: Instant,
): DeployedVersion | Problem {
  const { existing, read, project } = prepared
  const { name } = read.manifest
  if (existing === null) return create(view, prepared, request, now)
  const current = view.versions.get(existing.current)
  // Its record is gone, as where an operator removed one that could not be read. The numbers of its instances go on.
  if (current === undefined) return update(view, prepared, existing, request, now)
  const isOther =
    current.sha1 !== sha1(read.text) ||
    !isSame(current.sources ?? [], read.sources) ||
    isMoved(prepared, current, request)
  const isStale = request.refresh === true && isMadeOfOthers(view, existing, current)
  if (isOther || isStale || !isTheSame(current.services ?? {}, prepared.services)) {
    return update(view, prepared, existing, request, now)
  }
  const same = {
    service: name,
    outcome: 'unchanged',
    version: current.uuid,
    ordinal: current.ordinal,
  } as const
  const { scale = existing.scale } = request
  const key = serviceKey(project, name)
  const open = view.tasksOf(key).filter((task) => task.finishedAt === null)
  const running = open.find(isRollout)
  const isCanary = request.canary !== undefined
  const nothing: Change = { ...emptyChange, seen: [keys.service(project, name)] }
  if (
    scale === existing.scale &&
    (isCanary || (running !== undefined && isTheSameRollout(running, existing, request)))
  ) {
    return { change: nothing, answer: { ...same, task: running?.uuid ?? null }, made: [] }
  }
  if (scale === existing.scale && isAsAsked(existing, instancesOf(view, key), open, elapsedAt(now))) {
    return { change: nothing, answer: { ...same, task: null }, made: [] }
  }
  // What failed is tried anew: a rollout of the same version forgets its failures.
  const change = changeOf(view, existing, rolloutOrder(request, current.uuid), 'deploy', now)
  if (isProblem(change)) return change
  return { change, answer: { ...same, task: change.tasks[0]?.uuid ?? null }, made: [] }
}

/** Whether the tag of its image means other bits by now than in the version that is current, where that is asked. */
function isMoved(
  { read, pinned }: PreparedVersion,
  current: ServiceVersion,
  { refresh }: DeployRequest,
): boolean {
  return refresh === true && pinned !== null && pinned !== pinnedNow(current, read.manifest)
}

/** Whether what it takes of its directory is what it was. */
function isSame(before: readonly SourcedFile[], now: readonly SourcedFile[]): boolean {
  return JSON.stringify(before) === JSON.stringify(now)
}

/** Whether the services that its templates ask for are what they were. */
function isTheSame(before: PreparedVersion['services'], now: PreparedVersion['services']): boolean {
  return JSON.stringify(before) === JSON.stringify(now)
}

/**
 * Whether a rollout that is not over does what a deploy of the current version asks for, so that a deploy which is repeated
 * follows the first. One of some instances only does not, nor one that is done in another way than this one asks for.
 */
function isTheSameRollout({ order, replacing }: Task, { rollout }: Service, request: DeployRequest): boolean {
  const goesOn = (rolling: number | null, deadlineMs: number): boolean =>
    (request.rolling ?? rolling) === rolling && (request.deadlineMs ?? deadlineMs) === deadlineMs
  if (order !== null) {
    const isWhole = order.kind === 'rollout' && order.count === null && isOpen(order.filter)
    return isWhole && goesOn(order.rolling, order.deadlineMs)
  }
  const isWhole = typeof rollout?.replaces === 'string' && (replacing?.picks ?? null) === null
  return rollout !== null && isWhole && goesOn(rollout.parallel, rollout.deadlineMs)
}

function rolloutOrder(request: DeployRequest, version: string): RolloutOrder {
  return {
    kind: 'rollout',
    version,
    scale: request.scale ?? null,
    rolling: request.rolling ?? null,
    count: request.canary ?? null,
    filter: noFilter,
    deadlineMs: request.deadlineMs ?? defaultDeadlineMs,
    autoRevert: request.autoRevert ?? false,
  }
}

function create(
  view: ClusterView,
  prepared: PreparedVersion,
  request: DeployRequest,
  now: Instant,
): DeployedVersion | Problem {
  const { read, project, ids } = prepared
  const { manifest } = read
  const { name } = manifest
  const problem = refusalOf(view, project, name, null) ?? newServiceProblem(prepared, request)
  if (problem !== null) return problem
  const left = lastLeft(view, project, name)
  const service: Service = {
    uuid: ids.service,
    project,
    name,
    type: manifest.service_type,
    // A continuous service starts at scale 1 when it is defined; others do not start by themselves (contract §3).
    scale: manifest.service_type === 'continuous' ? (request.scale ?? 1) : 0,
    stoppedFrom: null,
    current: ids.version,
    lastOrdinal: ids.ordinal,
    lastInstance: left,
    createdAt: now,
    starts: 0,
    stopping: null,
    deleting: false,
    rollout: manifest.service_type === 'continuous' ? firstRollout(request, left, now) : null,
    failures: null,
    blocked: null,
    ...waitingFirst(manifest),
    releasedAt: null,
  }
  const task = taskOf(service, 'deploy', null, now)
  const change: Change = {
    decidedOn: [keys.freezes(project)],
    ops: [putOf('service', service)],
    events: [
      {
        ...eventOf(service, 'deploy', `${name} is created at version 1`),
        data: dataOf(task, service, service),
      },
    ],
    tasks: [task],
  }
  return withVersion(change, service, prepared, versionOf(prepared, view.metaOf(project), now), 'created')
}

/** The highest number of what is left of a service whose record is gone, as where an operator removed it; 0 of a new one. */
function lastLeft(view: ClusterView, project: string, name: string): number {
  return Math.max(0, ...view.allInstancesOf(serviceKey(project, name)).map(({ n }) => n))
}

/** It replaces what is `left` of a service of before; what it makes has its time as in any other. */
function firstRollout({ deadlineMs }: DeployRequest, left: number, now: Instant): Rollout {
  return {
    parallel: 1,
    startedAt: now,
    after: left,
    replaces: 'other-versions',
    deadlineMs: deadlineMs ?? defaultDeadlineMs,
    revertTo: null,
  }
}

function newServiceProblem({ read }: PreparedVersion, request: DeployRequest): Problem | null {
  const { name, service_type } = read.manifest
  if (request.canary !== undefined) {
    const message = `${name} is new: it has no instances to replace`
    return { status: 400, code: 'service/bad-count', message }
  }
  const { scale } = request
  if (scale === undefined || (scale <= maxScale && service_type === 'continuous')) return null
  const why = scale > maxScale ? `${maxScale} is the most` : 'only continuous services have a scale'
  return {
    status: 400,
    code: 'service/bad-scale',
    message: `${name} cannot have the scale ${scale}: ${why}`,
  }
}

function update(
  view: ClusterView,
  prepared: PreparedVersion,
  existing: Service,
  request: DeployRequest,
  now: Instant,
): DeployedVersion | Problem {
  const problem = typeProblem(existing, prepared.read.manifest)
  if (problem !== null) return problem
  const version = versionOf(prepared, view.metaOf(existing.project), now)
  const order = rolloutOrder(request, version.uuid)
  const record = { ...existing, lastOrdinal: version.ordinal }
  const change = changeOf(view, existing, order, 'deploy', now, { version, record })
  return isProblem(change) ? change : withVersion(change, existing, prepared, version, 'updated')
}

/** What is kept running has a scale, what runs once has starts: neither could take over what the other has running. */
function typeProblem({ name, type }: Service, { service_type }: ServiceManifest): Problem | null {
  if ((type === 'continuous') === (service_type === 'continuous')) return null
  return {
    status: 409,
    code: 'deploy/other-type',
    message: `${name} is a service of the type ${type}, and cannot be changed to the type ${service_type}`,
    hint: `deploy it under another name, or delete it first: mariposa service delete ${name}`,
  }
}

function withVersion(
  change: Change,
  service: Service,
  { compiled, needs }: PreparedVersion,
  version: ServiceVersion,
  outcome: 'created' | 'updated',
): DeployedVersion {
  const file = { hash: version.hash, text: compiled.text }
  return {
    change: { ...change, ops: [...change.ops, putOf('version', version), putOf('file', file)] },
    answer: {
      service: version.service,
      outcome,
      version: version.uuid,
      ordinal: version.ordinal,
      task: change.tasks[0]?.uuid ?? null,
    },
    made: [
      {
        service,
        version,
        needs,
        madeAt: version.createdAt,
        text: compiled.text,
      },
    ],
  }
}

function versionOf(
  { read, compiled, pinned, project, ids, scale, services }: PreparedVersion,
  meta: ReadonlyMap<string, Meta>,
  now: Instant,
): ServiceVersion {
  const { manifest } = read
  // What is a secret is opened when it is used, and is then what it is by then.
  const settled = read.serviceMeta.filter((key) => meta.get(key)?.secret !== true)
  return {
    uuid: ids.version,
    project,
    service: manifest.name,
    ordinal: ids.ordinal,
    createdAt: now,
    sha1: sha1(read.text),
    type: manifest.service_type,
    text: read.text,
    file: read.file,
    image: manifest.image ?? [...(manifest.entrypoint ?? []), ...(manifest.command ?? [])][0] ?? '',
    ...(pinned !== null && { pinned }),
    template: compiled.template,
    hash: unitHash(compiled.text),
    meta: read.meta,
    ...(settled.length > 0 && { madeOf: madeOf(settled, meta) }),
    ...(Object.keys(read.restartOn).length > 0 && { restartOn: read.restartOn }),
    ...(Object.keys(services).length > 0 && { services }),
    scale,
    preserve: manifest.stop.preservestopped,
    checked: (manifest.healthchecks?.length ?? 0) > 0,
    ...(compiled.schedule !== null && { schedule: compiled.schedule }),
    ...(compiled.webhooks.length > 0 && { webhooks: compiled.webhooks }),
    ...scalingOf(manifest),
    ...entryOfManifest(manifest),
    ...(compiled.triggerUrls.length > 0 && { triggerUrls: compiled.triggerUrls }),
    ...(manifest.concurrency !== undefined && { concurrency: manifest.concurrency }),
    ...(manifest.timeout !== undefined && { runTimeoutMs: manifest.timeout * 1000 }),
    ...(manifest.after !== undefined && manifest.after.length > 0 && { after: manifest.after }),
    ...(read.sources.length > 0 && { sources: read.sources }),
    ...(slotVolumes(manifest).length > 0 && { slotVolumes: slotVolumes(manifest) }),
    ...(volumeBackups(manifest).length > 0 && { volumeBackups: volumeBackups(manifest) }),
  }
}
