// What a deploy would change: manifests, instances to start and to stop, and what would find no place.
import type { UnitOfVersion } from '../compile/version-unit.js'
import { describePlacementCause, describeWaiting } from '../engine/describe.js'
import { diffLines } from '../lib/line-diff.js'
import type { Instant } from '../lib/time.js'
import type { ManifestSettings } from '../manifest/settings.js'
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
import { decideDeploy } from './deploy.js'
import { isProblem, type Problem } from './problem.js'
import { type Rehearsal, rehearse } from './rehearse.js'
import { shownManifest } from './trigger-bodies.js'

/** Decides a deploy as `decideDeploy` does, and tells what would come of it; changes nothing. */
export function planDeploy(
  view: ClusterView,
  settings: ManifestSettings,
  unitOf: UnitOfVersion,
  project: string,
  request: DeployRequest,
  now: Instant,
): PlanResponse | Problem {
  const deploy = decideDeploy(view, settings, project, request, now)
  if (isProblem(deploy)) return deploy
  const { services, warnings } = deploy.response
  const named = services.map(({ service }) => serviceKey(project, service))
  const rehearsal = rehearse(view, opsOf(deploy, null), named, project, unitOf, now)
  const planned = services.map((one) => plannedService(view, rehearsal, project, one))
  return { changes: planned.some(isChange), services: planned, warnings }
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
