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
import { downMachines } from './machines.js'
import type { Problem } from './problem.js'

/**
 * Why a deploy that does not wait for room is refused, with what each machine says; null where each of its new versions
 * `isPlaceable`. `leaving`: units that make way beside those of the same service.
 */
export function roomProblem(
  view: ClusterView,
  explainer: Explainer,
  made: readonly MadeVersion[],
  isPlaceable: (one: MadeVersion) => boolean,
  leaving: readonly UnitName[] = [],
): Problem | null {
  const homeless = made
    .filter((one) => !isPlaceable(one))
    .flatMap((one) => nextOf(view, one, leaving).find((next) => !isPlaced(explainer, next)) ?? [])
  const [first] = homeless
  if (first === undefined) return null
  const { service, ordinal } = first.version
  const more = homeless.length === 1 ? '' : `, nor ${homeless.length - 1} other versions of this deploy`
  return {
    status: 409,
    code: 'deploy/no-machine',
    message: `no machine can take version ${ordinal} of ${service}${more}; nothing was changed`,
    hint: 'lower its requirements, or deploy with --wait-for-room to let it wait',
    details: homeless.flatMap(({ version, unit, needs, before }) => [
      ...[...explainer.explainNew(unit, needs, before)].map(([machine, refusals]) =>
        detailOf(view, version.service, machine, refusals.map(describeRefusal).join('; ')),
      ),
      ...downMachines(view).map(({ id }) => detailOf(view, version.service, id, 'is down: it was not asked')),
    ]),
  }
}

/** The next instance of a version, and those of its service that make way for it. */
interface NextInstance extends MadeVersion {
  readonly unit: DesiredUnit
  readonly before: readonly UnitName[]
}

/** One for all places of its service; where slots have volumes already, one for each of these, which goes where they are. */
function nextOf(
  view: ClusterView,
  made: MadeVersion,
  leaving: readonly UnitName[] = [],
): readonly NextInstance[] {
  const { version, service } = made
  const key = serviceKey(service.project, service.name)
  const alone = boundNowhere(view, made)
  const anywhere = { ...alone, before: [...alone.before, ...leaving] }
  const { unit } = anywhere
  const { instance } = unit
  const known = version.slotVolumes === undefined ? [] : [...view.volumesOf(key).values()]
  const slots = [...new Set(known.map(({ slot }) => slot))].filter((slot) => slot < service.scale)
  if (slots.length === 0 || instance === null) return [anywhere]
  return slots.map((slot) => ({ ...anywhere, unit: { ...unit, instance: { ...instance, slot } } }))
}

/** The next instance of a version, with volumes of no slot. */
function boundNowhere(view: ClusterView, made: MadeVersion): NextInstance {
  const { service, version, madeAt } = made
  const { project, name, lastInstance } = service
  const n = lastInstance + 1
  const key = serviceKey(project, name)
  const before = view.instancesOf(key).map((one) => one.unit)
  const instance = { project, service: name, name: `${name}-${n}`, n, uuid: '', version: version.uuid }
  const unit: DesiredUnit = {
    name: withInstance(version.template, String(n)),
    hash: version.hash,
    desired: 'launched',
    instance,
    createdAt: madeAt,
  }
  return { ...made, unit, before }
}

/**
 * Whether not every machine says no for itself to the next instance of a version. What depends on units that are yet to
 * come, or to move, is waited for.
 */
export function hasRoom(
  view: ClusterView,
  explainer: Explainer,
  made: MadeVersion,
  leaving: readonly UnitName[] = [],
): boolean {
  return nextOf(view, made, leaving).every((next) => isPlaced(explainer, next))
}

/**
 * What each machine that is there says to the next instances of a version, as if those of now had left; nothing where it
 * takes one. Slots that have no volumes yet may be anywhere.
 */
export function answersTo(
  view: ClusterView,
  explainer: Explainer,
  made: MadeVersion,
): ReadonlyMap<MachineId, readonly Refusal[]> {
  const answers = new Map<MachineId, readonly Refusal[]>()
  const next = nextOf(view, made)
  const unbound = next.length < made.service.scale ? [boundNowhere(view, made)] : []
  for (const { unit, needs, before } of [...next, ...unbound])
    for (const [machine, refusals] of explainer.explainNew(unit, needs, before))
      if ((answers.get(machine)?.length ?? 1) > 0) answers.set(machine, refusals)
  return answers
}

function isPlaced(explainer: Explainer, { unit, needs, before }: NextInstance): boolean {
  const isOfSlot = unit.instance?.slot !== undefined
  return !explainer.isRefusedByAll(unit, needs, before, (refusal) =>
    // Nothing is replaced on the machine of a slot while that takes nothing new.
    isOfSlot && refusal.kind === 'cordoned' ? false : isLasting(refusal),
  )
}

function isLasting(refusal: Refusal): boolean {
  // A slot waits for the machine of its volume.
  return !passing.has(refusal.kind) && !(refusal.kind === 'volume-elsewhere' && refusal.away)
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

function detailOf(view: ClusterView, service: string, machine: MachineId, why: string): Diagnostic {
  const hostname = hostnameOf(view, machine)
  return { code: 'deploy/no-machine', severity: 'error', message: `${service}: ${hostname} ${why}` }
}
