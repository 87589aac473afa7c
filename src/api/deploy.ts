// What a deploy changes, as one transaction: for each service its record, a new version, its unit file and a task.
import { scalingOf } from '../compile/scaling.js'
import { elapsedAt } from '../lib/elapsed.js'
import type { Instant } from '../lib/time.js'
import type { ManifestSettings } from '../manifest/settings.js'
import { type Diagnostic, hasErrors } from '../model/diagnostic.js'
import type { ImageMeanings } from '../model/image.js'
import { defaultDeadlineMs, noFilter, type RolloutOrder } from '../model/order.js'
import type { Rollout, Service, ServiceVersion } from '../model/service.js'
import { isRollout } from '../model/task.js'
import { isAsAsked } from '../service/as-asked.js'
import { maxScale } from '../service/orders.js'
import { instancesOf } from '../service/situation.js'
import { keys, putOf } from '../store/records.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { parseUnit } from '../unit/parse.js'
import { unitHash } from '../unit/print.js'
import { type Requirements, requirementsOf } from '../unit/requirements.js'
import { type Change, changeOf, dataOf, emptyChange, eventOf, merged, refusalOf, taskOf } from './changes.js'
import type {
  CompileResponse,
  DeployedService,
  DeployRequest,
  DeployResponse,
  SourceFile,
} from './contract.js'
import { imageWarning, pinnedNow, taggedImage, unresolved } from './image-meanings.js'
import { type PreparedVersion, prepare } from './prepare.js'
import { previousProblem } from './previous.js'
import { isProblem, noSuchService, type Problem } from './problem.js'
import { projectOps } from './projects.js'
import { pruneOthers, pruneProblem } from './prune.js'

export interface Deploy extends Change {
  readonly response: DeployResponse
  /** The versions that it makes, each with its service as it is then. */
  readonly made: readonly MadeVersion[]
  /** Images named by a tag whose meaning decides what it does: those of new versions, and of all that it refreshes. */
  readonly tagged: readonly string[]
  /** What images were pinned to and are by now, by the names of services that it refreshes. */
  readonly refreshed: ReadonlyMap<string, PinChange>
}

/** What the tag of an image meant in the current version, and what it means now; null where nobody knows or knew. */
export interface PinChange {
  readonly from: string | null
  readonly to: string | null
}

export interface MadeVersion {
  readonly service: Service
  readonly version: ServiceVersion
  /** What its instances ask of a machine. */
  readonly needs: Requirements
  readonly madeAt: Instant
}

/**
 * Decides a deploy: every service of the request is valid and changed as one, or none is. What its images mean has been
 * found out before; null: nobody was asked, and nothing is said of it.
 */
export function decideDeploy(
  view: ClusterView,
  settings: ManifestSettings,
  project: string,
  request: DeployRequest,
  now: Instant,
  meanings: ImageMeanings | null = null,
): Deploy | Problem {
  const prepared = prepare(view, settings, project, request, now, meanings)
  if (hasErrors(prepared.diagnostics)) return invalid(prepared.diagnostics)
  const guards = [
    pruneProblem(request),
    ...prepared.versions.map((one) => guardProblem(view, one, request)),
    request.refresh === true
      ? unresolved(
          prepared.versions.map(({ read }) => read.manifest),
          meanings,
        )
      : null,
  ]
  const refusal = guards.find((one) => one !== null)
  if (refusal != null) return refusal
  const deployed: Deployed[] = []
  for (const one of prepared.versions) {
    const outcome = deployOne(view, one, request, now)
    if (isProblem(outcome)) return outcome
    deployed.push(outcome)
  }
  const named = deployed.map(({ answer }) => answer.service)
  const removed = request.prune === true ? pruneOthers(view, project, named, now) : []
  if (isProblem(removed)) return removed
  const all = [...deployed, ...removed]
  const changed = prepared.versions.filter((_one, n) => deployed[n]?.made.length === 1)
  const ofImages = changed.flatMap(({ read }) => imageWarning(view, read, meanings))
  const ofProject = { ...emptyChange, ops: projectOps(view, project, prepared.tags, now) }
  return {
    ...merged([...all.map((one) => one.change), ofProject]),
    response: { services: all.map((one) => one.answer), warnings: [...prepared.diagnostics, ...ofImages] },
    made: deployed.flatMap((one) => one.made),
    tagged: prepared.versions.flatMap((one, n) =>
      request.refresh === true || deployed[n]?.made.length === 1
        ? (taggedImage(one.read.manifest) ?? [])
        : [],
    ),
    refreshed: new Map(
      request.refresh === true ? prepared.versions.flatMap((one) => pinChange(view, one)) : [],
    ),
  }
}

function pinChange(
  view: ClusterView,
  { read, existing, pinned }: PreparedVersion,
): readonly (readonly [string, PinChange])[] {
  const current = view.versions.get(existing?.current ?? '')
  if (current === undefined || taggedImage(read.manifest) === null) return []
  return [[read.manifest.name, { from: pinnedNow(current, read.manifest), to: pinned }]]
}

/** The units that manifests compile to as things are; changes nothing. */
export function compileSources(
  view: ClusterView,
  settings: ManifestSettings,
  project: string,
  sources: readonly SourceFile[],
): CompileResponse | Problem {
  const { versions, diagnostics } = prepare(view, settings, project, { sources }, 0, null)
  if (hasErrors(diagnostics)) return invalid(diagnostics)
  return {
    services: versions.map(({ read, compiled }) => ({
      service: read.manifest.name,
      unit: compiled.template,
      text: compiled.text,
      manifest: read.manifest,
    })),
    warnings: diagnostics,
  }
}

function invalid(diagnostics: readonly Diagnostic[]): Problem {
  const count = diagnostics.filter((one) => one.severity === 'error').length
  const message = count === 1 ? 'the manifest has a problem' : `the manifest has ${count} problems`
  return {
    status: 422,
    code: 'manifest/invalid',
    message: `${message}; nothing was changed`,
    details: diagnostics,
  }
}

/** Why a deploy does not go with what it expects to find; null if nothing speaks against it. */
function guardProblem(
  view: ClusterView,
  { existing, read, project }: PreparedVersion,
  request: DeployRequest,
): Problem | null {
  const { name } = read.manifest
  if (request.service !== undefined && request.service !== name) {
    return {
      status: 400,
      code: 'service/other-name',
      message: `the manifest is for the service ${name}, not for ${request.service}`,
      hint: 'one manifest, whose name is the one given or that has none',
    }
  }
  if (request.only === 'new' && existing !== null) {
    return {
      status: 409,
      code: 'service/exists',
      message: `there is a service ${name} already`,
      hint: `mariposa service update ${name} FILE, or service deploy FILE`,
    }
  }
  if (request.only === 'existing' && existing === null) return noSuchService(project, name)
  return previousProblem(view, project, name, request.previous)
}

interface Deployed {
  readonly change: Change
  readonly answer: DeployedService
  /** One version, or none where nothing is new. */
  readonly made: readonly MadeVersion[]
}

function deployOne(
  view: ClusterView,
  prepared: PreparedVersion,
  request: DeployRequest,
  now: Instant,
): Deployed | Problem {
  const { existing, read, project } = prepared
  const { name } = read.manifest
  const current = existing === null ? undefined : view.versions.get(existing.current)
  if (existing === null || current === undefined) return create(view, prepared, request, now)
  if (current.sha1 !== read.sha1 || isMoved(prepared, current, request)) {
    return update(view, prepared, existing, request, now)
  }
  const same = {
    service: name,
    outcome: 'unchanged',
    version: current.uuid,
    ordinal: current.ordinal,
  } as const
  const { scale = existing.scale } = request
  const running = unfinishedRollout(view, project, name)
  const key = serviceKey(project, name)
  const isCanary = request.canary !== undefined
  if (scale === existing.scale && (isCanary || running !== null)) {
    return { change: emptyChange, answer: { ...same, task: running }, made: [] }
  }
  const open = view.tasksOf(key).filter((task) => task.finishedAt === null)
  if (scale === existing.scale && isAsAsked(existing, instancesOf(view, key), open, elapsedAt(now))) {
    return { change: emptyChange, answer: { ...same, task: null }, made: [] }
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

/** A deploy that is repeated while the first still runs follows that one. */
function unfinishedRollout(view: ClusterView, project: string, name: string): string | null {
  const open = view.tasksOf(serviceKey(project, name)).filter((task) => task.finishedAt === null)
  return open.find(isRollout)?.uuid ?? null
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
): Deployed | Problem {
  const { read, project, ids } = prepared
  const { manifest } = read
  const { name } = manifest
  const problem = refusalOf(view, project, name, null) ?? newServiceProblem(prepared, request)
  if (problem !== null) return problem
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
    lastInstance: 0,
    createdAt: now,
    starts: 0,
    stopping: null,
    deleting: false,
    rollout: manifest.service_type === 'continuous' ? firstRollout(request, now) : null,
    failures: null,
    blocked: null,
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
  return withVersion(change, service, prepared, versionOf(prepared, now), 'created')
}

/** It replaces nothing; what it makes has its time as in any other. */
function firstRollout({ deadlineMs }: DeployRequest, now: Instant): Rollout {
  return {
    parallel: 1,
    startedAt: now,
    after: 0,
    replaces: 'other-versions',
    deadlineMs: deadlineMs ?? defaultDeadlineMs,
    revertTo: null,
  }
}

function newServiceProblem({ read }: PreparedVersion, request: DeployRequest): Problem | null {
  const { name, service_type } = read.manifest
  if (request.canary !== undefined) {
    const message = `${name} is new: it has no instances of which some could be replaced`
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
): Deployed | Problem {
  const version = versionOf(prepared, now)
  const order = rolloutOrder(request, version.uuid)
  const record = { ...existing, lastOrdinal: version.ordinal }
  const change = changeOf(view, existing, order, 'deploy', now, { version, record })
  return isProblem(change) ? change : withVersion(change, existing, prepared, version, 'updated')
}

function withVersion(
  change: Change,
  service: Service,
  { compiled }: PreparedVersion,
  version: ServiceVersion,
  outcome: 'created' | 'updated',
): Deployed {
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
        needs: requirementsOf(parseUnit(compiled.text, compiled.template).file, compiled.template),
        madeAt: version.createdAt,
      },
    ],
  }
}

function versionOf(
  { read, compiled, pinned, project, ids, scale }: PreparedVersion,
  now: Instant,
): ServiceVersion {
  const { manifest } = read
  return {
    uuid: ids.version,
    project,
    service: manifest.name,
    ordinal: ids.ordinal,
    createdAt: now,
    sha1: read.sha1,
    type: manifest.service_type,
    text: read.text,
    file: read.file,
    image: manifest.image ?? [...(manifest.entrypoint ?? []), ...(manifest.command ?? [])][0] ?? '',
    ...(pinned !== null && { pinned }),
    template: compiled.template,
    hash: unitHash(compiled.text),
    meta: read.meta,
    scale,
    preserve: manifest.stop.preservestopped,
    checked: (manifest.healthchecks?.length ?? 0) > 0,
    ...(compiled.schedule !== null && { schedule: compiled.schedule }),
    ...(compiled.webhooks.length > 0 && { webhooks: compiled.webhooks }),
    ...scalingOf(manifest),
    ...(compiled.triggerUrls.length > 0 && { triggerUrls: compiled.triggerUrls }),
  }
}
