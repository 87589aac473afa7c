// Whether what is deployed can be anywhere at all: what no machine would take, not even once the instances before it have
// left, is refused before anything is changed for it.
import { describeRefusal } from '../engine/describe.js'
import type { Explainer } from '../engine/explain.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { MachineId } from '../model/machine.js'
import type { DesiredUnit, Refusal, UnitName } from '../model/unit.js'
import { hostnameOf } from '../store/hostname.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { withInstance } from '../unit/name.js'
import type { MadeVersion } from './deploy-service.js'
import type { Problem } from './problem.js'

/**
 * Why a deploy that does not wait for room is refused, with what each machine says; null where each of its new versions
 * `isPlaceable`.
 */
export function roomProblem(
  view: ClusterView,
  explainer: Explainer,
  made: readonly MadeVersion[],
  isPlaceable: (one: MadeVersion) => boolean,
): Problem | null {
  const homeless = made.filter((one) => !isPlaceable(one)).map((one) => nextOf(view, one))
  const [first] = homeless
  if (first === undefined) return null
  const { service, ordinal } = first.version
  const more = homeless.length === 1 ? '' : `, and ${homeless.length - 1} more find none`
  return {
    status: 409,
    code: 'deploy/no-machine',
    message: `no machine can take version ${ordinal} of ${service}${more}; nothing was changed`,
    hint: 'change what it asks for, or deploy with --wait-for-room to let it wait',
    details: homeless.flatMap(({ version, unit, needs, before }) =>
      [...explainer.explainNew(unit, needs, before)].map(([machine, refusals]) =>
        detailOf(view, version.service, machine, refusals),
      ),
    ),
  }
}

/** The next instance of a version, and those of its service that make way for it. */
interface NextInstance extends MadeVersion {
  readonly unit: DesiredUnit
  readonly before: readonly UnitName[]
}

function nextOf(view: ClusterView, made: MadeVersion): NextInstance {
  const { service, version, madeAt } = made
  const { project, name, lastInstance } = service
  const n = lastInstance + 1
  const unit: DesiredUnit = {
    name: withInstance(version.template, String(n)),
    hash: version.hash,
    desired: 'launched',
    instance: { project, service: name, name: `${name}-${n}`, n, uuid: '', version: version.uuid },
    createdAt: madeAt,
  }
  const before = view.instancesOf(serviceKey(project, name)).map((one) => one.unit)
  return { ...made, unit, before }
}

/**
 * Whether not every machine says no for itself to the next instance of a version. What depends on units that are yet to
 * come, or to move, is waited for.
 */
export function hasRoom(view: ClusterView, explainer: Explainer, made: MadeVersion): boolean {
  const { unit, needs, before } = nextOf(view, made)
  return !explainer.isRefusedByAll(unit, needs, before, isLasting)
}

function isLasting({ kind }: Refusal): boolean {
  return !passing.has(kind)
}

const passing: ReadonlySet<Refusal['kind']> = new Set<Refusal['kind']>([
  'driver-away',
  'no-target',
  'target-elsewhere',
  'near',
  'nothing-near',
  'replaced',
  'replaces',
])

function detailOf(
  view: ClusterView,
  service: string,
  machine: MachineId,
  refusals: readonly Refusal[],
): Diagnostic {
  const hostname = hostnameOf(view, machine)
  const why = refusals.map(describeRefusal).join('; ')
  return { code: 'deploy/no-machine', severity: 'error', message: `${service}: ${hostname} ${why}` }
}
