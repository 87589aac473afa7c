// The lists of fleet's API in fleet's order, made anew only after something of them has changed.
import { byKeys } from '../../lib/sort.js'
import type { Machine } from '../../model/machine.js'
import type { DesiredUnit, UnitReport } from '../../model/unit.js'
import type { RecordKind } from '../../store/records.js'
import type { ClusterView } from '../../store/view.js'
import { remember } from '../../unit/reader.js'

export type ListName = 'units' | 'states' | 'machines'

export interface FleetLists {
  /** By name. */
  units(): readonly DesiredUnit[]
  /** What machines that are there hold of units that are there; by name, then by machine. */
  states(): readonly UnitReport[]
  /** By id. */
  machines(): readonly Machine[]
  /** The text of a page of a list that is not filtered, made when nobody has asked for it since something changed. */
  pageText(list: ListName, page: number, make: () => string): string
  /** Notes that records of these kinds have changed. */
  note(kinds: ReadonlySet<RecordKind | 'leader'>): void
}

export function openFleetLists(view: ClusterView): FleetLists {
  const units = keptUntil(['unit'], () => [...view.units.values()].sort(byKeys((unit) => unit.name)))
  const machines = keptUntil(['machine', 'order'], () =>
    [...view.machines.values()].sort(byKeys((machine) => machine.id)),
  )
  const states = keptUntil(['unit', 'machine', 'report'], () => statesIn(view))
  const texts = new Map<string, string>()
  return {
    units: units.get,
    states: states.get,
    machines: machines.get,
    pageText: (list, page, make) => (page > pagesKept ? make() : remember(texts, `${list} ${page}`, make)),
    note: (kinds) => {
      if (!onlyUnlisted(kinds)) texts.clear()
      for (const list of [units, machines, states]) list.note(kinds)
    },
  }
}

/** Clients ask for the first pages again and again; the text of a million units is not to be kept. */
const pagesKept = 30

/** Records that are in no list, nor anything that is told in one. */
const unlisted: readonly string[] = ['event', 'task', 'meta', 'leader'] satisfies (RecordKind | 'leader')[]

function onlyUnlisted(kinds: ReadonlySet<RecordKind | 'leader'>): boolean {
  return [...kinds].every((kind) => unlisted.includes(kind))
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
