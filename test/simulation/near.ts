// Rules to be near others, and rules that are wishes only, as the manifests and units of the simulation ask for them: read from
// their texts once more, apart from the scheduler.
import type { UnitName } from '../../src/model/unit.js'
import type { ClusterView } from '../../src/store/view.js'
import type { Deed } from './scenario.js'
import { asksOf, zoneOf } from './units.js'

export interface NearRule {
  readonly isSoft: boolean
  readonly isNear: boolean
  /** Instances of a service (`service s1`), units of a role (`role u1`), or machines of a zone (`zone a`). */
  readonly of: string
  /** Machines of a zone count as one. */
  readonly byZone: boolean
}

/** What a rule may be about a unit; null for what is not there. */
export function groupOf(view: ClusterView, unit: UnitName): string | null {
  const service = view.instances.get(unit)?.service
  if (service !== undefined) return `service ${service}`
  const asks = asksOf(view, unit)
  return asks === null ? null : `role ${asks.role}`
}

/**
 * What a text asks for; null where it has no such rule. A text has one at most, perhaps after one that asks for a zone, which is
 * none: taken for it, it would hide the other, and the unit would be said to wait for nothing.
 */
export function nearRuleIn(text: string): NearRule | null {
  const [, key = '', operator = '', of = '', by] =
    /(service|role|machine\.zone(?=.=~))(==~|!=~|==)(\w+)(", by: zone| by=zone)?/.exec(text) ?? []
  if (of === '') return null
  return {
    isSoft: operator.endsWith('~'),
    isNear: operator.startsWith('=='),
    of: `${key.replace('machine.', '')} ${of}`,
    byZone: by !== undefined,
  }
}

export function nearRuleOf(view: ClusterView, unit: UnitName): NearRule | null {
  const instance = view.instances.get(unit)
  const hash = view.units.get(unit)?.hash
  const text =
    instance === undefined ? hash && view.files.get(hash) : view.versions.get(instance.version)?.text
  return nearRuleIn(text ?? '')
}

/** Whether two machines are one place for a rule. */
export function isSamePlace(view: ClusterView, { byZone }: NearRule, one: string, other: string): boolean {
  return one === other || (byZone && zoneOf(view, one) === zoneOf(view, other))
}

/**
 * Why a unit that has to be near others may not be on a machine now: all that its rule is about are in one place, or it waits.
 * Where none of them is anywhere it waits, too, but for the first of those that are to be near each other.
 */
export function whyNotNear(
  view: ClusterView,
  unit: UnitName,
  machine: string,
  runs: (unit: UnitName, machine: string) => boolean,
): string | null {
  const rule = nearRuleOf(view, unit)
  if (rule === null || rule.isSoft || !rule.isNear) return null
  const all = [...view.placements.values()].filter(
    (one) =>
      one.unit !== unit &&
      groupOf(view, one.unit) === rule.of &&
      view.machines.has(one.machine) &&
      ((view.instances.get(one.unit)?.retired ?? null) === null || runs(one.unit, one.machine)),
  )
  if (all.length === 0) return groupOf(view, unit) === rule.of ? null : `${rule.of} is nowhere`
  const far = all.find((one) => !isSamePlace(view, rule, one.machine, machine))
  return far === undefined ? null : `${far.unit} is on ${far.machine}`
}

/** The rule of a manifest or a unit, as it is written there, without quotes. */
export function nearTextOf({ what, details: { near, wish } }: Deed): readonly string[] {
  const key = what === 'unit' ? 'role' : 'service'
  const by = what === 'unit' ? ' by=zone' : '", by: zone'
  const [sort, of = ''] = wish?.split(':') ?? []
  if (near !== undefined) return [`${key}==${near.replace(/ zone$/, '')}${near.endsWith(' zone') ? by : ''}`]
  if (sort === 'zone') return [`machine.zone==~${of}`]
  return sort === undefined ? [] : [`${key}${sort === 'near' ? '==~' : '!=~'}${of}`]
}
