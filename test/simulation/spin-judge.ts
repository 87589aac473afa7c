// Whether any part of a daemon wakes more often than there is reason to. A loop that asks to be woken at once for ever does
// no harm to the records, so that nothing else would find it.
import type { Wakes } from './wakes.js'

interface SpinParts {
  readonly now: () => number
  /** How many things have happened in the world. */
  readonly steps: () => number
  readonly nodes: readonly Spinning[]
  readonly broke: (what: string) => void
}

/** A daemon, with what has woken its parts, and what has given them reason to wake. */
export interface Spinning {
  readonly name: string
  readonly wakes: Wakes
  /** When something last went wrong for it: now, while it does. */
  readonly failedAt: number
  readonly host: { readonly running: ReadonlySet<unknown> }
  /** How often it was told of changes of the records or of programs since that was asked last. */
  takeReasons(): number
}

const minuteMs = 60_000
/** So much happens in a second of virtual time where time does not stand still. */
const mostStepsInSecond = 50_000
/** What one change may wake a part for: at once, and once it has seen what it has written for it. */
const perReason = 2
/** How often each part wakes in a minute by its own intervals where nothing changes, with a third more. */
const mostInMinute: Readonly<Record<string, number>> = {
  // What looks each second whether the clock was set.
  clock: 62,
  agent: 40,
  'clock answers': 6,
  // The lead is renewed three times in ten seconds.
  engine: 50,
  heartbeat: 30,
  triggers: 40,
  ...{ services: 20, placements: 20, schedules: 20 },
  ...{ machines: 8, leftovers: 8, clocks: 4, unreadable: 4, 'old events': 4, 'old versions': 4 },
  metrics: 60,
  records: 60,
  checks: 20,
}
/** While the store or what runs programs fails, it is tried again after growing pauses, which begin anew when it answers. */
const mostInTrouble = 600
/** After so long nothing is tried again for what failed. */
const triedForMs = 60_000
/** Of each program: its checks, and how long its measurement is waited for, which is made every 5 s at most. */
const mostOfProgram: Readonly<Record<string, number>> = { checks: 15, metrics: 16 }

export class SpinJudge {
  readonly #parts: SpinParts
  #secondFrom: { readonly at: number; readonly steps: number }
  #minuteFrom: number

  constructor(parts: SpinParts) {
    this.#parts = parts
    this.#secondFrom = { at: parts.now(), steps: parts.steps() }
    this.#minuteFrom = parts.now()
  }

  /** To be called after each step. */
  look(): void {
    const { now, steps, broke } = this.#parts
    const at = now()
    if (at - this.#secondFrom.at >= 1000) this.#secondFrom = { at, steps: steps() }
    else if (steps() - this.#secondFrom.steps > mostStepsInSecond) {
      broke(`time stands still: ${mostStepsInSecond} things have happened in a second; ${this.#busiest()}`)
      return
    }
    if (at - this.#minuteFrom >= minuteMs) this.#judgeMinute(at)
  }

  #judgeMinute(at: number): void {
    const minutes = (at - this.#minuteFrom) / minuteMs
    const from = this.#minuteFrom
    this.#minuteFrom = at
    for (const node of this.#parts.nodes) {
      const reasons = node.takeReasons()
      const isInTrouble = node.failedAt > from - triedForMs
      for (const [part, times] of node.wakes.take()) {
        const ofPrograms = (mostOfProgram[part] ?? 0) * node.host.running.size
        const least = isInTrouble ? mostInTrouble : 0
        const most = minutes * (Math.max(mostInMinute[part] ?? 0, least) + ofPrograms) + perReason * reasons
        if (times > most)
          this.#parts.broke(
            `${node.name}: ${part} woke ${times} times in ${minutes.toFixed(1)} minutes, in which it was told something ${reasons} times`,
          )
      }
    }
  }

  #busiest(): string {
    const all = this.#parts.nodes.flatMap(({ name, wakes }) =>
      [...wakes.take()].map(([part, times]) => ({ name, part, times })),
    )
    const [first] = all.sort((a, b) => b.times - a.times)
    return first === undefined
      ? 'nothing that waits did'
      : `${first.part} of ${first.name} woke ${first.times} times`
  }
}
