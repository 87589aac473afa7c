// The engine's decision: which unit goes to which machine. A pure function of what is known now.
import { byKeys, byText } from '../lib/sort.js'
import type { Instant } from '../lib/time.js'
import type { Machine, MachineId } from '../model/machine.js'
import type {
  DesiredUnit,
  Placement,
  PlacementCause,
  PortBinding,
  Refusal,
  UnitName,
  Waiting,
} from '../model/unit.js'
import type { ClusterView } from '../store/view.js'
import type { Requirements } from '../unit/requirements.js'
import { bindPorts, isBinding } from './ports.js'
import { openSeats, type Seat, seatOf, take } from './seats.js'

/** What the engine wants done. Each carries why. */
export type EngineAction =
  | { readonly kind: 'place'; readonly placement: Placement }
  | {
      readonly kind: 'evict'
      readonly unit: UnitName
      readonly machine: MachineId
      readonly cause: EvictionCause
    }
  | { readonly kind: 'wait'; readonly waiting: Waiting }
  | { readonly kind: 'stop-waiting'; readonly unit: UnitName }

/**
 * `unit-gone`: destroyed. `unloaded`: desired inactive. `machine-lost`: its machine's presence has ended.
 * `port-taken`: something that is not ours holds a host port that was chosen for it, so it gets another one.
 */
export type EvictionCause = 'unit-gone' | 'unloaded' | 'machine-lost' | 'port-taken'

export interface EnginePlan {
  readonly actions: readonly EngineAction[]
  /** When the answer could change without an event; the engine has no such time yet. */
  readonly wakeAt: Instant | null
}

/** What a unit asks for; the caller remembers it by the hash of the unit's text. */
export type NeedsOf = (unit: DesiredUnit) => Requirements

/** The ports that the engine gives out where a unit leaves the choice to it: below Linux's ephemeral range. */
export const assignedPorts = { from: 20_000, to: 29_999 } as const

/**
 * Decides what to change so that every desired unit sits on a machine that may run it.
 * The machine with the fewest units is preferred (seed: fleet-architecture, "least-loaded"), then the lowest id.
 */
export function plan(view: ClusterView, needsOf: NeedsOf, now: Instant): EnginePlan {
  const evictions = planEvictions(view, needsOf)
  const evicted = new Set(evictions.map((eviction) => eviction.unit))
  const seats = openSeats(view, needsOf, evicted)
  const actions: EngineAction[] = [...evictions]
  for (const { unit, cause } of unplaced(view, evictions)) {
    actions.push(...planUnit(view, unit, cause, needsOf(unit), seats, now))
  }
  return { actions: [...actions, ...planForgotten(view)], wakeAt: null }
}

/** Why each machine would take a unit or not, for `explain`; the unit's own seat is left out of the count. */
export function explainUnit(
  view: ClusterView,
  needsOf: NeedsOf,
  unit: DesiredUnit,
): ReadonlyMap<MachineId, Refusal | null> {
  const seats = openSeats(view, needsOf, new Set([unit.name]))
  const needs = needsOf(unit)
  return new Map(seats.map((seat) => [seat.machine.id, refusalOf(seat, unit.name, needs)]))
}

function planEvictions(view: ClusterView, needsOf: NeedsOf): (EngineAction & { kind: 'evict' })[] {
  const evictions: (EngineAction & { kind: 'evict' })[] = []
  for (const placement of view.placements.values()) {
    const cause = evictionCause(view, needsOf, placement)
    if (cause !== null)
      evictions.push({ kind: 'evict', unit: placement.unit, machine: placement.machine, cause })
  }
  return evictions.sort(byKeys((eviction) => eviction.unit))
}

function evictionCause(view: ClusterView, needsOf: NeedsOf, placement: Placement): EvictionCause | null {
  const unit = view.units.get(placement.unit)
  if (unit === undefined) return 'unit-gone'
  if (unit.desired === 'inactive') return 'unloaded'
  // An instance of a lost machine is replaced by a new instance (contract §3); a plain unit moves (seed: fleet).
  if (!view.machines.has(placement.machine) && unit.instance === null) return 'machine-lost'
  return takenPort(view, placement, needsOf(unit)) === null ? null : 'port-taken'
}

/** The chosen port of a placement that its machine found taken; a port that the unit fixes itself cannot be changed. */
function takenPort(view: ClusterView, placement: Placement, needs: Requirements): number | null {
  const port = view.reportOf(placement.unit)?.failure?.port ?? null
  if (port === null || !placement.ports.some((binding) => binding.host === port)) return null
  return needs.ports.some((need) => need.host === port) ? null : port
}

/** Units that want a place, with why they have none, in the order in which they were asked for. */
function unplaced(
  view: ClusterView,
  evictions: readonly (EngineAction & { kind: 'evict' })[],
): readonly { unit: DesiredUnit; cause: PlacementCause }[] {
  const evicted = new Map(evictions.map((eviction) => [eviction.unit, eviction]))
  const found: { unit: DesiredUnit; cause: PlacementCause }[] = []
  for (const unit of view.units.values()) {
    if (unit.desired === 'inactive') continue
    const eviction = evicted.get(unit.name)
    if (eviction !== undefined) found.push({ unit, cause: causeAfter(view, eviction) })
    else if (!view.placements.has(unit.name)) found.push({ unit, cause: { kind: 'new' } })
  }
  return found.sort(
    byKeys(
      ({ unit }) => unit.createdAt,
      ({ unit }) => unit.instance?.n ?? 0,
      ({ unit }) => unit.name,
    ),
  )
}

function causeAfter(
  view: ClusterView,
  { unit, machine, cause }: EngineAction & { kind: 'evict' },
): PlacementCause {
  const port = view.reportOf(unit)?.failure?.port
  return cause === 'port-taken' && port !== undefined
    ? { kind: 'port-taken', port }
    : { kind: 'machine-lost', from: machine }
}

function planUnit(
  view: ClusterView,
  unit: DesiredUnit,
  cause: PlacementCause,
  needs: Requirements,
  seats: readonly Seat[],
  now: Instant,
): readonly EngineAction[] {
  const refusals: { machine: MachineId; refusal: Refusal }[] = []
  let best: Seat | null = null
  for (const seat of seats) {
    const refusal = refusalOf(seat, unit.name, needs)
    if (refusal !== null) refusals.push({ machine: seat.machine.id, refusal })
    else if (best === null || seat.units < best.units) best = seat
  }
  if (best === null) return planWaiting(view, unit.name, refusals, now)
  const ports = bindPorts(
    best,
    unit.instance?.uuid ?? unit.name,
    needs.ports,
    assignedPorts,
    cause.kind === 'port-taken' ? cause.port : null,
  )
  if (!isBinding(ports))
    return planWaiting(view, unit.name, [{ machine: best.machine.id, refusal: ports }], now)
  take(best, unit.name, needs, ports)
  return [placeAction(unit.name, best.machine, ports, cause, now)]
}

function placeAction(
  unit: UnitName,
  machine: Machine,
  ports: readonly PortBinding[],
  cause: PlacementCause,
  at: Instant,
): EngineAction {
  return { kind: 'place', placement: { unit, machine: machine.id, ports, cause, at } }
}

/** Says that a unit waits, unless the store says just that already. */
function planWaiting(
  view: ClusterView,
  unit: UnitName,
  refusals: Waiting['refusals'],
  now: Instant,
): readonly EngineAction[] {
  const known = view.waiting.get(unit)
  if (known !== undefined && JSON.stringify(known.refusals) === JSON.stringify(refusals)) return []
  return [{ kind: 'wait', waiting: { unit, since: known?.since ?? now, refusals } }]
}

/** Units that wait no longer, because they are gone or no longer wanted. Placing one ends its waiting by itself. */
function planForgotten(view: ClusterView): readonly EngineAction[] {
  return [...view.waiting.keys()]
    .filter((name) => (view.units.get(name)?.desired ?? 'inactive') === 'inactive')
    .sort(byText)
    .map((unit) => ({ kind: 'stop-waiting', unit }))
}

/** The first reason why a machine cannot take a unit; null if it can. Cheapest and most lasting reasons first. */
function refusalOf(seat: Seat, unit: UnitName, needs: Requirements): Refusal | null {
  if (!needs.drivers.some((driver) => seat.machine.drivers.includes(driver))) {
    return { kind: 'driver', needs: needs.drivers }
  }
  if (seat.cordoned) return { kind: 'cordoned' }
  if (needs.memoryMb > seat.freeMb) return { kind: 'memory', needsMb: needs.memoryMb, freeMb: seat.freeMb }
  for (const need of needs.ports) {
    if (need.host === null) continue
    const heldBy = seatOf(seat, need.host, need.protocol, need.ip)
    if (heldBy !== null && heldBy !== unit)
      return { kind: 'port', port: need.host, protocol: need.protocol, heldBy }
  }
  return null
}
