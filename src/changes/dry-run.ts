// What a change would lead to: the planners themselves, on a copy of the view, with machines on which all goes well.
import type { UnitOfVersion } from '../compile/version-unit.js'
import { Explainer } from '../engine/explain.js'
import { Scheduler } from '../engine/scheduler.js'
import { opsOf as engineOps } from '../engine/writes.js'
import type { Steps } from '../lib/sliced-work.js'
import type { Instant } from '../lib/time.js'
import type { MachineId } from '../model/machine.js'
import type { UnitName, UnitReport } from '../model/unit.js'
import type { Retire } from '../service/actions.js'
import { servicePlanSteps } from '../service/plan.js'
import { type SituationTools, situationSteps } from '../service/situation.js'
import { writesOf } from '../service/writes.js'
import { startedReport } from '../simulate/started-report.js'
import { keys, putOf } from '../store/records.js'
import { opsLike, ScratchStore } from '../store/scratch.js'
import type { Op } from '../store/store.js'
import type { ClusterView, ServiceKey } from '../store/view.js'
import { openUnitReader } from '../unit/reader.js'

export interface DryRun {
  /** The cluster when nothing changes any more. */
  readonly view: ClusterView
  /** Instances that were told to stop on the way, in order. */
  readonly retired: readonly Retire[]
  /** It ended before that: there was no more time. */
  readonly cut: boolean
}

/** A dry run that has not come to rest by then is reported as far as it has come. */
const roundsAtMost = 5000
const roundMs = 1500
/** Rounds without a change after which it is at rest: longer than any wait of the planners while all goes well. */
const quietRounds = 8
/** How many records are written, or instances looked at, in one step. */
const atATime = 500

/** Plays a change through for the services named; everything else stays as it is. The view is as it is at the call. */
export function dryRun(
  view: ClusterView,
  ops: readonly Op[],
  services: readonly ServiceKey[],
  project: string,
  unitOf: UnitOfVersion,
  now: Instant,
): Steps<DryRun> {
  return play(opsLike(view, [project]), ops, services, unitOf, now)
}

function* play(
  like: Iterable<Op>,
  ops: readonly Op[],
  services: readonly ServiceKey[],
  unitOf: UnitOfVersion,
  now: Instant,
): Steps<DryRun> {
  let note: Scheduler['note'] = () => {}
  const store = new ScratchStore((change) => note(change))
  const units = openUnitReader((hash) => store.view.files.get(hash))
  // They see the cluster come about, one part after another: to look at all of it at once takes too long.
  const scheduler = new Scheduler(store.view, (unit) => units.needs(unit))
  const explainer = new Explainer(store.view, (unit) => units.needs(unit))
  const tools = { unitOf, makesRoom: explainer.makesRoom.bind(explainer), units, runsEndWell: true } as const
  note = (change) => {
    scheduler.note(change)
    explainer.note(change)
  }
  yield* write(store, like)
  store.apply(ops)
  yield* scheduler.takeIn()
  const retired: Retire[] = []
  let quiet = 0
  for (let round = 0; round < roundsAtMost && quiet < quietRounds; round++) {
    const before = store.revision
    const at = now + round * roundMs
    for (const key of services) retired.push(...(yield* servicePass(store, key, tools, at)))
    const { actions } = scheduler.step(at)
    yield
    const placed = actions.flatMap((action) => engineOps(store.view, action))
    yield* write(store, placed)
    for (const key of services) yield* machinePass(store, key, at)
    quiet = store.revision === before ? quiet + 1 : 0
    if (!(yield)) break
  }
  return { view: store.view, retired, cut: quiet < quietRounds }
}

function* servicePass(
  store: ScratchStore,
  key: ServiceKey,
  tools: SituationTools,
  now: Instant,
): Steps<readonly Retire[]> {
  const service = store.view.services.get(key)
  if (service === undefined) return []
  const situation = yield* situationSteps(store.view, service, tools)
  const decided = yield* servicePlanSteps(situation, now)
  yield
  const { ops } = writesOf(store.view, service, decided, now)
  yield
  yield* write(store, ops)
  return decided.actions.flatMap((action) => (action.kind === 'retire' ? [action] : []))
}

/** Writes a part of it in each step. */
function* write(store: ScratchStore, ops: Iterable<Op>): Steps<void> {
  let part: Op[] = []
  for (const op of ops) {
    part.push(op)
    if (part.length < atATime) continue
    store.apply(part)
    part = []
    yield
  }
  store.apply(part)
}

/** Machines start what they are to start, find it healthy, and stop what they are to stop. */
function* machinePass(store: ScratchStore, key: ServiceKey, now: Instant): Steps<void> {
  const instances = store.view.instancesOf(key)
  for (let from = 0; from < instances.length; from += atATime) {
    const part = instances.slice(from, from + atATime)
    store.apply(part.flatMap(({ unit }) => seenOnMachine(store.view, unit, now)))
    yield
  }
}

function seenOnMachine(view: ClusterView, unit: UnitName, now: Instant): readonly Op[] {
  const machine = view.placements.get(unit)?.machine
  if (machine === undefined) return forgotten(view, unit)
  return view.machines.has(machine) ? unitPass(view, unit, machine, now) : []
}

function forgotten(view: ClusterView, unit: UnitName): readonly Op[] {
  return [...view.machines.keys()]
    .filter((machine) => view.reportsOf(machine).has(unit))
    .map((machine) => ({ op: 'delete', key: keys.report(machine, unit) }))
}

function unitPass(view: ClusterView, unit: UnitName, machine: MachineId, now: Instant): readonly Op[] {
  const desired = view.units.get(unit)?.desired
  const known = view.reportOf(unit)
  if (desired === 'launched') {
    return known === null || !known.launched ? [putOf('report', reported(unit, machine, now))] : []
  }
  if (known?.active === 'inactive' || known?.active === 'failed') return []
  const report = known ?? reported(unit, machine, now)
  const stopped = { active: 'inactive', sub: 'dead', launched: false, exit: null, since: now } as const
  return [putOf('report', { ...report, ...stopped })]
}

function reported(unit: UnitName, machine: MachineId, now: Instant): UnitReport {
  return { ...startedReport(machine, unit, now), pid: null, health: 'healthy' }
}
