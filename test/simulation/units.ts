// Units that operators hand in by fleet's verbs: their texts, and where these allow them to be, read from the text once more
// and apart from the scheduler.
import type { MachineId } from '../../src/model/machine.js'
import type { DesiredUnit, UnitName } from '../../src/model/unit.js'
import type { ClusterView } from '../../src/store/view.js'
import type { Deed } from './scenario.js'

/** The name of the unit that a deed is about: `u1`, or `u5@2` of a template. */
export function unitNameOf(who: string): UnitName {
  return `${who}.service` as UnitName
}

/** The text that an act `unit` hands in. */
export function unitTextOf({ who, details }: Deed, nearRules: readonly string[] = []): string {
  const { n, memory, zone, apart, replaces, after, far, global, spread } = details
  return [
    ...['[Unit]', `Description=${who.replace(/@.*/, '')}, ${n}`, '[Service]', 'ExecStart=/sim', '[X-Fleet]'],
    ...(zone === undefined ? [] : [`MachineMetadata=zone=${zone}`]),
    ...(apart === undefined ? [] : [`Conflicts=${apart}`]),
    ...(replaces === undefined ? [] : [`Replaces=${replaces}`]),
    ...(after === undefined ? [] : [`MachineOf=${after}.service`]),
    ...(global === 'yes' ? ['Global=true'] : []),
    ...['[X-Mariposa]', `Memory=${memory}`, 'Restart=always', `Label=role=${who.replace(/@.*/, '')}`],
    ...(far === undefined ? [] : [`Affinity=role!=${far} by=zone`]),
    ...nearRules.map((rule) => `Affinity=${rule}`),
    ...(spread === 'yes' ? ['Spread=zone'] : []),
    '',
  ].join('\n')
}

/** What a unit asks of its machine. */
export interface UnitAsks {
  readonly memoryMb: number
  readonly zone: string | null
  /** A name, or a beginning and `*.service`. */
  readonly apart: string | null
  /** Whose place it takes, named in the same way. */
  readonly replaces: string | null
  readonly after: UnitName | null
  /** No unit of that role is in its zone. */
  readonly far: string | null
  readonly role: string
  readonly isGlobal: boolean
  readonly isSpread: boolean
}

/** What a unit that is no instance asks for; null for an instance, and for what is not there. */
export function asksOf(view: ClusterView, unit: UnitName): UnitAsks | null {
  const spec = view.units.get(unit)
  const text = spec?.instance === null ? view.files.get(spec.hash) : undefined
  if (text === undefined) return null
  const of = (line: RegExp): string | null => line.exec(text)?.[1] ?? null
  return {
    memoryMb: Number(of(/^Memory=(\d+)$/m) ?? 0),
    zone: of(/^MachineMetadata=zone=(.+)$/m),
    apart: of(/^Conflicts=(.+)$/m),
    replaces: of(/^Replaces=(.+)$/m),
    after: of(/^MachineOf=(.+)$/m) as UnitName | null,
    far: of(/^Affinity=role!=(\S+) by=zone$/m),
    role: of(/^Label=role=(.+)$/m) ?? '',
    isGlobal: /^Global=true$/m.test(text),
    isSpread: /^Spread=zone$/m.test(text),
  }
}

/** The units that have a place on a machine, global ones too, of those that are no instances. */
export function unitsOn(view: ClusterView, machine: MachineId): readonly UnitName[] {
  return [...view.placedOn(machine).keys()].filter((unit) => asksOf(view, unit) !== null)
}

export interface Neighbours {
  /** Whether another unit counts that this one has to be far from; left out: all do. */
  readonly wasThere?: (other: UnitName, machine: MachineId) => boolean
  /** Units that are taken for gone from the machine. */
  readonly without?: ReadonlySet<UnitName>
}

/** Why a machine must not have a unit, but for its memory; null where it may. */
export function whyNotUnitThere(
  view: ClusterView,
  unit: UnitName,
  machine: MachineId,
  { wasThere = () => true, without = new Set() }: Neighbours = {},
): string | null {
  const asks = asksOf(view, unit)
  if (asks === null) return null
  const { zone, after, far } = asks
  const has = zoneOf(view, machine)
  if (zone !== null && has !== zone) return `it asks for zone ${zone}`
  if (after !== null && view.placements.get(after)?.machine !== machine)
    return `${after} is on ${view.placements.get(after)?.machine ?? 'none'}`
  for (const other of unitsOn(view, machine)) {
    if (other === unit || without.has(other)) continue
    if (isApart(view, unit, other)) return `it conflicts with ${other}`
    if (takesPlaceOf(view, other, unit)) return `${other} has taken its place there`
    if (takesPlaceOf(view, unit, other)) return `it takes the place of ${other}, which is there`
  }
  if (far === null || has === undefined) return null
  for (const { id } of view.machines.values())
    if (zoneOf(view, id) === has)
      for (const other of unitsOn(view, id))
        if (other !== unit && !without.has(other) && asksOf(view, other)?.role === far && wasThere(other, id))
          return `${other} is in zone ${has}`
  return null
}

/** Whether one of two asks not to be beside the other. */
export function isApart(view: ClusterView, one: UnitName, other: UnitName): boolean {
  return matches(asksOf(view, one)?.apart ?? null, other) || matches(asksOf(view, other)?.apart ?? null, one)
}

/** Whether one takes the place of another. Two that replace each other are let be, and global ones take no part. */
export function takesPlaceOf(view: ClusterView, one: UnitName, other: UnitName): boolean {
  const [asks, others] = [asksOf(view, one), asksOf(view, other)]
  if (one === other || asks === null || others === null || asks.isGlobal || others.isGlobal) return false
  return matches(asks.replaces, other) && !matches(others.replaces, one)
}

/** Whether a pattern of a text names a unit: it is its name, or a beginning and `*.service`. */
function matches(pattern: string | null, name: UnitName): boolean {
  return pattern === name || (pattern?.includes('*') === true && name.startsWith(pattern.replace(/\*.*/, '')))
}

/**
 * Whether a unit could have the place of older ones on a machine that it replaces, which then go elsewhere. What comes with
 * others is not judged. `freeMb`: what the machine has left.
 */
export function couldTakeOver(
  view: ClusterView,
  unit: UnitName,
  machine: MachineId,
  freeMb: number,
): boolean {
  const [asks, spec] = [asksOf(view, unit), view.units.get(unit)]
  if (asks === null || spec === undefined || asks.after !== null || asks.replaces === null) return false
  const isOlder = (other: UnitName): boolean =>
    (view.units.get(other)?.createdAt ?? Number.POSITIVE_INFINITY) < spec.createdAt
  const replaced = unitsOn(view, machine).filter((other) => takesPlaceOf(view, unit, other) && isOlder(other))
  const freedMb = replaced.reduce((sum, other) => sum + (asksOf(view, other)?.memoryMb ?? 0), 0)
  if (replaced.length === 0 || freeMb + freedMb < asks.memoryMb) return false
  return whyNotUnitThere(view, unit, machine, { without: new Set(replaced) }) === null
}

/** Whether a unit is to have a place. */
export function isWanted({ desired }: Pick<DesiredUnit, 'desired'>): boolean {
  return desired !== 'inactive'
}

export function zoneOf(view: ClusterView, machine: string): string | undefined {
  return [...view.machines.values()].find(({ id }) => id === machine)?.metadata['zone']
}
