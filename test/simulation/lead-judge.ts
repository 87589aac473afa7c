// Who leads goes on with it: nobody takes the lead from one whose lease lives, and a daemon with which nothing is wrong renews
// its lease in time. All decisions are fenced, so that nothing else would find more changes of the lead than there need be.
import { leaderKey } from '../../src/store/records.js'
import type { Change, Entry } from '../../src/store/store.js'
import type { ClusterView } from '../../src/store/view.js'
import type { Node } from './node.js'

export interface LeadParts {
  readonly now: () => number
  readonly nodes: readonly Pick<Node, 'id' | 'name' | 'failedAt'>[]
  readonly broke: (what: string) => void
  readonly count: (what: string) => void
}

/** The lead lasts for 10 s: with whom nothing has been wrong for so long has renewed it. */
const renewsWithinMs = 30_000

export class LeadJudge {
  readonly #parts: LeadParts

  constructor(parts: LeadParts) {
    this.#parts = parts
  }

  /** Looks at what has changed, with the view as it is with that. */
  look(view: ClusterView, changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.key !== leaderKey || change.previous === null) continue
      const before = holderOf(change.previous)
      if (change.type === 'delete') this.#checkLost(view, before)
      else if (holderOf(change.entry) !== before && change.previous.lease !== null)
        this.#parts.broke(`${holderOf(change.entry)} takes the lead from ${before}, whose lease lives`)
    }
  }

  #checkLost({ clockOffsets, hasNewer }: ClusterView, machine: string): void {
    const { broke, count, nodes, now } = this.#parts
    const node = nodes.find(({ id }) => id === machine)
    count('lead lost')
    // Whose clock is far off, and who meets what a newer program wrote, leaves it to others.
    if (node === undefined || clockOffsets.get(node.id)?.barsLead === true || hasNewer) return
    const wellForMs = now() - node.failedAt
    if (wellForMs > renewsWithinMs)
      broke(`${node.name} leads no more, and nothing has been wrong with it for ${wellForMs} ms`)
  }
}

function holderOf({ value }: Entry): string {
  return (JSON.parse(value) as { readonly machine: string }).machine
}
