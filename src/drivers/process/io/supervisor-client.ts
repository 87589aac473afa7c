// The driver's side of the socket: asks the supervisor, comes back to it when it died, and waits for one that hangs.
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { isUnreachable } from '../../../agent/driver.js'
import { type Backoff, backoffMs } from '../../../lib/backoff.js'
import { describeError, type Log } from '../../../lib/io/log.js'
import type { Time } from '../../../lib/time.js'
import { DriverError } from '../../../model/driver-error.js'
import type { UnitName } from '../../../model/unit.js'
import type { Home } from '../../../supervisor/io/home.js'
import { type Ask, abilityFor, saysRights } from '../../../supervisor/protocol.js'
import { findOrStart } from './find-supervisor.js'
import { type Connection, ConnectionLost, type Silence } from './supervisor-connection.js'

interface ClientOptions {
  readonly home: Home
  readonly clock: Time
  readonly log: Log
  /** Starts the supervisor of this folder. */
  readonly command: readonly string[]
  /** Units changed; null: any may have, for the connection was lost in between, or is silent. */
  readonly onChange: (changed: readonly UnitName[] | null) => void
}

/** How long to wait before trying again to have a supervisor. */
const connectAgain: Backoff = { firstMs: 500, longestMs: 15_000 }
/** A request whose connection broke is asked again so many times: every verb may be carried out twice. */
const tries = 4

export class SupervisorClient {
  readonly #options: ClientOptions
  readonly #end = new AbortController()
  #connection: Promise<Connection> | null = null
  /** Aborts, with why, when the supervisor has not answered for too long. */
  #silence = new AbortController()

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** Finds the supervisor or starts it. Resolves as well where it is there and hangs. */
  async open(): Promise<void> {
    try {
      await unlessAborted(this.#connect(), this.#silence.signal)
    } catch (error) {
      // One that ends just now is followed by another.
      if (!isUnreachable(error) && !(error instanceof ConnectionLost)) throw error
    }
  }

  /** Asks the supervisor; throws DriverError with what it answers, `process/unreachable` while it does not. */
  async ask(ask: Ask, signal: AbortSignal): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      const silence = this.#silence.signal
      try {
        const connection = await unlessAborted(this.#connect(), signal, silence)
        refuseUnknown(connection, ask)
        this.#tellOfRights(connection, ask)
        return await unlessAborted(connection.ask(ask), signal, silence)
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error
        if (attempt === tries) {
          throw new DriverError('process/supervisor-lost', 'the supervisor ends before it answers', {
            cause: error,
          })
        }
      }
    }
  }

  #tellOfRights({ knows = [], pid }: Connection, ask: Ask): void {
    if (ask.verb !== 'load' || !saysRights(ask) || knows.includes('rights')) return
    const why = `it knows no NoNewPrivileges= and CapabilityBoundingSet=: end it with kill ${pid}, and another one takes over its programs`
    const fields = { unit: ask.unit.name, why }
    this.#options.log.warn('process', 'the process supervisor is of an older version', fields)
  }

  async close(): Promise<void> {
    const connection = this.#connection
    this.#end.abort()
    await (await connection?.catch(() => null))?.close()
  }

  /** The connection, made where there is none. */
  #connect(): Promise<Connection> {
    if (this.#end.signal.aborted)
      return Promise.reject(new DriverError('process/closed', 'the driver is closed'))
    if (this.#connection !== null) return this.#connection
    const opening = this.#open()
    this.#connection = opening
    opening.catch(() => {
      // Where it was lost before it was of use, the next one is on its way already.
      if (this.#connection === opening) this.#connection = null
    })
    return opening
  }

  async #open(): Promise<Connection> {
    const options = { ...this.#options, onSilence: (silence: Silence) => this.#hearSilence(silence) }
    const connection = await findOrStart(options, this.#end.signal)
    const lost = (): void => this.#lost()
    connection.closed.then(lost, lost)
    await connection.ask({ verb: 'watch' })
    return connection
  }

  /** What is asked of a supervisor that hangs ends at once. Whoever asks learns of it, and again when it is over. */
  #hearSilence(silence: Silence): void {
    const { log, onChange } = this.#options
    if (this.#end.signal.aborted) return
    if (silence.kind === 'begun') {
      this.#silence.abort(silence.why)
      log.warn('process', silence.why.message)
    } else {
      this.#silence = new AbortController()
      if (silence.kind === 'over') log.info('process', 'the process supervisor answers again')
    }
    onChange(null)
  }

  /** The supervisor is gone: what it ran has to be taken over by another one at once, whoever asks for it or not. */
  #lost(): void {
    this.#connection = null
    if (this.#end.signal.aborted) return
    this.#options.log.warn('process', 'supervisor is gone; starting another one')
    this.#comeBack().catch((error: unknown) => {
      this.#options.log.error('process', 'cannot start a supervisor', { why: describeError(error) })
    })
  }

  async #comeBack(): Promise<void> {
    let told = ''
    const { signal } = this.#end
    for (let failures = 1; !signal.aborted; failures += 1) {
      try {
        await this.#connect()
        this.#options.onChange(null)
        return
      } catch (error) {
        if (signal.aborted) return
        const why = describeError(error)
        if (why !== told) this.#options.log.error('process', 'cannot start a supervisor', { why })
        told = why
        await sleep(backoffMs(failures, connectAgain), undefined, { ref: false })
      }
    }
  }
}

/** A supervisor that is older than what it is asked for goes on with all that it runs; another takes over when it ends. */
function refuseUnknown({ knows = [], pid }: Connection, ask: Ask): void {
  const ability = abilityFor(ask)
  if (ability === null || knows.includes(ability)) return
  const what = ability === 'cgroups' ? 'CPUQuota= and TasksMax=' : 'limits and groups of units'
  const message = `the process supervisor (process ${pid}) is of an older version and knows no ${what}: end it with kill ${pid}, and another one takes over its programs`
  throw new DriverError('process/old-supervisor', message)
}

/** What a promise comes to, or the reason for which the caller gave up; the work itself goes on. */
async function unlessAborted<T>(work: Promise<T>, ...signals: readonly AbortSignal[]): Promise<T> {
  let giveUp = (): void => {}
  const abandoned = new Promise<never>((_, reject) => {
    giveUp = () => reject(signals.find(({ aborted }) => aborted)?.reason as Error)
    for (const signal of signals) {
      // One signal may stand over any number of requests.
      setMaxListeners(0, signal)
      signal.addEventListener('abort', giveUp, { once: true })
      if (signal.aborted) giveUp()
    }
  })
  try {
    return await Promise.race([abandoned, work])
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', giveUp)
  }
}
