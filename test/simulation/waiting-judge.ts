// What waits after a long quiet can really not be placed, and what is told of it is what every machine says.
import { Explainer } from '../../src/engine/explain.js'
import type { Refusal, UnitName, Waiting } from '../../src/model/unit.js'
import type { ClusterView } from '../../src/store/view.js'
import { openUnitReader } from '../../src/unit/reader.js'
import type { Node } from './node.js'
import { couldTake } from './places.js'

export function judgeWaiting(view: ClusterView, nodes: readonly Node[]): readonly string[] {
  const units = openUnitReader((hash) => view.files.get(hash))
  const explainer = new Explainer(view, units.needs)
  const runs = (unit: UnitName, machine: string): boolean =>
    nodes.some(({ id, host }) => id === machine && host.runs(unit))
  return [...view.waiting.values()].flatMap((waiting) => [
    ...(couldTake(view, waiting.unit, runs) ? [`${waiting.unit} waits, and a machine could take it`] : []),
    ...judgeExplained(view, waiting, explainer),
  ])
}

/** It is told one machine for each kind of reason; the first that speaks against each machine is what counts. */
function judgeExplained(
  view: ClusterView,
  { unit: name, refusals }: Waiting,
  explainer: Explainer,
): readonly string[] {
  const unit = view.units.get(name)
  if (unit === undefined) return [`${name} waits, and is not there`]
  const explained = [...explainer.explain(unit)]
  const takes = explained.filter(([, against]) => against.length === 0).map(([machine]) => machine)
  if (takes.length > 0) return [`${name} waits, and it is explained that ${takes.join(', ')} takes it`]
  const kindsOf = (kinds: readonly string[]): string => [...new Set(kinds)].sort().join(', ')
  const told = kindsOf(refusals.map(({ refusal }) => refusal.kind))
  const found = kindsOf(explained.map(([, against]) => countsFirst(against)?.kind ?? ''))
  return told === found ? [] : [`${name} waits, as is told, for: ${told}; and as is explained: ${found}`]
}

/** Where a unit may be on few machines only, all others are told by that, whatever else speaks against them. */
const elsewhere: ReadonlySet<Refusal['kind']> = new Set([
  ...(['no-target', 'target-elsewhere', 'volume-elsewhere', 'machine-id', 'near', 'nothing-near'] as const),
])

function countsFirst(against: readonly Refusal[]): Refusal | undefined {
  return against.find(({ kind }) => elsewhere.has(kind)) ?? against[0]
}
