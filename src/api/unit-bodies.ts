// Units as the JSON that callers read: what is wanted of them, where they are, and how far they are on the way there.
import { runHash } from '../agent/unit-to-run.js'
import type { UnitBody, UnitDetails, UnitOnMachine, UnitProgressBody } from '../contract/contract.js'
import { describeWaiting } from '../engine/describe.js'
import type { Explainer } from '../engine/explain.js'
import type { NeedsOf } from '../engine/state/unit-index.js'
import { byKeys } from '../lib/sort.js'
import { type Instant, toIso } from '../lib/time.js'
import { describeTrouble, isPulling, nextTryAt } from '../model/instance-state.js'
import type { MachineId } from '../model/machine.js'
import type { DesiredState, DesiredUnit, Placement, UnitName, UnitReport } from '../model/unit.js'
import { hostnameOf } from '../store/hostname.js'
import { keys } from '../store/records.js'
import { reportedElsewhere } from '../store/still-elsewhere.js'
import { describeUnreadable, unreadableOfUnit } from '../store/unreadable.js'
import type { ClusterView } from '../store/view.js'
import { mayBeStartedByOthers } from '../unit/install.js'
import { parseUnit } from '../unit/parse.js'
import { currentStateOf, loadWordOf } from './unit-state.js'

export function unitBodyOf(view: ClusterView, needsOf: NeedsOf, unit: DesiredUnit, now: Instant): UnitBody {
  const { global } = needsOf(unit).fleet
  const placed = placedUnitsOf(view, unit.name)
  const [one] = placed
  const report = global || one === undefined ? null : shownAt(one)
  return {
    name: unit.name,
    hash: unit.hash,
    desired: unit.desired,
    state: global ? null : currentStateOf(view, unit),
    machine: view.placements.get(unit.name)?.machine ?? null,
    driver: report?.driver ?? null,
    load: shownLoad(report),
    active: shownActive(report),
    sub: shownSub(report),
    instance: unit.instance?.name ?? null,
    global,
    machines: placed.map(onMachine),
    reason: reasonOf(view, unit.name, placed, now),
  }
}

/** The same with what only its machine knows, as far as that has reported it. */
export function unitDetailsOf(
  view: ClusterView,
  needsOf: NeedsOf,
  unit: DesiredUnit,
  now: Instant,
): UnitDetails {
  const report = view.reportOf(unit.name)
  const nextAt = report === null ? null : nextTryAt(report, now)
  return {
    ...unitBodyOf(view, needsOf, unit, now),
    text: view.files.get(unit.hash) ?? '',
    pid: report?.pid ?? null,
    container: report?.containerId ?? null,
    since: report?.since == null ? null : toIso(report.since),
    restarts: report?.restarts ?? 0,
    nextTryAt: nextAt === null ? null : toIso(nextAt),
    memoryBytes: null,
    cpuNs: null,
    processes: null,
  }
}

/** How far a unit is on the way to what a command wanted of it; null: to be gone. */
export function unitProgressOf(
  view: ClusterView,
  needsOf: NeedsOf,
  explainer: Explainer,
  name: UnitName,
  wanted: DesiredState | null,
  { now, isSettling }: { readonly now: Instant; readonly isSettling: (name: UnitName) => boolean },
): UnitProgressBody {
  const unit = view.units.get(name)
  const placed = placedUnitsOf(view, name)
  const body = {
    name,
    desired: unit?.desired ?? null,
    machines: placed.map(onMachine),
    reason: reasonOf(view, name, placed, now),
    logs: [],
  }
  if ((unit?.desired ?? null) !== wanted) return { ...body, outcome: 'overtaken' }
  if (unit === undefined || unit.desired === 'inactive') {
    const isLeaving = view.isReported(name) || placed.some(({ present }) => present) || isSettling(name)
    return { ...body, outcome: isLeaving ? 'going' : 'done' }
  }
  const expected = needsOf(unit).fleet.global ? globalSeats(explainer, unit) : 1
  // One of a global unit on a machine that is down is up when that is back, and nobody waits for it.
  const awaited = placed.filter(({ placement, present }) => present || placement.global !== true)
  const outcomes = awaited.map((one) => outcomeOn(view, unit, one))
  return { ...body, outcome: worst(outcomes, expected) }
}

/** A unit on a machine: its place, and what the machine reports while it is there. */
interface PlacedUnit {
  readonly placement: Placement
  readonly present: boolean
  /** Also of a unit that the machine does not hold, because it could not be loaded. */
  readonly report: UnitReport | null
}

/** What a driver holds has a hash; what it fetches an image for, it is about to hold. */
function shownAt({ report }: PlacedUnit): UnitReport | null {
  return report === null || (report.hash === '' && !isPulling(report)) ? null : report
}

function shownLoad(report: UnitReport | null): UnitBody['load'] {
  return report === null || report.hash === '' ? null : loadWordOf(report)
}

/** What was seen before its driver went away may be so no more. */
function shownActive(report: UnitReport | null): UnitBody['active'] {
  if (report === null) return null
  if (report.unknownSince !== undefined) return 'unknown'
  return isPulling(report) ? 'activating' : report.active
}

function shownSub(report: UnitReport | null): string | null {
  if (report === null) return null
  if (report.unknownSince !== undefined) return `since ${toIso(report.unknownSince)}`
  return isPulling(report) ? 'pulling' : report.sub
}

function placedUnitsOf(view: ClusterView, name: UnitName): readonly PlacedUnit[] {
  const one = view.placements.get(name)
  const placements = one === undefined ? [...view.globalPlacementsOf(name).values()] : [one]
  return [...placements].sort(byKeys((placement) => placement.machine)).map((placement) => {
    const present = view.machines.has(placement.machine)
    const report = present ? view.reportsOf(placement.machine).get(name) : undefined
    return { placement, present, report: report ?? null }
  })
}

function onMachine(one: PlacedUnit): UnitOnMachine {
  const report = shownAt(one)
  return {
    machine: one.placement.machine,
    driver: report?.driver ?? null,
    load: shownLoad(report),
    active: shownActive(report),
    sub: shownSub(report),
  }
}

function reasonOf(view: ClusterView, name: UnitName, placed: readonly PlacedUnit[], now: Instant): string {
  const hostname = (machine: MachineId) => hostnameOf(view, machine)
  const unreadable = unreadableOfUnit(view, name)
  if (unreadable.length > 0) return describeUnreadable(unreadable)
  const waiting = view.waiting.get(name)
  if (waiting !== undefined) return describeWaiting(waiting.refusals, hostname)
  const reasons = placed.map(({ placement, present, report }) => {
    if (!present) return `its machine ${hostname(placement.machine)} is down`
    const other = isDown(report) ? stillAt(view, placement) : null
    if (other !== null) return `it starts here when it has stopped on ${hostname(other)}`
    return report === null ? '' : describeTrouble(report, now)
  })
  return [...new Set(reasons.filter((reason) => reason !== ''))].join('; ')
}

function isDown(report: UnitReport | null): boolean {
  return report === null || report.active === 'inactive' || report.active === 'failed'
}

/** The machine that a unit has left and that is still to make an end of it; null for none. */
function stillAt(view: ClusterView, { unit, machine, global }: Placement): MachineId | null {
  const isWanted = view.units.get(unit)?.desired === 'launched'
  return global === true || !isWanted ? null : reportedElsewhere(view, unit, machine)
}

function globalSeats(explainer: Explainer, unit: DesiredUnit): number {
  return [...explainer.explain(unit).values()].filter(({ length }) => length === 0).length
}

type Outcome = UnitProgressBody['outcome']

function worst(outcomes: readonly Outcome[], expected: number): Outcome {
  if (outcomes.includes('failed')) return 'failed'
  return outcomes.length < expected || outcomes.includes('going') ? 'going' : 'done'
}

/** Whether a unit that is loaded only may run with another one of its host. */
function isStartedByOthers(view: ClusterView, { hash }: DesiredUnit, { driver }: UnitReport): boolean {
  const text = view.files.get(hash)
  return driver === 'systemd' && text !== undefined && mayBeStartedByOthers(parseUnit(text).file)
}

function outcomeOn(view: ClusterView, unit: DesiredUnit, { placement, report }: PlacedUnit): Outcome {
  if (report === null) return 'going'
  const { active, launched, failure } = report
  if (report.unknownSince !== undefined || isPulling(report)) return 'going'
  // An older report tells of what was wanted before.
  const isNews =
    view.revisionOf(keys.report(report.machine, unit.name)) > view.revisionOf(keys.unit(unit.name))
  if (failure !== null) return failure.permanent && isNews ? 'failed' : 'going'
  if (report.hash !== runHash(unit.hash, placement)) return 'going'
  if (unit.desired === 'loaded') {
    const isDown = active === 'inactive' || active === 'failed'
    return !launched && (isDown || isStartedByOthers(view, unit, report)) ? 'done' : 'going'
  }
  if (!launched) return 'going'
  if (active === 'failed') return 'failed'
  return active === 'active' || active === 'inactive' ? 'done' : 'going'
}
