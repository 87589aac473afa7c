// What the history and the records say of machines that go and come back: in the end a machine that is there is one that has
// joined last, and one that is not there is lost, and noted as down.
import { decodeEvents, kindOfKey } from '../../src/store/records.js'
import type { Change } from '../../src/store/store.js'
import type { ClusterView } from '../../src/store/view.js'
import type { Node } from './node.js'

export interface ComingsParts {
  readonly nodes: readonly Pick<Node, 'id' | 'name'>[]
  readonly broke: (what: string) => void
  readonly count: (what: string) => void
}

export class ComingsJudge {
  readonly #parts: ComingsParts
  /** What was told last of each machine that has ever been there. */
  readonly #told = new Map<string, 'machine-joined' | 'machine-lost'>()

  constructor(parts: ComingsParts) {
    this.#parts = parts
  }

  look(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.type === 'delete' || kindOfKey(change.key) !== 'event') continue
      for (const { kind, machine } of decodeEvents(change.entry)) {
        if (machine === null || (kind !== 'machine-joined' && kind !== 'machine-lost')) continue
        this.#told.set(machine, kind)
        this.#parts.count(`told ${kind}`)
      }
    }
  }

  /** After a long quiet. */
  judgeRest({ machines, knownMachines }: ClusterView): void {
    const { broke, nodes } = this.#parts
    for (const { id, name } of nodes) {
      const told = this.#told.get(id)
      const isThere = machines.has(id)
      const known = knownMachines.get(id)
      if (told === undefined && !isThere) continue
      if (isThere !== (told === 'machine-joined'))
        broke(`${name} is ${isThere ? 'there' : 'not there'}, and was told of last as ${told ?? 'nothing'}`)
      // One that is forgotten is known no more.
      if (known !== undefined && isThere !== (known.downSince === undefined))
        broke(
          `${name} is ${isThere ? 'there' : 'not there'}, and is noted as ${known.downSince === undefined ? 'up' : 'down'}`,
        )
    }
  }
}
