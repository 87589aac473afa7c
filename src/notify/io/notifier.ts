// The leader's sender of webhooks: turns new events into deliveries, and sends what is due. The deciding is in
// `planOutbox`, `planSends` and `settle`.
import { type Backoff, backoffMs } from '../../lib/backoff.js'
import { InvariantError } from '../../lib/invariant.js'
import { pause } from '../../lib/io/clock.js'
import { describeError, type Log } from '../../lib/io/log.js'
import { type Loop, startLoop } from '../../lib/io/loop.js'
import { ReportedStates } from '../../lib/reported-states.js'
import type { Instant, Time } from '../../lib/time.js'
import type { Receiver } from '../../model/webhook.js'
import type { EventLog } from '../../store/io/event-log.js'
import { ledBy, type Registry } from '../../store/io/registry.js'
import type { SecretBox } from '../../store/io/secret-box.js'
import { keys, outboxKey } from '../../store/records.js'
import type { Revision } from '../../store/store.js'
import type { Outcome } from '../next.js'
import { cursorOf, planOutbox, unwrittenAtMost } from '../outbox.js'
import { isNoted, planSends, type Send, sendsAtMost, settle } from '../sends.js'
import { EventFeed } from './event-feed.js'
import { letterFor } from './letters.js'
import type { Letter, Sender } from './sender.js'

interface NotifierOptions {
  readonly registry: Registry
  readonly events: EventLog
  readonly secrets: SecretBox
  readonly sender: Sender
  /** The cluster's own id: the source of its events. */
  readonly cluster: string
  readonly clock: Time
  readonly log: Log
  /** Our epoch, or null while we do not lead. */
  readonly epoch: () => number | null
  readonly onError: (error: unknown) => void
  /** How long the writing of a result waits that the store refused. */
  readonly backoff?: Backoff
}

export interface Notifier {
  /** Up to which revision events are told; null while we do not lead. */
  toldUpTo(): Revision | null
  /** Asks for a look soon. */
  wake(): void
  /** Breaks off what is being sent; it is sent again by whoever leads next. */
  stop(): Promise<void>
}

const lookEveryMs = 60_000
/** Events that come together are told together. */
const restMs = 10
/** A result that cannot be written is held, and its receiver with it; it is not sent again for that. */
const writeAgain: Backoff = { firstMs: 500, longestMs: 10_000 }
/** Others have changed the receiver meanwhile: it is decided anew almost at once. */
const decideAgain: Backoff = { firstMs: 10, longestMs: 5000 }

/** Of deliveries `webhook retry` writes no more than themselves, on whichever machine. */
const wakers: ReadonlySet<string> = new Set(['receiver', 'service', 'leader', 'delivery'])

/** Starts the loop. It runs everywhere and does nothing where this machine does not lead. */
export function startNotifier(options: NotifierOptions): Notifier {
  const leading = new Leading(options)
  const loop: Loop = startLoop({
    pass: (now) => leading.pass(now),
    clock: options.clock,
    intervalMs: lookEveryMs,
    restMs,
    onError: options.onError,
  })
  leading.onSettled = () => loop.wake()
  const unsubscribe = options.registry.onChange((kinds) => {
    if ([...kinds].some((kind) => wakers.has(kind))) loop.wake()
    else if (kinds.has('event') && leading.hasToTell()) loop.wake()
  })
  return {
    toldUpTo: () => leading.toldUpTo(),
    wake: () => loop.wake(),
    stop: async () => {
      unsubscribe()
      await loop.stop()
      await leading.stop()
    },
  }
}

/** What is remembered between passes, for as long as one epoch lasts. */
class Leading {
  onSettled: () => void = () => {}
  readonly #options: NotifierOptions
  readonly #busy = new Map<string, Receiver>()
  readonly #sending = new Set<Promise<void>>()
  /** Receivers for which results cannot be written now. */
  readonly #unwritten = new ReportedStates()
  #feed: EventFeed | null = null
  #epoch: number | null = null
  #abort = new AbortController()

  constructor(options: NotifierOptions) {
    this.#options = options
  }

  toldUpTo(): Revision | null {
    return this.#feed?.cursor ?? null
  }

  /** Whether events are worth a pass: without receivers it only counts how far they have come. */
  hasToTell(): boolean {
    return this.#options.registry.view.receivers.size > 0 || (this.#feed?.count ?? 0) > unwrittenAtMost
  }

  async pass(now: Instant): Promise<{ wakeAt: Instant | null }> {
    const epoch = this.#options.epoch()
    if (epoch !== this.#epoch || (epoch !== null && this.#feed === null)) await this.#begin(epoch)
    const feed = this.#feed
    if (epoch === null || feed === null) return { wakeAt: null }
    if (!(await this.#tell(feed, epoch, now))) return { wakeAt: null }
    const { sends, wakeAt } = planSends(this.#options.registry.view, this.#busy, now)
    for (const send of sends) this.#start(send, epoch)
    return { wakeAt }
  }

  async stop(): Promise<void> {
    this.#feed?.close()
    this.#abort.abort()
    await Promise.all(this.#sending)
  }

  /** A new epoch, ours or another's: what the last one was sending is broken off. */
  async #begin(epoch: number | null): Promise<void> {
    await this.stop()
    this.#abort = new AbortController()
    this.#epoch = epoch
    this.#feed = epoch === null ? null : EventFeed.open(this.#options.registry)
  }

  /** Turns new events into deliveries. False when another leads by now. */
  async #tell(feed: EventFeed, epoch: number, now: Instant): Promise<boolean> {
    const { registry, cluster } = this.#options
    const compareReceivers = feed.takeReceiversChanged()
    const outbox = { cluster, writtenCursor: feed.writtenCursor, compareReceivers }
    const { decision, committed } = await registry
      .decide(
        (view) => ({
          decidedOn: [],
          ...planOutbox(view, feed.waiting(), { ...outbox, cursor: this.#toldSoFar(feed) }, now),
        }),
        [ledBy(epoch)],
      )
      .catch((error: unknown) => {
        feed.receiversChanged()
        throw error
      })
    const { ops, cursor, receiversLeft } = decision
    if (!committed || receiversLeft) feed.receiversChanged()
    if (!committed) return false
    feed.told(
      cursor,
      ops.some((op) => op.op === 'put' && op.key === outboxKey),
    )
    return true
  }

  /** What was told before nobody heard whether that was written is told all the same, if it was. */
  #toldSoFar(feed: EventFeed): Revision {
    return Math.max(feed.cursor, cursorOf(this.#options.registry.entryAt(outboxKey)) ?? 0)
  }

  #start(send: Send, epoch: number): void {
    const { receiver } = send
    const { signal } = this.#abort
    this.#busy.set(receiver.uuid, receiver)
    const sending = this.#deliver(send, epoch, signal)
      .catch((error: unknown) => {
        if (!signal.aborted) this.#options.onError(error)
      })
      .finally(() => {
        this.#busy.delete(receiver.uuid)
        this.#sending.delete(sending)
        if (!signal.aborted) this.#goOn(receiver, epoch)
        this.onSettled()
      })
    this.#sending.add(sending)
  }

  /**
   * The next of a queue goes as soon as the last has arrived. Where more receivers wait than there is room for, it waits
   * for the loop, so that all get their turn.
   */
  #goOn({ uuid }: Receiver, epoch: number): void {
    // Whoever leads no more has not written what came of the last one, and sends nothing.
    if (this.#busy.size > sendsAtMost / 2 || this.#options.epoch() !== epoch) return
    const { registry, clock } = this.#options
    const { sends } = planSends(registry.view, this.#busy, clock.now(), [uuid])
    for (const send of sends) this.#start(send, epoch)
  }

  async #deliver(send: Send, epoch: number, signal: AbortSignal): Promise<void> {
    const outcome = await this.#attempt(send, signal)
    const { clock, log, backoff = writeAgain } = this.#options
    let [failures, lost] = [0, 0]
    while (!signal.aborted) {
      try {
        if (await this.#record(send, outcome, epoch)) break
        lost += 1
        await pause(clock, backoffMs(lost, decideAgain), signal)
      } catch (error) {
        if (error instanceof InvariantError) throw error
        failures += 1
        const { uuid, project, service } = send.receiver
        const problem = describeError(error)
        if (this.#unwritten.isNews(uuid, problem))
          log.warn('webhook', `cannot write results: ${problem}`, { service: `${project}/${service}` })
        await pause(clock, backoffMs(failures, backoff), signal)
      }
    }
    this.#unwritten.over(send.receiver.uuid)
  }

  /** Writes what came of an attempt; false where others were faster. True as well where it matters to nobody any more. */
  async #record(send: Send, outcome: Outcome, epoch: number): Promise<boolean> {
    const { registry, events, clock, log } = this.#options
    const { uuid } = send.receiver
    const leads = this.#options.epoch()
    // Not certain for a moment: what came of it is kept until it is, or until the pass breaks off.
    if (leads === null) return false
    if (leads !== epoch) return true
    const { decision, committed } = await registry.decide(
      (view) => {
        const receiver = view.receivers.get(uuid)?.receiver
        const delivery = view.queueOf(uuid).find(({ sequence }) => sequence === send.delivery.sequence)
        if (receiver === undefined || delivery === undefined) return notThere
        if (isNoted(delivery, send.delivery, outcome)) return notThere
        const settled = settle(view, { receiver, delivery }, outcome, clock.now())
        return {
          decidedOn: [keys.receiver(uuid), keys.delivery(uuid, delivery.sequence)],
          ops: [...settled.ops, ...events.append(settled.events)],
          told: settled.events,
        }
      },
      [ledBy(epoch)],
    )
    if (!committed) return false
    for (const { kind, message } of decision.told) {
      if (kind === 'webhook-delivered') log.info('webhook', message)
      else log.warn('webhook', message)
    }
    return true
  }

  /** Whatever keeps a letter from being made is what came of the attempt: the next one is made when it is due. */
  async #attempt({ receiver, delivery }: Send, signal: AbortSignal): Promise<Outcome> {
    const { registry, secrets, sender, clock } = this.#options
    const { id, body } = delivery
    const letter = madeLetter(() => letterFor(registry.view, secrets, receiver, { id, body: body ?? '' }))
    if (typeof letter !== 'string') return sender.send(letter, signal)
    return { at: clock.now(), tookMs: 0, status: null, error: letter, retryAfterMs: null }
  }
}

function madeLetter(make: () => Letter | string): Letter | string {
  try {
    return make()
  } catch (error) {
    return `the request cannot be built: ${describeError(error)}`
  }
}

const notThere = { decidedOn: [], ops: [], told: [] }
