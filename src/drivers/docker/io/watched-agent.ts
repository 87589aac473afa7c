// The sockets to a Docker daemon: they tell of answers, and there are none while it is silent.
import { Agent, type ClientRequest } from 'node:http'
import type { Duplex } from 'node:stream'
import { inspect } from 'node:util'
import { DriverError } from '../../../model/driver-error.js'
import type { Pulse } from '../../io/pulse.js'

/** A part of Node's agent that its types leave out. */
interface RequestTaker {
  addRequest(request: ClientRequest, ...rest: readonly unknown[]): void
}

export class WatchedAgent extends Agent {
  readonly #pulse: Pick<Pulse, 'isSilent' | 'heard'>

  constructor(pulse: Pick<Pulse, 'isSilent' | 'heard'>) {
    super({ keepAlive: true })
    this.#pulse = pulse
  }

  /** docker-modem waits for ever for the rest of an answer that is cut off, unless its request fails. */
  addRequest(request: ClientRequest, ...rest: readonly unknown[]): void {
    request.once('response', (answer) => answer.once('error', (error) => request.emit('error', error)))
    ;(Agent.prototype as unknown as RequestTaker).addRequest.call(this, request, ...rest)
  }

  override createConnection(...[options, created]: Parameters<Agent['createConnection']>) {
    if (this.#pulse.isSilent) {
      const error = new DriverError('docker/unreachable', 'Docker accepts connections but does not answer')
      created?.(error, undefined as unknown as Duplex)
      return null
    }
    return super.createConnection(options, created)
  }

  override keepSocketAlive(socket: Duplex): boolean {
    this.#pulse.heard()
    return super.keepSocketAlive(socket) as unknown as boolean
  }

  /**
   * docker-modem describes every request for its debug output, whether anybody reads it or not, with all that the agent
   * holds: that took more time than the requests themselves. So the agent describes itself in a word.
   */
  [inspect.custom](): string {
    return 'Agent'
  }
}
