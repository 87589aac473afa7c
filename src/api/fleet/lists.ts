// The lists of fleet's API in fleet's order, made anew only after something of them has changed.
import { byKeys } from '../../lib/sort.js'
import type { Machine } from '../../model/machine.js'
import type { DesiredUnit, UnitReport } from '../../model/unit.js'
import type { RecordKind } from '../../store/records.js'
import type { ClusterView } from '../../store/view.js'

export interface FleetLists {
  /** By name. */
  units(): readonly DesiredUnit[]
  /** What machines that are there hold of units that are there; by name, then by machine. */
  states(): readonly UnitReport[]
  /** By id. */
  machines(): readonly Machine[]
  /** Notes that records of these kinds have changed. */
  note(kinds: ReadonlySet<RecordKind | 'leader'>): void
}

export function openFleetLists(view: ClusterView): FleetLists {
  const units = keptUntil(['unit'], () => [...view.units.values()].sort(byKeys((unit) => unit.name)))
  const machines = keptUntil(['machine', 'order'], () =>
    [...view.machines.values()].sort(byKeys((machine) => machine.id)),
  )
  const states = keptUntil(['unit', 'machine', 'report'], () => statesIn(view))
  return {
    units: units.get,
    states: states.get,
    machines: machines.get,
    note: (kinds) => {
      for (const list of [units, machines, states]) list.note(kinds)
    },
  }
}

function statesIn(view: ClusterView): readonly UnitReport[] {
  return [...view.machines.keys()]
    .flatMap((machine) => [...view.reportsOf(machine).values()])
    .filter((report) => report.hash !== '' && view.units.has(report.name))
    .sort(
      byKeys(
        (report) => report.name,
        (report) => report.machine,
      ),
    )
}

/** A value that is kept until records that it was made from change. */
function keptUntil<T>(
  kinds: readonly RecordKind[],
  make: () => readonly T[],
): { get(): readonly T[]; note(changed: ReadonlySet<RecordKind | 'leader'>): void } {
  let kept: readonly T[] | null = null
  return {
    get: () => {
      kept ??= make()
      return kept
    },
    note: (changed) => {
      if (kinds.some((kind) => changed.has(kind))) kept = null
    },
  }
}
