// One member of etcd, and the one connection to it that everything shares.
import {
  type ChannelCredentials,
  Client,
  type ClientDuplexStream,
  connectivityState,
  type Metadata,
} from '@grpc/grpc-js'
import { closedError } from '../errors.js'
import { wait } from './patience.js'
import type { Method } from './protocol.js'

/**
 * What keeps a connection honest: an end that is gone without a word is noticed within 15 s, and by whoever asks something
 * of it within the time of a request.
 */
const channelOptions = {
  // etcd allows no shorter time between two pings.
  'grpc.keepalive_time_ms': 5000,
  // grpc counts the time in which this process computes, and hears nothing, as the other end's silence.
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1000,
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
  // With the usual 64 KiB on their way at once a far etcd would take minutes to tell what it has.
  'grpc-node.flow_control_window': 8 * 1024 ** 2,
  // Nothing is to be sent twice behind our back.
  'grpc.enable_retries': 0,
  // Each endpoint has a connection of its own, so that dropping it drops it.
  'grpc.use_local_subchannel_pool': 1,
}

/** A connection that is not ready within this time is tried anew. */
const connectWithinMs = 3000

/** A request was given up; nobody knows what became of it. */
export class TimedOutError extends Error {
  override readonly name = 'TimedOutError'
}

export class Endpoint {
  readonly address: string
  readonly #credentials: () => ChannelCredentials
  #credentialsUsed: ChannelCredentials
  readonly #streams = new Set<{ cancel(): void }>()
  #client: Client
  #connecting: Promise<void> | null = null
  #closed = false
  #heardAt = Number.NEGATIVE_INFINITY

  /** `address` is `host:port`. */
  constructor(address: string, credentials: () => ChannelCredentials) {
    this.address = address
    this.#credentials = credentials
    this.#credentialsUsed = credentials()
    this.#client = new Client(address, this.#credentialsUsed, channelOptions)
  }

  get isConnected(): boolean {
    return this.#client.getChannel().getConnectivityState(false) === connectivityState.READY
  }

  /** Resolves when there is a connection, however long that takes. Rejects when the endpoint is closed. */
  connected(): Promise<void> {
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = null
    })
    return this.#connecting
  }

  /** Asks once. Fails with grpc's own error, or with TimedOutError. */
  call<Q, A>(
    { path, requestSerialize, responseDeserialize }: Method<Q, A>,
    request: Q,
    metadata: Metadata,
    waitMs: number,
  ): Promise<A> {
    const sentAt = performance.now()
    const client = this.#client
    return new Promise((resolve, reject) => {
      const call = client.makeUnaryRequest<Q, A>(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        metadata,
        (error, answer) => {
          endWait()
          if (error === null && answer !== undefined) {
            this.heard()
            resolve(answer)
          } else if (timedOut) reject(new TimedOutError(`no answer within ${Math.round(waitMs)} ms`))
          else reject(error ?? new TimedOutError('an empty answer'))
        },
      )
      // A timer of our own in place of a deadline, which would be an instant of the wall clock.
      let timedOut = false
      const endWait = wait(waitMs, () => {
        timedOut = true
        this.#dropIfSilentSince(sentAt, client)
        call.cancel()
      })
    })
  }

  /** Opens a stream, which ends with an error when the connection is dropped. */
  stream<Q, A>(
    { path, requestSerialize, responseDeserialize }: Method<Q, A>,
    metadata: Metadata,
  ): ClientDuplexStream<Q, A> {
    const stream = this.#client.makeBidiStreamRequest<Q, A>(
      path,
      requestSerialize,
      responseDeserialize,
      metadata,
    )
    this.#streams.add(stream)
    stream.once('close', () => this.#streams.delete(stream))
    return stream
  }

  /** Something came on a stream. */
  heard(): void {
    this.#heardAt = performance.now()
  }

  /** Gives up a connection on which nothing has come for `ms`: a peer that is gone without a word never says so. */
  dropIfSilentFor(ms: number): void {
    this.#dropIfSilentSince(performance.now() - ms, this.#client)
  }

  /** Gives up a connection that was made with certificates which have been replaced since. */
  renewIfOutdated(): void {
    if (!this.#closed && this.#credentials() !== this.#credentialsUsed) this.#renew()
  }

  close(): void {
    this.#closed = true
    this.#end(this.#client)
  }

  #dropIfSilentSince(since: number, client: Client): void {
    if (client === this.#client && this.#heardAt <= since) this.#renew()
  }

  /** grpc waits for ever for the first word of a peer that took the connection: such a one is given up here. */
  async #connect(): Promise<void> {
    let client = this.#client
    let endWait = wait(connectWithinMs, () => this.#renew())
    try {
      for (;;) {
        const channel = client.getChannel()
        // Asking a channel that is closed to connect would bring it back, so that is looked at first.
        const state = channel.getConnectivityState(true)
        if (state === connectivityState.READY) return
        await new Promise((resolve) =>
          channel.watchConnectivityState(state, Number.POSITIVE_INFINITY, resolve),
        )
        if (this.#closed) throw closedError()
        if (client === this.#client) continue
        client = this.#client
        endWait()
        endWait = wait(connectWithinMs, () => this.#renew())
      }
    } finally {
      endWait()
    }
  }

  #renew(): void {
    if (this.#closed) return
    const old = this.#client
    this.#credentialsUsed = this.#credentials()
    this.#client = new Client(this.address, this.#credentialsUsed, channelOptions)
    this.#end(old)
  }

  #end(client: Client): void {
    for (const stream of this.#streams) stream.cancel()
    client.close()
  }
}
