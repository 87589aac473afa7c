// One connection to a supervisor: what is asked and answered, and whether it answers at all.
import { createConnection, type Socket } from 'node:net'
import { errorCode } from '../../../lib/io/error-code.js'
import type { Time } from '../../../lib/time.js'
import { DriverError } from '../../../model/driver-error.js'
import type { UnitName } from '../../../model/unit.js'
import type { Home } from '../../../supervisor/io/home.js'
import { openSocketFolder } from '../../../supervisor/io/socket.js'
import {
  type Ability,
  type Ask,
  type FromSupervisor,
  lineSplitter,
  type Reply,
} from '../../../supervisor/protocol.js'
import { Pulse } from '../../io/pulse.js'
import { describeHung } from './hung-supervisor.js'

export interface DialOptions {
  readonly home: Home
  readonly clock: Time
  /** Units changed; null: any may have. */
  readonly onChange: (changed: readonly UnitName[] | null) => void
  readonly onSilence: (silence: Silence) => void
}

/** What is told of a supervisor that has not answered for too long: that, and how it is over. */
export type Silence =
  | { readonly kind: 'begun'; readonly why: DriverError }
  | { readonly kind: 'over' | 'gone' }

export interface Connection {
  /** What the supervisor says of itself. */
  readonly protocol: number
  readonly pid: number
  readonly knows?: readonly Ability[]
  readonly closed: Promise<void>
  ask(ask: Ask): Promise<unknown>
  close(): Promise<void>
}

/** The other end is gone. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/** How long a supervisor may take to see that its caller leaves. */
const closesWithinMs = 1000

/**
 * Connects to a supervisor that is there; null when there is none. Waits for its hello for as long as it is there, and
 * until `signal` aborts.
 */
export async function dial(options: DialOptions, signal: AbortSignal): Promise<Connection | null> {
  const folder = openSocketFolder(options.home.paths.dir)
  try {
    const socket = await connected(folder.path)
    if (socket === null) return null
    const leave = (): void => void socket.destroy()
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    return await new Line(socket, options).greeted.finally(() => signal.removeEventListener('abort', leave))
  } finally {
    folder.close()
  }
}

function connected(path: string): Promise<Socket | null> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path, () => {
      socket.removeAllListeners('error')
      resolve(socket)
    })
    socket.once('error', (error) => {
      const code = errorCode(error) ?? ''
      if (['ENOENT', 'ECONNREFUSED', 'ECONNRESET'].includes(code)) return resolve(null)
      const [kind, message] =
        // So many wait already that the kernel takes no more.
        code === 'EAGAIN'
          ? ['process/unreachable', 'the process supervisor takes no connections']
          : ['process/supervisor-refused', 'the supervisor cannot be reached']
      reject(new DriverError(kind, message, { cause: error }))
    })
  })
}

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

class Line {
  /** Resolves with the hello; null where the other end has gone before. */
  readonly greeted: Promise<Connection | null>
  readonly #socket: Socket
  readonly #options: DialOptions
  readonly #waiting = new Map<number, Waiting>()
  readonly #pulse: Pulse
  #nextId = 1
  #pid: number | null = null
  #ping: Promise<unknown> | null = null

  constructor(socket: Socket, options: DialOptions) {
    this.#socket = socket
    this.#options = options
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    let greet: (connection: Connection | null) => void = () => {}
    this.greeted = new Promise((resolve) => {
      greet = resolve
    })
    const greeted = this.greeted
    this.#pulse = new Pulse({
      ask: () => (this.#pid === null ? greeted : this.#pingOnce()),
      time: options.clock,
      asksAtOnce: true,
      onChange: (isSilent) =>
        options.onSilence(
          isSilent ? { kind: 'begun', why: describeHung(this.#pid, options.home) } : { kind: 'over' },
        ),
    })
    const take = lineSplitter((line) => {
      const message = JSON.parse(line) as FromSupervisor
      if ('hello' in message) {
        this.#pid = message.hello.pid
        greet({
          ...message.hello,
          closed,
          ask: (ask) => this.#ask(ask),
          close: () => this.#close(closed),
        })
      } else if ('changed' in message) options.onChange(message.changed)
      else this.#settle(message)
    })
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      take(String(chunk))
      this.#pulse.heard()
    })
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      this.#pulse.close()
      for (const { reject } of this.#waiting.values()) reject(new ConnectionLost('the supervisor is gone'))
      this.#waiting.clear()
      greet(null)
      if (this.#pulse.isSilent) options.onSilence({ kind: 'gone' })
    })
  }

  #ask(ask: Ask): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(new ConnectionLost('the supervisor is gone'))
      const id = this.#nextId++
      this.#waiting.set(id, { resolve, reject })
      this.#socket.write(`${JSON.stringify({ ...ask, id })}\n`)
    })
  }

  /** Who watches already and asks for it once more is answered at once, by supervisors of every version. */
  #pingOnce(): Promise<unknown> {
    this.#ping ??= this.#ask({ verb: 'watch' }).finally(() => {
      this.#ping = null
    })
    return this.#ping
  }

  #settle(reply: Reply): void {
    const asked = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if ('error' in reply) {
      const { code, message, permanent } = reply.error
      asked?.reject(new DriverError(code, message, { permanent }))
    } else asked?.resolve(reply.value)
  }

  /** One that hangs does not see that its caller leaves. */
  async #close(closed: Promise<void>): Promise<void> {
    const socket = this.#socket
    if (this.#pulse.isSilent) socket.destroy()
    else socket.end()
    const late = this.#options.clock.after(closesWithinMs, () => socket.destroy())
    await closed
    late.cancel()
  }
}
