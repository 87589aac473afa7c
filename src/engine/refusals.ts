// Refusals in full: why a machine cannot take a group of units, with the figures that people want to know. Which reason
// counts is decided in `constraints.ts`.
import { invariant } from '../lib/invariant.js'
import { byKeys } from '../lib/sort.js'
import type { Refusal, UnitName } from '../model/unit.js'
import {
  driverAnswers,
  isOnNetwork,
  isWantedId,
  keyProblem,
  type RefusalKind,
  takesPlaceOf,
  termReason,
} from './constraints.js'
import { assignedPorts, bindPorts } from './ports.js'
import { holderOf } from './state/machines.js'
import type { MachineState, Selector, UnitAffinityTerm, UnitState } from './state/model.js'
import { type PlacementGroup, termText } from './state/placement-group.js'
import { domainOf } from './state/selectors.js'

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
      return [{ kind: 'volume-elsewhere', volume, machine: home.id, hostname, away }]
    }),
  memory: ({ requirements: { memoryMb } }, { freeMb }) =>
    memoryMb > 0 && memoryMb > freeMb ? [{ kind: 'memory', needsMb: memoryMb, freeMb }] : [],
  cpu: ({ requirements: { cpu } }, { freeCpu }) =>
    cpu > 0 && cpu > freeCpu ? [{ kind: 'cpu', needs: cpu, free: freeCpu }] : [],
  port: portsHeld,
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
