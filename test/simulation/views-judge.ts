// Whether all daemons that have seen the records up to the same revision see the same: in their views, with all that these
// find by other keys. A daemon decides by its view, and one that has missed a change decides otherwise than the others.
import type { Registry } from '../../src/store/io/registry.js'
import type { Change, Revision } from '../../src/store/store.js'
import type { ClusterView } from '../../src/store/view.js'
import { withoutFields } from './releases.js'

/** Of so many revisions one is looked at: all that a view holds is read for it. */
const oneOf = 61
/** What was seen at so many revisions is remembered: nobody is further behind for long. */
const mostKept = 200

interface ViewsParts {
  readonly broke: (what: string) => void
  readonly count: (what: string) => void
}

interface Seeing {
  readonly name: string
  readonly daemon: { readonly registry: Registry } | null
}

export class ViewsJudge {
  readonly #parts: ViewsParts
  /** What whoever came first to that revision sees, each kind as one text. */
  readonly #seen = new Map<Revision, { readonly who: string; readonly view: Seen }>()

  constructor(parts: ViewsParts) {
    this.#parts = parts
  }

  /** To be called with each batch of changes that a view has taken in. */
  look(who: string, registry: Registry, changes: readonly Change[]): void {
    if (changes.some((change) => change.type === 'put' && change.entry.modRevision % oneOf === 0))
      this.#compare(who, registry)
  }

  /** In the end all of them have seen all. */
  judgeRest(truth: Registry, nodes: readonly Seeing[]): void {
    this.#compare('the store', truth)
    for (const { name, daemon } of nodes) if (daemon !== null) this.#compare(name, daemon.registry)
  }

  #compare(who: string, registry: Registry): void {
    const { revision } = registry.snapshot()
    // What a newer release has added no other reads.
    const seen = Object.entries(seenIn(registry)).map(([kind, text]) => [kind, withoutFields(text)] as const)
    const view: Seen = Object.fromEntries(seen)
    const first = this.#seen.get(revision)
    if (first === undefined) {
      this.#seen.set(revision, { who, view })
      const [oldest] = this.#seen.keys()
      if (oldest !== undefined && this.#seen.size > mostKept) this.#seen.delete(oldest)
      return
    }
    if (first.who === who) return
    this.#parts.count('views compared')
    const kinds = Object.keys(view).filter((kind) => view[kind] !== first.view[kind])
    const [kind] = kinds
    if (kind === undefined) return
    this.#parts.broke(
      `at revision ${revision} ${who} and ${first.who} do not see the same ${kinds.join(', ')}: ${difference(view[kind] ?? '', first.view[kind] ?? '')}`,
    )
  }
}

type Seen = Readonly<Record<string, string>>

/** All that a view holds, in an order that does not hang on which came first. */
function seenIn(registry: Registry): Seen {
  const { view } = registry
  const services = [...new Set([...view.services.keys(), ...view.servicesWithVolumes()])].sort()
  const each = <K, T>(of: Iterable<K>, what: (one: K) => T): string =>
    JSON.stringify([...of].map((one) => [one, what(one)] as const).toSorted(byFirst))
  const machines = [...view.knownMachines.keys()]
  const entries = registry.snapshot().entries.map(({ key, modRevision }) => [key, modRevision] as const)
  return {
    leader: JSON.stringify(view.leader),
    ...Object.fromEntries(mapsOf.map((name) => [name, JSON.stringify([...view[name]].toSorted(byFirst))])),
    instancesOf: each(services, (service) => view.instancesOf(service).map(({ uuid }) => uuid)),
    oneOffsOf: each(services, (service) => view.oneOffsOf(service).map(({ uuid }) => uuid)),
    versionsOf: each(services, (service) => view.versionsOf(service).map(({ uuid }) => uuid)),
    tasksOf: each(services, (service) => view.tasksOf(service).map(({ uuid }) => uuid)),
    runsOf: each(services, (service) => view.runsOf(service)),
    triggersOf: each(services, (service) => [...view.triggersOf(service)].toSorted(byFirst)),
    callBodiesOf: each(services, (service) => [...view.callBodiesOf(service)].toSorted(byFirst)),
    volumesOf: each(services, (service) => [...view.volumesOf(service)].toSorted(byFirst)),
    receiversOf: each(services, (service) => view.receiversOf(service)),
    metaOf: each(view.projectsWithMeta(), (project) => [...view.metaOf(project)].toSorted(byFirst)),
    queueOf: each(view.queuedReceivers(), (receiver) => view.queueOf(receiver)),
    finishedDeliveriesOf: each(view.receivers.keys(), (receiver) => view.finishedDeliveriesOf(receiver)),
    globalPlacementsOf: each(view.globallyPlaced(), (unit) =>
      [...view.globalPlacementsOf(unit)].toSorted(byFirst),
    ),
    placedOn: each(machines, (machine) => [...view.placedOn(machine).keys()].sort()),
    reportsOf: each(machines, (machine) => [...view.reportsOf(machine)].toSorted(byFirst)),
    reportersOf: each(view.units.keys(), (unit) => [...view.reportersOf(unit)].sort()),
    held: each(view.units.keys(), (unit) => view.isUnitHeld(unit)),
    unreadable: JSON.stringify([...view.unreadable.keys()].sort()),
    revisionOf: JSON.stringify(
      entries.map(([key, revision]) => [key, revision, view.revisionOf(key)]).toSorted(byFirst),
    ),
  }
}

const mapsOf = [
  ...(['projects', 'services', 'versions', 'instances', 'units', 'files', 'placements', 'waiting'] as const),
  ...(['machines', 'knownMachines', 'orders', 'clockCalls', 'clockReadings', 'entryIdle'] as const),
  ...(['clockOffsets', 'tasks', 'metrics', 'scalings', 'receivers', 'schedules', 'registryLogins'] as const),
] satisfies readonly (keyof ClusterView)[]

function byFirst([a]: readonly unknown[], [b]: readonly unknown[]): number {
  return String(a) < String(b) ? -1 : 1
}

/** Where two texts begin to differ. */
function difference(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const from = Math.max(0, at - 60)
  return `…${one.slice(from, at + 60)}… and …${other.slice(from, at + 60)}…`
}
