// A stream on its way over the simulated network, piece by piece and in order. What does not arrive is sent again until it does,
// as TCP has it; a daemon that ends breaks its connections, and a machine without power leaves the other end waiting.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Timer } from '../../src/lib/time.js'
import type { Clockwork } from './clockwork.js'
import type { Network } from './network.js'
import type { Node } from './node.js'

/** What a daemon is sending. */
export interface SentStream {
  readonly stream: Readable
  readonly headers: IncomingHttpHeaders | Record<string, unknown>
  /** Filled when all has been sent. */
  readonly trailers: Readonly<Record<string, string>>
  /** Its connection is gone. */
  readonly end: () => void
}

export interface StreamEnds {
  /** Who has asked for it. */
  readonly from: Node
  /** Who sends it. */
  readonly to: Node
  readonly network: Network
  readonly clockwork: Clockwork
  readonly signal: AbortSignal
}

type Piece = { readonly what: 'bytes'; readonly bytes: Uint8Array } | { readonly what: 'end' | 'broken' }

/** What was lost is sent again after so long. */
const againAfterMs = 400
/** A connection on which nobody answers is given up after so long. */
const givenUpAfterMs = 120_000

/** What arrives of a stream, as an answer of HTTP. */
export function carried(sent: SentStream, ends: StreamEnds): IncomingMessage {
  return new Carried(sent, ends).answer
}

class Carried {
  readonly answer: IncomingMessage
  readonly #readable: Readable
  readonly #sent: SentStream
  readonly #ends: StreamEnds
  readonly #queue: Piece[] = []
  readonly #trailers: Record<string, string> = {}
  #isUnderWay = false
  #isOver = false
  #late: Timer | null = null
  #quiet: { readonly ms: number; readonly run: () => void } | null = null

  constructor(sent: SentStream, ends: StreamEnds) {
    this.#sent = sent
    this.#ends = ends
    const readable = new Readable({ read: () => {} })
    this.#readable = readable
    this.answer = Object.assign(readable, {
      ...{ statusCode: 200, headers: sent.headers, trailers: this.#trailers },
      setTimeout: (ms: number, run: () => void) => {
        this.#quiet = { ms, run }
        this.#heard()
      },
    }) as unknown as IncomingMessage
    readable.once('close', () => this.#closed())
    sent.stream.on('data', (bytes: Uint8Array) => this.#send({ what: 'bytes', bytes }))
    sent.stream.once('end', () => this.#send({ what: 'end' }))
    sent.stream.once('error', () => this.#send({ what: 'broken' }))
    this.#watchEnds()
  }

  /** A daemon that ends closes its connections, as its kernel does; without power nobody does. */
  #watchEnds(): void {
    const { from, to, clockwork } = this.#ends
    // A daemon that lives for long has many of them.
    const over = new AbortController()
    this.#readable.once('close', () => over.abort())
    const once = { once: true, signal: over.signal }
    const afterEnd = (node: Node, what: () => void): void => {
      const { boots } = node.host
      node.gone.addEventListener(
        'abort',
        () =>
          clockwork.after(1, () => {
            if (node.host.boots === boots) what()
          }),
        once,
      )
    }
    afterEnd(to, () => this.#send({ what: 'broken' }))
    from.gone.addEventListener('abort', () => this.#closed(), once)
  }

  #send(piece: Piece): void {
    if (this.#isOver) return
    this.#queue.push(piece)
    this.#next()
  }

  #next(): void {
    const { from, to, network, clockwork } = this.#ends
    const [piece] = this.#queue
    if (piece === undefined || this.#isUnderWay || this.#isOver) return
    this.#isUnderWay = true
    const isLost = !network.passes(to.name, from.name, 'answer')
    const ms = isLost ? againAfterMs : 1 + network.delayMs(to.name, from.name)
    clockwork.after(ms, () => {
      // Who stands still takes it later.
      from.time.after(0, () => {
        this.#isUnderWay = false
        if (this.#isOver) return
        if (!isLost) this.#arrived(piece)
        this.#next()
      })
    })
  }

  #arrived(piece: Piece): void {
    this.#queue.shift()
    this.#heard()
    if (piece.what === 'bytes') this.#readable.push(piece.bytes)
    else if (piece.what === 'broken') this.#break()
    else {
      Object.assign(this.#trailers, this.#sent.trailers)
      this.#isOver = true
      this.#late?.cancel()
      this.#readable.push(null)
    }
  }

  /** As Node has it: nobody who does not listen is told why. */
  #break(): void {
    const isHeard = this.#readable.listenerCount('error') > 0
    this.#readable.destroy(isHeard ? new Error('socket hang up') : undefined)
  }

  #heard(): void {
    this.#late?.cancel()
    const quiet = this.#quiet
    if (quiet !== null && !this.#isOver) this.#late = this.#ends.from.time.after(quiet.ms, quiet.run)
  }

  /** Whoever asked is gone: whoever sends hears of it as soon as anything arrives there, or gives up. */
  #closed(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#late?.cancel()
    const { from, to, network, clockwork } = this.#ends
    const { boots } = from.host
    const until = clockwork.now + givenUpAfterMs
    const tell = (): void => {
      const isHeard = from.host.boots === boots && network.passes(from.name, to.name, 'request')
      if (isHeard || clockwork.now >= until) this.#sent.end()
      else clockwork.after(againAfterMs, tell)
    }
    clockwork.after(1, tell)
  }
}
