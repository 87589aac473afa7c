// Answers that were given, for who asks the same again: their records as they are on the wire, put into another order each time. An
// answer is used for as long as the instances behind its name are the same, so that it is never older than one that is made anew.
import type { Instant } from '../../lib/time.js'
import type { Answer } from '../answer.js'
import { type PreparedAnswer, prepareAnswer, type WireQuery, writePrepared } from './wire.js'

interface Known {
  readonly prepared: PreparedAnswer
  readonly holds: (now: Instant) => boolean
}

/** A machine asks for some dozens of names; whoever asks for more has the oldest forgotten. */
const keptAtMost = 16_384
/** Options of EDNS without any: with more of them, such as cookies, hardly two questions are the same. */
const plainOptionBytes = 11
/** The number of a question stands before what is asked. */
const idBytes = 2

export class AnswerCache {
  readonly #known = new Map<string, Known>()

  /** The answer to what was asked before, in an order that `random` (from 0 up to 1) makes; null where it is to be made anew. */
  find(packet: Buffer, now: Instant, random: () => number): Buffer | null {
    const key = keyOf(packet)
    const known = this.#known.get(key)
    if (known === undefined) return null
    if (known.holds(now)) return writePrepared(known.prepared, packet, random)
    this.#known.delete(key)
    return null
  }

  /** Remembers an answer, and how it was written, if all records had room in it. */
  keep(query: WireQuery, answer: Answer, written: Buffer): void {
    const { packet, questionEnd } = query
    if (answer.holds === null || answer.truncated || answer.answers.length === 0) return
    if (packet.length > questionEnd + plainOptionBytes) return
    const [oldest] = this.#known.keys()
    if (this.#known.size >= keptAtMost && oldest !== undefined) this.#known.delete(oldest)
    const prepared = prepareAnswer(query, answer.answers, written)
    this.#known.set(keyOf(packet), { prepared, holds: answer.holds })
  }
}

function keyOf(packet: Buffer): string {
  return packet.toString('latin1', idBytes)
}
