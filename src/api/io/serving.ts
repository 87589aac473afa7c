// Requests on their way through a server, and its end: what has come in is carried out and answered, streams are cut off.
import type { Server as HttpServer, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { pause, systemClock } from '../../lib/io/clock.js'
import type { Time } from '../../lib/time.js'

/** How long the end of the daemon waits for requests to be carried out. */
export const answerWithinMs = 1500
/** How long the last answers may take to be sent. */
export const lastAnswersMs = 200

/** Which server a request came by. */
const servings = new WeakMap<ServerResponse, Serving>()

/** Says that an answer goes on for as long as there is something to tell: the end of the server does not wait for it. */
export function answersInStream(answer: ServerResponse): void {
  servings.get(answer)?.cutsOff(answer)
}

/** The servers of one API, from the first connection to the last answer. */
export class Serving {
  readonly #servers = new Set<HttpServer>()
  readonly #streams = new Set<ServerResponse>()
  readonly #time: Time
  /** Connections and requests that have come. */
  #come = 0
  #isEnding = false

  constructor(time: Time = systemClock) {
    this.#time = time
  }

  /** Notes a server that Fastify is about to use. */
  made<T extends HttpServer>(server: T): T {
    const came = (): void => {
      this.#come += 1
    }
    this.#servers.add(server)
    server.on('connection', came)
    server.on('request', came)
    return server
  }

  /** Notes what is asked of a server. */
  follow(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (_request, { raw }, done) => {
      servings.set(raw, this)
      this.closesLater(raw)
      done()
    })
    fastify.addHook('onSend', (_request, reply, _payload, done) => {
      if (this.#isEnding) reply.header('connection', 'close')
      done()
    })
  }

  /** Whether answers have to say that their connections end with them. */
  get isEnding(): boolean {
    return this.#isEnding
  }

  /** Notes an answer that is begun: it does not say that its connection ends with it, where the server comes to its end meanwhile. */
  closesLater(answer: ServerResponse): void {
    answer.once('close', () => {
      if (this.#isEnding) setImmediate(() => this.#closeIdle())
    })
  }

  cutsOff(answer: ServerResponse): void {
    if (this.#isEnding) {
      answer.destroy()
      return
    }
    this.#streams.add(answer)
    answer.once('close', () => this.#streams.delete(answer))
  }

  /**
   * Listens no more, and answers what has come; connections on which nothing is asked end, and so do streams. Resolves when
   * all is answered, or the time for it is over: then what is left may go on.
   */
  async end(withinMs: number): Promise<void> {
    this.#isEnding = true
    // The kernel has taken connections that we have not yet, and bytes on others.
    await this.#takeIn()
    const closed = [...this.#servers].map(stopListening)
    await this.#takeIn()
    for (const answer of this.#streams) answer.destroy()
    this.#closeIdle()
    const inTime = new AbortController()
    const late = pause(this.#time, withinMs, inTime.signal)
    await Promise.race([Promise.all(closed), late])
    inTime.abort()
  }

  /** Ends all connections, whatever is on its way. */
  cut(): void {
    for (const server of this.#servers) server.closeAllConnections()
  }

  #closeIdle(): void {
    for (const server of this.#servers) server.closeIdleConnections()
  }

  /** Until nothing more comes; who goes on connecting does not hold us up. */
  async #takeIn(): Promise<void> {
    for (let quiet = 0, turns = 0; quiet < quietTurns && turns < mostTurns; turns++) {
      const before = this.#come
      await turn()
      quiet = this.#come === before ? quiet + 1 : 0
    }
  }
}

/** A connection is taken in one turn of the event loop, and read in the next. */
const quietTurns = 4
const mostTurns = 1000

/** Closes the socket alone; resolves when the last connection has ended. HTTP's own way would end those that are idle with it. */
function stopListening(server: HttpServer): Promise<void> {
  return new Promise((resolve) => {
    NetServer.prototype.close.call(server, () => resolve())
  })
}
