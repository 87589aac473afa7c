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
  const server = createServer({ allowHalfOpen: true }, (near) => {
    if (state === 'cut') {
      near.resetAndDestroy()
      return
    }
    const far = createConnection({ port: target, host: '127.0.0.1', allowHalfOpen: true })
    const link: Link = { near, far, silent: state === 'silent' }
    links.add(link)
    const over = (): void => {
      if (near.destroyed && far.destroyed) links.delete(link)
    }
    for (const socket of [near, far]) socket.on('close', over)
    forward(link, link.near, link.far, up)
    forward(link, link.far, link.near, down)
  })
  const [up, down]: readonly [Lane, Lane] = [{ freeAt: 0 }, { freeAt: 0 }]
  const forward = (link: Link, from: Socket, to: Socket, lane: Lane): void => {
    const held: (() => void)[] = []
    let heldBytes = 0
    /** Does it at the other side when so many bytes have had their time on the link, after all that came before. */
    const afterWay = (bytes: number, act: () => void): void => {
      const now = performance.now()
      lane.freeAt = Math.max(now, lane.freeAt) + bytes / bytesPerMs
      const waitMs = lane.freeAt - now + delayMs
      // What is held is not overtaken when the delay ends.
      if (waitMs === 0 && held.length === 0) {
        act()
        return
      }
      held.push(act)
      setTimeout(() => {
        const next = held.shift()
        if (!link.silent) next?.()
      }, waitMs)
    }
    const written = (bytes: number): void => {
      heldBytes -= bytes
      if (heldBytes <= heldAtMost && from.isPaused()) from.resume()
    }
    from.on('data', (data: Buffer) => {
      if (link.silent) return
      heldBytes += data.length
      // A narrow link, or a side that does not read, holds up whoever sends, as a real one does.
      if (heldBytes > heldAtMost) from.pause()
      afterWay(data.length, () => {
        if (to.writable) to.write(data, () => written(data.length))
      })
    })
    /** An end comes behind what was sent before it; nothing comes over a silent link. */
    const close = (act: () => void): void => {
      if (!link.silent) afterWay(0, act)
      else if (state !== 'silent') {
        from.destroy()
        to.destroy()
      }
    }
    from.on('end', () => close(() => to.end()))
    from.on('error', () => close(() => resetOnceWritten(to)))
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

/** Breaks a connection off, after what was sent over it before. */
function resetOnceWritten(socket: Socket): void {
  if (socket.writable) socket.write('', () => socket.resetAndDestroy())
  else socket.destroy()
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
