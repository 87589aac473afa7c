// Ports for programs that have to be told on which to listen.
import { createServer } from 'node:net'

/**
 * Neither those that the kernel gives to outgoing connections, of which any may take a port between our look and its use,
 * nor those that services are given (src/engine/state/machines.ts).
 */
const range = { from: 10_000, to: 19_999 } as const

/** A port that nobody listens on, on any address of this host, and that no other test is given while this one lasts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = range.from + Math.floor(Math.random() * (range.to - range.from + 1))
    if ((await claim(port)) && (await isFree(port))) return port
  }
}

/**
 * Whether a port is now this process's: by a socket without a file, which one process alone can have, and which ends with it.
 */
function claim(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const held = createServer()
    held.once('error', () => resolve(false))
    held.listen(`\0mariposa-test-port-${port}`, () => resolve(true))
    held.unref()
  })
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })
}
