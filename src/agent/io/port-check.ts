// Looks whether host ports are free before a unit is started on them: a program that finds its port taken may say so
// in any words, or not at all.
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import type { PortBinding } from '../../model/unit.js'

/** Something that is not ours holds a port. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError'
  readonly code = 'agent/port-taken'
  readonly port: number
  constructor({ host, protocol }: PortBinding) {
    super(`host port ${host}/${protocol} is in use by another program on this machine`)
    this.port = host
  }
}

/** Throws PortTakenError for the first port that is in use. A port that cannot be looked at counts as free. */
export async function refuseTakenPorts(ports: readonly PortBinding[]): Promise<void> {
  for (const port of ports) {
    const code = await (port.protocol === 'tcp' ? tryTcp(port) : tryUdp(port))
    if (code === 'EADDRINUSE') throw new PortTakenError(port)
  }
}

/** Binds and lets go again; resolves to the error's code, or null. */
function tryTcp({ ip, host }: PortBinding): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? null))
    server.listen({ port: host, ...(ip === null ? {} : { host: ip }), exclusive: true }, () =>
      server.close(() => resolve(null)),
    )
  })
}

function tryUdp({ ip, host }: PortBinding): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = createSocket(ip?.includes(':') === true ? 'udp6' : 'udp4')
    socket.once('error', (error: NodeJS.ErrnoException) => {
      socket.close()
      resolve(error.code ?? null)
    })
    socket.bind({ port: host, ...(ip === null ? {} : { address: ip }), exclusive: true }, () =>
      socket.close(() => resolve(null)),
    )
  })
}
