// What answers before the daemon can: whoever asks is told so at once, and does not wait for as long as etcd is away.
import type { RequestListener, Server, ServerResponse } from 'node:http'
import { paths } from '../../contract/contract.js'
import type { Timers } from '../../lib/time.js'
import { type Address, listenRaw } from './listen.js'
import { makeServer, type ServerTls } from './make-server.js'

/** The servers that answer before the API does. */
export interface Doors {
  /**
   * Listens on addresses, and refuses everything there until their servers are taken. A descriptor that is no socket is
   * left to whoever listens; throws ListenError for another address that cannot be had.
   */
  open(addresses: readonly Address[]): Promise<void>
  /** The server of an address, which asks `handler` once it is handed over; null where there is none. */
  take(address: Address, handler: RequestListener): Server | null
  /** From now on the handler that took the address answers there. Until then its routes and its rules may be half made. */
  handOver(address: Address): void
  close(): Promise<void>
}

/** Nobody is answered before. */
export const noDoors: Doors = {
  open: async () => {},
  take: () => null,
  handOver: () => {},
  close: async () => {},
}

interface Door {
  readonly server: Server
  handler: RequestListener
  /** Who has taken it. */
  next: RequestListener | null
}

/** Why a daemon does not serve yet. */
export interface NotYet {
  readonly code: string
  readonly message: string
  readonly hint: string
}

/** `why` says what the daemon waits for. */
export function makeDoors(tls: ServerTls | null, clock: Timers, why: () => NotYet): Doors {
  const doors = new Map<Address, Door>()
  const refuse = refusing(why)
  const openOne = async (address: Address): Promise<void> => {
    // Fastify listens on every address of that name; a server of ours has one.
    if (doors.has(address) || (address.kind === 'tcp' && address.host === 'localhost')) return
    const server = makeServer(address, tls, clock, (request, response) => door.handler(request, response))
    const door: Door = { server, handler: refuse, next: null }
    doors.set(address, door)
    try {
      await listenRaw(server, address)
    } catch (error) {
      doors.delete(address)
      if (address.kind !== 'inherited') throw error
    }
  }
  return {
    open: async (addresses) => {
      for (const address of addresses) await openOne(address)
    },
    take: (address, handler) => {
      const door = doors.get(address)
      if (door === undefined) return null
      door.next = handler
      return door.server
    },
    handOver: (address) => {
      const door = doors.get(address)
      if (door !== undefined) door.handler = door.next ?? refuse
    },
    close: async () => {
      for (const { server } of doors.values()) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}

/** As fleet's own server says it, whatever it waits for, where its clients ask. */
const ofFleet = 'fleet server unable to communicate with etcd'

function refusing(why: () => NotYet): RequestListener {
  return ({ url = '' }, response) => {
    const { code, message, hint } = why()
    if (url.startsWith(paths.health)) answer(response, 200, { status: 'ok' })
    else if (url.startsWith(paths.ready)) answer(response, 503, { status: message })
    else if (url.startsWith('/fleet/') || url.startsWith('/v1-alpha/')) {
      const said = code === 'store/unreachable' ? ofFleet : `${ofFleet}: ${message}`
      answer(response, 503, { error: { code: 503, message: said } })
    } else answer(response, 503, { error: { code, message, hint, details: [] } })
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
  response.end(JSON.stringify(body))
}
