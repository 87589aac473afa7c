// What a daemon is told of it does at once, and not with the next look that it takes anyway: a missing wake does no other harm,
// so that nothing else would find it.
import type { UnitName } from '../../src/model/unit.js'
import { kindOfKey } from '../../src/store/records.js'
import type { Change } from '../../src/store/store.js'
import type { ClusterView } from '../../src/store/view.js'
import { nearRuleOf } from './near.js'
import type { Node } from './node.js'
import { couldTake } from './places.js'

export interface PromptParts {
  readonly now: () => number
  readonly nodes: readonly Node[]
  readonly broke: (what: string) => void
  readonly count: (what: string) => void
}

/** The next look of an agent comes within 30 s in any case, that of a leader within 15 s. */
const beginsWithinMs = 8000
const lookEveryMs = 1000

/** What a machine is to start, since when. */
interface Due {
  readonly unit: UnitName
  readonly since: number
}

export class PromptJudge {
  readonly #parts: PromptParts
  /** By machine and unit. */
  readonly #due = new Map<string, Due & { readonly node: Node }>()
  /** Units that have had a place: one that comes back may have to wait for where it was. */
  readonly #placed = new Set<UnitName>()
  /** Units that wait for a machine though one could take them, since when. */
  #waiting: ReadonlyMap<UnitName, number> = new Map()
  #lookedAt = 0

  constructor(parts: PromptParts) {
    this.#parts = parts
  }

  /** Looks at what has changed, with the view as it is with that. */
  look(view: ClusterView, changes: readonly Change[]): void {
    const { now, nodes } = this.#parts
    for (const change of changes) {
      const kind = kindOfKey(change.key)
      if (kind !== 'placement' || change.type === 'delete' || change.previous !== null) continue
      const unit = change.key.slice(change.key.lastIndexOf('/') + 1) as UnitName
      const placement = view.placements.get(unit)
      const node = nodes.find(({ id }) => id === placement?.machine)
      const spec = view.units.get(unit)
      if (this.#placed.has(unit) || node === undefined || spec?.instance == null) continue
      this.#placed.add(unit)
      // The volumes of a slot may have to be let go of first.
      if (spec.desired === 'launched' && spec.instance.slot === undefined)
        this.#due.set(`${node.id} ${unit}`, { unit, since: now(), node })
    }
  }

  /** A daemon begins to make a unit ready. */
  loading(node: Node, unit: UnitName): void {
    if (this.#due.delete(`${node.id} ${unit}`)) this.#parts.count('begun at once')
  }

  /** To be called after each step, also of those with which nothing changes. */
  step(view: ClusterView): void {
    const { now, broke } = this.#parts
    if (now() - this.#lookedAt < lookEveryMs) return
    this.#lookedAt = now()
    this.#checkWaiting(view)
    for (const [key, { unit, since, node }] of this.#due) {
      const isStill = view.units.get(unit)?.desired === 'launched' && view.placedOn(node.id).has(unit)
      if (!isStill || node.host.runs(unit)) this.#due.delete(key)
      else {
        const forMs = now() - Math.max(since, node.failedAt)
        if (forMs > beginsWithinMs)
          broke(`${unit} is to run on ${node.name}, and nothing is done about it for ${forMs} ms`)
      }
    }
  }

  /** What waits is placed as soon as a machine can take it, where nothing has been wrong for a while with who leads, nor with others. */
  #checkWaiting(view: ClusterView): void {
    const { nodes, now, broke } = this.#parts
    if (view.waiting.size === 0 && this.#waiting.size === 0) return
    const there = nodes.filter(({ id }) => view.machines.has(id))
    const failedAt = Math.max(...there.map((node) => (isWell(view, node) ? node.failedAt : now())))
    const runs = (unit: UnitName, machine: string): boolean =>
      nodes.some(({ id, host }) => id === machine && host.runs(unit))
    const waiting = new Map<UnitName, number>()
    if (now() - failedAt > beginsWithinMs && view.leader !== null && !view.hasNewer)
      for (const unit of view.waiting.keys())
        if (isPlain(view, unit) && couldTake(view, unit, runs))
          waiting.set(unit, this.#waiting.get(unit) ?? now())
    this.#waiting = waiting
    for (const [unit, since] of waiting) {
      this.#parts.count('waits though one could take it')
      if (now() - since > beginsWithinMs)
        broke(`${unit} waits, and a machine could have taken it for ${now() - since} ms`)
    }
  }
}

/** Whether it is an instance that neither volumes nor others near it hold up. */
function isPlain(view: ClusterView, unit: UnitName): boolean {
  const instance = view.units.get(unit)?.instance ?? null
  return instance !== null && instance.slot === undefined && nearRuleOf(view, unit) === null
}

/** Whether a machine is there to stay, and answers. */
function isWell(view: ClusterView, { id, host }: Node): boolean {
  return view.machines.get(id)?.away === undefined && host.isThere
}
