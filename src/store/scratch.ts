// A copy of a view that takes writes at once and touches no store: for trying out what would happen.
import { putOf } from './records.js'
import type { Change, Entry, Op } from './store.js'
import { type ClusterView, LiveView } from './view.js'

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

/** The writes that make an empty view like this one, as far as planners look; `projects` are those whose metadata count. */
export function opsLike(view: ClusterView, projects: readonly string[]): readonly Op[] {
  return [
    ...[...view.unreadable.values()].map(({ entry: { key, value } }): Op => ({ op: 'put', key, value })),
    ...[...view.services.values()].map((one) => putOf('service', one)),
    ...[...view.versions.values()].map((one) => putOf('version', one)),
    ...[...view.instances.values()].map((one) => putOf('instance', one)),
    ...[...view.units.values()].map((one) => putOf('unit', one)),
    ...[...view.files].map(([hash, text]) => putOf('file', { hash, text })),
    ...[...view.placements.values()].map((one) => putOf('placement', one)),
    ...[...view.globallyPlaced()].flatMap((unit) =>
      [...view.globalPlacementsOf(unit).values()].map((one) => putOf('placement', one)),
    ),
    ...[...view.waiting.values()].map((one) => putOf('waiting', one)),
    ...[...view.machines.values()].map((one) => putOf('machine', one)),
    ...[...view.orders.values()].map((one) => putOf('order', one)),
    ...[...view.tasks.values()].map((one) => putOf('task', one)),
    ...projects.flatMap((project) => [...view.metaOf(project).values()].map((one) => putOf('meta', one))),
    ...[...view.machines.keys()].flatMap((machine) =>
      [...view.reportsOf(machine).values()].map((one) => putOf('report', one)),
    ),
  ]
}
