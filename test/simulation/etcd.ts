// An etcd of several members: one history, of which each hears in its own time. What is asked of one is answered when it has
// that itself; one that is cut off from the others, or has no others left, answers nothing; one that is lost is not there.
import { defaultHistoryLimit } from '../../src/store/io/local-store.js'
import { WatchHistory } from '../../src/store/io/watches.js'
import {
  type ChangeBatch,
  CompactedError,
  type LeaseId,
  type Revision,
  type Store,
} from '../../src/store/store.js'
import { openMemoryStore } from '../store/memory-store.js'
import type { Clockwork, Dice } from './clockwork.js'
import type { Connect, SimulatedStore } from './connection.js'
import { LeaseTime } from './lease-time.js'
import { Link } from './link.js'

/** What a member hears of so much later than it came about is news that it had to wait for. */
const lateMs = 1000
/** How long those that are left need until they agree on who leads. */
const electionMs = { least: 1000, most: 2500 } as const
/** What nobody takes for so long is dropped, as etcd does after 5 s and two elections. */
const dropsAfterMs = 7000
/** A lease that nobody renewed for so much longer than it lasts has ended. */
const leaseSlackMs = 1000
const historyLimit = 10 * defaultHistoryLimit

export class Etcd implements SimulatedStore {
  readonly members: readonly Member[]
  /** What is so, for those who judge. */
  readonly truth: Store
  readonly #clockwork: Clockwork
  readonly #dice: Dice
  readonly #time: LeaseTime
  readonly #leases = new Map<LeaseId, HeldLease>()
  /** When each revision came about. */
  readonly #madeAt: number[] = []
  #leader: Member | null = null
  #elections = 0
  #waiting: (() => void)[] = []
  #compacted: Revision = 0
  #withoutAt = Number.NEGATIVE_INFINITY
  #withoutSince = Number.NEGATIVE_INFINITY

  /** `farMs`: how much later than the first the others hear of what comes about, at most. */
  constructor(clockwork: Clockwork, members: number, farMs: number) {
    this.#clockwork = clockwork
    this.#time = new LeaseTime(clockwork)
    this.#dice = clockwork.dice('etcd')
    this.truth = openMemoryStore({ clock: this.#time, timers: this.#time, historyLimit })
    this.members = Array.from(
      { length: members },
      (_, n) => new Member(`e${n}`, this, clockwork, n === 0 ? 0 : this.#dice.between(0, farMs)),
    )
    this.#leader = this.members[0] ?? null
  }

  /** Begins to pass on what comes about; never ends. */
  start(onError: (error: unknown) => void): void {
    const hear = async (): Promise<void> => {
      for await (const batch of this.truth.watch('', 0, new AbortController().signal)) {
        this.#madeAt[batch.revision] = this.#clockwork.now
        for (const member of this.members) member.hear(batch)
      }
    }
    hear().catch(onError)
  }

  get hasLeader(): boolean {
    return this.#leader !== null
  }

  get compacted(): Revision {
    return this.#compacted
  }

  /** The last time when nobody led: from when to when. It lasts while `to` is now. */
  get withoutLeader(): { readonly from: number; readonly to: number } {
    return { from: this.#withoutSince, to: this.hasLeader ? this.#withoutAt : this.#clockwork.now }
  }

  /** Drops what came about until now: whoever has not heard of all of it has to list again. */
  compact(): void {
    this.#compacted = Math.max(this.#compacted, this.#madeAt.length - 1)
  }

  readonly connect: Connect = async (n, events) => new Link(this.#clockwork, this, n, events)

  excuses(): boolean {
    return false
  }

  /** All is well again. */
  heal(): void {
    for (const member of this.members) {
      member.lag(0)
      member.come()
    }
  }

  /** Resolves when somebody leads. */
  async led(): Promise<void> {
    while (this.#leader === null) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** A member has gone or has come: where the one that led is gone, or nobody did, those that are left need a while. */
  turned(): void {
    const together = this.members.filter(({ isTogether }) => isTogether)
    const isQuorum = 2 * together.length > this.members.length
    if (isQuorum && this.#leader?.isTogether === true) return
    if (this.#leader !== null) {
      this.#leader = null
      this.#withoutSince = this.#clockwork.now
      this.#time.stop()
    }
    this.#elections += 1
    const election = this.#elections
    if (!isQuorum) return
    this.#clockwork.after(this.#dice.between(electionMs.least, electionMs.most), () => {
      if (election === this.#elections) this.#lead(together[0] ?? null)
    })
  }

  /** Notes a lease: whoever leads next gives each its full time again. `isHeld`: whether somebody is there who renews it. */
  granted(lease: LeaseId, ttlMs: number, isHeld: () => boolean): void {
    this.#leases.set(lease, { ttlMs, isHeld, renewedAt: this.#time.now() })
  }

  /** It has its full time again. */
  renewed(lease: LeaseId): void {
    const held = this.#leases.get(lease)
    if (held !== undefined) held.renewedAt = this.#time.now()
  }

  revoked(lease: LeaseId): void {
    this.#leases.delete(lease)
  }

  /** Whether somebody leads, and nobody's lease is about to end. */
  isQuiet(): boolean {
    if (!this.hasLeader) return false
    const now = this.#time.now()
    for (const [lease, { ttlMs, renewedAt, isHeld }] of this.#leases) {
      if (now - renewedAt > ttlMs + leaseSlackMs) this.#leases.delete(lease)
      else if (!isHeld() || now - renewedAt > ttlMs / 2) return false
    }
    return true
  }

  /** Only the clocks went on: leases last as long as before. */
  leapt(ms: number): void {
    this.#time.leapt(ms)
  }

  #lead(leader: Member | null): void {
    this.#leader = leader
    this.#withoutAt = this.#clockwork.now
    for (const [lease, held] of this.#leases) {
      held.renewedAt = this.#time.now()
      this.truth.keepAlive(lease).catch(() => this.#leases.delete(lease))
    }
    this.#time.goOn()
    const waiting = this.#waiting
    this.#waiting = []
    for (const wake of waiting) wake()
  }
}

interface HeldLease {
  readonly ttlMs: number
  renewedAt: number
  readonly isHeld: () => boolean
}

/** What came about, and when. */
interface News {
  readonly batch: ChangeBatch
  readonly at: number
}

export class Member {
  readonly name: string
  readonly #etcd: Etcd
  readonly #clockwork: Clockwork
  readonly #history = new WatchHistory(historyLimit, 0)
  /** How much later than the first it hears of what comes about, where nothing is wrong. */
  readonly #ownMs: number
  #lagMs = 0
  #news: News[] = []
  #isHearing = false
  #applied: Revision = 0
  #appliers: { readonly revision: Revision; readonly resolve: () => void }[] = []
  #isUp = true
  #isCut = false
  #lateAt = Number.NEGATIVE_INFINITY
  readonly #onGone = new Set<() => void>()

  constructor(name: string, etcd: Etcd, clockwork: Clockwork, ownMs: number) {
    this.name = name
    this.#ownMs = ownMs
    this.#etcd = etcd
    this.#clockwork = clockwork
  }

  get isUp(): boolean {
    return this.#isUp
  }

  /** Whether it is in touch with the others. */
  get isTogether(): boolean {
    return this.#isUp && !this.#isCut
  }

  /** Whether it takes requests: one without a leader says so, or is silent. */
  get isServing(): boolean {
    return this.isTogether && this.#etcd.hasLeader
  }

  /** When it last had not heard yet of what had come about a while before: now, while it has not. */
  get lateAt(): number {
    const [oldest] = this.#news
    const { now } = this.#clockwork
    return oldest !== undefined && now - oldest.at > lateMs ? now : this.#lateAt
  }

  /** It is not there any more; with `cut` it is, and the others do not hear of it, nor it of them. */
  lose(how: 'dead' | 'cut'): void {
    if (how === 'cut') this.#isCut = true
    else this.#isUp = false
    const told = [...this.#onGone]
    this.#onGone.clear()
    for (const tell of told) tell()
    this.#etcd.turned()
  }

  /** It is there again, and learns what it missed. */
  come(): void {
    if (this.isTogether) return
    this.#isUp = true
    this.#isCut = false
    this.#etcd.turned()
    this.#listen()
  }

  /** Calls back once when it goes: what is on its way from it is lost. Returns the way to end that. */
  onGone(tell: () => void): () => void {
    this.#onGone.add(tell)
    return () => this.#onGone.delete(tell)
  }

  /** From now on it hears of what comes about so much later. */
  lag(byMs: number): void {
    this.#lagMs = byMs
  }

  /** It will know of this in its time. */
  hear(batch: ChangeBatch): void {
    this.#news.push({ batch, at: this.#clockwork.now })
    this.#listen()
  }

  watch(prefix: string, after: Revision, signal: AbortSignal): AsyncIterable<ChangeBatch> {
    const { compacted } = this.#etcd
    if (after < compacted && this.#applied > after) throw new CompactedError(compacted + 1)
    return this.#history.watch(prefix, after, signal)
  }

  /** Asks the one that leads, and answers when it has heard of all that there was by then. */
  async ask<T>(what: (store: Store) => Promise<T>): Promise<T> {
    const value = await this.askOfLease(what)
    await this.#has(revisionOf(value))
    return value
  }

  /** The same of leases, which whoever leads keeps alone. */
  async askOfLease<T>(what: (store: Store) => Promise<T>): Promise<T> {
    const { now } = this.#clockwork
    await this.#etcd.led()
    // What reaches only itself reaches nobody, and what has waited for long is dropped.
    if (!this.isTogether || this.#clockwork.now - now > dropsAfterMs) return new Promise<T>(() => {})
    return what(this.#etcd.truth)
  }

  async grant(ttlMs: number, isHeld: () => boolean): Promise<LeaseId> {
    const lease = await this.askOfLease((store) => store.grant(ttlMs))
    this.#etcd.granted(lease, ttlMs, isHeld)
    return lease
  }

  async keepAlive(lease: LeaseId): Promise<void> {
    await this.askOfLease((store) => store.keepAlive(lease))
    this.#etcd.renewed(lease)
  }

  async revoke(lease: LeaseId): Promise<void> {
    await this.ask((store) => store.revoke(lease))
    this.#etcd.revoked(lease)
  }

  async #has(revision: Revision): Promise<void> {
    if (this.#applied >= revision) return
    await new Promise<void>((resolve) => this.#appliers.push({ revision, resolve }))
  }

  #listen(): void {
    if (this.#isHearing || !this.isTogether) return
    for (let next = this.#news[0]; next !== undefined; next = this.#news[0]) {
      const waitMs = next.at + this.#ownMs + this.#lagMs - this.#clockwork.now
      if (waitMs > 0) {
        this.#isHearing = true
        this.#clockwork.after(waitMs, () => {
          this.#isHearing = false
          this.#listen()
        })
        return
      }
      this.#news.shift()
      this.#apply(next)
    }
  }

  #apply({ batch, at }: News): void {
    const { now } = this.#clockwork
    if (now - at > lateMs) this.#lateAt = now
    this.#applied = batch.revision
    this.#history.publish(batch)
    if (this.#appliers.length === 0) return
    const has = this.#appliers.filter(({ revision }) => revision <= this.#applied)
    this.#appliers = this.#appliers.filter(({ revision }) => revision > this.#applied)
    for (const { resolve } of has) resolve()
  }
}

function revisionOf(value: unknown): Revision {
  const { revision, modRevision } = (value ?? {}) as {
    readonly revision?: number
    readonly modRevision?: number
  }
  return revision ?? modRevision ?? 0
}
