// Constraints: whether a machine can take a group of units, the first reason why not, and refusals in full, with the
// figures that people want to know.

import { invariant } from '../lib/invariant.js'
import { byKeys } from '../lib/sort.js'
import type { DriverKind } from '../model/driver-kind.js'
import type { KeyProblem, Machine } from '../model/machine.js'
import { addressOn } from '../model/network.js'
import type { Refusal, UnitName } from '../model/unit.js'
import type { PortNeed } from '../unit/requirements.js'
import type { FleetOptions } from '../unit/x-fleet.js'
import { domainOf } from './state/equivalence-classes.js'
import { assignedPorts, bindPorts, holderOf } from './state/machines.js'
import type { MachineState, Selector, UnitAffinityTerm, UnitState } from './state/model.js'
import { type GroupRequirements, type Pin, type PlacementGroup, termText } from './state/placement-group.js'
import { sizedVolumeKey } from './state/promised-disk.js'

export type RefusalKind = Refusal['kind']

/** The first reason why a machine cannot take a group; null when it is feasible. The most lasting reasons come first. */
export function firstRefusal(group: PlacementGroup, machine: MachineState): RefusalKind | null {
  if (group.missingTarget !== null) return 'no-target'
  return (
    machineReason(group.requirements, machine) ?? pinReason(group, machine) ?? unitsReason(group, machine)
  )
}

/** Constraints on what the machine is, whichever units are on it. */
export function machineReason(
  groupRequirements: GroupRequirements,
  machine: MachineState,
): RefusalKind | null {
  if (groupRequirements.clash !== null) return 'group'
  if (!hasDrivers(groupRequirements, machine)) return 'driver'
  if (machine.cordoned) return 'cordoned'
  if (
    groupRequirements.classes.some(
      ({ requirements }) => !isWantedId(requirements.needs.fleet.machineId, machine),
    )
  )
    return 'machine-id'
  if (!hasMetadata(groupRequirements, machine)) return 'metadata'
  if (
    !groupRequirements.classes.every(({ requirements }) =>
      requirements.needs.networks.every((name) => isOnNetwork(name, machine)),
    )
  )
    return 'network'
  if (keyProblem(groupRequirements, machine) !== null) return 'secret-key'
  return awayReason(groupRequirements, machine)
}

/** Why a machine cannot open the secrets that units are given; null where it can, and where they are given none. */
function keyProblem({ classes }: GroupRequirements, { record }: MachineState): KeyProblem | null {
  const problem = record?.secretKeys?.problem
  return problem !== undefined && classes.some(({ requirements }) => requirements.needs.secrets)
    ? problem
    : null
}

/** A reason that passes by itself comes last: it hides none that lasts. */
function awayReason({ classes }: GroupRequirements, { record }: MachineState): RefusalKind | null {
  const answers = classes.every(({ requirements }) =>
    requirements.needs.drivers.some((driver) => record !== null && driverAnswers(driver, record)),
  )
  return answers ? null : 'driver-away'
}

/** Whether a machine has a driver that answers. */
export function driverAnswers(driver: DriverKind, { drivers, driversAway }: Machine): boolean {
  return drivers.includes(driver) && driversAway?.includes(driver) !== true
}

function hasDrivers({ classes }: GroupRequirements, { record }: MachineState): boolean {
  return classes.every(({ requirements }) =>
    requirements.needs.drivers.some((driver) => record?.drivers.includes(driver)),
  )
}

/** Whether a machine is the one that `MachineID=` names, if it names one. */
function isWantedId(wanted: string | null, machine: MachineState): boolean {
  return wanted === null || wanted === machine.id
}

/** Whether a machine has one of the values asked for of each key (seed: AND across keys, OR within one). */
function hasMetadata(
  { classes, machineTerms: machineRules }: GroupRequirements,
  machine: MachineState,
): boolean {
  for (const { requirements } of classes) {
    const { metadata } = requirements.needs.fleet
    for (const key of Object.keys(metadata)) {
      const has = domainOf(machine, key)
      if (has === null || !metadata[key]?.includes(has)) return false
    }
  }
  return machineRules.every(({ key, allows }) => allows(domainOf(machine, key)))
}

/** Whether a machine has an address on a network. */
function isOnNetwork(name: string, { record }: MachineState): boolean {
  return record !== null && addressOn(name, record.metadata) !== null
}

function pinReason({ pins }: PlacementGroup, machine: MachineState): RefusalKind | null {
  const other = pins.find((pin) => pin.machine !== machine)
  return other === undefined ? null : pinKind(other)
}

/** A volume that is not on the machine of another one of its slot; null where they are together. */
function apartFrom(pins: readonly Pin[], home: MachineState): { volume: string; hostname: string } | null {
  for (const pin of pins)
    if (!('target' in pin) && pin.machine !== home) return { volume: pin.volume, hostname: pin.hostname }
  return null
}

/** Why machines other than that of a pin refuse. */
export function pinKind(pin: Pin): RefusalKind {
  return 'target' in pin ? 'target-elsewhere' : 'volume-elsewhere'
}

/** Constraints on the units there, and on units elsewhere; those come last. */
export function unitsReason(group: PlacementGroup, machine: MachineState): RefusalKind | null {
  const { requirements } = group
  return (
    roomReason(requirements, machine) ??
    diskReason(group, machine) ??
    neighbourReason(group, machine) ??
    termsReason(requirements, machine)
  )
}

function roomReason(requirements: GroupRequirements, machine: MachineState): RefusalKind | null {
  if (requirements.memoryMb > 0 && requirements.memoryMb > machine.freeMb) return 'memory'
  if (requirements.cpu > 0 && requirements.cpu > machine.freeCpu) return 'cpu'
  return requirements.fixedPorts.length > 0 && requirements.fixedPorts.some((need) => isHeld(need, machine))
    ? 'port'
    : null
}

/** What is on a machine already stays there: its data are no fewer elsewhere. */
function diskReason(group: PlacementGroup, machine: MachineState): RefusalKind | null {
  if (!group.requirements.needsDisk) return null
  const { needsMb, freeMb } = diskNeed(group, machine)
  return needsMb > freeMb ? 'disk' : null
}

/** What a group needs of the disk of a machine beyond what its volumes have there, and what is left. */
function diskNeed(
  { members }: PlacementGroup,
  { disk, record }: MachineState,
): { readonly needsMb: number; readonly freeMb: number } {
  let needsMb = 0
  for (const [volume, sizeMb] of sizedVolumesOfUnits(members))
    needsMb += Math.max(0, sizeMb - disk.of(volume))
  return { needsMb, freeMb: Math.max(0, (record?.capacity.diskMb ?? 0) - disk.totalMb) }
}

/** The volumes of some units that say their size, each once. */
function sizedVolumesOfUnits(units: readonly UnitState[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>()
  for (const unit of units)
    for (const volume of unit.eqClass.requirements.needs.sizedVolumes) {
      const key = sizedVolumeKey(unit.spec, volume)
      sizes.set(key, Math.max(sizes.get(key) ?? 0, volume.sizeMb))
    }
  return sizes
}

function isHeld({ host, protocol, ip }: PortNeed, machine: MachineState): boolean {
  return host !== null && holderOf(machine, host, protocol, ip) !== null
}

/** Conflicts hold in both directions. */
function neighbourReason(group: PlacementGroup, machine: MachineState): RefusalKind | null {
  for (const { pickedBy, requirements } of group.requirements.classes) {
    if (pickedBy.some((selector) => selector.conflicting.has(machine))) return 'conflict'
    if (requirements.conflicts.some((selector) => selector.machines.has(machine))) return 'conflict'
    const isReplaced = pickedBy.some((selector) => selector.replacing.has(machine))
    if (isReplaced && isReplacedOn(group, machine)) return 'replaced'
    const isReplacing = requirements.replaces.some((selector) => selector.machines.has(machine))
    if (isReplacing && isReplacingOn(group, machine)) return 'replaces'
  }
  return null
}

function isReplacedOn({ members }: PlacementGroup, machine: MachineState): boolean {
  return holdsUnit(machine, (unit) => members.some((member) => takesPlaceOf(unit, member)))
}

function isReplacingOn({ members }: PlacementGroup, machine: MachineState): boolean {
  return holdsUnit(machine, (unit) => members.some((member) => takesPlaceOf(member, unit)))
}

function holdsUnit({ units }: MachineState, wanted: (unit: UnitState) => boolean): boolean {
  for (const unit of units) if (unit.active && wanted(unit)) return true
  return false
}

function termsReason(requirements: GroupRequirements, machine: MachineState): RefusalKind | null {
  for (const term of requirements.hardTerms) {
    const reason = termReason(term, requirements, machine)
    if (reason !== null) return reason
  }
  return null
}

/**
 * Why a unit cannot stay on a machine that it was placed on; it is not counted among those there. Judged is what fleet
 * judges again and again, and what is never promised twice; where it has been placed, affinity rules are met.
 */
export function cannotStay(group: PlacementGroup, machine: MachineState): RefusalKind | null {
  if (
    !group.requirements.classes.every(({ requirements }) => meetsFleet(requirements.needs.fleet, machine))
  ) {
    return group.requirements.classes.every(({ requirements }) =>
      isWantedId(requirements.needs.fleet.machineId, machine),
    )
      ? 'metadata'
      : 'machine-id'
  }
  return roomReason(group.requirements, machine) ?? neighbourReason(group, machine)
}

/** Whether a machine is still what `MachineID=` and `MachineMetadata=` ask for. */
export function meetsFleet({ machineId, metadata }: FleetOptions, machine: MachineState): boolean {
  if (!isWantedId(machineId, machine)) return false
  return Object.entries(metadata).every(([key, wants]) => wants.includes(domainOf(machine, key) ?? '\0'))
}

/** Whether one replaces the other by its `Replaces=`. Two that replace each other are let be, as in fleet. */
export function takesPlaceOf(one: UnitState, other: UnitState): boolean {
  return one !== other && replaces(one, other) && !replaces(other, one)
}

/** A global unit is everywhere it can be: it neither takes a place nor makes way. */
function replaces(one: UnitState, other: UnitState): boolean {
  if (other.eqClass.requirements.needs.fleet.global) return false
  return one.eqClass.requirements.replaces.some((selector) => other.eqClass.pickedBy.includes(selector))
}

/**
 * Near needs all that the rule picks in one place; where there is nothing to be near to it is refused, but for the
 * first of units that pick themselves. Far needs none of them here.
 */
function termReason(
  { rule, near, selector }: UnitAffinityTerm,
  requirements: GroupRequirements,
  machine: MachineState,
): RefusalKind | null {
  const here = selector.near(machine, rule.by)
  if (!near) return here > 0 ? 'far' : null
  if (selector.total === 0) return picksItself(requirements, selector) ? null : 'nothing-near'
  return here === selector.total ? null : 'near'
}

export function picksItself({ classes }: GroupRequirements, selector: Selector): boolean {
  return classes.some(({ pickedBy }) => pickedBy.includes(selector))
}

/** The reason that `firstRefusal` gave for a machine, with its figures. */
export function refusalOf(kind: RefusalKind, group: PlacementGroup, machine: MachineState): Refusal {
  const [refusal] = detailsOf[kind](group, machine)
  invariant(refusal !== undefined, `${machine.id} gives no details of ${kind}`)
  return refusal
}

/** Every constraint that a machine breaks, in the order in which they are checked; none where it takes the group. */
export function everyRefusal(group: PlacementGroup, machine: MachineState): readonly Refusal[] {
  return Object.values(detailsOf).flatMap((details) => details(group, machine))
}

type Details = (group: PlacementGroup, machine: MachineState) => readonly Refusal[]

/** Each finds all refusals of its kind by itself: one broken constraint hides no other. */
const detailsOf: Readonly<Record<RefusalKind, Details>> = {
  'no-target': ({ missingTarget }) =>
    missingTarget === null ? [] : [{ kind: 'no-target', ...missingTarget }],
  group: ({ members, requirements: groupRequirements }) =>
    groupRequirements.clash === null
      ? []
      : [{ kind: 'group', units: members.map(({ spec }) => spec.name), clash: groupRequirements.clash }],
  driver: ({ requirements: groupRequirements }, { record }) => {
    const all = new Set(groupRequirements.classes.map(({ requirements }) => requirements.needs.drivers))
    const lacking = [...all].filter((drivers) => !drivers.some((one) => record?.drivers.includes(one)))
    return lacking.map((needs) => ({ kind: 'driver', needs }))
  },
  'driver-away': ({ requirements }, { record }) => {
    if (record === null) return []
    const all = new Set(requirements.classes.map(({ requirements }) => requirements.needs.drivers))
    return [...all].flatMap((drivers) => {
      const needs = drivers.filter((one) => record.drivers.includes(one))
      const isAway = needs.length > 0 && !needs.some((one) => driverAnswers(one, record))
      return isAway ? [{ kind: 'driver-away' as const, needs }] : []
    })
  },
  cordoned: (_, { cordoned }) => (cordoned ? [{ kind: 'cordoned' }] : []),
  'machine-id': ({ requirements: groupRequirements }, machine) => {
    const ids = new Set(
      groupRequirements.classes.map(({ requirements }) => requirements.needs.fleet.machineId),
    )
    return [...ids].flatMap((id) =>
      id === null || isWantedId(id, machine) ? [] : [{ kind: 'machine-id', wants: id }],
    )
  },
  metadata: (group, machine) => [...keysRefused(group, machine), ...termsRefused(group, machine)],
  network: ({ requirements: groupRequirements }, machine) => {
    const names = new Set(
      groupRequirements.classes.flatMap(({ requirements }) => requirements.needs.networks),
    )
    return [...names].filter((name) => !isOnNetwork(name, machine)).map((name) => ({ kind: 'network', name }))
  },
  'secret-key': ({ requirements }, machine) => {
    const problem = keyProblem(requirements, machine)
    return problem === null ? [] : [{ kind: 'secret-key', problem }]
  },
  'target-elsewhere': ({ pins }, machine) =>
    pins.flatMap((pin) =>
      pin.machine === machine || !('target' in pin)
        ? []
        : [{ kind: 'target-elsewhere', target: pin.target, machine: pin.machine.id }],
    ),
  'volume-elsewhere': ({ pins }, machine) =>
    pins.flatMap((pin) => {
      if (pin.machine === machine || 'target' in pin) return []
      const { volume, hostname, machine: home } = pin
      const away = home.record === null
      const apart = apartFrom(pins, home)
      return [{ kind: 'volume-elsewhere', volume, machine: home.id, hostname, away, ...(apart && { apart }) }]
    }),
  memory: ({ requirements: { memoryMb } }, { freeMb }) =>
    memoryMb > 0 && memoryMb > freeMb ? [{ kind: 'memory', needsMb: memoryMb, freeMb }] : [],
  cpu: ({ requirements: { cpu } }, { freeCpu }) =>
    cpu > 0 && cpu > freeCpu ? [{ kind: 'cpu', needs: cpu, free: freeCpu }] : [],
  port: portsHeld,
  disk: (group, machine) => {
    const { needsMb, freeMb } = diskNeed(group, machine)
    return needsMb > freeMb ? [{ kind: 'disk', needsMb, freeMb }] : []
  },
  conflict: (group, machine) => [...ownConflicts(group, machine), ...othersConflicts(group, machine)],
  replaced: ({ members, requirements }, machine) => {
    // Checking every unit on the machine is only worth it where one replaces another.
    if (!requirements.classes.some(({ pickedBy }) => pickedBy.some((one) => one.replacing.has(machine))))
      return []
    const by = lowestName(machine, (unit) => members.some((member) => takesPlaceOf(unit, member)))
    return by === null ? [] : [{ kind: 'replaced', by }]
  },
  replaces: ({ members, requirements }, machine) => {
    if (!requirements.replaces.some((selector) => selector.machines.has(machine))) return []
    const unit = lowestName(machine, (unit) => members.some((member) => takesPlaceOf(member, unit)))
    return unit === null ? [] : [{ kind: 'replaces', unit }]
  },
  far: (group, machine) =>
    brokenTerms('far', group, machine).map((term) => ({
      kind: 'far',
      rule: termText(term),
      from: lowestName(machine, (unit) => isPicked(unit, term.selector)),
    })),
  near: (group, machine) =>
    brokenTerms('near', group, machine).map((term) => {
      const here = term.selector.near(machine, term.rule.by)
      return { kind: 'near', rule: termText(term), here, all: term.selector.total }
    }),
  'nothing-near': (group, machine) =>
    brokenTerms('nothing-near', group, machine).map((term) => ({
      kind: 'nothing-near',
      rule: termText(term),
    })),
  'ports-used-up': ({ members, requirements }, machine) =>
    requirements.chosenPorts > 0 && bindPorts(machine, members) === null
      ? [{ kind: 'ports-used-up', ...assignedPorts }]
      : [],
}

/** Keys whose value on the machine is none of those that `MachineMetadata=` asks for. */
function keysRefused(
  { requirements: groupRequirements }: PlacementGroup,
  machine: MachineState,
): readonly Refusal[] {
  return groupRequirements.classes.flatMap(({ requirements }) =>
    Object.entries(requirements.needs.fleet.metadata).flatMap(([key, wants]): readonly Refusal[] => {
      const has = domainOf(machine, key)
      return has !== null && wants.includes(has) ? [] : [{ kind: 'metadata', key, wants, has }]
    }),
  )
}

/** Hard affinity rules about the machine itself that it breaks. */
function termsRefused({ requirements }: PlacementGroup, machine: MachineState): readonly Refusal[] {
  return requirements.machineTerms
    .map((term) => ({ ...term, has: domainOf(machine, term.key) }))
    .filter(({ allows, has }) => !allows(has))
    .map(({ key, text, has }) => ({ kind: 'metadata', key, wants: [text], has }))
}

function portsHeld({ requirements }: PlacementGroup, machine: MachineState): readonly Refusal[] {
  return requirements.fixedPorts.flatMap(({ host, protocol, ip }): readonly Refusal[] => {
    const holder = host === null ? null : holderOf(machine, host, protocol, ip)
    if (host === null || holder === null) return []
    return [{ kind: 'port', port: host, protocol, heldBy: holder.spec.name }]
  })
}

function ownConflicts(
  { requirements: groupRequirements }: PlacementGroup,
  machine: MachineState,
): readonly Refusal[] {
  return byText(groupRequirements.classes.flatMap(({ requirements }) => requirements.conflicts))
    .filter((selector) => selector.machines.has(machine))
    .flatMap((selector) =>
      conflict(
        selector,
        lowestName(machine, (unit) => isPicked(unit, selector)),
      ),
    )
}

function othersConflicts({ requirements }: PlacementGroup, machine: MachineState): readonly Refusal[] {
  return byText(requirements.classes.flatMap(({ pickedBy }) => pickedBy))
    .filter((selector) => selector.conflicting.has(machine))
    .flatMap((selector) =>
      conflict(
        selector,
        lowestName(machine, ({ eqClass }) => eqClass.requirements.conflicts.includes(selector)),
      ),
    )
}

/** Each once, in an order that does not depend on when it was first met. */
function byText(selectors: readonly Selector[]): readonly Selector[] {
  return [...new Set(selectors)].sort(byKeys(({ text }) => text))
}

function conflict({ text }: Selector, other: UnitName | null): readonly Refusal[] {
  return other === null ? [] : [{ kind: 'conflict', with: other, pattern: text }]
}

function brokenTerms(
  kind: RefusalKind,
  { requirements }: PlacementGroup,
  machine: MachineState,
): readonly UnitAffinityTerm[] {
  return requirements.hardTerms.filter((term) => termReason(term, requirements, machine) === kind)
}

function isPicked({ eqClass }: UnitState, selector: Selector): boolean {
  return eqClass.pickedBy.includes(selector)
}

function lowestName(machine: MachineState, wanted: (unit: UnitState) => boolean): UnitName | null {
  let lowest: UnitName | null = null
  for (const unit of machine.units) {
    const { name } = unit.spec
    if (unit.active && (lowest === null || name < lowest) && wanted(unit)) lowest = name
  }
  return lowest
}
