// Whether a machine can take a party, and the first reason why not. What there is to say about it is in `refusals.ts`.
import type { DriverKind } from '../model/driver-kind.js'
import type { KeyProblem, Machine } from '../model/machine.js'
import { addressOn } from '../model/network.js'
import type { Refusal } from '../model/unit.js'
import type { PortNeed } from '../unit/requirements.js'
import type { FleetOptions } from '../unit/x-fleet.js'
import { holderOf } from './state/machines.js'
import type { Rule, Seat, Selector, Tenant } from './state/model.js'
import type { Party, Pin, Shape } from './state/placement-group.js'
import { domainOf } from './state/selectors.js'

export type RefusalKind = Refusal['kind']

/** The first reason why a machine cannot take a party; null when it can. The most lasting reasons stand first. */
export function whyNot(party: Party, seat: Seat): RefusalKind | null {
  if (party.missing !== null) return 'no-target'
  return machineReason(party.shape, seat) ?? pinReason(party, seat) ?? tenantsReason(party, seat)
}

/** What is against a machine for what it is, whoever is on it. */
export function machineReason(shape: Shape, seat: Seat): RefusalKind | null {
  if (shape.clash !== null) return 'group'
  if (!hasDrivers(shape, seat)) return 'driver'
  if (seat.cordoned) return 'cordoned'
  if (shape.kinds.some(({ profile }) => !isWantedId(profile.needs.fleet.machineId, seat))) return 'machine-id'
  if (!hasMetadata(shape, seat)) return 'metadata'
  if (!shape.kinds.every(({ profile }) => profile.needs.networks.every((name) => isOnNetwork(name, seat))))
    return 'network'
  if (keyProblem(shape, seat) !== null) return 'secret-key'
  return awayReason(shape, seat)
}

/** Why a machine cannot open the secrets that units are given; null where it can, and where they are given none. */
export function keyProblem({ kinds }: Shape, { machine }: Seat): KeyProblem | null {
  const problem = machine?.secretKeys?.problem
  return problem !== undefined && kinds.some(({ profile }) => profile.needs.secrets) ? problem : null
}

/** What passes by itself comes last: it hides nothing that lasts. */
function awayReason({ kinds }: Shape, { machine }: Seat): RefusalKind | null {
  const answers = kinds.every(({ profile }) =>
    profile.needs.drivers.some((driver) => machine !== null && driverAnswers(driver, machine)),
  )
  return answers ? null : 'driver-away'
}

/** Whether a machine has a driver that answers. */
export function driverAnswers(driver: DriverKind, { drivers, driversAway }: Machine): boolean {
  return drivers.includes(driver) && driversAway?.includes(driver) !== true
}

function hasDrivers({ kinds }: Shape, { machine }: Seat): boolean {
  return kinds.every(({ profile }) =>
    profile.needs.drivers.some((driver) => machine?.drivers.includes(driver)),
  )
}

/** Whether a machine is the one that `MachineID=` names, if it names one. */
export function isWantedId(wanted: string | null, seat: Seat): boolean {
  return wanted === null || wanted === seat.id
}

/** Whether a machine has one of the values asked for of each key (seed: AND across keys, OR within one). */
function hasMetadata({ kinds, machineRules }: Shape, seat: Seat): boolean {
  for (const { profile } of kinds) {
    const { metadata } = profile.needs.fleet
    for (const key of Object.keys(metadata)) {
      const has = domainOf(seat, key)
      if (has === null || !metadata[key]?.includes(has)) return false
    }
  }
  return machineRules.every(({ key, allows }) => allows(domainOf(seat, key)))
}

/** Whether a machine has an address on a network. */
export function isOnNetwork(name: string, { machine }: Seat): boolean {
  return machine !== null && addressOn(name, machine.metadata) !== null
}

function pinReason({ pins }: Party, seat: Seat): RefusalKind | null {
  const other = pins.find((pin) => pin.seat !== seat)
  return other === undefined ? null : pinKind(other)
}

/** What machines say that are not the one of a pin. */
export function pinKind(pin: Pin): RefusalKind {
  return 'target' in pin ? 'target-elsewhere' : 'volume-elsewhere'
}

/** What is against a machine for what is on it, or elsewhere. Reasons that can come from elsewhere stand last. */
export function tenantsReason(party: Party, seat: Seat): RefusalKind | null {
  const { shape } = party
  return roomReason(shape, seat) ?? neighbourReason(party, seat) ?? rulesReason(shape, seat)
}

function roomReason(shape: Shape, seat: Seat): RefusalKind | null {
  if (shape.memoryMb > 0 && shape.memoryMb > seat.freeMb) return 'memory'
  if (shape.cpu > 0 && shape.cpu > seat.freeCpu) return 'cpu'
  return shape.fixedPorts.length > 0 && shape.fixedPorts.some((need) => isHeld(need, seat)) ? 'port' : null
}

function isHeld({ host, protocol, ip }: PortNeed, seat: Seat): boolean {
  return host !== null && holderOf(seat, host, protocol, ip) !== null
}

/** Conflicts hold in both directions. */
function neighbourReason(party: Party, seat: Seat): RefusalKind | null {
  for (const { pickedBy, profile } of party.shape.kinds) {
    if (pickedBy.some((selector) => selector.conflicting.has(seat))) return 'conflict'
    if (profile.conflicts.some((selector) => selector.on.has(seat))) return 'conflict'
    const isReplaced = pickedBy.some((selector) => selector.replacing.has(seat))
    if (isReplaced && isReplacedOn(party, seat)) return 'replaced'
    const isReplacing = profile.replaces.some((selector) => selector.on.has(seat))
    if (isReplacing && isReplacingOn(party, seat)) return 'replaces'
  }
  return null
}

function isReplacedOn({ members }: Party, seat: Seat): boolean {
  return hasTenant(seat, (tenant) => members.some((member) => takesPlaceOf(tenant, member)))
}

function isReplacingOn({ members }: Party, seat: Seat): boolean {
  return hasTenant(seat, (tenant) => members.some((member) => takesPlaceOf(member, tenant)))
}

function hasTenant({ tenants }: Seat, wanted: (tenant: Tenant) => boolean): boolean {
  for (const tenant of tenants) if (tenant.active && wanted(tenant)) return true
  return false
}

function rulesReason(shape: Shape, seat: Seat): RefusalKind | null {
  for (const rule of shape.hardRules) {
    const reason = ruleReason(rule, shape, seat)
    if (reason !== null) return reason
  }
  return null
}

/**
 * Why a unit cannot stay on a machine that it was placed on; it is not counted among those there. Judged is what fleet
 * judges again and again, and what is never promised twice; where it has been placed, affinity rules are met.
 */
export function cannotStay(party: Party, seat: Seat): RefusalKind | null {
  if (!party.shape.kinds.every(({ profile }) => meetsFleet(profile.needs.fleet, seat))) {
    return party.shape.kinds.every(({ profile }) => isWantedId(profile.needs.fleet.machineId, seat))
      ? 'metadata'
      : 'machine-id'
  }
  return roomReason(party.shape, seat) ?? neighbourReason(party, seat)
}

/** Whether a machine is still what `MachineID=` and `MachineMetadata=` ask for. */
export function meetsFleet({ machineId, metadata }: FleetOptions, seat: Seat): boolean {
  if (!isWantedId(machineId, seat)) return false
  return Object.entries(metadata).every(([key, wants]) => wants.includes(domainOf(seat, key) ?? '\0'))
}

/** Whether one replaces the other by its `Replaces=`. Two that replace each other are let be, as in fleet. */
export function takesPlaceOf(one: Tenant, other: Tenant): boolean {
  return one !== other && replaces(one, other) && !replaces(other, one)
}

/** A global unit is everywhere it can be: it neither takes a place nor makes way. */
function replaces(one: Tenant, other: Tenant): boolean {
  if (other.kind.profile.needs.fleet.global) return false
  return one.kind.profile.replaces.some((selector) => other.kind.pickedBy.includes(selector))
}

/**
 * Near needs all that the rule picks in one place; where there is nothing to be near to it is refused, but for the
 * first of units that pick themselves. Far needs none of them here.
 */
export function ruleReason({ rule, near, selector }: Rule, shape: Shape, seat: Seat): RefusalKind | null {
  const here = selector.near(seat, rule.by)
  if (!near) return here > 0 ? 'far' : null
  if (selector.total === 0) return picksItself(shape, selector) ? null : 'nothing-near'
  return here === selector.total ? null : 'near'
}

export function picksItself({ kinds }: Shape, selector: Selector): boolean {
  return kinds.some(({ pickedBy }) => pickedBy.includes(selector))
}
