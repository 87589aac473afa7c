// What runs programs on a machine does not answer: its daemon finds that out by itself, and tells it of its units, so that
// nobody takes what it told before for what is so.
import type { ClusterView } from '../../src/store/view.js'
import type { Node } from './node.js'

export interface SilenceParts {
  readonly now: () => number
  readonly nodes: readonly Node[]
  /** When nobody led the store last: now, while nobody does. */
  readonly withoutLeaderAt: () => number
  readonly broke: (what: string) => void
  readonly count: (what: string) => void
}

/** It asks after 5 s, waits for 10 s, and tells after 2 s; what it writes may be late. */
const toldWithinMs = 45_000
const lookEveryMs = 5000

export class SilenceJudge {
  readonly #parts: SilenceParts
  #lookedAt = 0

  constructor(parts: SilenceParts) {
    this.#parts = parts
  }

  look(view: ClusterView): void {
    const { now, nodes, withoutLeaderAt, broke, count } = this.#parts
    if (now() - this.#lookedAt < lookEveryMs) return
    this.#lookedAt = now()
    for (const { id, name, host, outOfTouchAt } of nodes) {
      const since = host.hangsSince
      if (since === null) continue
      const silentMs = now() - Math.max(since, outOfTouchAt, withoutLeaderAt())
      if (silentMs <= toldWithinMs) continue
      for (const [unit, report] of view.reportsOf(id)) {
        if (report.active !== 'active') continue
        count('silence told')
        if (report.unknownSince === undefined)
          broke(`${unit} is told to be up on ${name}, where nothing has answered for ${silentMs} ms`)
      }
    }
  }
}
