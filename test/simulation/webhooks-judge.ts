// Those whom webhooks are sent to, and what they may never see: an event that nobody wrote, one before an earlier one, two
// texts of one event; and, in the end, one that never came.
import { webhookEventOf } from '../../src/notify/cloud-event.js'
import type { Letter } from '../../src/notify/io/sender.js'
import type { Outcome } from '../../src/notify/next.js'
import { decodeEvents, kindOfKey } from '../../src/store/records.js'
import type { Change } from '../../src/store/store.js'
import { type ClusterView, serviceKey } from '../../src/store/view.js'
import type { Clockwork, Dice } from './clockwork.js'
import type { Way } from './node.js'
import { contentOf } from './sealing.js'

export interface WebhooksParts {
  readonly clockwork: Clockwork
  readonly broke: (what: string) => void
  /** What came about, by kind. */
  readonly count: (what: string) => void
  /** Since which revision somebody leads. */
  readonly epoch: () => number
  /** When a machine was last out of touch with the store. */
  readonly outOfTouchAt: (machine: string) => number
}

/** How long a sender waits for an answer. */
const answerWithinMs = 15_000
/** What is newer may still be on its way in the end: an answer that is lost costs tries, and what follows waits for it. */
const arrivesWithinMs = 300_000

/** One receiver, known by the secret that was made for it. */
interface Known {
  /** The events that it is to be told, by their id: where they stand in the order of what was written, and since when. */
  readonly due: Map<string, { readonly sequence: string; readonly at: number }>
  /** The text of each that has arrived, by id. */
  readonly arrived: Map<string, string>
  /** Who was told that each has arrived, since which revision somebody led then, and what ends its lead, by id. */
  readonly answered: Map<string, { readonly by: string; readonly at: number; readonly lead: AbortSignal }>
  /** Where the newest stands of those that arrived. */
  upTo: string
}

export class WebhooksJudge {
  readonly #parts: WebhooksParts
  readonly #dice: Dice
  readonly #known = new Map<string, Known>()
  #secrets = 0

  constructor(parts: WebhooksParts) {
    this.#parts = parts
    this.#dice = parts.clockwork.dice('receivers')
  }

  /** A secret that no other receiver has. */
  makeSecret(): string {
    this.#secrets += 1
    return `whsec_${Buffer.from(`${this.#secrets}`.padStart(32, '0')).toString('base64')}`
  }

  /** Notes what the store was told, with the view as it is with that. */
  noted(changes: readonly Change[], view: ClusterView): void {
    for (const change of changes) {
      if (change.type === 'delete' || kindOfKey(change.key) !== 'event') continue
      for (const event of decodeEvents(change.entry)) {
        const { project, service, id } = event
        const told = webhookEventOf(event)
        // What triggers do is told by mail.
        if (project === null || service === null || told === null || told === 'autoscale') continue
        const sequence = `${`${change.entry.createRevision}`.padStart(16, '0')} ${id}`
        for (const { receiver } of view.receiversOf(serviceKey(project, service)))
          if (!receiver.retired && receiver.madeSecret !== null)
            this.#of(opened(receiver.madeSecret)).due.set(`evt_${id}`, {
              sequence,
              at: this.#parts.clockwork.now,
            })
      }
    }
  }

  /** A request on its way: it may not arrive, nor its answer. */
  async send(letter: Letter, way: Way, from: string, signal: AbortSignal): Promise<Outcome> {
    const { clockwork, count, epoch } = this.#parts
    const led = epoch()
    this.#checkSentAgain(letter, from)
    const at = clockwork.now
    await clockwork.sleep(this.#dice.between(1, 200))
    const failed = (status: number | null, error: string): Outcome => {
      count('webhook failed')
      return { at, tookMs: clockwork.now - at, status, error, retryAfterMs: null }
    }
    const noAnswer = async (): Promise<Outcome> => {
      await clockwork.sleep(answerWithinMs)
      return failed(null, 'no answer')
    }
    await this.#late(way.delayMs('request'))
    if (!way.passes('request') || this.#dice.chance(0.03)) return await noAnswer()
    if (this.#dice.chance(0.03)) return failed(503, 'too much to do')
    this.#arrived(letter)
    await clockwork.sleep(this.#dice.between(1, 200))
    await this.#late(way.delayMs('answer'))
    if (!way.passes('answer') || this.#dice.chance(0.03)) return await noAnswer()
    // Whoever did not lead all along, or was not certain that it did, breaks off what it sends, and hears of no answer.
    if (epoch() === led && !signal.aborted)
      this.#of(letter.secret).answered.set(letter.id, {
        ...{ by: `${from} ${led}`, at: clockwork.now },
        lead: signal,
      })
    return { at, tookMs: clockwork.now - at, status: 204, error: null, retryAfterMs: null }
  }

  async #late(ms: number): Promise<void> {
    if (ms > 0) await this.#parts.clockwork.sleep(ms)
  }

  /** Whoever knows that it has arrived does not send it again for as long as it leads. */
  #checkSentAgain({ secret, id }: Letter, from: string): void {
    const { broke, epoch, outOfTouchAt } = this.#parts
    const answered = this.#of(secret).answered.get(id)
    // Whoever was not certain of its lead meanwhile has forgotten what was on its way to be written.
    if (answered === undefined || answered.lead.aborted) return
    // Out of touch it could not write down that it had arrived.
    if (answered.by === `${from} ${epoch()}` && outOfTouchAt(from) < answered.at)
      broke(`${id} is sent again by ${from}, which was told that it had arrived`)
  }

  /** After a long quiet everything has arrived at the receivers that are still named. */
  judgeRest(view: ClusterView): void {
    const { broke, clockwork } = this.#parts
    for (const { receiver } of view.receivers.values()) {
      const { madeSecret, retired, project, service } = receiver
      if (madeSecret === null || retired) continue
      if (view.services.get(serviceKey(project, service))?.uuid !== receiver.serviceUuid) continue
      const { due, arrived } = this.#of(opened(madeSecret))
      const missing = [...due].filter(
        ([id, { at }]) => at < clockwork.now - arrivesWithinMs && !arrived.has(id),
      )
      if (missing[0] !== undefined)
        broke(`${service}: ${missing.length} of ${due.size} events never arrived, ${missing[0][0]} first`)
    }
  }

  #arrived({ secret, id, body }: Letter): void {
    const { broke, count } = this.#parts
    const known = this.#of(secret)
    const before = known.arrived.get(id)
    if (before !== undefined) {
      count('webhook again')
      if (before !== body) broke(`two texts of ${id} arrived`)
      return
    }
    count('webhook arrived')
    known.arrived.set(id, body)
    const sequence = known.due.get(id)?.sequence
    // A receiver that is named no more may be told a little longer.
    if (sequence === undefined) return
    if (sequence < known.upTo) broke(`${id} arrived after one that is newer`)
    else known.upTo = sequence
  }

  #of(secret: string): Known {
    const known = this.#known.get(secret) ?? {
      due: new Map(),
      arrived: new Map(),
      answered: new Map(),
      upTo: '',
    }
    this.#known.set(secret, known)
    return known
  }
}

function opened(sealed: string): string {
  return contentOf(sealed)?.secret ?? sealed
}
