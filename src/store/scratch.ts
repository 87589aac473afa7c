// A copy of a view that takes writes at once and touches no store: for trying out what would happen.
import { putOf, type RecordKind, type RecordTypes } from './records.js'
import type { Change, Entry, Op } from './store.js'
import { type ClusterView, LiveView } from './view.js'

/** A store in memory that holds a copy for a dry run. */
export class ScratchStore {
  readonly view = new LiveView()
  readonly #entries = new Map<string, Entry>()
  readonly #onChange: (change: Change) => void
  #revision = 0

  /** `onChange` is told of each change after the view has it. */
  constructor(onChange: (change: Change) => void = () => {}) {
    this.#onChange = onChange
  }

  get revision(): number {
    return this.#revision
  }

  /** Writes as one change. */
  apply(ops: readonly Op[]): void {
    if (ops.length === 0) return
    this.#revision += 1
    for (const op of ops) {
      if (op.op === 'put') this.#put(op.key, op.value)
      else if (op.op === 'delete') this.#delete(op.key)
      else for (const key of this.#keysBelow(op.prefix)) this.#delete(key)
    }
  }

  #keysBelow(prefix: string): readonly string[] {
    return [...this.#entries.keys()].filter((key) => key.startsWith(prefix))
  }

  #put(key: string, value: string): void {
    const previous = this.#entries.get(key) ?? null
    if (previous?.value === value) return
    const createRevision = previous?.createRevision ?? this.#revision
    const entry: Entry = { key, value, createRevision, modRevision: this.#revision, lease: null }
    this.#entries.set(key, entry)
    this.#see({ type: 'put', key, entry, previous })
  }

  #delete(key: string): void {
    const previous = this.#entries.get(key)
    if (previous === undefined) return
    this.#entries.delete(key)
    this.#see({ type: 'delete', key, previous })
  }

  #see(change: Change): void {
    this.view.apply(change)
    this.#onChange(change)
  }
}

/**
 * The writes that make an empty view like this one, as far as planners look; `projects` are those whose metadata count.
 * What is there is noted at once, and records never change: the writes may be made from it later, a few at a time.
 */
export function opsLike(view: ClusterView, projects: readonly string[]): Iterable<Op> {
  const puts = <K extends RecordKind>(kind: K, records: Iterable<RecordTypes[K]>): (() => Iterable<Op>) => {
    const noted = [...records]
    return function* () {
      for (const one of noted) yield putOf(kind, one)
    }
  }
  const broken = [...view.unreadable.values()].map(
    ({ entry: { key, value } }): Op => ({ op: 'put', key, value }),
  )
  const machines = [...view.machines.keys()]
  const parts = [
    () => broken,
    puts('service', view.services.values()),
    puts('version', view.versions.values()),
    puts('instance', view.instances.values()),
    puts('unit', view.units.values()),
    puts(
      'file',
      [...view.files].map(([hash, text]) => ({ hash, text })),
    ),
    puts('placement', view.placements.values()),
    puts(
      'placement',
      [...view.globallyPlaced()].flatMap((unit) => [...view.globalPlacementsOf(unit).values()]),
    ),
    puts('waiting', view.waiting.values()),
    puts(
      'volume',
      [...view.servicesWithVolumes()].flatMap((service) => [...view.volumesOf(service).values()]),
    ),
    puts('machine', view.machines.values()),
    puts('order', view.orders.values()),
    puts('task', view.tasks.values()),
    puts(
      'meta',
      projects.flatMap((project) => [...view.metaOf(project).values()]),
    ),
    puts(
      'report',
      machines.flatMap((machine) => [...view.reportsOf(machine).values()]),
    ),
  ]
  return {
    *[Symbol.iterator]() {
      for (const part of parts) yield* part()
    },
  }
}
