// What a deploy would change: manifests, instances to start and to stop, and what would find no place.
import type { UnitOfVersion } from '../compile/version-unit.js'
import { describePlacementCause, describeWaiting } from '../engine/describe.js'
import type { Explainer } from '../engine/explain.js'
import { sha1 } from '../lib/hash.js'
import { diffLines } from '../lib/line-diff.js'
import type { Instant } from '../lib/time.js'
import type { ManifestSettings } from '../manifest/settings.js'
import type { ImageMeanings } from '../model/image.js'
import type { Instance } from '../model/service.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { opsOf } from './changes.js'
import type {
  DeployedService,
  DeployRequest,
  PlannedInstance,
  PlannedService,
  PlanResponse,
} from './contract.js'
import { type Deploy, decideDeploy } from './deploy.js'
import { isProblem, type Problem } from './problem.js'
import { type Rehearsal, rehearse } from './rehearse.js'
import { roomProblem } from './room.js'
import { shownManifest } from './trigger-bodies.js'

/** What a plan is made with, beside what there is and what is asked for. */
export interface PlanTools {
  readonly settings: ManifestSettings
  readonly unitOf: UnitOfVersion
  readonly explainer: Explainer
}

/** Decides a deploy as `decideDeploy` does, and tells what would come of it; changes nothing. */
export function planDeploy(
  view: ClusterView,
  tools: PlanTools,
  project: string,
  request: DeployRequest,
  now: Instant,
  meanings: ImageMeanings | null = null,
): PlanResponse | Problem {
  const deploy = decidePlaceable(view, tools, project, request, now, meanings)
  return isProblem(deploy) ? deploy : planOf(view, tools, project, deploy, now)
}

/**
 * Decides a deploy; one that expects a plan is refused where something else would be done by now, and otherwise has the
 * plan in its answer.
 */
export function decideAsPlanned(
  view: ClusterView,
  tools: PlanTools,
  project: string,
  request: DeployRequest,
  now: Instant,
  meanings: ImageMeanings | null,
): Deploy | Problem {
  const deploy = decidePlaceable(view, tools, project, request, now, meanings)
  if (isProblem(deploy) || request.expect === undefined) return deploy
  const plan = planOf(view, tools, project, deploy, now)
  if (plan.id !== request.expect) return notAsPlanned(plan, request.expect)
  return { ...deploy, response: { ...deploy.response, planned: plan.services } }
}

/** Decides a deploy as `decideDeploy` does; one that no machine can take is refused. */
export function decidePlaceable(
  view: ClusterView,
  { settings, explainer }: PlanTools,
  project: string,
  request: DeployRequest,
  now: Instant,
  meanings: ImageMeanings | null,
): Deploy | Problem {
  const deploy = decideDeploy(view, settings, project, request, now, meanings)
  return isProblem(deploy) ? deploy : (roomProblem(view, explainer, deploy, request) ?? deploy)
}

function planOf(
  view: ClusterView,
  { unitOf }: PlanTools,
  project: string,
  deploy: Deploy,
  now: Instant,
): PlanResponse {
  const { services, warnings } = deploy.response
  const named = services.map(({ service }) => serviceKey(project, service))
  const rehearsal = rehearse(view, opsOf(deploy, null), named, project, unitOf, now)
  const planned = services.map((one) => {
    const pinned = deploy.refreshed.get(one.service)
    return { ...plannedService(view, rehearsal, project, one), ...(pinned !== undefined && { pinned }) }
  })
  return { id: planId(planned), changes: planned.some(isChange), services: planned, warnings }
}

/** Reasons are left out: they tell of the cluster at a moment, and two plans that do the same are the same. */
function planId(services: readonly PlannedService[]): string {
  const done = ({ name, machine }: PlannedInstance): readonly unknown[] => [name, machine]
  const told = services.map(
    ({ service, outcome, ordinal, previous, scale, diff, pinned, start, stop, unplaced }) => [
      [
        service,
        outcome,
        ordinal,
        previous,
        scale.from,
        scale.to,
        ...(pinned === undefined ? [] : [pinned.to]),
      ],
      diff.map(({ kind, text }) => [kind, text]),
      start.map(done),
      stop.map(({ name }) => name),
      unplaced.map(({ name }) => name),
    ],
  )
  return sha1(JSON.stringify(told)).slice(0, 12)
}

function notAsPlanned({ id, services }: PlanResponse, expected: string): Problem {
  return {
    status: 409,
    code: 'deploy/not-as-planned',
    message: `something else than plan ${expected} would be done by now; nothing was changed`,
    hint: `look again: what would be done now is plan ${id}`,
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

function plannedService(
  before: ClusterView,
  { view: after, retired }: Rehearsal,
  project: string,
  { service, outcome, ordinal }: DeployedService,
): PlannedService {
  const key = serviceKey(project, service)
  const was = before.services.get(key)
  const known = new Set(before.instancesOf(key).map(({ n }) => n))
  const live = after.instancesOf(key).filter(({ n, retired: gone }) => gone === null && !known.has(n))
  const textOf = (view: ClusterView): string => {
    const version = view.versions.get(view.services.get(key)?.current ?? '')
    return version === undefined ? '' : shownManifest(version)
  }
  return {
    service,
    outcome,
    ordinal,
    previous: was?.current ?? null,
    scale: { from: was?.scale ?? 0, to: after.services.get(key)?.scale ?? 0 },
    lastInstance: was?.lastInstance ?? 0,
    diff: diffLines(textOf(before), textOf(after)).filter(({ kind }) => kind !== 'same'),
    start: live.filter(({ unit }) => after.placements.has(unit)).map((one) => started(after, one)),
    stop: retired
      .filter(({ instance }) => instance.project === project && instance.service === service)
      .filter(({ instance }) => known.has(instance.n))
      .map(({ instance, reason }) => planned(before, instance, reason)),
    unplaced: live.filter(({ unit }) => !after.placements.has(unit)).map((one) => unplaced(after, one)),
  }
}

function started(view: ClusterView, instance: Instance): PlannedInstance {
  const placement = view.placements.get(instance.unit)
  return planned(view, instance, placement === undefined ? '' : describePlacementCause(placement.cause))
}

function unplaced(view: ClusterView, instance: Instance): PlannedInstance {
  const waiting = view.waiting.get(instance.unit)
  const hostname = (machine: string): string =>
    [...view.machines.values()].find(({ id }) => id === machine)?.hostname ?? machine.slice(0, 8)
  const reason = waiting === undefined ? 'it was not tried' : describeWaiting(waiting.refusals, hostname)
  return planned(view, instance, reason)
}

function planned(view: ClusterView, instance: Instance, reason: string): PlannedInstance {
  const machine = view.placements.get(instance.unit)?.machine ?? null
  const hostname = machine === null ? null : (view.machines.get(machine)?.hostname ?? null)
  return { name: instance.name, ordinal: instance.ordinal, machine, hostname, reason }
}
