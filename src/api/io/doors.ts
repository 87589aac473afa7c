// Sockets that were handed over take connections before the daemon can answer: whoever asks is told so at once, and does
// not wait for as long as etcd is away.
import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { paths } from '../contract.js'

/** The servers of sockets that were handed over, by their descriptors. */
export interface Doors {
  /** The server of a descriptor, which from now on asks `handler`; null where there is none. */
  take(fd: number, handler: RequestListener): Server | null
  close(): Promise<void>
}

/** Nobody is kept waiting, where nothing was handed over. */
export const noDoors: Doors = { take: () => null, close: async () => {} }

/** Listens on descriptors, and refuses everything until the servers are taken. One that is no socket is left to whoever listens. */
export async function openDoors(descriptors: readonly number[]): Promise<Doors> {
  const doors = new Map<number, { readonly server: Server; handler: RequestListener }>()
  for (const fd of descriptors) {
    const server = createServer((request, response) => doors.get(fd)?.handler(request, response))
    doors.set(fd, { server, handler: refuse })
    try {
      server.listen({ fd })
      await once(server, 'listening')
    } catch {
      doors.delete(fd)
    }
  }
  return {
    take: (fd, handler) => {
      const door = doors.get(fd)
      if (door === undefined) return null
      door.handler = handler
      return door.server
    },
    close: async () => {
      for (const { server } of doors.values()) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}

const reason = 'fleet server unable to communicate with etcd'

/** As fleet's own server says it, in fleet's form where its clients ask and in ours elsewhere. */
const refuse: RequestListener = ({ url = '' }, response) => {
  if (url.startsWith(paths.health)) answer(response, 200, { status: 'ok' })
  else if (url.startsWith(paths.ready)) answer(response, 503, { status: reason })
  else
    answer(response, 503, {
      error: { code: url.startsWith('/fleet/') ? 503 : 'store/unreachable', message: reason },
    })
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
  response.end(JSON.stringify(body))
}
