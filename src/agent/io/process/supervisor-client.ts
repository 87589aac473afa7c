// The driver's side of the socket: finds the supervisor or starts it, asks it, and comes back to it when it died.
import { type ChildProcess, spawn } from 'node:child_process'
import { setMaxListeners } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Backoff, backoffMs } from '../../../lib/backoff.js'
import { steadyClock } from '../../../lib/io/clock.js'
import { describeError, type Log } from '../../../lib/io/log.js'
import type { UnitName } from '../../../model/unit.js'
import { DriverError } from '../../driver.js'
import { supervisorVariable } from '../../process/marker.js'
import {
  type Ask,
  type FromSupervisor,
  lineSplitter,
  protocolVersion,
  type Reply,
} from '../../process/protocol.js'
import { errorCode, fileError, type Home } from './home.js'
import { openSocketFolder } from './socket.js'

export interface ClientOptions {
  readonly home: Home
  readonly log: Log
  /** Starts the supervisor of this folder. */
  readonly command: readonly string[]
  /** Units changed; null: any may have, for the connection was lost in between. */
  readonly onChange: (changed: readonly UnitName[] | null) => void
}

/** How long a supervisor may take to be there, and how often it is looked for until then. */
const startWithinMs = 10_000
const lookEveryMs = 10
/** How long to wait before trying again to have a supervisor. */
const connectAgain: Backoff = { firstMs: 500, longestMs: 15_000 }
/** A request whose connection broke is asked again so many times: every verb may be carried out twice. */
const tries = 4

export class SupervisorClient {
  readonly #options: ClientOptions
  #connection: Promise<Connection> | null = null
  #closed = false

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** Asks the supervisor; throws DriverError with what it answers. */
  async ask(ask: Ask, signal: AbortSignal): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      signal.throwIfAborted()
      const connection = await unlessAborted(this.connect(), signal)
      try {
        return await unlessAborted(connection.ask(ask), signal)
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

  /** The connection, made where there is none. */
  connect(): Promise<Connection> {
    if (this.#closed) return Promise.reject(new DriverError('process/closed', 'the driver is closed'))
    this.#connection ??= this.#open()
    return this.#connection
  }

  async close(): Promise<void> {
    this.#closed = true
    const connection = await this.#connection?.catch(() => null)
    await connection?.close()
  }

  async #open(): Promise<Connection> {
    try {
      const connection = await findOrStart(this.#options)
      const lost = (): void => this.#lost()
      connection.closed.then(lost, lost)
      await connection.ask({ verb: 'watch' })
      return connection
    } catch (error) {
      this.#connection = null
      throw error
    }
  }

  /** The supervisor is gone: what it ran has to be taken over by another one at once, whoever asks for it or not. */
  #lost(): void {
    this.#connection = null
    if (this.#closed) return
    this.#options.log.warn('process', 'the supervisor is gone; another one takes over')
    this.#comeBack().catch((error: unknown) => {
      this.#options.log.error('process', 'no supervisor takes over', { why: describeError(error) })
    })
  }

  async #comeBack(): Promise<void> {
    let told = ''
    for (let failures = 1; !this.#closed; failures += 1) {
      try {
        await this.connect()
        this.#options.onChange(null)
        return
      } catch (error) {
        if (this.#closed) return
        const why = describeError(error)
        if (why !== told) this.#options.log.error('process', 'no supervisor takes over', { why })
        told = why
        await sleep(backoffMs(failures, connectAgain), undefined, { ref: false })
      }
    }
  }
}

/** The other end is gone. */
class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

interface Connection {
  readonly closed: Promise<void>
  ask(ask: Ask): Promise<unknown>
  close(): Promise<void>
}

async function findOrStart(options: ClientOptions): Promise<Connection> {
  let starting: ChildProcess | null = null
  for (const until = steadyClock.now() + startWithinMs; steadyClock.now() < until; await sleep(lookEveryMs)) {
    const dialled = await dial(options)
    if (dialled !== null && dialled.protocol === protocolVersion) return dialled.connection
    if (dialled !== null) await replaceOld(dialled.pid, options.log)
    // One that found another at work, or could not lock what a dying one still held, has ended: start the next.
    if (starting === null || hasEnded(starting)) starting = startSupervisor(options)
  }
  const why = lastLines(options.home.paths.log)
  throw new DriverError('process/supervisor-failed', `the process supervisor does not come up: ${why}`)
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

/** A supervisor of another version steps down; what it runs goes on, and the next one takes it over. */
async function replaceOld(pid: number, log: Log): Promise<void> {
  log.info('process', 'a supervisor of another version is replaced', { pid })
  process.kill(pid, 'SIGTERM')
  await sleep(lookEveryMs)
}

function startSupervisor({ home, command }: ClientOptions): ChildProcess {
  const [program, ...words] = command
  if (program === undefined)
    throw new DriverError('process/supervisor-failed', 'there is no command for the supervisor')
  const log = openLog(home.paths.log)
  try {
    const child = spawn(program, words, {
      cwd: '/',
      detached: true,
      // One thread beside its own is enough for it, and what it holds in memory every start of a program pays for.
      env: { ...inherited(), [supervisorVariable]: home.id, UV_THREADPOOL_SIZE: '1' },
      stdio: ['ignore', log, log],
    })
    child.on('error', () => {})
    if (child.pid === undefined)
      throw new DriverError('process/supervisor-failed', `${program} cannot be started`)
    child.unref()
    return child
  } finally {
    closeSync(log)
  }
}

function openLog(path: string): number {
  try {
    return openSync(path, 'a', 0o600)
  } catch (error) {
    throw fileError('process/home-unusable', `${path} cannot be opened`, error)
  }
}

/** What of the daemon's environment the supervisor gets. Units get nothing of it. */
function inherited(): Readonly<Record<string, string>> {
  const names = ['PATH', 'HOME', 'LANG', 'TZ']
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
}

function lastLines(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim().split('\n').slice(-3).join('; ')
  } catch {
    return 'it left no log'
  }
}

interface Dialled {
  readonly connection: Connection
  readonly protocol: number
  readonly pid: number
}

/** How long a supervisor may take to say hello. */
const helloWithinMs = 5000

/** Connects to a supervisor that is there; null when there is none. */
async function dial({ home, onChange }: ClientOptions): Promise<Dialled | null> {
  const folder = openSocketFolder(home.paths.dir)
  try {
    const socket = await connected(folder.path)
    return socket === null ? null : await greeted(socket, onChange)
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
      if (['ENOENT', 'ECONNREFUSED', 'ECONNRESET'].includes(errorCode(error) ?? '')) resolve(null)
      else
        reject(
          new DriverError('process/supervisor-refused', 'the supervisor cannot be reached', { cause: error }),
        )
    })
  })
}

function greeted(socket: Socket, onChange: ClientOptions['onChange']): Promise<Dialled | null> {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let nextId = 1
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.once('close', () => {
    for (const { reject } of waiting.values()) reject(new ConnectionLost('the supervisor is gone'))
    waiting.clear()
  })
  const connection: Connection = {
    closed,
    ask: (ask) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new ConnectionLost('the supervisor is gone'))
        const id = nextId++
        waiting.set(id, { resolve, reject })
        socket.write(`${JSON.stringify({ ...ask, id })}\n`)
      }),
    close: () => {
      socket.end()
      return closed
    },
  }
  return new Promise((resolve, reject) => {
    const late = new DriverError('process/supervisor-refused', 'the supervisor does not say hello')
    const timer = setTimeout(() => {
      socket.destroy()
      reject(late)
    }, helloWithinMs)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(null)
    })
    const take = lineSplitter((line) => {
      const message = JSON.parse(line) as FromSupervisor
      if ('hello' in message) {
        clearTimeout(timer)
        resolve({ connection, ...message.hello })
      } else if ('changed' in message) onChange(message.changed)
      else settle(waiting, message)
    })
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => take(String(chunk)))
    socket.on('error', () => socket.destroy())
  })
}

function settle(
  waiting: Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>,
  reply: Reply,
): void {
  const asked = waiting.get(reply.id)
  waiting.delete(reply.id)
  if ('error' in reply) {
    const { code, message, permanent } = reply.error
    asked?.reject(new DriverError(code, message, { permanent }))
  } else asked?.resolve(reply.value)
}

/** What a promise comes to, or the reason for which the caller gave up; the work itself goes on. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let giveUp = (): void => {}
  // One signal may stand over any number of requests.
  setMaxListeners(0, signal)
  const abandoned = new Promise<never>((_, reject) => {
    giveUp = () => reject(signal.reason as Error)
    signal.addEventListener('abort', giveUp, { once: true })
  })
  try {
    return await Promise.race([work, abandoned])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
