// Whether what is deployed can be anywhere at all: what no machine would take, not even once the instances before it have
// left, is refused before anything is changed for it.
import { describeRefusal } from '../engine/describe.js'
import type { Explainer } from '../engine/explain.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { MachineId } from '../model/machine.js'
import type { DesiredUnit, Refusal } from '../model/unit.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { withInstance } from '../unit/name.js'
import type { DeployRequest } from './contract.js'
import type { Deploy, MadeVersion } from './deploy.js'
import type { Problem } from './problem.js'

/** Why a deploy is refused for want of a machine, with the reason of each; null where each service has one, or waits. */
export function roomProblem(
  view: ClusterView,
  explainer: Explainer,
  { made }: Deploy,
  request: DeployRequest,
): Problem | null {
  if (request.waitForRoom === true) return null
  const homeless = made.flatMap((one) => {
    const said = answersTo(view, explainer, one)
    return isNowhere(said) ? [{ ...one, said }] : []
  })
  const [first] = homeless
  if (first === undefined) return null
  const { service, ordinal } = first.version
  const more = homeless.length === 1 ? '' : `, and ${homeless.length - 1} more find none`
  return {
    status: 409,
    code: 'deploy/no-machine',
    message: `no machine can take version ${ordinal} of ${service}${more}; nothing was changed`,
    hint: 'change what it asks for, or deploy with --wait-for-room to let it wait',
    details: homeless.flatMap(({ version, said }) =>
      [...said].map(([machine, refusals]) => detailOf(view, version.service, machine, refusals)),
    ),
  }
}

type Answers = ReadonlyMap<MachineId, readonly Refusal[]>

/** What machines say to the next instance of a version, as if all instances of its service had left theirs. */
function answersTo(
  view: ClusterView,
  explainer: Explainer,
  { service, version, needs, madeAt }: MadeVersion,
): Answers {
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
  return explainer.explainNew(unit, needs, before)
}

/** Whether every machine says no for itself. What depends on units that are yet to come, or to move, is waited for. */
function isNowhere(said: Answers): boolean {
  return said.size > 0 && [...said.values()].every((refusals) => refusals.some(isLasting))
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
  const hostname = view.machines.get(machine)?.hostname ?? machine.slice(0, 8)
  const why = refusals.map(describeRefusal).join('; ')
  return { code: 'deploy/no-machine', severity: 'error', message: `${service}: ${hostname} ${why}` }
}
