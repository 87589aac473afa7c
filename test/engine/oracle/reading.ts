// The specification as the test reads it (fleet's unit files and states, the manifest's affinity), slowly and over plain
// data: what a unit that is to go to a machine finds against it. It knows nothing of how the product does the same.
import { type Cluster, instanceName, type Machine, type Port, type Rule, type Unit } from './cluster.js'

/** Where units are: their machines by name, those of global units as well, with the ports that they were given. */
export interface Seat {
  readonly unit: string
  readonly machine: string
  readonly ports: readonly Held[]
}

export type Held = Port & { readonly host: number }

/** Whether it is an instance that is not to run any more: it leaves by itself, and goes nowhere. */
export function isLeaving(unit: Unit): boolean {
  return unit.service !== null && unit.desired === 'loaded'
}

/** What is on a machine and takes up room. What has stopped for good takes none, and a lost machine counts for nothing. */
export function activeOn(cluster: Cluster, seats: readonly Seat[], machine: string): readonly Placed[] {
  if (!cluster.machines.has(machine)) return []
  return seats.flatMap((seat) => {
    const unit = cluster.units.get(seat.unit)
    if (unit === undefined || seat.machine !== machine || !isActive(cluster, unit, machine)) return []
    return [{ unit, seat }]
  })
}

export interface Placed {
  readonly unit: Unit
  readonly seat: Seat
}

function isActive(cluster: Cluster, unit: Unit, machine: string): boolean {
  const report = cluster.reports.get(unit.name)
  return !isLeaving(unit) || report?.machine !== machine || report.active !== 'inactive'
}

/**
 * All that speaks against a machine for units that go there together, given where the others are; `units` have no seats
 * there.
 */
export function against(
  cluster: Cluster,
  seats: readonly Seat[],
  units: readonly Unit[],
  machine: Machine,
): ReadonlySet<string> {
  const found = new Set<string>()
  const here = activeOn(cluster, seats, machine.id)
  const say = (kind: string, isSo: boolean): void => {
    if (isSo) found.add(kind)
  }
  say('cordoned', cluster.orders.get(machine.id)?.cordoned ?? false)
  say(
    'group',
    units.some((one) => units.some((other) => one !== other && clash(one, other))),
  )
  for (const unit of units) {
    const { asks } = unit
    say('driver', asks.container && !machine.docker)
    say('machine-id', asks.machineId !== null && asks.machineId !== machine.id)
    say('metadata', !hasMetadata(unit, machine) || !meetsMachineRules(unit, machine))
    say('network', asks.network !== null && machine.metadata[`network.${asks.network}`] === undefined)
    for (const target of asks.machineOf) {
      if (units.some(({ name }) => name === target)) continue
      const seat = seats.find((one) => one.unit === target)
      say('no-target', !isTarget(cluster.units.get(target), seat))
      say('target-elsewhere', seat !== undefined && seat.machine !== machine.id)
    }
    for (const { unit: other, seat } of here) {
      say(
        'port',
        asks.ports.some((port) => seat.ports.some((held) => port.host !== null && meet(port, held))),
      )
      say('conflict', conflict(unit, other))
      say('replaced', takesPlaceOf(other, unit))
      say('replaces', takesPlaceOf(unit, other))
    }
    for (const rule of hardRules(unit)) {
      const verdict = judgeRule(cluster, seats, rule, unit, units, machine)
      if (verdict !== null) found.add(verdict)
    }
  }
  const sum = (of: (unit: Unit) => number): number =>
    units.reduce((all, unit) => all + of(unit), 0) + here.reduce((all, { unit }) => all + of(unit), 0)
  const asksFor = (of: (unit: Unit) => number): boolean => units.some((unit) => of(unit) > 0)
  say('memory', asksFor(memoryOf) && sum(memoryOf) > machine.memoryMb)
  say('cpu', asksFor(cpuOf) && sum(cpuOf) > 100 * machine.cpus)
  return found
}

export const memoryOf = ({ asks }: Unit): number => asks.memoryMb
export const cpuOf = ({ asks }: Unit): number => asks.cpu

/** Whether a unit can be followed at all: it is in the system, is to be somewhere, and is one unit on one machine. */
function isTarget(target: Unit | undefined, seat: Seat | undefined): boolean {
  if (target === undefined || target.asks.global || target.desired === 'inactive') return false
  return !isLeaving(target) || seat !== undefined
}

/** "region=us-east-1 AND diskType=SSD", of one key "only one of the conditions needs to be met". */
export function hasMetadata({ asks }: Unit, machine: Machine): boolean {
  return asks.metadata.every(([key]) =>
    asks.metadata.some(([other, value]) => other === key && machine.metadata[key] === value),
  )
}

function meetsMachineRules({ asks }: Unit, machine: Machine): boolean {
  return asks.rules
    .filter((rule) => isAboutMachine(rule) && !rule.soft)
    .every((rule) => {
      const has = machine.metadata[rule.key.slice('machine.'.length)]
      return (has !== undefined && matches(rule.value, has)) === rule.near
    })
}

function isAboutMachine({ key }: Rule): boolean {
  return key.startsWith('machine.')
}

export function hardRules({ asks }: Unit): readonly Rule[] {
  return asks.rules.filter((rule) => !rule.soft && !isAboutMachine(rule))
}

/** Conflicts take effect in both directions. */
export function conflict(one: Unit, other: Unit): boolean {
  const names = (unit: Unit, named: Unit): boolean =>
    unit.asks.conflicts.some((pattern) => matches(pattern, named.name))
  return one.name !== other.name && (names(one, other) || names(other, one))
}

/** Whether one takes the place of another: two that replace each other are let be, and global units take no part. */
export function takesPlaceOf(one: Unit, other: Unit): boolean {
  return one.name !== other.name && replaces(one, other) && !replaces(other, one)
}

function replaces(one: Unit, other: Unit): boolean {
  return !one.asks.global && !other.asks.global && one.asks.replaces.some((name) => matches(name, other.name))
}

/** Why two can never share a machine. */
function clash(one: Unit, other: Unit): boolean {
  const ports = one.asks.ports.some((a) => other.asks.ports.some((b) => a.host !== null && meet(a, b)))
  const far = hardRules(one).some((rule) => !rule.near && picks(rule, one, other))
  const named = one.asks.replaces.some((pattern) => matches(pattern, other.name))
  return conflict(one, other) || ports || far || named
}

/** The same host port, on addresses that overlap. */
export function meet(a: Omit<Port, 'container'>, b: Omit<Port, 'container'>): boolean {
  return a.host === b.host && a.protocol === b.protocol && (a.ip === null || b.ip === null || a.ip === b.ip)
}

/** Whether a rule of a unit is about another one, or about itself: instances and units of its own project alone. */
export function picks(rule: Rule, of: Unit, other: Unit): boolean {
  if ((of.service === null) !== (other.service === null)) return false
  if (rule.key === 'service') return other.service !== null && matches(rule.value, other.service)
  if (rule.key !== 'instance') return other.asks.role !== null && matches(rule.value, other.asks.role)
  return matches(rule.value, instanceName(other) ?? other.name) || rule.value === other.name
}

/** What a rule about other units says to a machine; null for nothing against it. */
function judgeRule(
  cluster: Cluster,
  seats: readonly Seat[],
  rule: Rule,
  unit: Unit,
  together: readonly Unit[],
  machine: Machine,
): string | null {
  const all = [...cluster.machines.values()].flatMap((one) =>
    activeOn(cluster, seats, one.id)
      .filter(({ unit: other }) => picks(rule, unit, other))
      .map(() => one),
  )
  const here = all.filter((one) => areNear(one, machine, rule.by)).length
  if (!rule.near) return here > 0 ? 'far' : null
  if (all.length === 0) return together.some((other) => picks(rule, unit, other)) ? null : 'nothing-near'
  return here === all.length ? null : 'near'
}

/** Machines count as one that have the same value of the rule's key. */
export function areNear(one: Machine, other: Machine, by: string | null): boolean {
  if (by === null) return one.id === other.id
  return one.metadata[by] !== undefined && one.metadata[by] === other.metadata[by]
}

/** A text as it is, or one with `*` for any characters. */
export function matches(pattern: string, text: string): boolean {
  const known = compiled.get(pattern)
  const form =
    known ?? new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\@]/g, '\\$&').replaceAll('*', '.*')}$`)
  if (known === undefined) compiled.set(pattern, form)
  return form.test(text)
}

const compiled = new Map<string, RegExp>()
