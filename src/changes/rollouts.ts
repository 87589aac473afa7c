// Requests that replace instances: revert to a version, and reprovision.

import type { ReprovisionRequest, RevertRequest, RolloutRequest } from '../contract/contract.js'
import type { Instant } from '../lib/time.js'
import { defaultDeadlineMs, noFilter, type RolloutOrder } from '../model/order.js'
import type { ServiceVersion } from '../model/service.js'
import { versionNamed } from '../service/orders.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { withClaim } from './entry-claims.js'
import { findMachine } from './machines.js'
import { previousProblem } from './previous.js'
import { isProblem, noSuchService, type Problem } from './problem.js'
import { type Change, changeOf, problemOf } from './services.js'

/** Makes a version current and replaces the instances of others. */
export function revertService(
  view: ClusterView,
  project: string,
  name: string,
  request: RevertRequest,
  now: Instant,
): Change | Problem {
  const service = view.services.get(serviceKey(project, name))
  if (service === undefined) return noSuchService(view, project, name)
  const version = findVersion(view, project, name, request.version)
  if (isProblem(version)) return version
  const unexpected = previousProblem(view, project, name, request.previous)
  if (unexpected !== null) return unexpected
  const order: RolloutOrder = { ...orderOf(request), version: version.uuid }
  return withClaim(view, changeOf(view, service, order, 'revert', now), version, now)
}

/** Replaces instances by new ones of the current version, placed anew. */
export function reprovisionService(
  view: ClusterView,
  project: string,
  name: string,
  request: ReprovisionRequest,
  now: Instant,
): Change | Problem {
  const service = view.services.get(serviceKey(project, name))
  if (service === undefined) return noSuchService(view, project, name)
  const version = request.version === undefined ? null : findVersion(view, project, name, request.version)
  if (version !== null && isProblem(version)) return version
  const machine = request.machine === undefined ? null : findMachine(view, request.machine)
  if (machine !== null && isProblem(machine)) return machine
  const unexpected = previousProblem(view, project, name, request.previous)
  if (unexpected !== null) return unexpected
  const filter = {
    version: version?.uuid ?? null,
    image: request.image ?? null,
    instance: request.instance ?? null,
    machine: machine?.id ?? null,
  }
  return changeOf(view, service, { ...orderOf(request), filter }, 'reprovision', now)
}

/** The version of a service that a word names: its uuid, the beginning of that, or its ordinal. */
function findVersion(
  view: ClusterView,
  project: string,
  service: string,
  word: string,
): ServiceVersion | Problem {
  if (!view.services.has(serviceKey(project, service))) return noSuchService(view, project, service)
  const found = versionNamed({ name: service }, view.versionsOf(serviceKey(project, service)), word)
  return 'kind' in found ? problemOf(found) : found
}

/** The version of any service of a project: by its uuid, the beginning of that, or as `service@ordinal`. */
export function findVersionAnywhere(
  view: ClusterView,
  project: string,
  word: string,
): ServiceVersion | Problem {
  const [, service, ordinal] = /^([^@]+)@(\d+)$/.exec(word) ?? []
  if (service !== undefined && ordinal !== undefined) return findVersion(view, project, service, ordinal)
  const versions = [...view.versions.values()].filter((version) => version.project === project)
  const alike = versions.filter(({ uuid }) => uuid === word || (word.length >= 4 && uuid.startsWith(word)))
  const [only, ...others] = alike
  if (only !== undefined && others.length === 0) return only
  return {
    status: 404,
    code: 'service/unknown-version',
    message:
      others.length > 0
        ? `"${word}" is ambiguous: the uuids of several versions begin with it`
        : `there is no version "${word}" in project "${project}"`,
    hint: 'give its uuid, or SERVICE@N; mariposa service versions SERVICE lists them',
  }
}

function orderOf({ rolling, canary, deadlineMs }: RolloutRequest): RolloutOrder {
  return {
    kind: 'rollout',
    version: null,
    scale: null,
    rolling: rolling ?? null,
    count: canary ?? null,
    filter: noFilter,
    deadlineMs: deadlineMs ?? defaultDeadlineMs,
    autoRevert: false,
  }
}
