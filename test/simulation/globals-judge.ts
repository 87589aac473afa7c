// A global unit is not stopped where it may go on as it does: nor on a machine that was lost and is back, whose program runs on.
import type { MachineId } from '../../src/model/machine.js'
import type { UnitName } from '../../src/model/unit.js'
import { kindOfKey } from '../../src/store/records.js'
import type { Change } from '../../src/store/store.js'
import type { ClusterView } from '../../src/store/view.js'
import type { Node } from './node.js'
import { asksOf, whyNotUnitThere } from './units.js'

/** What is looked at of a machine. */
type Seen = Pick<Node, 'id' | 'name' | 'unheardMs'> & { readonly host: Pick<Node['host'], 'hashOf'> }

export interface GlobalsParts {
  readonly now: () => number
  readonly nodes: readonly Pick<Node, 'id'>[]
  readonly broke: (what: string) => void
  readonly count: (what: string) => void
}

/** What was so before may still be heard of, and what was decided by it be carried out. */
const carriedOutWithinMs = 15_000

interface Known {
  /** The text by which it is to run there, with nothing against it; null where it is not, or something is. */
  readonly hash: string | null
  readonly since: number
}

export class GlobalsJudge {
  readonly #parts: GlobalsParts
  /** By machine and unit; of a machine that is not there as it was. */
  readonly #known = new Map<string, Known>()
  readonly #globals = new Set<UnitName>()

  constructor(parts: GlobalsParts) {
    this.#parts = parts
  }

  /** Looks at what has changed, with the view as it is with that. */
  look(view: ClusterView, changes: readonly Change[]): void {
    if (!changes.some(({ key }) => ofPlaces.has(kindOfKey(key) ?? ''))) return
    for (const unit of view.units.keys()) if (asksOf(view, unit)?.isGlobal === true) this.#globals.add(unit)
    for (const unit of this.#globals)
      for (const { id } of this.#parts.nodes)
        if (view.machines.has(id)) this.#note(`${id} ${unit}`, hashThere(view, unit, id))
  }

  #note(key: string, hash: string | null): void {
    if (this.#known.get(key)?.hash !== hash) this.#known.set(key, { hash, since: this.#parts.now() })
  }

  /** A daemon tells the program of a unit to stop. */
  stopping(node: Seen, unit: UnitName): void {
    const { broke, count, now } = this.#parts
    const known = this.#known.get(`${node.id} ${unit}`)
    if (known === undefined) return
    count('global stopped')
    // A daemon that was out of touch hears of what was changed meanwhile one after the other.
    const forMs = now() - known.since
    if (known.hash === null || known.hash !== node.host.hashOf(unit)) return
    if (forMs > carriedOutWithinMs + node.unheardMs)
      broke(`${unit} is global and to run on ${node.name} as it does for ${forMs} ms, and is stopped`)
  }
}

const ofPlaces: ReadonlySet<string> = new Set(['unit', 'file', 'placement', 'machine', 'order'])

function hashThere(view: ClusterView, unit: UnitName, machine: MachineId): string | null {
  const spec = view.units.get(unit)
  if (spec?.desired !== 'launched' || asksOf(view, unit)?.isGlobal !== true) return null
  return whyNotUnitThere(view, unit, machine) === null ? spec.hash : null
}
