// What runs programs on a machine hangs, as a Docker whose process is stopped: it takes what it is asked, says nothing, and
// does all of that as soon as it goes on. A daemon finds out by the product's own pulse that nothing answers.

import { Pulse } from '../../src/drivers/io/pulse.js'
import type { Time } from '../../src/lib/time.js'
import { DriverError } from '../../src/model/driver-error.js'
import type { Clockwork, Dice } from './clockwork.js'

export class Hang {
  readonly #clockwork: Clockwork
  readonly #lines = new Set<Line>()
  #since = 0
  #until = 0
  #waiting: (() => void)[] = []

  constructor(clockwork: Clockwork) {
    this.#clockwork = clockwork
  }

  /** Until when it hangs, or has hung last; 0 for never. */
  get until(): number {
    return this.#until
  }

  /** Since when it hangs; null where it does not. */
  get since(): number | null {
    return this.isOn ? this.#since : null
  }

  get isOn(): boolean {
    return this.#clockwork.now < this.#until
  }

  begin(ms: number): void {
    if (!this.isOn) this.#since = this.#clockwork.now
    this.#until = Math.max(this.#until, this.#clockwork.now + ms)
    for (const line of this.#lines) line.hangs(false)
    this.#clockwork.after(ms, () => this.#goOn())
  }

  /** It goes on now. */
  end(): void {
    this.#until = Math.min(this.#until, this.#clockwork.now)
    this.#goOn()
  }

  /** It is gone with its machine, and with what it was asked. */
  powerOff(): void {
    this.#until = Math.min(this.#until, this.#clockwork.now)
    this.#waiting = []
  }

  /** What waits for it goes on in the order in which it came. */
  async over(): Promise<void> {
    if (this.isOn) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Does something now, or as soon as it goes on. */
  whenItGoesOn(what: () => void): void {
    if (this.isOn) this.#waiting.push(what)
    else what()
  }

  /** A daemon's line to it, until that is gone. `onSilent`: it is found not to answer. */
  line(time: Time, gone: AbortSignal, onSilent: () => void): Line {
    const line = new Line(this, this.#clockwork, time, onSilent)
    this.#lines.add(line)
    gone.addEventListener('abort', () => {
      this.#lines.delete(line)
      line.close()
    })
    // Who comes while it hangs asks at once whether it is there.
    if (this.isOn) line.hangs(true)
    return line
  }

  #goOn(): void {
    if (this.isOn) return
    const waiting = this.#waiting
    this.#waiting = []
    for (const goesOn of waiting) goesOn()
    for (const line of this.#lines) line.goesOn()
  }
}

type Fail = (error: Error) => void

/** How a daemon asks what runs programs: as the product's own drivers do, with a pulse. */
export class Line {
  readonly #hang: Hang
  readonly #clockwork: Clockwork
  readonly #time: Time
  readonly #dice: Dice
  readonly #onSilent: () => void
  /** Only while it matters: what it asks again and again would come to nothing, and no time would leap over that. */
  #pulse: Pulse | null = null
  /** Those who wait for an answer. */
  readonly #asking = new Set<Fail>()
  /** The same by the signal that ends their waiting: each is listened to once, however often something is asked with it. */
  readonly #bySignal = new WeakMap<AbortSignal, Set<Fail>>()

  constructor(hang: Hang, clockwork: Clockwork, time: Time, onSilent: () => void) {
    this.#hang = hang
    this.#onSilent = onSilent
    this.#clockwork = clockwork
    this.#time = time
    this.#dice = clockwork.dice('pulse')
  }

  /** Fails like what is carried out, or where nothing answers, or where nobody waits any more. */
  async ask<T>(carryOut: (isWaited: () => boolean) => Promise<T>, signal: AbortSignal | null): Promise<T> {
    signal?.throwIfAborted()
    if (this.#pulse?.isSilent === true) throw unanswered()
    return await new Promise<T>((resolve, reject) => {
      let isWaited = true
      const end = (): void => {
        isWaited = false
        this.#asking.delete(fail)
        ofSignal?.delete(fail)
      }
      const fail = (error: Error): void => {
        end()
        reject(error)
      }
      const ofSignal = signal && this.#askingWith(signal)
      this.#asking.add(fail)
      ofSignal?.add(fail)
      carryOut(() => isWaited).then((answer) => {
        end()
        resolve(answer)
      }, fail)
    })
  }

  #askingWith(signal: AbortSignal): Set<Fail> {
    const known = this.#bySignal.get(signal)
    if (known !== undefined) return known
    const asking = new Set<Fail>()
    this.#bySignal.set(signal, asking)
    const giveUp = (): void => {
      for (const fail of [...asking]) fail(signal.reason as Error)
    }
    signal.addEventListener('abort', giveUp, { once: true })
    return asking
  }

  hangs(asksAtOnce: boolean): void {
    this.#pulse ??= new Pulse({
      time: this.#time,
      asksAtOnce,
      ask: async () => {
        await this.#hang.over()
        await this.#clockwork.sleep(this.#dice.between(1, 5))
      },
      onChange: (isSilent) => {
        if (!isSilent) return this.#close()
        for (const fail of [...this.#asking]) fail(unanswered())
        // What it tells of changes by is broken off as well.
        this.#onSilent()
      },
    })
  }

  /** What was silent stays so until it has answered. */
  goesOn(): void {
    if (this.#pulse?.isSilent === false) this.#close()
  }

  close(): void {
    this.#close()
    this.#asking.clear()
  }

  #close(): void {
    this.#pulse?.close()
    this.#pulse = null
  }
}

function unanswered(): DriverError {
  return new DriverError(
    'process/unreachable',
    'what runs programs here accepts requests but does not answer',
  )
}
