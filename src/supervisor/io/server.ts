// The supervisor's side of the socket: requests come in as lines, are carried out at once, and answered as they end.
import { createServer, type Socket } from 'node:net'
import { assertNever } from '../../lib/invariant.js'
import { describeError, type Log } from '../../lib/io/log.js'
import { DriverError } from '../../model/driver-error.js'
import type { UnitName } from '../../model/unit.js'
import {
  abilities,
  type FromSupervisor,
  type Hello,
  lineSplitter,
  protocolVersion,
  type Request,
} from '../protocol.js'
import type { Supervisor } from './supervisor.js'

interface ServerOptions {
  readonly supervisor: Supervisor
  readonly log: Log
  /** With nobody connected and nothing running for so long, the supervisor ends. */
  readonly idleExitMs: number
  readonly end: () => void
}

interface SupervisorServer {
  listen(path: string): Promise<void>
  /** Tells those who watch. Changes of one turn go out together. */
  changed(name: UnitName): void
  close(): Promise<void>
}

interface Client {
  readonly socket: Socket
  watches: boolean
}

export function serveSupervisor({ supervisor, log, idleExitMs, end }: ServerOptions): SupervisorServer {
  const clients = new Set<Client>()
  const idle = idleTimer(idleExitMs, () => clients.size === 0 && supervisor.isIdle(), end)
  const changes = batched<UnitName>((changed) => {
    for (const client of clients) if (client.watches) send(client, { changed })
    idle.touch()
  })
  const server = createServer((socket) => {
    const client: Client = { socket, watches: false }
    clients.add(client)
    const hello: Hello = { hello: { protocol: protocolVersion, pid: process.pid, knows: abilities } }
    send(client, hello)
    socket.setEncoding('utf8')
    const take = lineSplitter((line) => {
      answer(supervisor, client, line, end).catch((error: unknown) => {
        log.error('process', 'cannot answer a request', { why: describeError(error) })
        socket.destroy()
      })
    })
    socket.on('data', (chunk) => take(String(chunk)))
    socket.on('error', (error) => log.warn('process', 'a connection broke', { why: describeError(error) }))
    socket.on('close', () => {
      clients.delete(client)
      idle.touch()
    })
  })
  return {
    listen: (path) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(path, () => {
          idle.touch()
          resolve()
        })
      }),
    changed: changes.add,
    close: () =>
      new Promise((resolve) => {
        idle.stop()
        server.close(() => resolve())
        for (const { socket } of clients) socket.end()
      }),
  }
}

async function answer(supervisor: Supervisor, client: Client, line: string, end: () => void): Promise<void> {
  const request = JSON.parse(line) as Request
  try {
    const value = (await carryOut(supervisor, client, request)) ?? null
    send(client, { id: request.id, value })
  } catch (error) {
    const { code, permanent } =
      error instanceof DriverError ? error : { code: 'process/failed', permanent: false }
    send(client, { id: request.id, error: { code, message: describeError(error), permanent } })
  }
  if (request.verb === 'shutdown') end()
}

function carryOut(supervisor: Supervisor, client: Client, request: Request): unknown {
  switch (request.verb) {
    case 'list':
      return supervisor.list()
    case 'load':
      return supervisor.load(request.unit)
    case 'start':
      return supervisor.start(request.name)
    case 'stop':
      return supervisor.stop(request.name)
    case 'unload':
      return supervisor.unload(request.name)
    case 'observe':
      return supervisor.observe(request.name)
    case 'describe':
      return supervisor.describe(request.name)
    case 'watch':
      client.watches = true
      return null
    case 'shutdown':
      return supervisor.stopAll()
    default:
      return assertNever(request)
  }
}

function send({ socket }: Client, message: FromSupervisor): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`)
}

/** Collects what comes in one turn of the event loop, without repeats. */
function batched<T>(flush: (items: readonly T[]) => void): { add: (item: T) => void } {
  const items = new Set<T>()
  return {
    add: (item) => {
      if (items.size === 0) {
        setImmediate(() => {
          const all = [...items]
          items.clear()
          flush(all)
        })
      }
      items.add(item)
    },
  }
}

function idleTimer(
  afterMs: number,
  isIdle: () => boolean,
  onIdle: () => void,
): { touch(): void; stop(): void } {
  let timer: NodeJS.Timeout | null = null
  let stopped = false
  const clear = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
  return {
    stop: () => {
      stopped = true
      clear()
    },
    touch: () => {
      clear()
      if (!stopped && isIdle()) timer = setTimeout(() => isIdle() && onIdle(), afterMs)
    },
  }
}
