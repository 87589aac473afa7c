// The members of etcd as one: asks the one that answers, turns to another when it does not, and tells when none does.
import { setMaxListeners } from 'node:events'
import { type ChannelCredentials, Metadata } from '@grpc/grpc-js'
import type { StoreError } from '../../store.js'
import { closedError } from '../errors.js'
import { Endpoint } from './endpoint.js'
import { deniedError, type Failure, failureOf, replacedError, unreachableError } from './errors.js'
import type { Int64, Method, Methods } from './protocol.js'

export interface MembersOptions {
  /** `host:port`, in the order in which they are preferred. */
  readonly endpoints: readonly string[]
  readonly credentials: ChannelCredentials
  readonly login: { readonly name: string; readonly password: string } | null
  /** How long one answer is waited for. */
  readonly requestTimeoutMs: number
  /** Called once when etcd gets out of reach, and once when it is back. */
  readonly onAway?: (reason: string) => void
  readonly onBack?: (awayMs: number) => void
}

/**
 * How a request may be treated when it fails: one that reads may be made again; one that writes is made again only if
 * it has certainly changed nothing.
 */
export type RequestKind = 'read' | 'write'

const pauseMs = 100

export class Members {
  readonly methods: Methods
  readonly #options: MembersOptions
  readonly #closing = new AbortController()
  /** The one to ask first is first. */
  readonly #order: Endpoint[]
  #token: Promise<string | null> | null = null
  #awaySince: number | null = null
  #cluster: string | null = null

  constructor(methods: Methods, options: MembersOptions) {
    this.methods = methods
    this.#options = options
    // Each waiting request listens.
    setMaxListeners(0, this.closing)
    this.#order = options.endpoints.map((address) => new Endpoint(address, options.credentials))
  }

  /** Aborts when the store is closed. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  get requestTimeoutMs(): number {
    return this.#options.requestTimeoutMs
  }

  /**
   * Asks etcd. Throws what `failureOf` makes of a refusal, and `store/unreachable` when nobody answers in time.
   * Kinds of failures that mean something to the caller alone are thrown as EtcdFailure.
   */
  async call<Q, A>(method: Method<Q, A>, request: Q, kind: RequestKind): Promise<A> {
    const waitMs = this.#options.requestTimeoutMs
    const until = performance.now() + (kind === 'read' ? 2 * waitMs : waitMs)
    for (let renewed = false; ; ) {
      const endpoint = await this.pick(until - performance.now())
      const token = this.#token
      try {
        // A connection that took long to come is still given time to answer.
        const restMs = Math.min(waitMs, Math.max(waitMs / 2, until - performance.now()))
        const answer = await endpoint.call(method, request, await this.metadata(endpoint), restMs)
        this.succeeded()
        return answer
      } catch (error) {
        if (this.closing.aborted) throw closedError()
        const failure = failureOf(error)
        if (failure.kind === 'token' && !renewed) {
          renewed = true
          this.dropToken(token)
          continue
        }
        if (failure.kind !== 'unreachable') throw this.#refused(failure)
        this.blame(endpoint)
        const again = kind === 'read' || failure.unsent
        if (!again || performance.now() + pauseMs >= until) throw this.#away(failure.reason, kind, again)
        await this.pause(pauseMs)
      }
    }
  }

  /**
   * The endpoint to ask: the first that is connected; where none is, the first that gets a connection within `waitMs`,
   * or else `store/unreachable`. An abort ends the waiting with that too.
   */
  async pick(waitMs: number, signal: AbortSignal = this.closing): Promise<Endpoint> {
    if (this.closing.aborted) throw closedError()
    const connected = this.#order.find((endpoint) => endpoint.isConnected)
    if (connected !== undefined) return connected
    const enough = new AbortController()
    const attempts = this.#order.map((endpoint) => endpoint.connected().then(() => endpoint))
    const endpoint = await Promise.race([
      Promise.any(attempts).catch(() => null),
      this.pause(waitMs, signal, enough.signal).then(() => null),
    ])
    enough.abort()
    if (this.closing.aborted) throw closedError()
    if (endpoint !== null) return endpoint
    const reason = `no connection to ${this.#options.endpoints.join(', ')}`
    if (!signal.aborted) this.failed(reason)
    throw unreachableError(reason, 'not')
  }

  /** What goes with each request: our user's token, and that a member without a leader is of no use. */
  async metadata(endpoint: Endpoint): Promise<Metadata> {
    const metadata = new Metadata()
    metadata.set('hasleader', 'true')
    const token = await this.#tokenFrom(endpoint)
    if (token !== null) metadata.set('token', token)
    return metadata
  }

  /** Forgets the token, unless that was done already. */
  dropToken(old: Promise<string | null> | null = this.#token): void {
    if (this.#token === old) this.#token = null
  }

  /** An endpoint did not answer: it is asked last from now on. */
  blame(endpoint: Endpoint): void {
    const at = this.#order.indexOf(endpoint)
    if (at >= 0) this.#order.push(...this.#order.splice(at, 1))
  }

  /** Something was answered. */
  succeeded(): void {
    if (this.#awaySince === null) return
    const awayMs = performance.now() - this.#awaySince
    this.#awaySince = null
    this.#options.onBack?.(awayMs)
  }

  /** Nothing was answered; told once until something is. */
  failed(reason: string): void {
    if (this.#awaySince !== null || this.closing.aborted) return
    this.#awaySince = performance.now()
    this.#options.onAway?.(reason)
  }

  /** Throws when the answer is of another cluster than those before. */
  checkCluster(cluster: Int64): void {
    const id = cluster.toString()
    this.#cluster ??= id
    if (id !== this.#cluster) throw replacedError()
  }

  /** Waits; ends early when the store is closed or one of the signals aborts. */
  pause(ms: number, ...ends: readonly AbortSignal[]): Promise<void> {
    return new Promise((resolve) => {
      const signals = [...ends, this.closing]
      const wake = (): void => {
        clearTimeout(timer)
        for (const one of signals) one.removeEventListener('abort', wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      for (const one of signals) one.addEventListener('abort', wake)
      if (signals.some((one) => one.aborted)) wake()
    })
  }

  close(): void {
    this.#closing.abort()
    for (const endpoint of this.#order) endpoint.close()
  }

  #away(reason: string, kind: RequestKind, unchanged: boolean): StoreError {
    this.failed(reason)
    return unreachableError(reason, kind === 'read' || unchanged ? 'not' : 'unknown')
  }

  #refused(failure: Exclude<Failure, { kind: 'unreachable' }>): Error {
    this.succeeded()
    if (failure.kind === 'refused') return failure.error
    return failure.kind === 'token' ? deniedError('invalid auth token') : new EtcdFailure(failure.kind)
  }

  #tokenFrom(endpoint: Endpoint): Promise<string | null> {
    const { login } = this.#options
    if (login === null) return Promise.resolve(null)
    this.#token ??= this.#authenticate(endpoint, login)
    return this.#token
  }

  async #authenticate(
    endpoint: Endpoint,
    login: { readonly name: string; readonly password: string },
  ): Promise<string | null> {
    try {
      const { authenticate } = this.methods
      const answer = await endpoint.call(authenticate, login, new Metadata(), this.#options.requestTimeoutMs)
      return answer.token
    } catch (error) {
      if (String(error).includes('authentication is not enabled')) return null
      this.#token = null
      throw error
    }
  }
}

/** A failure that the caller has a better word for. */
export class EtcdFailure extends Error {
  override readonly name = 'EtcdFailure'
  readonly kind: 'lease-ended' | 'compacted'
  constructor(kind: 'lease-ended' | 'compacted') {
    super(`etcd: ${kind}`)
    this.kind = kind
  }
}
