// One virtual time for a whole cluster. Whatever is to happen waits in one queue; time goes on to the next of it when
// everything that could run has run. Where nothing is left but what would find nothing to do, time leaps. The same seed is
// the same run.
import { sha1 } from '../../src/lib/hash.js'
import type { Time, Timer } from '../../src/lib/time.js'
import { randomFrom } from '../interleaving/turns.js'
import { DueQueue } from './due-queue.js'

/** Where every run begins: a day, so that nothing is before the epoch of any clock. */
export const beginsAt = 1_700_000_000_000
/** Turns between two looks of Node's own loop. */
const turnsAtOnce = 64
/** So long before something is done to the world a leap ends: what looks every second has looked by then. */
const landsBeforeMs = 1001
/** Of what clocks say no wait is leapt over that is as short as this: somebody waits for an answer. */
const longestAnswerMs = 60_000
/** Less is not worth a leap. */
const leastLeapMs = 1000
/** Leaps are of whole seconds, so that what goes by the second goes on at the same part of it. */
const leapOfMs = 1000

interface Due {
  run: (() => void) | null
}

/** Numbers at random for one part of the world: what another takes changes nothing here. */
export class Dice {
  readonly random: () => number

  constructor(random: () => number) {
    this.random = random
  }

  chance(of: number): boolean {
    return this.random() < of
  }

  /** A whole number from `least` to below `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.random() * (most - least))
  }

  pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.random() * from.length)]
  }
}

/** Dice that give the same numbers for the same words. */
export function diceOf(words: string): Dice {
  return new Dice(randomFrom(Number.parseInt(sha1(words).slice(0, 7), 16)))
}

/** What a leap asks of the world. */
export interface Leaps {
  /** Whether all that is left to happen by itself is known to come to nothing. */
  readonly isQuiet: () => boolean
  /** The world has stood still for so long, and only the clocks went on. */
  readonly onLeap: (ms: number) => void
}

export class Clockwork {
  readonly #seed: number
  /** What has to happen when it is due. */
  readonly #firm = new DueQueue<Due>()
  /** What would find nothing to do. */
  readonly #idle = new DueQueue<Due>()
  /** When something is done to the world from outside, in order. */
  #announced: readonly number[] = []
  /** How much later all that is idle is due than it was put in for. */
  #shiftMs = 0
  #leaps: Leaps | null = null
  #leaptMs = 0
  #now = beginsAt
  #steps = 0

  constructor(seed: number) {
    this.#seed = seed
  }

  get now(): number {
    return this.#now
  }

  /** How many things have happened. */
  get steps(): number {
    return this.#steps
  }

  /** How much of the time was leapt over. */
  get leaptMs(): number {
    return this.#leaptMs
  }

  /** From now on time leaps where all is quiet. */
  leap(leaps: Leaps): void {
    this.#leaps = leaps
  }

  /** What is done to the world at those times: leaps end a while before each. */
  announce(instants: readonly number[]): void {
    this.#announced = instants.toSorted((a, b) => a - b)
  }

  /** What idle code that is put in now for `ms` later is due at, whatever is leapt over meanwhile. */
  idleFrom(ms: number): { readonly leftMs: () => number } {
    const at = this.#now + ms - this.#shiftMs
    return { leftMs: () => Math.max(0, at + this.#shiftMs - this.#now) }
  }

  /** Dice of its own for a part of the world. */
  dice(who: string): Dice {
    return diceOf(`${who} ${this.#seed}`)
  }

  /** `latestMs`: until when it would find nothing to do. */
  after(ms: number, run: () => void, latestMs = ms): Timer {
    const due: Due = { run }
    const dueMs = Math.max(0, ms)
    // Of a time that passes while nothing else happens, an hour and a day cost the same.
    if (latestMs > ms) this.#idle.push(this.#now + dueMs - this.#shiftMs, due)
    if (latestMs <= ms) this.#firm.push(this.#now + dueMs, due)
    else if (latestMs < Number.POSITIVE_INFINITY) this.#firm.push(this.#now + latestMs, due)
    const timer: Timer = {
      cancel: () => {
        due.run = null
      },
      unref: () => timer,
    }
    return timer
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve))
  }

  /**
   * Lets things happen one after the other, each with all that follows from it at once, until `until` or until there is
   * reason to end. `look` is called after each.
   */
  run(until: number, look: () => void, isOver: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      let hasEnded = false
      let isFirst = true
      const turn = (): void => {
        if (hasEnded) return
        try {
          if (!isFirst) look()
          isFirst = false
          if (!isOver() && this.#next(until)) return
          hasEnded = true
          resolve()
        } catch (error) {
          hasEnded = true
          reject(error instanceof Error ? error : new Error(String(error)))
        }
      }
      // Promises that one turn settles, and those that they settle, have gone on when the next one comes. Many at a time,
      // because Node looks after sockets in between, and here are none.
      const turns = (): void => {
        if (hasEnded) return
        for (let n = 0; n < turnsAtOnce; n++) setImmediate(turn)
        setImmediate(turns)
      }
      turns()
    })
  }

  /** False where nothing is to happen by `until`. */
  #next(until: number): boolean {
    const isOver = ({ run }: Due): boolean => run === null
    this.#firm.drop(isOver)
    this.#idle.drop(isOver)
    const firmAt = this.#firm.nextAt ?? Number.POSITIVE_INFINITY
    const idleAt = this.#idle.nextAt === null ? Number.POSITIVE_INFINITY : this.#idle.nextAt + this.#shiftMs
    const nextAt = Math.min(firmAt, idleAt)
    if (nextAt > until) return false
    if (idleAt < firmAt && this.#leapTo(firmAt, until)) return this.#next(until)
    const due = (idleAt < firmAt ? this.#idle : this.#firm).take()
    this.#now = Math.max(this.#now, nextAt)
    const run = due?.run
    // It may wait in both.
    if (due !== undefined) due.run = null
    this.#steps += 1
    run?.()
    return true
  }

  /** Goes on to shortly before something has to happen, where nothing would come of what is idle; false where it stays. */
  #leapTo(firmAt: number, until: number): boolean {
    const at = Math.min(firmAt - 1, this.#nextFromOutside(until) - landsBeforeMs)
    const ms = Math.floor((at - this.#now) / leapOfMs) * leapOfMs
    if (ms < leastLeapMs || this.#leaps?.isQuiet() !== true) return false
    this.#now += ms
    this.#shiftMs += ms
    this.#leaptMs += ms
    this.#leaps.onLeap(ms)
    return true
  }

  #nextFromOutside(until: number): number {
    const next = this.#announced.findIndex((at) => at >= this.#now)
    this.#announced = next < 0 ? [] : this.#announced.slice(next)
    return Math.min(until, this.#announced[0] ?? until)
  }
}

/** What may be leapt over, until it is to happen in its time. */
interface StandingWait {
  readonly hasten: () => void
}

/** A machine's own time: its clock may be wrong, and what runs on it may stand still. */
export class MachineTime implements Time {
  readonly #clockwork: Clockwork
  #aheadMs = 0
  /** By how much of the time that goes by the clock is fast, and since when. */
  #drift = 0
  #driftsSince = 0
  #frozenUntil = 0
  #generation = 0
  #setAt = Number.NEGATIVE_INFINITY
  /** Waits that may be leapt over, as long as nobody says otherwise. */
  readonly #standing = new Set<StandingWait>()

  constructor(clockwork: Clockwork) {
    this.#clockwork = clockwork
  }

  now(): number {
    return this.#clockwork.now + this.#aheadMs + this.#driftedMs()
  }

  /** Whole, as the clock tells whole milliseconds. */
  #driftedMs(): number {
    return Math.trunc(this.#drift * (this.#clockwork.now - this.#driftsSince))
  }

  /** From now on the clock is fast by so many millionths, or slow; the steady one goes right. */
  drift(ppm: number): void {
    this.#aheadMs += this.#driftedMs()
    if (this.#drift !== 0) this.#setAt = this.#clockwork.now
    this.#drift = ppm / 1e6
    this.#driftsSince = this.#clockwork.now
  }

  /** Whether it tells time as it goes by: what says by the clock until when it finds nothing to do would be wrong otherwise. */
  get isEven(): boolean {
    return this.#drift === 0
  }

  /** When somebody last set the clock. */
  get setAt(): number {
    return this.#setAt
  }

  steady(): number {
    return this.#clockwork.now - beginsAt
  }

  after(ms: number, run: () => void, latestMs = ms): Timer {
    const generation = this.#generation
    let timer: Timer | null = null
    const fire = (): void => {
      if (generation !== this.#generation) return
      const waitMs = this.#frozenUntil - this.#clockwork.now
      if (waitMs > 0) timer = this.#clockwork.after(waitMs, fire)
      else run()
    }
    timer = this.#clockwork.after(ms, fire, latestMs)
    const own: Timer = { cancel: () => timer?.cancel(), unref: () => own }
    return own
  }

  /** The same of checks: those that would find what they have found are nothing that has to happen. */
  ofChecks(areSettled: () => boolean): Time {
    return { ...this.#asTime(), after: (ms, run) => this.#check(ms, run, areSettled()) }
  }

  /** Checks may find something else from now on: those that wait have to be made in their time. */
  unsettle(): void {
    for (const wait of this.#standing) wait.hasten()
  }

  /** The same of comparisons of clocks, which come to nothing where no clock is set and nobody has come. */
  ofComparisons(areSettled: () => boolean): Time {
    return {
      ...this.#asTime(),
      after: (ms, run, latestMs = ms) =>
        this.after(ms, run, latestMs > longestAnswerMs && areSettled() ? Number.POSITIVE_INFINITY : latestMs),
    }
  }

  #asTime(): Pick<Time, 'now' | 'steady'> {
    return { now: () => this.now(), steady: () => this.steady() }
  }

  #check(ms: number, run: () => void, isSettled: boolean): Timer {
    if (!isSettled) return this.after(ms, run)
    const due = this.#clockwork.idleFrom(ms)
    const fire = (): void => {
      this.#standing.delete(wait)
      run()
    }
    let timer = this.after(ms, fire, Number.POSITIVE_INFINITY)
    const wait: StandingWait = {
      hasten: () => {
        this.#standing.delete(wait)
        timer.cancel()
        timer = this.after(due.leftMs(), run)
      },
    }
    this.#standing.add(wait)
    const own: Timer = {
      cancel: () => {
        this.#standing.delete(wait)
        timer.cancel()
      },
      unref: () => own,
    }
    return own
  }

  /** Somebody sets the clock. */
  setBy(byMs: number): void {
    this.#aheadMs += byMs
    this.#setAt = this.#clockwork.now
  }

  /** Nothing runs for so long, as after SIGSTOP. */
  freeze(ms: number): void {
    this.#frozenUntil = Math.max(this.#frozenUntil, this.#clockwork.now + ms)
  }

  get frozenForMs(): number {
    return Math.max(0, this.#frozenUntil - this.#clockwork.now)
  }

  /** Whatever waits waits in vain: its process is gone. */
  end(): void {
    this.#standing.clear()
    this.#generation += 1
    this.#frozenUntil = 0
  }
}
