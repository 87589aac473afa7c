// How one daemon reaches the store: late, not at all, or without ever learning what came of a request. It asks one member
// at a time and turns to the next when that does not answer, as the product's own connection to etcd does.
import {
  type ChangeBatch,
  CompactedError,
  type Revision,
  type Store,
  StoreError,
} from '../../src/store/store.js'
import type { Clockwork, Dice } from './clockwork.js'
import type { Connection, ConnectionParts } from './connection.js'
import type { Etcd, Member } from './etcd.js'

/** After so long without an answer a request is given up, as etcd's are by default. */
const answerWithinMs = 3000
/** Between two attempts. */
const againMs = 100

/** What changes something is not asked for again: nobody knows what became of it. */
type Kind = 'read' | 'write' | 'renewal'

type LinkEvents = Pick<ConnectionParts, 'onAway' | 'onBack'>

/** How often clocks are compared hangs on what is leapt over. */
function isOfClocks(key: string): boolean {
  return key.startsWith('clock-calls/') || key.startsWith('clocks/')
}

export class Link implements Connection {
  readonly store: Store
  readonly isBroken = false
  readonly #clockwork: Clockwork
  readonly #etcd: Etcd
  readonly #events: LinkEvents
  readonly #dice: Dice
  /** Of what is asked again and again, so that nothing else hangs on how often. */
  readonly #routine: Dice
  /** The member that is asked. */
  #at: number
  /** The one that tells what changes; null while none does. */
  #watched: Member | null = null
  #watchedAgainAt = Number.NEGATIVE_INFINITY
  #isUp = true
  #isEnded = false
  #isAway = false
  #isCompacted = false
  #waiting: (() => void)[] = []
  /** What a message takes one way, at most. */
  slowMs = 4

  /** `first`: the member that it asks until that fails. */
  constructor(clockwork: Clockwork, etcd: Etcd, first: number, events: LinkEvents) {
    this.#clockwork = clockwork
    this.#etcd = etcd
    this.#at = first % etcd.members.length
    this.#events = events
    this.#dice = clockwork.dice(`link ${first}`)
    this.#routine = clockwork.dice(`renewals ${first}`)
    this.store = {
      get: (key) => this.#ask('read', (member) => member.ask((store) => store.get(key))),
      range: (prefix) => this.#ask('read', (member) => member.ask((store) => store.range(prefix))),
      txn: (compare, ops) =>
        this.#ask(
          'write',
          (member) => member.ask((store) => store.txn(compare, ops)),
          ops.every((op) => op.op !== 'delete-prefix' && isOfClocks(op.key)),
        ),
      grant: (ttlMs) => this.#ask('write', (member) => member.grant(ttlMs, () => this.isQuiet)),
      keepAlive: (lease) => this.#ask('renewal', (member) => member.keepAlive(lease)),
      remainingMs: (lease) =>
        this.#ask('read', (member) => member.askOfLease((store) => store.remainingMs(lease))),
      revoke: (lease) => this.#ask('read', (member) => member.revoke(lease)),
      watch: (prefix, after, signal) => this.#watch(prefix, after, signal),
      close: () => Promise.resolve(),
    }
  }

  /** When it last could not hear at once of what changes: now, while it cannot. */
  get outOfTouchAt(): number {
    if (!this.#isUp || this.#watched === null) return this.#clockwork.now
    return Math.max(this.#watchedAgainAt, this.#watched.lateAt, this.#etcd.withoutLeader.to)
  }

  /** Whether it hears at once of what changes, and its daemon is there. */
  get isQuiet(): boolean {
    return this.#isUp && !this.#isEnded && !this.#isAway && this.#watched?.isServing === true
  }

  cut(): void {
    this.#isUp = false
  }

  heal(): void {
    this.#isUp = true
    const waiting = this.#waiting
    this.#waiting = []
    for (const wake of waiting) wake()
  }

  /** The next change that it would see is gone from the store's history, as after it was away for long. */
  compact(): void {
    this.#isCompacted = true
  }

  /** Its daemon is gone: nothing arrives there any more. */
  end(): void {
    this.#isEnded = true
  }

  async close(): Promise<void> {}

  #ask<T>(kind: Kind, ask: (member: Member) => Promise<T>, isRoutine = kind === 'renewal'): Promise<T> {
    return new Promise((resolve, reject) => {
      let isSettled = false
      let asked = this.#at
      const settle = (then: () => void): void => {
        if (isSettled) return
        isSettled = true
        timer.cancel()
        if (!this.#isEnded) then()
      }
      const away = (): void =>
        settle(() => {
          this.#noteAway()
          reject(unanswered())
        })
      const timer = this.#clockwork.after(answerWithinMs, () => {
        // Another request may have turned away from it by now.
        this.#turn(asked)
        away()
      })
      const answer = (then: () => void): void => {
        this.#clockwork.after(this.#delayMs(isRoutine), () => {
          // What is lost on the way back has taken effect, and nobody here knows.
          if (this.#isUp) settle(() => this.#back(then))
        })
      }
      const attempt = (): void => {
        const at = this.#at
        asked = at
        const member = this.#etcd.members[at] as Member
        this.#clockwork.after(this.#delayMs(isRoutine), () => {
          if (!this.#isUp || this.#isEnded || isSettled) return
          const again = (): void => {
            this.#turn(at)
            this.#clockwork.after(againMs, attempt)
          }
          if (!member.isUp) return again()
          // Its connection ends with it, and the answer may have been on its way.
          const lost = (): void => (kind === 'write' ? away() : again())
          let isThere = true
          const forget = member.onGone(() => {
            isThere = false
            lost()
          })
          const over = (then: () => void): void => {
            forget()
            if (isThere) answer(then)
          }
          ask(member).then(
            (value) => over(() => resolve(value)),
            (error: Error) => over(() => reject(error)),
          )
        })
      }
      attempt()
    })
  }

  async *#watch(prefix: string, after: Revision, signal: AbortSignal): AsyncIterable<ChangeBatch> {
    let seen = after
    while (!signal.aborted) {
      const member = await this.#reached(signal)
      if (member === null) return
      this.#watched = member
      const over = new AbortController()
      const end = (): void => over.abort()
      const forget = member.onGone(end)
      signal.addEventListener('abort', end)
      for await (const heard of member.watch(prefix, seen, over.signal)) {
        // Who comes to send it only after it has been compacted knows no more what was there before.
        const batch = heard.revision > this.#etcd.compacted ? heard : withoutPrevious(heard)
        await this.#clockwork.sleep(this.#delayMs(batch.changes.every(({ key }) => isOfClocks(key))))
        while (!this.#isUp && !signal.aborted) await this.#healed()
        if (signal.aborted) return
        // Nobody is there any more whom it could tell.
        if (this.#isEnded) await new Promise(() => {})
        // What it had not sent yet is lost with it; another tells it again.
        if (over.signal.aborted) break
        // A watch that was cut off may find that what it missed is gone.
        if (this.#isCompacted) {
          this.#isCompacted = false
          throw new CompactedError(batch.revision + 1)
        }
        seen = batch.revision
        yield batch
      }
      forget()
      signal.removeEventListener('abort', end)
    }
  }

  /** A member that tells what changes; null when it is not to be waited for any more. */
  async #reached(signal: AbortSignal): Promise<Member | null> {
    for (let failures = 0; !signal.aborted; ) {
      const at = this.#at
      const member = this.#etcd.members[at] as Member
      if (this.#isUp && member.isServing) {
        if (failures > 0) this.#watchedAgainAt = this.#clockwork.now
        if (failures > 0) this.#back(() => {})
        return member
      }
      this.#watched = null
      if (this.#isUp) this.#turn(at)
      failures += 1
      // One that ends may only have to turn to another.
      if (failures > this.#etcd.members.length) this.#noteAway()
      await this.#clockwork.sleep(againMs)
      // Nobody is there any more who waits for it.
      if (this.#isEnded) await new Promise(() => {})
    }
    return null
  }

  /** From now on another is asked than this one. */
  #turn(from: number): void {
    if (from === this.#at) this.#at = (from + 1) % this.#etcd.members.length
  }

  #healed(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isUp) resolve()
      else this.#waiting.push(resolve)
    })
  }

  #delayMs(isRoutine: boolean): number {
    return (isRoutine ? this.#routine : this.#dice).between(1, this.slowMs)
  }

  #noteAway(): void {
    if (this.#isAway) return
    this.#isAway = true
    this.#events.onAway(unanswered().message)
  }

  #back(then: () => void): void {
    if (this.#isAway) {
      this.#isAway = false
      this.#events.onBack()
    }
    then()
  }
}

function withoutPrevious({ revision, changes }: ChangeBatch): ChangeBatch {
  return { revision, changes: changes.map((change) => ({ ...change, previous: null })) }
}

function unanswered(): StoreError {
  return new StoreError('store/unreachable', 'no answer within 3s', 'it is asked again')
}
