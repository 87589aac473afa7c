// The process that keeps the proxy: it starts Caddy, starts it again, and tells it of instances as the daemon has told. It
// outlives the daemon, so that the entry goes on while that is restarted or away (docs/decisions/0065-entry.md). Where it is
// killed, the next one takes over the Caddy that it had.
import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { type Door, openDoor } from '../../dns/io/listener.js'
import { readQuery, writeAnswer, writeUnreadable } from '../../dns/io/wire.js'
import { systemClock } from '../../lib/io/clock.js'
import { describeError, type Log } from '../../lib/io/log.js'
import { type Loop, startLoop } from '../../lib/io/loop.js'
import { replaceFile } from '../../lib/io/replace-file.js'
import { lockDirectory } from '../../store/io/lock.js'
import { StoreError } from '../../store/store.js'
import { replyTo } from '../answer.js'
import type { EntryAddress } from '../caddy.js'
import { resolverMark } from '../caddy-proxy.js'
import { type KeeperState, keeperProtocol, keeperSocket } from '../keeper-protocol.js'
import { addressesIn } from '../listened.js'
import type { UpstreamTable } from '../upstreams.js'
import { openSocketPath } from './ask-socket.js'
import { Caddy, endOrphan } from './caddy.js'
import { KeptWriter, keptFiles, keptTable, readKept } from './kept-files.js'
import { refuseTaken } from './refuse-taken.js'
import { TcpProxies } from './tcp-proxies.js'

/** Whether the folder is still there, and what failed is tried again. */
const lookEveryMs = 5000

/** Keeps the proxy of a folder until it is told to end; resolves to an exit status. */
export async function keepEntry(dir: string, log: Log): Promise<number> {
  process.umask(0o077)
  const end = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => end.abort())
  process.on('SIGHUP', () => {})
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    const lock = await lockDirectory(dir)
    const keeper = await Keeper.open(dir, log, () => end.abort())
    log.info('entry', 'proxy keeper started', { pid: process.pid })
    await aborted(end.signal)
    await keeper.close()
    await lock.release().catch(() => {})
    return 0
  } catch (error) {
    // Whoever wanted one has it.
    if (error instanceof StoreError && error.code === 'store/locked') return 0
    log.error('entry', 'proxy keeper failed', { why: describeError(error) })
    return 1
  }
}

class Keeper {
  readonly #dir: string
  readonly #log: Log
  readonly #end: () => void
  #table: UpstreamTable
  /** What is to be served; null before anybody has said. */
  #wanted: string | null
  #loaded: string | null = null
  /** Where Caddy listens. */
  #listens: readonly EntryAddress[] = []
  #caddy: Caddy | null = null
  #problem: string | null = null
  #resolver = ''
  #loop: Loop | null = null
  readonly #kept: KeptWriter
  readonly #tcp: TcpProxies
  readonly #closers: (() => Promise<void>)[] = []

  private constructor(dir: string, log: Log, end: () => void) {
    this.#dir = dir
    this.#log = log
    this.#end = end
    this.#wanted = readKept(dir, keptFiles.config)
    this.#table = keptTable(dir)
    this.#kept = new KeptWriter({
      ...{ dir, clock: systemClock },
      onError: (error) =>
        log.warn('entry', `cannot keep what is served; trying again: ${describeError(error)}`),
    })
    this.#tcp = new TcpProxies({ dir, log, table: () => this.#table, kept: this.#kept })
  }

  static async open(dir: string, log: Log, end: () => void): Promise<Keeper> {
    const keeper = new Keeper(dir, log, end)
    const door = await keeper.#openResolver()
    await keeper.#takeOver().catch(async (error: unknown) => {
      // What is open would keep a process that has failed, and its lock.
      await keeper.#tcp.close()
      await keeper.#kept.close()
      await door.close()
      throw error
    })
    keeper.#loop = startLoop({
      pass: async () => {
        await keeper.#pass()
        return { wakeAt: null }
      },
      clock: systemClock,
      intervalMs: lookEveryMs,
      onError: (error) => log.warn('entry', `cannot apply the proxy configuration: ${describeError(error)}`),
    })
    const server = await keeper.#listen()
    keeper.#closers.push(
      () => closeServer(server),
      () => door.close(),
    )
    return keeper
  }

  /** At the port of the keeper before, which Caddy asks, if that can be had. */
  async #openResolver(): Promise<Door> {
    const open = (port: number): Promise<Door> =>
      openDoor({ host: '127.0.0.1', port }, (packet) => this.#answer(packet))
    const before = Number(readKept(this.#dir, keptFiles.resolver) ?? 0)
    const door = await open(before).catch(() => open(0))
    const { port } = door.address
    this.#resolver = `tcp/127.0.0.1:${port}`
    if (port !== before) await replaceFile(join(this.#dir, keptFiles.resolver), String(port))
    return door
  }

  /** The Caddy of a keeper that is gone goes on; one of which nobody knows what it is to serve is ended. */
  async #takeOver(): Promise<void> {
    const caddy = this.#wanted === null ? null : await Caddy.takeOver(this.#dir, () => this.#loop?.wake())
    if (caddy === null) return endOrphan(this.#dir)
    try {
      this.#listens = addressesIn(await caddy.config())
    } catch {
      return caddy.end()
    }
    this.#caddy = caddy
    this.#log.info('entry', 'caddy taken over', { pid: caddy.pid ?? 0 })
  }

  async close(): Promise<void> {
    await this.#loop?.stop()
    await this.#caddy?.end()
    await this.#tcp.close()
    // While it still answers: whoever ends it may forget what is kept once it does not.
    await this.#kept.close()
    for (const close of this.#closers) await close()
    rmSync(join(this.#dir, keeperSocket), { force: true })
  }

  async #pass(): Promise<void> {
    if (!existsSync(join(this.#dir, keeperSocket)) && this.#closers.length > 0) return this.#end()
    const wanted = this.#wanted
    if (wanted === null) return
    try {
      if (this.#caddy?.hasEnded !== false) {
        this.#loaded = null
        this.#listens = []
        this.#caddy = null
        this.#caddy = await Caddy.start(this.#dir, () => this.#loop?.wake())
        this.#log.info('entry', 'caddy started', { pid: this.#caddy.pid ?? 0 })
      }
      if (this.#loaded === wanted) return
      const listens = addressesIn(wanted)
      await refuseTaken(listens, this.#listens, this.#caddy.pid)
      await this.#caddy.load(wanted.replaceAll(resolverMark, this.#resolver))
      this.#loaded = wanted
      this.#listens = listens
      this.#problem = null
      this.#kept.write(keptFiles.config, wanted)
    } catch (error) {
      this.#problem = describeError(error)
      throw error
    }
  }

  #answer(packet: Buffer): Buffer | null {
    const query = readQuery(packet)
    if (query === null) return null
    if (query === 'unreadable') return writeUnreadable(packet)
    const { question } = query
    if (query.opcode !== 0 || question === null || question.class !== 'IN')
      return writeAnswer(query, { code: 'REFUSED' })
    return writeAnswer(query, { ...replyTo(this.#table, question.name, question.type), authoritative: true })
  }

  async #listen(): Promise<Server> {
    const server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => answer(response, 500, describeError(error)))
    })
    const at = openSocketPath(this.#dir, keeperSocket)
    rmSync(at.path, { force: true })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(at.path, resolve)
    })
    server.on('error', (error) =>
      this.#log.warn('entry', `socket of the proxy keeper: ${describeError(error)}`),
    )
    chmodSync(at.path, 0o600)
    at.close()
    return server
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = `${request.method} ${request.url}`
    if (asked === 'GET /state') return answer(response, 200, JSON.stringify(this.#state()))
    if (asked === 'GET /tcp/under-way')
      return answer(response, 200, JSON.stringify(await this.#tcp.underWay()))
    const text = await bodyOf(request)
    if (asked === 'PUT /upstreams') {
      this.#table = JSON.parse(text) as UpstreamTable
      this.#tcp.changed()
      this.#kept.write(keptFiles.upstreams, text)
      return answer(response, 200, '')
    }
    if (asked === 'PUT /tcp') {
      this.#tcp.serve(text)
      return answer(response, 200, '')
    }
    if (asked === 'PUT /config') {
      this.#wanted = text
      this.#loop?.wake()
      return answer(response, 200, '')
    }
    if (asked !== 'POST /end') return answer(response, 404, '')
    answer(response, 200, '')
    this.#end()
  }

  #state(): KeeperState {
    const isCurrent =
      this.#wanted !== null && this.#wanted === this.#loaded && this.#caddy?.hasEnded === false
    return {
      protocol: keeperProtocol,
      pid: process.pid,
      caddy: this.#caddy?.hasEnded === false ? this.#caddy.pid : null,
      isCurrent,
      problem: isCurrent ? null : this.#problem,
      tcp: this.#tcp.problems(),
      tcpServed: this.#tcp.served(),
    }
  }
}

function answer(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) return
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(text)
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
