// Whether the memory of the daemons stays as small as it was, however long they are at work: what they hold is counted four
// times, after each quarter of a scenario, by where they hold it. Nowhere may it become steadily more, if the records that the
// cluster has do not explain that.
import { entriesByKind, type Records, type Witness } from './growth-judge.js'
import { type Held, heldBy } from './heap.js'
import type { Daemon, Node } from './node.js'

interface MemoryParts {
  readonly broke: (what: string) => void
  readonly now: () => number
  readonly nodes: readonly Node[]
  readonly busyMs: number
  /** What runs them all, and judges. */
  readonly world: object
}

/** What a daemon held, and how many records there were, at the same times. */
interface Sighting {
  readonly held: Held
  readonly records: Records
}

const sightings = 4
/** Of so many more in one place nothing is said: what is under way, and what is made when it is needed first. */
const alwaysMore = 60
/** A record is held as several things: its texts, its lists. */
const perRecord = 4
/** It grows steadily if no quarter has less than this part of the growth. */
const leastPart = 1 / 6
/** Those that keep a fixed number of bytes, which takes longer than this to fill: what is told to those who follow the history. */
const ofFixedSize = ['HistoryFeed'] as const

export class MemoryJudge {
  readonly #parts: MemoryParts
  readonly #began: number
  #looks = 0
  /** Of each daemon that has lived since the first look. */
  #seen: ReadonlyMap<Daemon, { readonly name: string; readonly sightings: readonly Sighting[] }> = new Map()

  constructor(parts: MemoryParts) {
    this.#parts = parts
    this.#began = parts.now()
  }

  /** Of each daemon that was judged, how much it held after each quarter. */
  get told(): readonly string[] {
    return [...this.#seen.values()].map(
      ({ name, sightings: all }) =>
        `the daemon of ${name} held ${all.map(({ held }) => sum(held.values())).join(', ')} things`,
    )
  }

  /** To be called after each step. */
  look(witness: Witness | null): void {
    const { now, busyMs, nodes } = this.#parts
    if (witness === null || this.#looks === sightings) return
    if (now() - this.#began < ((this.#looks + 1) * busyMs) / sightings) return
    this.#looks += 1
    const there = nodes.flatMap(({ name, daemon }) => (daemon === null ? [] : [{ name, daemon }]))
    const held = heldBy(
      there.map(({ daemon }) => daemon),
      [this, this.#parts, this.#parts.world, ...nodes.flatMap((node) => node.surroundings)],
    )
    const records = entriesByKind(witness)
    const seen = there.map(({ name, daemon }, n) => {
      const before = this.#seen.get(daemon)?.sightings ?? []
      return [daemon, { name, sightings: [...before, { held: held[n] ?? new Map(), records }] }] as const
    })
    // One that has come since has not had the time.
    this.#seen = new Map(seen.filter(([, one]) => one.sightings.length === this.#looks))
    if (this.#looks === sightings) for (const one of this.#seen.values()) this.#judge(one.name, one.sightings)
  }

  #judge(name: string, all: readonly Sighting[]): void {
    for (const { place, counts } of growing(all))
      this.#parts.broke(`the daemon of ${name} holds more and more in ${place}: ${counts.join(', ')}`)
  }
}

/** The places where steadily more is held than records explain, with how much that was each time; those with most first. */
export function growing(all: readonly Sighting[]) {
  const [first, last] = [all[0], all.at(-1)]
  if (first === undefined || last === undefined) return []
  const more = sum(
    Object.entries(last.records).map(([kind, n]) => Math.max(0, n - (first.records[kind] ?? 0))),
  )
  return [...last.held.keys()]
    .filter((place) => !ofFixedSize.some((name) => place.startsWith(name)))
    .map((place) => ({ place, counts: all.map(({ held }) => held.get(place) ?? 0) }))
    .filter(({ counts }) => {
      const growth = (counts.at(-1) ?? 0) - (counts[0] ?? 0)
      const isSteady = counts.every(
        (count, n) => n === 0 || count - (counts[n - 1] ?? 0) >= growth * leastPart,
      )
      return growth > alwaysMore + perRecord * more && isSteady
    })
    .sort((a, b) => (b.counts.at(-1) ?? 0) - (a.counts.at(-1) ?? 0))
}

function sum(numbers: Iterable<number>): number {
  let all = 0
  for (const n of numbers) all += n
  return all
}
