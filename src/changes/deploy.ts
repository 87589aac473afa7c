// What a deploy changes, as one transaction: for each service its record, a new version, its unit file and a task.

import { inManifest } from '../compile/in-manifest.js'
import type { CompileResponse, DeployRequest, DeployResponse } from '../contract/contract.js'
import type { Instant } from '../lib/time.js'
import { checkAfter } from '../manifest/check-after.js'
import type { AdmissionSettings } from '../manifest/settings.js'
import { type Diagnostic, hasErrors } from '../model/diagnostic.js'
import type { ResolvedImages } from '../model/image.js'
import type { Service } from '../model/service.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { parseUnit } from '../unit/parse.js'
import type { DeployedVersion, MadeVersion } from './deploy-service.js'
import { DeployDraft } from './draft.js'
import { claimEntry, type HandedOver, handedOver } from './entry-claims.js'
import { idleWarnings } from './idle-warnings.js'
import type { Prepared, PreparedVersion } from './prepare.js'
import { previousProblem } from './previous.js'
import { isProblem, noSuchService, type Problem } from './problem.js'
import { projectOps, servicesOfProject } from './projects.js'
import { pruneProblem } from './prune.js'
import { imageWarning, pinnedNow, taggedImage, unresolved } from './resolved-images.js'
import { rootWarning } from './root-warning.js'
import { type Change, emptyChange, merged, runningIn } from './services.js'

/** A deploy that was decided. */
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
interface PinChange {
  readonly from: string | null
  readonly to: string | null
}

/**
 * Decides a deploy: every service of the request is valid and changed as one, or none is. What its images mean has been
 * found out before; null: nobody was asked, and nothing is said of it. A draft of it may have been made before, too. `atOnce`:
 * what it removes goes before what takes its place serves.
 */
export function decideDeploy(
  view: ClusterView,
  settings: AdmissionSettings,
  project: string,
  request: DeployRequest,
  now: Instant,
  images: ResolvedImages | null = null,
  draft = new DeployDraft({ settings, project, request, now, images }),
  atOnce = false,
): Deploy | Problem {
  const prepared = draft.prepared(view)
  const outOfOrder = orderProblems(view, project, prepared, request.prune === true)
  if (hasErrors(prepared.diagnostics) || outOfOrder.length > 0)
    return invalid([...prepared.diagnostics, ...outOfOrder])
  const guards = [
    pruneProblem(request),
    otherNameProblem(prepared.versions, request),
    ...prepared.versions.map((one) => guardProblem(view, one, request)),
    request.refresh === true
      ? unresolved(
          prepared.versions.map(({ read }) => read.manifest),
          images,
        )
      : null,
  ]
  const refusal = guards.find((one) => one !== null)
  if (refusal != null) return refusal
  const deployed: DeployedVersion[] = []
  for (const one of prepared.versions) {
    const outcome = draft.decided(view, one)
    if (isProblem(outcome)) return outcome
    deployed.push(outcome)
  }
  const named = deployed.map(({ answer }) => answer.service)
  const current = deployed.flatMap(
    ({ made, answer }) => made[0]?.version ?? view.versions.get(answer.version) ?? [],
  )
  const handedOverOf = (service: Service): readonly HandedOver[] =>
    runningIn(view, service) === 0 || service.deleting ? [] : handedOver(view, service, current)
  const removed = request.prune === true ? draft.removed(view, named, atOnce ? () => [] : handedOverOf) : []
  if (isProblem(removed)) return removed
  const leaving = removed.map(({ answer }) => serviceKey(project, answer.service))
  const all = [...deployed, ...removed]
  const changed = prepared.versions.filter((_one, n) => deployed[n]?.made.length === 1)
  const ofImages = changed.flatMap(({ read }) => imageWarning(view, read, images))
  const reads = prepared.versions.map(({ read }) => read)
  const idle = changed.flatMap(({ read }) => idleWarnings(view, project, read, reads, now))
  const asRoot = settings.asRoot === true ? changed.flatMap(rootWarningsOf) : []
  const ofEntry = claimEntry(
    view,
    deployed.flatMap(({ made }) => made.map(({ version }) => version)),
    now,
    new Set(leaving),
  )
  if (isProblem(ofEntry)) return ofEntry
  const leavingFirst = atOnce
    ? leaving.flatMap((key) => movesAtOnce(view.services.get(key), handedOverOf))
    : []
  const ofProject = { ...emptyChange, ops: projectOps(view, project, prepared.tags, now) }
  return {
    ...merged([...all.map((one) => one.change), ofProject, { ...emptyChange, ...ofEntry }]),
    response: {
      services: all.map((one) => one.answer),
      warnings: [...prepared.diagnostics, ...ofImages, ...idle, ...asRoot, ...leavingFirst],
    },
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

/** That requests for routes fail for a while, as nobody has them until the service serves that takes them over. */
function movesAtOnce(
  service: Service | undefined,
  handedOverOf: (service: Service) => readonly HandedOver[],
): readonly Diagnostic[] {
  if (service === undefined) return []
  return handedOverOf(service).map(({ claim, to }) => ({
    code: 'entry/moves-at-once',
    severity: 'warning',
    message: `${claim} moves from ${service.name} to ${to}: no machine has room for both, so ${service.name} stops first, and requests for it fail until ${to} serves`,
    hint: 'give the new service another host port, or less memory, to have it up before',
  }))
}

/** What is wrong with the order in which its services come up, with those of the project that stay. */
function orderProblems(
  view: ClusterView,
  project: string,
  { versions, diagnostics }: Prepared,
  prune: boolean,
): readonly Diagnostic[] {
  const manifests = versions.map(({ read }) => read)
  if (manifests.every(({ manifest }) => manifest.after === undefined)) {
    // Nothing of it comes after anything: no circle can go through it.
    return []
  }
  const others = prune ? [] : servicesOfProject(view, project).filter(({ deleting }) => !deleting)
  const services = new Map(
    others.map(({ name, type, current }) => [name, { type, after: view.versions.get(current)?.after ?? [] }]),
  )
  // A manifest that could not be read may be the one that is missing.
  return checkAfter(manifests, { services, complete: !hasErrors(diagnostics) })
}

function rootWarningsOf({ compiled: { text, template }, read }: PreparedVersion): readonly Diagnostic[] {
  const { file } = parseUnit(text, template)
  return rootWarning(file, template).map((one) => inManifest(one, file, read))
}

function pinChange(
  view: ClusterView,
  { read, existing, pinned }: PreparedVersion,
): readonly (readonly [string, PinChange])[] {
  const current = view.versions.get(existing?.current ?? '')
  if (current === undefined || taggedImage(read.manifest) === null) return []
  return [[read.manifest.name, { from: pinnedNow(current, read.manifest), to: pinned }]]
}

/** The units that manifests compile to. */
export function compiledSources({ versions, diagnostics }: Prepared): CompileResponse | Problem {
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

/**
 * Why manifests are not those of the one service that was named. Which of the two names is meant nobody knows: to take either would
 * change the wrong service for those who mean the other one.
 */
function otherNameProblem(versions: readonly PreparedVersion[], { service }: DeployRequest): Problem | null {
  const others = versions.map(({ read }) => read.manifest.name).filter((name) => name !== service)
  if (service === undefined || others.length === 0) return null
  const refusal = { status: 400, code: 'service/other-name' } as const
  if (versions.length > 1)
    return {
      ...refusal,
      message: `there are ${versions.length} manifests, also for ${others.join(', ')}, and not only for ${service}`,
      hint: `"mariposa service deploy" changes all of them; else give the manifest of ${service} alone`,
    }
  return {
    ...refusal,
    message: `the manifest is for the service ${others.join()} (its key "name"), not for ${service}`,
    hint: `"mariposa service deploy" changes ${others.join()}; to use it for ${service}, set its "name" to that, or remove it`,
  }
}

/** Why a deploy does not go with what it expects to find; null if nothing speaks against it. */
function guardProblem(
  view: ClusterView,
  { existing, read, project }: PreparedVersion,
  request: DeployRequest,
): Problem | null {
  const { name } = read.manifest
  if (request.only === 'new' && existing !== null) {
    return {
      status: 409,
      code: 'service/exists',
      message: `there is a service ${name} already`,
      hint: `mariposa service update ${name} FILE, or service deploy FILE`,
    }
  }
  if (request.only === 'existing' && existing === null) return noSuchService(view, project, name)
  return previousProblem(view, project, name, request.previous)
}
