// What a deploy would change: manifests, instances to start and to stop, and what would find no place.
import type { UnitOfVersion } from '../compile/version-unit.js'
import type {
  DeployedService,
  DeployRequest,
  PlannedInstance,
  PlannedService,
  PlanResponse,
} from '../contract/contract.js'
import { describePlacementCause, describeWaiting } from '../engine/describe.js'
import type { Explainer } from '../engine/explain.js'
import { sha1 } from '../lib/hash.js'
import { diffLines } from '../lib/line-diff.js'
import { eachInSteps, type Steps } from '../lib/sliced-work.js'
import type { Instant } from '../lib/time.js'
import type { ManifestSettings } from '../manifest/settings.js'
import type { ResolvedImages } from '../model/image.js'
import type { MachineId } from '../model/machine.js'
import { type MadeOf, madeOf } from '../model/meta-fingerprints.js'
import type { Instance, Service, ServiceVersion } from '../model/service.js'
import { type ClusterView, type ServiceKey, serviceKey } from '../store/view.js'
import { type Deploy, decideDeploy } from './deploy.js'
import type { MadeVersion } from './deploy-service.js'
import { DeployDraft } from './draft.js'
import { type DryRun, dryRun } from './dry-run.js'
import { isProblem, type Problem } from './problem.js'
import { hasRoom, roomProblem } from './room.js'
import { opsOf } from './services.js'
import { shownManifest } from './trigger-bodies.js'

/** What a plan is made with, beside what there is and what is asked for. */
export interface PlanTools {
  readonly settings: ManifestSettings
  readonly unitOf: UnitOfVersion
  readonly explainer: Explainer
}

/** A deploy that is decided, and what would come of it. */
interface PlannedDeploy {
  /** The services that the plan is about. */
  readonly services: readonly ServiceKey[]
  /** Plays it through, with the cluster as it was when it was decided. */
  readonly steps: Steps<PlanResponse>
}

/** Decides a deploy as `decideDeploy` does, and tells what would come of it; changes nothing. */
export function planDeploy(
  view: ClusterView,
  tools: PlanTools,
  project: string,
  request: DeployRequest,
  now: Instant,
  images: ResolvedImages | null = null,
  draft?: DeployDraft,
): PlannedDeploy | Problem {
  const deploy = decidePlaceable(view, tools, project, request, now, images, draft)
  if (isProblem(deploy)) return deploy
  const services = deploy.response.services.map(({ service }) => serviceKey(project, service))
  // Both note what they need of the view now: it goes on while the steps are done.
  const before = new Map(services.map((key) => [key, serviceBefore(view, key)]))
  const outcome = dryRun(view, opsOf(deploy, null), services, project, tools.unitOf, now)
  return { services, steps: planOf(before, outcome, project, deploy) }
}

/**
 * Decides a deploy; one that expects a plan is refused where that is not `plan`, which is what would be done now, and
 * otherwise has it in its answer.
 */
export function decideAsPlanned(
  view: ClusterView,
  tools: PlanTools,
  project: string,
  request: DeployRequest,
  now: Instant,
  images: ResolvedImages | null,
  plan: PlanResponse | null,
  draft?: DeployDraft,
): Deploy | Problem {
  const deploy = decidePlaceable(view, tools, project, request, now, images, draft)
  if (isProblem(deploy) || plan === null || request.expect === undefined) return deploy
  if (plan.cut === true || plan.id !== request.expect) return notAsPlanned(plan, request.expect)
  return { ...deploy, response: { ...deploy.response, planned: plan.services } }
}

/** Decides a deploy as `decideDeploy` does; one that no machine can take is refused. */
export function decidePlaceable(
  view: ClusterView,
  { settings, explainer }: PlanTools,
  project: string,
  request: DeployRequest,
  now: Instant,
  images: ResolvedImages | null,
  draft = new DeployDraft({ settings, project, request, now, images }),
): Deploy | Problem {
  const deploy = decideDeploy(view, settings, project, request, now, images, draft)
  if (isProblem(deploy)) return deploy
  const removed = deploy.response.services.filter(({ outcome }) => outcome === 'removed')
  const waitsForRoom = request.waitForRoom === true
  if (waitsForRoom && removed.every(({ handsOver }) => handsOver === undefined)) return deploy
  const isPlaceable = (made: MadeVersion): boolean => draft.isPlaceable(view, explainer, made)
  const problem = roomProblem(view, explainer, deploy.made, isPlaceable)
  if (problem === null) return deploy
  // What it removes may have what its new versions need: then it goes first.
  const leaving = removed.flatMap(({ service }) =>
    view.allInstancesOf(serviceKey(project, service)).map(({ unit }) => unit),
  )
  const hasRoomThen = (made: MadeVersion): boolean => hasRoom(view, explainer, made, leaving)
  const makesRoom =
    leaving.length > 0 && roomProblem(view, explainer, deploy.made, hasRoomThen, leaving) === null
  if (makesRoom) return decideDeploy(view, settings, project, request, now, images, draft, true)
  return waitsForRoom ? deploy : problem
}

/** How a service is before a deploy. */
interface ServiceBefore {
  readonly service: Service | undefined
  /** Where its instances are, by their numbers; null for one that is nowhere. */
  readonly machines: ReadonlyMap<number, MachineId | null>
  readonly text: string
}

function serviceBefore(view: ClusterView, key: ServiceKey): ServiceBefore {
  const machines = view
    .instancesOf(key)
    .map(({ n, unit }) => [n, view.placements.get(unit)?.machine ?? null] as const)
  return { service: view.services.get(key), machines: new Map(machines), text: textOf(view, key) }
}

function textOf(view: ClusterView, key: ServiceKey): string {
  const version = view.versions.get(view.services.get(key)?.current ?? '')
  return version === undefined ? '' : `${shownManifest(version)}${sourcesOf(version)}`
}

/** What stands beside a manifest is another where its line is. */
function sourcesOf({ sources = [] }: ServiceVersion): string {
  return sources.map(({ path, data }) => `# ${path}: ${sha1(data).slice(0, 12)}\n`).join('')
}

function* planOf(
  before: ReadonlyMap<ServiceKey, ServiceBefore>,
  running: Steps<DryRun>,
  project: string,
  { response: { services, warnings }, refreshed }: Deploy,
): Steps<PlanResponse> {
  const dryRun = yield* running
  const planned: PlannedService[] = []
  const values: MadeOf[] = []
  for (const one of services) {
    const known = before.get(serviceKey(project, one.service))
    if (known === undefined) continue
    const pinned = refreshed.get(one.service)
    const told = yield* plannedService(known, dryRun, project, one)
    planned.push({ ...told, ...(pinned !== undefined && { pinned }) })
    values.push(valuesOf(dryRun, project, told))
  }
  const changes = planned.some(isChange)
  // What it comes to depends on how fast it went, so nothing can be held to it.
  if (dryRun.cut) return { id: '', cut: true, changes, services: planned, warnings }
  return { id: planId(planned, values), changes, services: planned, warnings }
}

/** What a service is made of by then: its manifest may be the same to the letter, and ask for values that are others. */
function valuesOf({ view }: DryRun, project: string, { service, outcome }: PlannedService): MadeOf {
  // What stays as it is does so whatever it was made of.
  if (outcome === 'unchanged') return {}
  const version = view.versions.get(view.services.get(serviceKey(project, service))?.current ?? '')
  return madeOf(version?.meta ?? [], view.metaOf(project))
}

/**
 * Reasons are left out: they tell of the cluster at a moment, and two plans that do the same are the same. `values` are
 * those of each service.
 */
function planId(services: readonly PlannedService[], values: readonly MadeOf[]): string {
  const done = ({ name, machine }: PlannedInstance): readonly unknown[] => [name, machine]
  const told = services.map(
    ({ service, outcome, ordinal, previous, scale, diff, pinned, drifted, handsOver, ...one }, n) => [
      [
        service,
        outcome,
        ordinal,
        previous,
        scale.from,
        scale.to,
        ...(pinned === undefined ? [] : [pinned.to]),
        ...(drifted === undefined || outcome === 'unchanged' ? [] : [drifted]),
        ...(handsOver === undefined ? [] : [handsOver]),
        Object.entries(values[n] ?? {}),
      ],
      diff.map(({ kind, text }) => [kind, text]),
      one.start.map(done),
      one.stop.map(({ name }) => name),
      one.unplaced.map(({ name }) => name),
    ],
  )
  return sha1(JSON.stringify(told)).slice(0, 12)
}

function notAsPlanned({ id, cut, services }: PlanResponse, expected: string): Problem {
  if (cut === true) {
    return {
      status: 409,
      code: 'deploy/not-as-planned',
      message: `could not check in time whether plan ${expected} is still current; nothing was changed`,
      hint: 'deploy in smaller steps, or without --expect',
    }
  }
  return {
    status: 409,
    code: 'deploy/not-as-planned',
    message: `plan ${expected} is out of date; nothing was changed`,
    hint: `review the current plan: ${id}`,
    details: services.filter(isChange).map((one) => ({
      code: 'deploy/not-as-planned',
      severity: 'error',
      message: describeNow(one),
    })),
  }
}

function describeNow({ service, outcome, start, stop, unplaced }: PlannedService): string {
  const places = start.map(({ name, hostname }) => `${name} on ${hostname ?? 'no machine'}`)
  const parts = [
    ...(places.length > 0 ? [`start ${places.join(', ')}`] : []),
    ...(stop.length > 0 ? [`stop ${stop.map(({ name }) => name).join(', ')}`] : []),
    ...(unplaced.length > 0 ? [`find no place for ${unplaced.map(({ name }) => name).join(', ')}`] : []),
  ]
  return `${service} (${outcome}) would now ${parts.length === 0 ? 'start and stop nothing' : parts.join('; ')}`
}

function isChange({ outcome, start, stop, scale }: PlannedService): boolean {
  return outcome !== 'unchanged' || start.length + stop.length > 0 || scale.from !== scale.to
}

/** How many instances are described in one step. */
const atATime = 200

function* plannedService(
  before: ServiceBefore,
  { view, retired }: DryRun,
  project: string,
  { service, outcome, ordinal, drifted, handsOver }: DeployedService,
): Steps<PlannedService> {
  const key = serviceKey(project, service)
  const live = view
    .instancesOf(key)
    .filter(({ n, retired: gone }) => gone === null && !before.machines.has(n))
  const stop = retired.filter(
    ({ instance }) =>
      instance.project === project && instance.service === service && before.machines.has(instance.n),
  )
  const hosts = new Map([...view.machines.values()].map(({ id, hostname }) => [id, hostname]))
  return {
    service,
    outcome,
    ordinal,
    previous: before.service?.current ?? null,
    scale: { from: before.service?.scale ?? 0, to: view.services.get(key)?.scale ?? 0 },
    lastInstance: before.service?.lastInstance ?? 0,
    diff: diffLines(before.text, textOf(view, key)).filter(({ kind }) => kind !== 'same'),
    ...(drifted !== undefined && { drifted }),
    ...(handsOver !== undefined && { handsOver }),
    start: yield* eachInSteps(
      live.filter(({ unit }) => view.placements.has(unit)),
      atATime,
      (one) => started(view, hosts, one),
    ),
    stop: yield* eachInSteps(stop, atATime, ({ instance, reason }) =>
      planned(hosts, instance, before.machines.get(instance.n) ?? null, reason),
    ),
    unplaced: yield* eachInSteps(
      live.filter(({ unit }) => !view.placements.has(unit)),
      atATime,
      (one) => unplaced(view, hosts, one),
    ),
  }
}

type Hostnames = ReadonlyMap<MachineId, string>

function started(view: ClusterView, hosts: Hostnames, instance: Instance): PlannedInstance {
  const placement = view.placements.get(instance.unit)
  const reason = placement === undefined ? '' : describePlacementCause(placement.cause)
  return planned(hosts, instance, placement?.machine ?? null, reason)
}

function unplaced(view: ClusterView, hosts: Hostnames, instance: Instance): PlannedInstance {
  const waiting = view.waiting.get(instance.unit)
  const hostname = (machine: MachineId): string => hosts.get(machine) ?? machine.slice(0, 8)
  const reason = waiting === undefined ? 'it was not tried' : describeWaiting(waiting.refusals, hostname)
  return planned(hosts, instance, null, reason)
}

function planned(
  hosts: Hostnames,
  { name, ordinal }: Instance,
  machine: MachineId | null,
  reason: string,
): PlannedInstance {
  const hostname = machine === null ? null : (hosts.get(machine) ?? null)
  return { name, ordinal, machine, hostname, reason }
}
