// The members of etcd as one: asks the one that answers, turns to another when it does not, and tells when none does.
import { setMaxListeners } from 'node:events'
import { type ChannelCredentials, Metadata } from '@grpc/grpc-js'
import type { StoreError } from '../../store.js'
import { closedError, replacedError } from '../errors.js'
import { Endpoint } from './endpoint.js'
import { deniedError, type Failure, failureOf, unreachableError } from './errors.js'
import { wait } from './patience.js'
import type { Header, Int64, KeyValue, Method, Methods } from './protocol.js'

export interface EtcdLogin {
  readonly name: string
  readonly password: string
}

interface MembersOptions {
  /** `host:port`, in the order in which they are preferred. */
  readonly endpoints: readonly string[]
  /** As they are now; the same object until they change. */
  readonly credentials: () => ChannelCredentials
  readonly login: () => EtcdLogin | null
  /** Why a member cannot be connected to, in words; null where that cannot be told. */
  readonly diagnose: (address: string) => Promise<string | null>
  /** How long one answer is waited for. */
  readonly requestTimeoutMs: number
  /** Called once when etcd gets out of reach, and once when it is back. */
  readonly onAway?: (reason: string) => void
  readonly onBack?: (awayMs: number) => void
  /** Called every few seconds while a long list is read. */
  readonly onProgress?: (read: { readonly records: number; readonly bytes: number }) => void
}

/**
 * How a request may be treated when it fails: one that reads may be made again; one that writes is made again only if
 * it has certainly changed nothing.
 */
type RequestKind = 'read' | 'write'

const pauseMs = 100
/** How long it is looked for why there is no connection. */
const whyWithinMs = 2500
/** For how long it is taken as it was why there is no connection. */
const whyForMs = 10_000

export class Members {
  readonly methods: Methods
  readonly #options: MembersOptions
  readonly #closing = new AbortController()
  /** The one to ask first is first. */
  readonly #order: Endpoint[]
  #token: Promise<string | null> | null = null
  #awaySince: number | null = null
  #why: { readonly at: number; readonly found: Promise<string> } | null = null
  #cluster: string | null = null
  /** The newest that is known of etcd's history: what it answers later is not older, unless it is another history. */
  #revision = 0
  #witness: KeyValue | null = null

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
        this.blame(endpoint, token)
        const again = kind === 'read' || failure.unsent
        if (!again || performance.now() + pauseMs >= until) throw this.#away(failure.reason, kind, again)
        await this.pause(pauseMs)
      }
    }
  }

  /** Asks etcd as `call` does; throws `store/replaced` when what answers is not the etcd that was known until now. */
  async ask<Q, A extends { readonly header: Header }>(
    method: Method<Q, A>,
    request: Q,
    kind: RequestKind,
  ): Promise<A> {
    const known = this.#revision
    const answer = await this.call(method, request, kind)
    this.checkCluster(answer.header.cluster_id)
    if (answer.header.revision.toNumber() < known) throw replacedError()
    this.#sawRevision(answer.header.revision.toNumber())
    return answer
  }

  /** Takes a key that etcd has told of as a witness of its history, if it is the newest. */
  saw(kv: KeyValue): void {
    this.#sawRevision(kv.mod_revision.toNumber())
    if (this.#witness === null || this.#witness.mod_revision.toNumber() <= kv.mod_revision.toNumber())
      this.#witness = kv
  }

  /**
   * Whether etcd's history is still the one that was followed: after a restore it has the same cluster id and may have
   * grown past all that was known. Throws `store/replaced`.
   */
  async checkHistory(): Promise<void> {
    const witness = this.#witness
    if (witness === null) return
    const { key } = witness
    const now = await this.ask(this.methods.range, { key }, 'read')
    if (isSame(now.kvs[0], witness)) return
    const revision = witness.mod_revision.toNumber()
    try {
      const then = await this.ask(this.methods.range, { key, revision }, 'read')
      if (!isSame(then.kvs[0], witness)) throw replacedError()
    } catch (error) {
      // What came so long before is told by nobody; whoever follows lists again then.
      if (!(error instanceof EtcdFailure && error.kind === 'compacted')) throw error
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
    const all = `no connection to ${this.#options.endpoints.join(', ')}`
    const reason = signal.aborted
      ? all
      : await Promise.race([this.#whyNoConnection(), this.pause(whyWithinMs, signal).then(() => all)])
    if (this.closing.aborted) throw closedError()
    if (!signal.aborted) this.failed(reason)
    throw unreachableError(reason, 'not')
  }

  /** Looked into once for each silence of etcd, and again after a while: requests that fail are many. */
  #whyNoConnection(): Promise<string> {
    const now = performance.now()
    if (this.#why === null || now - this.#why.at > whyForMs) {
      const found = Promise.all(
        this.#options.endpoints.map(async (address) => {
          const why = await this.#options.diagnose(address)
          return why === null ? address : `${address} (${why})`
        }),
      )
      this.#why = { at: now, found: found.then((members) => `no connection to ${members.join(', ')}`) }
    }
    return this.#why.found
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

  /** The token in use, if there is one: for `blame`. */
  get token(): Promise<string | null> | null {
    return this.#token
  }

  /**
   * An endpoint did not answer: it is asked last from now on. With it goes the token that it was shown, for a token may be
   * what it waits for: it names a moment of etcd's log, which an etcd that was restored has yet to reach.
   */
  blame(endpoint: Endpoint, token: Promise<string | null> | null): void {
    this.dropToken(token)
    endpoint.renewIfOutdated()
    const at = this.#order.indexOf(endpoint)
    if (at >= 0) this.#order.push(...this.#order.splice(at, 1))
  }

  /** Something was answered. */
  succeeded(): void {
    if (this.#awaySince === null) return
    const awayMs = performance.now() - this.#awaySince
    this.#why = null
    this.#awaySince = null
    this.#options.onBack?.(awayMs)
  }

  /** Nothing was answered; told once until something is. */
  failed(reason: string): void {
    if (this.#awaySince !== null || this.closing.aborted) return
    this.#awaySince = performance.now()
    this.#options.onAway?.(reason)
  }

  /** A list that takes long has come so far. */
  onProgress(read: { readonly records: number; readonly bytes: number }): void {
    this.#options.onProgress?.(read)
  }

  /** Something was refused. Who is not let in is as far from the store as who does not reach it. */
  refused(error: StoreError): StoreError {
    if (error.code === 'store/denied') this.failed(error.message)
    else this.succeeded()
    return error
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
        endWait()
        for (const one of signals) one.removeEventListener('abort', wake)
        resolve()
      }
      const endWait = wait(ms, wake)
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

  #sawRevision(revision: number): void {
    this.#revision = Math.max(this.#revision, revision)
  }

  #refused(failure: Exclude<Failure, { kind: 'unreachable' }>): Error {
    if (failure.kind === 'refused') return this.refused(failure.error)
    if (failure.kind === 'token') return this.refused(deniedError('invalid auth token'))
    this.succeeded()
    return new EtcdFailure(failure.kind)
  }

  #tokenFrom(endpoint: Endpoint): Promise<string | null> {
    if (this.#token !== null) return this.#token
    const login = this.#options.login()
    if (login === null) return Promise.resolve(null)
    this.#token = this.#authenticate(endpoint, login)
    return this.#token
  }

  async #authenticate(endpoint: Endpoint, login: EtcdLogin): Promise<string | null> {
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

function isSame(found: KeyValue | undefined, witness: KeyValue): boolean {
  return (
    found !== undefined &&
    found.mod_revision.toString() === witness.mod_revision.toString() &&
    // An empty value is decoded as something that is no Buffer.
    Buffer.from(found.value).equals(Buffer.from(witness.value))
  )
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
