// The network between daemons, and from and to those who are outside of the cluster: what is sent may be late, or be lost on the
// way there or on the way back, and each direction between two ends may be cut by itself. That to the store is none of it.
import type { Clockwork, Dice } from './clockwork.js'

/** A machine, by its name, or those who are no machine of the cluster. */
export type End = string
export const outside = 'outside'

/** What is wrong with what comes to or from an end. */
export type NetworkTrouble =
  /** What is sent by it does not arrive at that end; null: at none. */
  | { readonly kind: 'from'; readonly to: End | null }
  /** What is sent to it does not arrive, whoever sends it. */
  | { readonly kind: 'to' }
  /** Half of the requests to it are lost, or half of the answers of it. */
  | { readonly kind: 'requests' | 'answers' }
  /** All that is sent to or by it takes up to so long. */
  | { readonly kind: 'slow'; readonly mostMs: number }

interface Wrong {
  readonly at: End
  readonly trouble: NetworkTrouble
}

/** Whoever asked has heard nothing: what was asked may have been done. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/** Nobody takes connections there: nothing was done. */
export class NobodyThere extends Error {
  override readonly name = 'NobodyThere'
}

export interface Route {
  readonly from: End
  readonly to: End
  /** How long whoever asks waits for an answer. */
  readonly withinMs: number
}

export class Network {
  readonly #clockwork: Clockwork
  readonly #dice: Dice
  readonly #count: (what: string) => void
  readonly #wrongs = new Set<Wrong>()
  /** When something was last wrong between two ends, either way. */
  readonly #wrongAt = new Map<string, number>()

  constructor(clockwork: Clockwork, count: (what: string) => void) {
    this.#clockwork = clockwork
    this.#dice = clockwork.dice('network')
    this.#count = count
  }

  /** From now on for so long. */
  hurt(at: End, trouble: NetworkTrouble, forMs: number): void {
    const wrong = { at, trouble }
    this.#wrongs.add(wrong)
    this.#clockwork.after(forMs, () => this.#end(wrong))
  }

  heal(): void {
    for (const wrong of this.#wrongs) this.#end(wrong)
  }

  /** When something was last wrong with what one end sends another, or is sent by it: now, while it is. */
  wrongAt(one: End, other: End): number {
    const { now } = this.#clockwork
    if ([...this.#wrongs].some((wrong) => concerns(wrong, one, other))) return now
    return Math.max(...[one, other].map((end) => this.#wrongAt.get(end) ?? 0))
  }

  /** Whether what is sent now arrives; where nothing is wrong no dice are thrown. */
  passes(from: End, to: End, what: 'request' | 'answer'): boolean {
    for (const { at, trouble } of this.#wrongs) {
      const why = this.#whyLost(at, trouble, from, to, what)
      if (why === null) continue
      this.#count(`network ${why}`)
      return false
    }
    return true
  }

  /** What it takes longer than usual. */
  delayMs(from: End, to: End): number {
    let ms = 0
    for (const { at, trouble } of this.#wrongs)
      if (trouble.kind === 'slow' && (at === from || at === to)) ms += this.#dice.between(0, trouble.mostMs)
    if (ms > 0) this.#count('network late')
    return ms
  }

  /**
   * Has something done at another end, and brings back what that says. Rejects with `NoAnswer` where none comes in time, and as
   * `ask` does where that refuses.
   */
  ask<T>({ from, to, withinMs }: Route, ask: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let isOver = false
      const late = this.#clockwork.after(withinMs, () => {
        isOver = true
        this.#count('network no answer')
        reject(new NoAnswer(`${to} does not answer`))
      })
      const answer = (say: () => void): void => {
        if (!this.passes(to, from, 'answer')) return
        this.#clockwork.after(this.#dice.between(1, 5) + this.delayMs(to, from), () => {
          if (isOver) return
          late.cancel()
          say()
        })
      }
      if (!this.passes(from, to, 'request')) return
      this.#clockwork.after(this.#dice.between(1, 5) + this.delayMs(from, to), () => {
        ask().then(
          (value) => answer(() => resolve(value)),
          (error: Error) => answer(() => reject(error)),
        )
      })
    })
  }

  #whyLost(at: End, trouble: NetworkTrouble, from: End, to: End, what: 'request' | 'answer'): string | null {
    switch (trouble.kind) {
      case 'from':
        return at === from && (trouble.to === null || trouble.to === to) ? `cut, ${what}` : null
      case 'to':
        return at === to ? `cut, ${what}` : null
      case 'requests':
        return what === 'request' && at === to && this.#dice.chance(0.5) ? 'lost request' : null
      case 'answers':
        return what === 'answer' && at === from && this.#dice.chance(0.5) ? 'lost answer' : null
      case 'slow':
        return null
    }
  }

  #end(wrong: Wrong): void {
    if (this.#wrongs.delete(wrong)) this.#wrongAt.set(wrong.at, this.#clockwork.now)
  }
}

function concerns({ at, trouble }: Wrong, one: End, other: End): boolean {
  if (trouble.kind === 'from' && trouble.to !== null)
    return (at === one && trouble.to === other) || (at === other && trouble.to === one)
  return at === one || at === other
}
