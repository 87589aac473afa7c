// Whether a machine can take a party, and why not. `whyNot` decides; `refusalOf` adds the figures for people.
import { invariant } from '../lib/invariant.js'
import type { Refusal, UnitName } from '../model/unit.js'
import type { FleetOptions } from '../unit/x-fleet.js'
import type { Rule, Seat, Selector, Tenant } from './cast.js'
import { type Party, ruleText, type Shape } from './party.js'
import { assignedPorts } from './ports.js'
import { holderOf } from './seats.js'
import { domainOf } from './selectors.js'

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
  return wrongMetadata(shape, seat) === null ? null : 'metadata'
}

function hasDrivers({ kinds }: Shape, { machine }: Seat): boolean {
  return kinds.every(({ profile }) =>
    profile.needs.drivers.some((driver) => machine?.drivers.includes(driver)),
  )
}

function isWantedId(wanted: string | null, seat: Seat): boolean {
  return wanted === null || wanted === seat.id
}

type MetadataRefusal = Refusal & { readonly kind: 'metadata' }

/** The key whose value on the machine is none of those asked for (seed: AND across keys, OR within one). */
export function wrongMetadata(shape: Shape, seat: Seat): MetadataRefusal | null {
  for (const { profile } of shape.kinds) {
    const { metadata } = profile.needs.fleet
    for (const key of Object.keys(metadata)) {
      const wants = metadata[key] ?? []
      const has = domainOf(seat, key)
      if (has === null || !wants.includes(has)) return { kind: 'metadata', key, wants, has }
    }
  }
  const broken = shape.machineRules.find(({ key, allows }) => !allows(domainOf(seat, key)))
  return broken === undefined
    ? null
    : { kind: 'metadata', key: broken.key, wants: [broken.text], has: domainOf(seat, broken.key) }
}

function pinReason({ pins }: Party, seat: Seat): RefusalKind | null {
  return pins.every((pin) => pin.seat === seat) ? null : 'target-elsewhere'
}

/** What is against a machine for what is on it, or elsewhere. Reasons that can come from elsewhere stand last. */
export function tenantsReason(party: Party, seat: Seat): RefusalKind | null {
  const { shape } = party
  return roomReason(shape, seat) ?? neighbourReason(party, seat) ?? rulesReason(shape, seat)
}

function roomReason(shape: Shape, seat: Seat): RefusalKind | null {
  if (shape.memoryMb > 0 && shape.memoryMb > seat.freeMb) return 'memory'
  if (shape.cpu > 0 && shape.cpu > seat.freeCpu) return 'cpu'
  return shape.fixedPorts.length > 0 && heldPort(shape, seat) !== null ? 'port' : null
}

/** Conflicts hold in both directions. */
function neighbourReason(party: Party, seat: Seat): RefusalKind | null {
  for (const { pickedBy, profile } of party.shape.kinds) {
    if (pickedBy.some((selector) => selector.conflicting.has(seat))) return 'conflict'
    if (profile.conflicts.some((selector) => selector.on.has(seat))) return 'conflict'
    const isReplaced = pickedBy.some((selector) => selector.replacing.has(seat))
    if (isReplaced && replacerOn(party, seat) !== null) return 'replaced'
    const isReplacing = profile.replaces.some((selector) => selector.on.has(seat))
    if (isReplacing && replacedOn(party, seat) !== null) return 'replaces'
  }
  return null
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

type PortRefusal = Refusal & { readonly kind: 'port' }

function heldPort(shape: Shape, seat: Seat): PortRefusal | null {
  for (const { host, protocol, ip } of shape.fixedPorts) {
    const holder = host === null ? null : holderOf(seat, host, protocol, ip)
    if (host !== null && holder !== null)
      return { kind: 'port', port: host, protocol, heldBy: holder.unit.name }
  }
  return null
}

/** A unit on the machine that takes the place of a member. */
function replacerOn({ members }: Party, seat: Seat): UnitName | null {
  return lowestName(seat, (tenant) => members.some((member) => takesPlaceOf(tenant, member)))
}

/** A unit on the machine that a member takes the place of. */
function replacedOn({ members }: Party, seat: Seat): UnitName | null {
  return lowestName(seat, (tenant) => members.some((member) => takesPlaceOf(member, tenant)))
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
function ruleReason({ rule, near, selector }: Rule, shape: Shape, seat: Seat): RefusalKind | null {
  const here = selector.near(seat, rule.by)
  if (!near) return here > 0 ? 'far' : null
  if (selector.total === 0) return picksItself(shape, selector) ? null : 'nothing-near'
  return here === selector.total ? null : 'near'
}

export function picksItself({ kinds }: Shape, selector: Selector): boolean {
  return kinds.some(({ pickedBy }) => pickedBy.includes(selector))
}

/** The reason that `whyNot` gave for a machine, with what people want to know about it. */
export function refusalOf(kind: RefusalKind, party: Party, seat: Seat): Refusal {
  const refusal = details[kind](party, seat)
  invariant(refusal !== null, `${seat.id} gives no details of ${kind}`)
  return refusal
}

type Details = (party: Party, seat: Seat) => Refusal | null

const details: Readonly<Record<RefusalKind, Details>> = {
  'no-target': ({ missing }) => missing && { kind: 'no-target', ...missing },
  group: ({ members, shape }) => ({
    kind: 'group',
    units: members.map(({ unit }) => unit.name),
    clash: shape.clash ?? '',
  }),
  driver: ({ shape }, { machine }) => ({
    kind: 'driver',
    needs:
      shape.kinds
        .map(({ profile }) => profile.needs.drivers)
        .find((drivers) => !drivers.some((driver) => machine?.drivers.includes(driver))) ?? [],
  }),
  cordoned: () => ({ kind: 'cordoned' }),
  'machine-id': ({ shape }, seat) => {
    const ids = shape.kinds.map(({ profile }) => profile.needs.fleet.machineId)
    return { kind: 'machine-id', wants: ids.find((id) => !isWantedId(id, seat)) ?? '' }
  },
  metadata: ({ shape }, seat) => wrongMetadata(shape, seat),
  'target-elsewhere': ({ pins }, seat) => {
    const pin = pins.find((one) => one.seat !== seat)
    return pin === undefined ? null : { kind: 'target-elsewhere', target: pin.target, machine: pin.seat.id }
  },
  memory: ({ shape }, seat) => ({ kind: 'memory', needsMb: shape.memoryMb, freeMb: seat.freeMb }),
  cpu: ({ shape }, seat) => ({ kind: 'cpu', needs: shape.cpu, free: seat.freeCpu }),
  port: ({ shape }, seat) => heldPort(shape, seat),
  'ports-used-up': () => ({ kind: 'ports-used-up', ...assignedPorts }),
  conflict: conflictOn,
  replaced: (party, seat) => {
    const by = replacerOn(party, seat)
    return by === null ? null : { kind: 'replaced', by }
  },
  replaces: (party, seat) => {
    const unit = replacedOn(party, seat)
    return unit === null ? null : { kind: 'replaces', unit }
  },
  far: ({ shape }, seat) => {
    const rule = shape.hardRules.find((one) => ruleReason(one, shape, seat) === 'far')
    if (rule === undefined) return null
    return {
      kind: 'far',
      rule: ruleText(rule),
      from: lowestName(seat, (tenant) => isPicked(tenant, rule.selector)),
    }
  },
  near: ({ shape }, seat) => {
    const rule = shape.hardRules.find((one) => ruleReason(one, shape, seat) === 'near')
    if (rule === undefined) return null
    const here = rule.selector.near(seat, rule.rule.by)
    return { kind: 'near', rule: ruleText(rule), here, all: rule.selector.total }
  },
  'nothing-near': ({ shape }, seat) => {
    const rule = shape.hardRules.find((one) => ruleReason(one, shape, seat) === 'nothing-near')
    return rule === undefined ? null : { kind: 'nothing-near', rule: ruleText(rule) }
  },
}

function conflictOn({ shape }: Party, seat: Seat): Refusal | null {
  const ours = shape.kinds.flatMap(({ profile }) => profile.conflicts).find((one) => one.on.has(seat))
  if (ours !== undefined) {
    const other = lowestName(seat, (tenant) => isPicked(tenant, ours))
    return other === null ? null : { kind: 'conflict', with: other, pattern: ours.text }
  }
  const theirs = shape.kinds.flatMap(({ pickedBy }) => pickedBy).find((one) => one.conflicting.has(seat))
  if (theirs === undefined) return null
  const carrier = lowestName(seat, ({ kind }) => kind.profile.conflicts.includes(theirs))
  return carrier === null ? null : { kind: 'conflict', with: carrier, pattern: theirs.text }
}

function isPicked({ kind }: Tenant, selector: Selector): boolean {
  return kind.pickedBy.includes(selector)
}

function lowestName(seat: Seat, wanted: (tenant: Tenant) => boolean): UnitName | null {
  let lowest: UnitName | null = null
  for (const tenant of seat.tenants) {
    const { name } = tenant.unit
    if (tenant.active && (lowest === null || name < lowest) && wanted(tenant)) lowest = name
  }
  return lowest
}
