// What speaks against a machine for a party, with the figures that people want to know. `whyNot` decides; here is told.
import { invariant } from '../lib/invariant.js'
import { byKeys } from '../lib/sort.js'
import type { Refusal, UnitName } from '../model/unit.js'
import {
  driverAnswers,
  isOnNetwork,
  isWantedId,
  keyProblem,
  type RefusalKind,
  ruleReason,
  takesPlaceOf,
} from './constraints.js'
import { assignedPorts, bindPorts } from './ports.js'
import { holderOf } from './state/machines.js'
import type { Rule, Seat, Selector, Tenant } from './state/model.js'
import { type Party, ruleText } from './state/placement-group.js'
import { domainOf } from './state/selectors.js'

/** The reason that `whyNot` gave for a machine, with what people want to know about it. */
export function refusalOf(kind: RefusalKind, party: Party, seat: Seat): Refusal {
  const [refusal] = told[kind](party, seat)
  invariant(refusal !== undefined, `${seat.id} gives no details of ${kind}`)
  return refusal
}

/** Every rule that speaks against a machine, in the order in which they are judged; none where it takes the party. */
export function everyRefusal(party: Party, seat: Seat): readonly Refusal[] {
  return Object.values(told).flatMap((tell) => tell(party, seat))
}

type Tell = (party: Party, seat: Seat) => readonly Refusal[]

/** Each finds all of its kind, for itself: one rule that is broken hides no other. */
const told: Readonly<Record<RefusalKind, Tell>> = {
  'no-target': ({ missing }) => (missing === null ? [] : [{ kind: 'no-target', ...missing }]),
  group: ({ members, shape }) =>
    shape.clash === null
      ? []
      : [{ kind: 'group', units: members.map(({ unit }) => unit.name), clash: shape.clash }],
  driver: ({ shape }, { machine }) => {
    const all = new Set(shape.kinds.map(({ profile }) => profile.needs.drivers))
    const lacking = [...all].filter((drivers) => !drivers.some((one) => machine?.drivers.includes(one)))
    return lacking.map((needs) => ({ kind: 'driver', needs }))
  },
  'driver-away': ({ shape }, { machine }) => {
    if (machine === null) return []
    const all = new Set(shape.kinds.map(({ profile }) => profile.needs.drivers))
    return [...all].flatMap((drivers) => {
      const needs = drivers.filter((one) => machine.drivers.includes(one))
      const isAway = needs.length > 0 && !needs.some((one) => driverAnswers(one, machine))
      return isAway ? [{ kind: 'driver-away' as const, needs }] : []
    })
  },
  cordoned: (_, { cordoned }) => (cordoned ? [{ kind: 'cordoned' }] : []),
  'machine-id': ({ shape }, seat) => {
    const ids = new Set(shape.kinds.map(({ profile }) => profile.needs.fleet.machineId))
    return [...ids].flatMap((id) =>
      id === null || isWantedId(id, seat) ? [] : [{ kind: 'machine-id', wants: id }],
    )
  },
  metadata: (party, seat) => [...keysRefused(party, seat), ...rulesRefused(party, seat)],
  network: ({ shape }, seat) => {
    const names = new Set(shape.kinds.flatMap(({ profile }) => profile.needs.networks))
    return [...names].filter((name) => !isOnNetwork(name, seat)).map((name) => ({ kind: 'network', name }))
  },
  'secret-key': ({ shape }, seat) => {
    const problem = keyProblem(shape, seat)
    return problem === null ? [] : [{ kind: 'secret-key', problem }]
  },
  'target-elsewhere': ({ pins }, seat) =>
    pins.flatMap((pin) =>
      pin.seat === seat || !('target' in pin)
        ? []
        : [{ kind: 'target-elsewhere', target: pin.target, machine: pin.seat.id }],
    ),
  'volume-elsewhere': ({ pins }, seat) =>
    pins.flatMap((pin) => {
      if (pin.seat === seat || 'target' in pin) return []
      const { volume, hostname, seat: home } = pin
      const away = home.machine === null
      return [{ kind: 'volume-elsewhere', volume, machine: home.id, hostname, away }]
    }),
  memory: ({ shape: { memoryMb } }, { freeMb }) =>
    memoryMb > 0 && memoryMb > freeMb ? [{ kind: 'memory', needsMb: memoryMb, freeMb }] : [],
  cpu: ({ shape: { cpu } }, { freeCpu }) =>
    cpu > 0 && cpu > freeCpu ? [{ kind: 'cpu', needs: cpu, free: freeCpu }] : [],
  port: portsHeld,
  conflict: (party, seat) => [...ownConflicts(party, seat), ...othersConflicts(party, seat)],
  replaced: ({ members, shape }, seat) => {
    // To look at all that is there is worth it only where somebody replaces, or is replaced.
    if (!shape.kinds.some(({ pickedBy }) => pickedBy.some((one) => one.replacing.has(seat)))) return []
    const by = lowestName(seat, (tenant) => members.some((member) => takesPlaceOf(tenant, member)))
    return by === null ? [] : [{ kind: 'replaced', by }]
  },
  replaces: ({ members, shape }, seat) => {
    if (!shape.replaces.some((selector) => selector.on.has(seat))) return []
    const unit = lowestName(seat, (tenant) => members.some((member) => takesPlaceOf(member, tenant)))
    return unit === null ? [] : [{ kind: 'replaces', unit }]
  },
  far: (party, seat) =>
    brokenRules('far', party, seat).map((rule) => ({
      kind: 'far',
      rule: ruleText(rule),
      from: lowestName(seat, (tenant) => isPicked(tenant, rule.selector)),
    })),
  near: (party, seat) =>
    brokenRules('near', party, seat).map((rule) => {
      const here = rule.selector.near(seat, rule.rule.by)
      return { kind: 'near', rule: ruleText(rule), here, all: rule.selector.total }
    }),
  'nothing-near': (party, seat) =>
    brokenRules('nothing-near', party, seat).map((rule) => ({ kind: 'nothing-near', rule: ruleText(rule) })),
  'ports-used-up': ({ members, shape }, seat) =>
    shape.chosenPorts > 0 && bindPorts(seat, members) === null
      ? [{ kind: 'ports-used-up', ...assignedPorts }]
      : [],
}

/** Keys whose value on the machine is none of those that `MachineMetadata=` asks for. */
function keysRefused({ shape }: Party, seat: Seat): readonly Refusal[] {
  return shape.kinds.flatMap(({ profile }) =>
    Object.entries(profile.needs.fleet.metadata).flatMap(([key, wants]): readonly Refusal[] => {
      const has = domainOf(seat, key)
      return has !== null && wants.includes(has) ? [] : [{ kind: 'metadata', key, wants, has }]
    }),
  )
}

/** Hard affinity rules about the machine itself that it breaks. */
function rulesRefused({ shape }: Party, seat: Seat): readonly Refusal[] {
  return shape.machineRules
    .map((rule) => ({ ...rule, has: domainOf(seat, rule.key) }))
    .filter(({ allows, has }) => !allows(has))
    .map(({ key, text, has }) => ({ kind: 'metadata', key, wants: [text], has }))
}

function portsHeld({ shape }: Party, seat: Seat): readonly Refusal[] {
  return shape.fixedPorts.flatMap(({ host, protocol, ip }): readonly Refusal[] => {
    const holder = host === null ? null : holderOf(seat, host, protocol, ip)
    if (host === null || holder === null) return []
    return [{ kind: 'port', port: host, protocol, heldBy: holder.unit.name }]
  })
}

function ownConflicts({ shape }: Party, seat: Seat): readonly Refusal[] {
  return byText(shape.kinds.flatMap(({ profile }) => profile.conflicts))
    .filter((selector) => selector.on.has(seat))
    .flatMap((selector) =>
      conflict(
        selector,
        lowestName(seat, (tenant) => isPicked(tenant, selector)),
      ),
    )
}

function othersConflicts({ shape }: Party, seat: Seat): readonly Refusal[] {
  return byText(shape.kinds.flatMap(({ pickedBy }) => pickedBy))
    .filter((selector) => selector.conflicting.has(seat))
    .flatMap((selector) =>
      conflict(
        selector,
        lowestName(seat, ({ kind }) => kind.profile.conflicts.includes(selector)),
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

function brokenRules(kind: RefusalKind, { shape }: Party, seat: Seat): readonly Rule[] {
  return shape.hardRules.filter((rule) => ruleReason(rule, shape, seat) === kind)
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
