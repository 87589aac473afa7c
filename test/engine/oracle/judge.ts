// Judges what a pass did by the test's own reading of the specification. Every problem is a sentence; none is right.
import type { EngineAction } from '../../../src/engine/pass-decisions.js'
import type { Machine, Unit } from './cluster.js'
import type { Outcome } from './play.js'
import {
  activeOn,
  against,
  areNear,
  conflict,
  cpuOf,
  hardRules,
  hasMetadata,
  isLeaving,
  meet,
  memoryOf,
  type Placed,
  picks,
  type Seat,
  takesPlaceOf,
} from './reading.js'

type Place = EngineAction & { readonly kind: 'place' }
type Evict = EngineAction & { readonly kind: 'evict' }

export function judge(outcome: Outcome): readonly string[] {
  const { cluster } = outcome
  const machines = [...cluster.machines.values()]
  const units = [...cluster.units.values()]
  return [
    ...outcome.after.flatMap((seat) => seatProblems(outcome, seat)),
    ...units.flatMap((unit) => (unit.asks.global ? [] : whereProblems(outcome, unit))),
    ...units.filter(({ asks }) => asks.global).flatMap((unit) => globalProblems(outcome, unit)),
    ...machines.flatMap((machine) => machineProblems(outcome, machine)),
    ...places(outcome).flatMap((action, at) => placeProblems(outcome, action, at)),
    ...evictions(outcome).flatMap((action) => evictionProblems(outcome, action)),
    ...machines.flatMap((machine) => drainProblems(outcome, machine)),
    ...onlyPlaceProblems(outcome),
  ]
}

const places = ({ actions }: Outcome): readonly Place[] =>
  actions.filter((action): action is Place => action.kind === 'place')
const evictions = ({ actions }: Outcome): readonly Evict[] =>
  actions.filter((action): action is Evict => action.kind === 'evict')

/** What is placed is wanted, has its ports and is where its targets are. */
function seatProblems({ cluster, after }: Outcome, { unit: name, machine, ports }: Seat): readonly string[] {
  const unit = cluster.units.get(name)
  if (unit === undefined || unit.desired === 'inactive') return [`${name} is placed and is not wanted`]
  if (!cluster.machines.has(machine) && unit.service === null)
    return [`${name} is placed on a machine that is gone`]
  if (isLeaving(unit)) return []
  const apart = unit.asks.machineOf.filter(
    (target) => after.find((one) => one.unit === target)?.machine !== machine,
  )
  return [
    ...apart.map((target) => `${name} is not where ${target} is, which it follows`),
    ...(!hasPorts(unit, ports) ? [`${name} has other ports than it asks for`] : []),
  ]
}

/** Where the choice is the engine's, a port that a unit had already is as good as any. */
function hasPorts({ asks }: Unit, ports: Seat['ports']): boolean {
  if (ports.length !== asks.ports.length) return false
  return asks.ports.every(({ host, ip, protocol, container }, at) => {
    const held = ports[at]
    if (held?.ip !== ip || held.protocol !== protocol || held.container !== container) return false
    return host === null || held.host === host
  })
}

/** A unit is placed or waits, and waits only while every machine has a reason. */
function whereProblems(outcome: Outcome, unit: Unit): readonly string[] {
  const { cluster, after, waiting } = outcome
  const seats = after.filter((seat) => seat.unit === unit.name)
  const told = waiting.get(unit.name)
  if (seats.length > 1) return [`${unit.name} is placed twice`]
  const isWanted = unit.desired !== 'inactive' && !isLeaving(unit)
  if (!isWanted) return told === undefined ? [] : [`${unit.name} waits and is not to be anywhere`]
  if ((seats.length === 1) === (told !== undefined))
    return [`${unit.name} is to be placed or to wait, and not both`]
  if (told === undefined) return []
  const party = partyOf(outcome, unit)
  const machines = [...cluster.machines.values()]
  const reasons = new Map(machines.map((machine) => [machine.id, against(cluster, after, party, machine)]))
  const counted = told.reduce((sum, { machines: count }) => sum + count, 0)
  const isNew = outcome.actions.some((action) => action.kind === 'wait' && action.waiting.unit === unit.name)
  return [
    ...machines
      .filter(({ id }) => reasons.get(id)?.size === 0)
      .map(({ id }) => `${unit.name} waits and could be placed on ${id}`),
    ...machines
      .filter((machine) => couldTakeOver(outcome, unit, party, machine))
      .map(({ id }) => `${unit.name} waits and could take the place of another on ${id}`),
    ...(isNew && counted !== machines.length ? [`${unit.name} is told of ${counted} machines`] : []),
    ...(isNew ? told : [])
      .filter(({ machine, kind }) => reasons.get(machine)?.has(kind) !== true)
      .map(({ machine, kind }) => `${unit.name} is told ${kind} of ${machine}, which is not so`),
  ]
}

/** A unit with all that it follows and that has no place either. */
function partyOf({ cluster, after }: Outcome, unit: Unit): readonly Unit[] {
  const party = new Set([unit])
  for (const { asks } of party) {
    for (const name of asks.machineOf) {
      const target = cluster.units.get(name)
      const isFree = target !== undefined && !after.some((seat) => seat.unit === name)
      if (isFree && !target.asks.global && target.desired !== 'inactive' && !isLeaving(target))
        party.add(target)
    }
  }
  return [...party]
}

/** Whether older units would have to make way by `Replaces=`; judged where nobody else is bound to those concerned. */
function couldTakeOver(
  { cluster, after }: Outcome,
  unit: Unit,
  party: readonly Unit[],
  machine: Machine,
): boolean {
  if (party.length > 1 || unit.asks.machineOf.length > 0) return false
  const replaced = activeOn(cluster, after, machine.id).filter(
    ({ unit: other }) => takesPlaceOf(unit, other) && isOlder(other, unit) && !isLeaving(other),
  )
  if (replaced.length === 0) return false
  const left = after.filter((seat) => !replaced.some((one) => one.seat === seat))
  return against(cluster, left, party, machine).size === 0
}

function isOlder(one: Unit, other: Unit): boolean {
  return one.createdAt - other.createdAt < 0
}

/** A global unit is on every machine that can take it. */
function globalProblems({ cluster, after }: Outcome, unit: Unit): readonly string[] {
  if (unit.desired === 'inactive') return []
  return [...cluster.machines.values()]
    .filter(({ id }) => !after.some((seat) => seat.unit === unit.name && seat.machine === id))
    .filter((machine) => against(cluster, after, [unit], machine).size === 0)
    .map(({ id }) => `${unit.name} is global and not on ${id}, which could take it`)
}

/** Nothing is promised twice, and nobody is beside whom they conflict with. What is leaving is let go in peace. */
function machineProblems({ cluster, after }: Outcome, machine: Machine): readonly string[] {
  const here = activeOn(cluster, after, machine.id)
  const staying = here.filter(({ unit }) => !isLeaving(unit))
  const sum = (of: (unit: Unit) => number): number => staying.reduce((all, { unit }) => all + of(unit), 0)
  return [
    ...(sum(memoryOf) > machine.memoryMb ? [`${machine.id} has promised more memory than it has`] : []),
    ...(sum(cpuOf) > 100 * machine.cpus ? [`${machine.id} has promised more cores than it has`] : []),
    ...staying
      .filter(({ unit }) => !hasMetadata(unit, machine))
      .map(({ unit }) => `${unit.name} is on ${machine.id} without the metadata that it asks for`),
    ...staying
      .filter(({ unit: { asks } }) => asks.machineId !== null && asks.machineId !== machine.id)
      .map(({ unit }) => `${unit.name} is on ${machine.id} and asks for another machine`),
    ...staying.flatMap((one) =>
      staying.filter((other) => one !== other).flatMap((other) => pairProblems(one, other, machine)),
    ),
  ]
}

function pairProblems(one: Placed, other: Placed, { id }: Machine): readonly string[] {
  const names = `${one.unit.name} and ${other.unit.name} on ${id}`
  const ports = one.seat.ports.some((port) => other.seat.ports.some((held) => meet(port, held)))
  return [
    ...(conflict(one.unit, other.unit) ? [`${names} conflict`] : []),
    ...(ports ? [`${names} have one host port`] : []),
    ...(takesPlaceOf(one.unit, other.unit) ? [`${names}: the one takes the place of the other`] : []),
  ]
}

/** What was placed just now has nothing against it, for what the machine is and for who was there before it. */
function placeProblems(outcome: Outcome, { placement }: Place, at: number): readonly string[] {
  const { cluster, after } = outcome
  const unit = cluster.units.get(placement.unit)
  const machine = cluster.machines.get(placement.machine)
  if (unit === undefined || machine === undefined) return [`${placement.unit} was placed where nobody is`]
  if (isLeaving(unit)) return [`${unit.name} is stopping and was placed anew`]
  const reasons = against(cluster, noSeats, [unit], machine)
  const lasting = ['driver', 'cordoned', 'machine-id', 'metadata', 'network'].filter((kind) =>
    reasons.has(kind),
  )
  const strange = unit.asks.ports.some(({ host }, number) => {
    const given = placement.ports[number]?.host ?? 0
    return host === null && (given < 20_000 || given > 29_999)
  })
  const ahead = places(outcome).slice(0, at)
  const wasThere = (seat: Seat): boolean =>
    (outcome.before.some((one) => one.unit === seat.unit && one.machine === seat.machine) &&
      !places(outcome).some(
        (one) => one.placement.unit === seat.unit && one.placement.machine === seat.machine,
      )) ||
    ahead.some((one) => one.placement.unit === seat.unit && one.placement.machine === seat.machine)
  const earlier = after.filter((seat) => seat.unit !== unit.name && wasThere(seat))
  const others = [...cluster.machines.values()].flatMap((one) =>
    activeOn(cluster, earlier, one.id).map((placed) => ({ ...placed, near: one })),
  )
  const broken = hardRules(unit).filter(({ near, by, ...rule }) => {
    const picked = others.filter((other) => picks({ near, by, ...rule }, unit, other.unit))
    if (!near) return picked.some((other) => areNear(other.near, machine, by))
    // What is placed together with it is near wherever that is.
    return picked.some((other) => other.near !== machine && !areNear(other.near, machine, by))
  })
  return [
    ...(strange ? [`${unit.name} was given a port that is not the engine's to give`] : []),
    ...lasting.map((kind) => `${unit.name} was placed on ${machine.id} against ${kind}`),
    ...broken.map(({ key, value }) => `${unit.name} was placed on ${machine.id} against ${key} ${value}`),
  ]
}

const noSeats: readonly Seat[] = []

/** Whoever leaves has a reason that is so. */
function evictionProblems(outcome: Outcome, { placement, cause }: Evict): readonly string[] {
  const { cluster, before } = outcome
  const { unit: name, machine: id } = placement
  const unit = cluster.units.get(name)
  const problem = (isRight: boolean): readonly string[] =>
    isRight ? [] : [`${name} left ${id} because of ${cause.kind}, which is not so`]
  if (cause.kind === 'unit-gone') return problem(unit === undefined)
  if (unit === undefined) return problem(false)
  if (cause.kind === 'unloaded') return problem(unit.desired === 'inactive')
  if (cause.kind === 'scope-changed') return problem(unit.asks.global !== (placement.global ?? false))
  if (isLeaving(unit)) return [`${name} is stopping and was sent away`]
  const machine = cluster.machines.get(id)
  if (cause.kind === 'machine-lost') return problem(machine === undefined && unit.service === null)
  if (cause.kind === 'port-taken') return problem(unit.asks.ports.some(({ host }) => host === null))
  if (cause.kind === 'ports-changed') return problem(!hasPorts(unit, placement.ports))
  if (cause.kind === 'drained') return problem(cluster.orders.get(id)?.drained === true)
  if (cause.kind === 'target-moved') {
    const wasThere = before.some((seat) => seat.unit === cause.target && seat.machine === id)
    const left = evictions(outcome).some((one) => one.placement.unit === cause.target)
    const isFollowable = cluster.units.get(cause.target)?.asks.global === false
    return problem(unit.asks.machineOf.includes(cause.target) && (!wasThere || left || !isFollowable))
  }
  if (cause.kind === 'replaced') {
    const by = cluster.units.get(cause.by)
    return problem(by !== undefined && takesPlaceOf(by, unit))
  }
  return problem(machine !== undefined && cannotAllStay(outcome, unit, machine, before))
}

/** Whether something is wrong on a machine that a unit has part in. */
function cannotAllStay({ cluster }: Outcome, unit: Unit, machine: Machine, before: readonly Seat[]): boolean {
  const here = activeOn(cluster, before, machine.id)
  const own = here.find((one) => one.unit === unit)
  const others = here.filter((one) => one.unit !== unit)
  const sum = (of: (unit: Unit) => number): number => here.reduce((all, one) => all + of(one.unit), 0)
  return (
    own === undefined ||
    !hasMetadata(unit, machine) ||
    (unit.asks.machineId !== null && unit.asks.machineId !== machine.id) ||
    (unit.asks.memoryMb > 0 && sum(memoryOf) > machine.memoryMb) ||
    (unit.asks.cpu > 0 && sum(cpuOf) > 100 * machine.cpus) ||
    others.some((other) => pairProblems(own, other, machine).length > 0) ||
    others.some((other) => pairProblems(other, own, machine).length > 0)
  )
}

/** Nothing that can be moved stays on a drained machine while another one takes it, with all that is bound to it there. */
function drainProblems({ cluster, after }: Outcome, machine: Machine): readonly string[] {
  if (cluster.orders.get(machine.id)?.drained !== true) return []
  const here = activeOn(cluster, after, machine.id).map(({ unit }) => unit)
  const free = here.filter((unit) => unit.service === null && !unit.asks.global)
  return free.flatMap((unit) => {
    const circle = new Set([unit])
    for (const member of circle) {
      for (const other of here) {
        const isBound =
          member.asks.machineOf.includes(other.name) || other.asks.machineOf.includes(member.name)
        if (isBound && !isLeaving(other) && !other.asks.global) circle.add(other)
      }
    }
    const left = after.filter((seat) => ![...circle].some(({ name }) => name === seat.unit))
    return [...cluster.machines.values()]
      .filter((other) => other !== machine && against(cluster, left, [...circle], other).size === 0)
      .map(({ id }) => `${unit.name} stays on a drained machine and could go to ${id}`)
  })
}

/** Where a pass placed one unit and did nothing else, it went to the least loaded machine, and took followers along. */
function onlyPlaceProblems(outcome: Outcome): readonly string[] {
  const { cluster, after } = outcome
  const [place, ...more] = places(outcome)
  const unit = place && cluster.units.get(place.placement.unit)
  if (!unit || more.length > 0 || evictions(outcome).length > 0 || unit.asks.global) return []
  const rest = after.filter((seat) => seat.unit !== unit.name)
  const machines = [...cluster.machines.values()]
  const takes = (units: readonly Unit[]): readonly Machine[] =>
    machines.filter((machine) => against(cluster, rest, units, machine).size === 0)
  const followers = followersOf(outcome, unit)
  // One that runs and was changed to follow it stays where it is, and brings its target there (docs/scheduling.md).
  const home = rest.find((seat) => followers.some(({ name }) => name === seat.unit))?.machine
  const alone = followers.filter(
    (follower) =>
      outcome.waiting.has(follower.name) &&
      takes([unit, follower]).some(({ id }) => home === undefined || id === home),
  )
  const load = ({ id }: Machine): number => activeOn(cluster, rest, id).length
  const best = takes([unit]).toSorted((a, b) => load(a) - load(b) || (a.id < b.id ? -1 : 1))[0]
  const isFree =
    unit.asks.spread === null &&
    unit.asks.replaces.length === 0 &&
    !unit.asks.rules.some(({ soft }) => soft) &&
    !isFollowed(outcome, unit)
  return [
    ...alone.map(({ name }) => `${unit.name} was placed where ${name} cannot be, which could go along`),
    ...(isFree && best?.id !== place?.placement.machine
      ? [`${unit.name} was placed on ${place?.placement.machine}, and ${best?.id} is less loaded`]
      : []),
  ]
}

function followersOf({ cluster }: Outcome, unit: Unit): readonly Unit[] {
  const all = [...cluster.units.values()].filter((one) => !one.asks.global && one.desired === 'launched')
  return all.filter(({ asks }) => asks.machineOf.length === 1 && asks.machineOf[0] === unit.name)
}

function isFollowed({ cluster }: Outcome, unit: Unit): boolean {
  return [...cluster.units.values()].some(({ asks }) => asks.machineOf.includes(unit.name))
}
