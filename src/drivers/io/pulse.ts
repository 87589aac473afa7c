// Whether what drives units still answers: Docker, systemd, the process supervisor. One that is frozen, or holds a lock for
// ever, takes connections, keeps those that are open, and says nothing: no request fails, and none ends.
import type { Instant, Time, Timer } from '../../lib/time.js'

export interface PulseOptions {
  /** Asks whether it answers; resolves when it does, rejects when it cannot be reached, and ends with `signal`. */
  readonly ask: (signal: AbortSignal) => Promise<unknown>
  readonly time: Time
  /** Called when it is found silent, and when it answers again. */
  readonly onChange: (isSilent: boolean) => void
  /** Whether the first question is put at once; otherwise when nothing has come for a while. */
  readonly asksAtOnce?: boolean
}

/** For how long nothing may come before it is asked. */
export const quietMs = 5000
/** How long the answer may take: a machine that has much to do gives it late. */
export const answersWithinMs = 10_000
/** By how much this process may be late itself: more, and what was asked may have been held up with it. */
const lateByMs = 2000
/** A question that is open for so long may have been lost, and is put anew. */
export const askAnewMs = 60_000
/** How soon a silent one that could not be reached is asked again. */
const retryMs = 1000

/** Asks when nothing has come for a while; one question at a time, which stays open until it is answered. */
export class Pulse {
  readonly #options: PulseOptions
  #heardAt: Instant
  #silent = false
  #timer: Timer | null = null
  #question: AbortController | null = null
  #closed = false

  constructor(options: PulseOptions) {
    const { asksAtOnce = false, time } = options
    this.#options = options
    this.#heardAt = asksAtOnce ? Number.NEGATIVE_INFINITY : time.steady()
    if (asksAtOnce) this.#ask()
    else this.#askIn(quietMs)
  }

  /** Whether it has not answered for too long. */
  get isSilent(): boolean {
    return this.#silent
  }

  /** Takes note of an answer, to whatever request. */
  heard(): void {
    this.#heardAt = this.#options.time.steady()
    this.#become(false)
  }

  close(): void {
    this.#closed = true
    this.#timer?.cancel()
    this.#question?.abort()
  }

  #become(isSilent: boolean): void {
    if (this.#silent === isSilent) return
    this.#silent = isSilent
    this.#options.onChange(isSilent)
  }

  #after(ms: number, run: () => void): void {
    this.#timer?.cancel()
    if (!this.#closed) this.#timer = this.#options.time.after(ms, run).unref()
  }

  #askIn(ms: number): void {
    this.#after(ms, () => {
      const quietFor = this.#options.time.steady() - this.#heardAt
      if (!this.#silent && quietFor < quietMs) this.#askIn(quietMs - quietFor)
      else this.#ask()
    })
  }

  #ask(): void {
    const question = new AbortController()
    this.#question = question
    this.#options.ask(question.signal).then(
      () => {
        if (this.#isOver(question)) return
        this.#question = null
        this.heard()
        this.#askIn(quietMs)
      },
      // Whoever asks something else learns that it cannot be reached.
      () => {
        if (this.#isOver(question)) return
        this.#question = null
        this.#askIn(this.#silent ? retryMs : quietMs)
      },
    )
    this.#waitForAnswer(question, this.#options.time.steady())
  }

  #isOver(question: AbortController): boolean {
    return this.#closed || this.#question !== question
  }

  #waitForAnswer(question: AbortController, askedAt: Instant): void {
    const { time } = this.#options
    const waitsFrom = time.steady()
    this.#after(answersWithinMs, () => {
      const wasHeldUp = time.steady() - waitsFrom > answersWithinMs + lateByMs
      // What has come in while this process was held up is read before it is said that nothing came.
      setImmediate(() => {
        if (this.#isOver(question)) return
        const isSilent = this.#heardAt < askedAt
        // What holds up this process may hold up the other: only then does its time begin.
        if (isSilent && wasHeldUp && !this.#silent) return this.#waitForAnswer(question, askedAt)
        if (isSilent) this.#become(true)
        this.#after(askAnewMs - answersWithinMs, () => {
          question.abort()
          this.#ask()
        })
      })
    })
  }
}
