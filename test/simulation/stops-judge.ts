// A stop takes no longer than its manifest says, or that of the version which is current by now: what does not end when it is
// told to is killed.
import type { ClusterView } from '../../src/store/view.js'
import { patienceOf } from './manifest.js'
import type { Node } from './node.js'

export interface StopsParts {
  readonly now: () => number
  readonly nodes: readonly Node[]
  readonly broke: (what: string) => void
  readonly count: (what: string) => void
}

/** What is due is done within so long, also by a daemon that has just heard of it. */
const killsWithinMs = 15_000
const lookEveryMs = 1000

export class StopsJudge {
  readonly #parts: StopsParts
  #lookedAt = 0
  /** Stops that may take no longer than another version says, since when that is known. */
  #limits: ReadonlyMap<string, { readonly ms: number; readonly since: number }> = new Map()

  constructor(parts: StopsParts) {
    this.#parts = parts
  }

  look(view: ClusterView): void {
    const { now, nodes, broke, count } = this.#parts
    if (now() - this.#lookedAt < lookEveryMs) return
    this.#lookedAt = now()
    const limits = new Map<string, { readonly ms: number; readonly since: number }>()
    for (const node of nodes)
      for (const { unit, since } of node.host.stopping()) {
        const instance = view.instances.get(unit)
        const text = instance && view.versions.get(instance.version)?.text
        if (text === undefined) continue
        const takesMs = (from: number): number => now() - Math.max(from, node.troubledAt)
        if (takesMs(since) > patienceOf(text) + killsWithinMs)
          broke(`${unit} on ${node.name} is told to stop, and still runs after ${takesMs(since)} ms`)
        const ms = view.units.get(unit)?.stopWithinMs
        if (ms === undefined) continue
        const key = `${node.name} ${unit}`
        const before = this.#limits.get(key)
        const limit = { ms, since: before?.ms === ms ? before.since : now() }
        limits.set(key, limit)
        count('stop limited')
        if (takesMs(Math.max(since, limit.since)) > ms + killsWithinMs)
          broke(`${unit} on ${node.name} is to stop within ${ms} ms, and still runs`)
      }
    this.#limits = limits
  }
}
