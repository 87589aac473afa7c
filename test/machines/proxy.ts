// A network between two programs that can fail: it forwards TCP connections, slowly, not at all, or in silence.
import { createConnection, createServer, type Socket } from 'node:net'

export interface Network {
  readonly address: string
  readonly port: number
  /** Breaks all connections, and refuses new ones until `heal`. */
  cut(): void
  /** Lets nothing through and closes nothing: what a peer without power looks like. New connections stay silent too. */
  silence(): void
  /** Forwards again. Connections that were silent stay so for ever, as after a router forgot them. */
  heal(): void
  /** Holds what comes for so long, in each direction. */
  delay(ms: number): void
  /** Lets so many bytes through in a second, in each direction, over all connections together. */
  limit(bytesPerSecond: number): void
  close(): Promise<void>
}

/** Opens a proxy to a port of the loopback, on an address of this host. */
export async function openProxy(target: number, host = '127.0.0.1'): Promise<Network> {
  const links = new Set<Link>()
  let state: 'open' | 'cut' | 'silent' = 'open'
  let delayMs = 0
  let bytesPerMs = Number.POSITIVE_INFINITY
  const server = createServer((near) => {
    if (state === 'cut') {
      near.resetAndDestroy()
      return
    }
    const link: Link = { near, far: createConnection(target, '127.0.0.1'), silent: state === 'silent' }
    links.add(link)
    forward(link, link.near, link.far, up)
    forward(link, link.far, link.near, down)
  })
  const [up, down]: readonly [Lane, Lane] = [{ freeAt: 0 }, { freeAt: 0 }]
  const forward = (link: Link, from: Socket, to: Socket, lane: Lane): void => {
    const held: Buffer[] = []
    let heldBytes = 0
    from.on('data', (data: Buffer) => {
      if (link.silent) return
      const now = performance.now()
      lane.freeAt = Math.max(now, lane.freeAt) + data.length / bytesPerMs
      const waitMs = lane.freeAt - now + delayMs
      // What is held is not overtaken when the delay ends.
      if (waitMs === 0 && held.length === 0) {
        to.write(data)
        return
      }
      held.push(data)
      heldBytes += data.length
      // A narrow link holds up whoever sends, as a real one does; else all would be here, and lost with the sender's end.
      if (heldBytes > heldAtMost) from.pause()
      setTimeout(() => {
        const next = held.shift()
        heldBytes -= next?.length ?? 0
        if (heldBytes <= heldAtMost && from.isPaused()) from.resume()
        if (next !== undefined && !link.silent && to.writable) to.write(next)
      }, waitMs)
    })
    const end = (): void => {
      if (link.silent && state === 'silent') return
      links.delete(link)
      from.destroy()
      to.destroy()
    }
    from.on('close', end)
    from.on('error', end)
  }
  /** What was on its way is lost, or goes at once: it takes up the link no more. */
  const clear = (): void => {
    up.freeAt = 0
    down.freeAt = 0
  }
  const breakAll = (): void => {
    clear()
    for (const { near, far } of links) {
      near.resetAndDestroy()
      far.destroy()
    }
    links.clear()
  }
  server.listen(0, host)
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  return {
    address: `${host}:${port}`,
    port,
    cut: () => {
      state = 'cut'
      breakAll()
    },
    silence: () => {
      state = 'silent'
      for (const link of links) link.silent = true
    },
    heal: () => {
      state = 'open'
    },
    delay: (ms) => {
      delayMs = ms
    },
    limit: (bytesPerSecond) => {
      clear()
      bytesPerMs = bytesPerSecond / 1000
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      breakAll()
      await closed
    },
  }
}

/** In each direction of a connection, in bytes: a far link with much on its way is still a fast one. */
const heldAtMost = 8 * 1024 ** 2

/** One direction: until when it is taken by what was sent before. */
interface Lane {
  freeAt: number
}

interface Link {
  readonly near: Socket
  readonly far: Socket
  silent: boolean
}
