// The HTTP server of an address, with TLS or without.
import { createServer, type RequestListener, type Server } from 'node:http'
import https from 'node:https'
import type { Server as NetServer } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import type { Timers } from '../../lib/time.js'
import { bounded, boundedListener } from './connections.js'
import type { Address } from './listen.js'

/** Contents of PEM files. */
export interface ServerTls {
  readonly cert: string
  readonly key: string
  /** Whose certificates are trusted; null: callers are asked for none. */
  readonly ca: string | null
}

/** How long a connection may be at rest between two requests. */
const keepAliveMs = 72_000

/** Node's own answer to a request without a host has no body; ours has one. */
const ownRefusals = { requireHostHeader: false }

export function makeServer(
  address: Address,
  tls: ServerTls | null,
  clock: Timers,
  handler: RequestListener,
): Server {
  const listener = boundedListener(handler, clock)
  const server = bounded(
    address.kind === 'tcp' && tls !== null
      ? secureServer(tls, listener)
      : createServer(ownRefusals, listener),
    clock,
  )
  server.keepAliveTimeout = keepAliveMs
  // The body of a request may be the input of a program, which goes on for as long as that runs.
  server.requestTimeout = 0
  return server
}

/** Has servers show a renewed certificate from now on, and trust the authorities that are named now. Connections stay. */
export function renewTls(servers: readonly NetServer[], { cert, key, ca }: ServerTls): void {
  for (const server of servers)
    if (server instanceof TlsServer) server.setSecureContext({ cert, key, ...(ca !== null && { ca }) })
}

/** Certificates are asked for, and judged with the tokens: a caller without one gets an answer that says so. */
function secureServer({ cert, key, ca }: ServerTls, handler: RequestListener): Server {
  const asked = ca === null ? {} : { ca, requestCert: true, rejectUnauthorized: false }
  // For Fastify it is a server as any other.
  return https.createServer({ cert, key, ...asked, ...ownRefusals }, handler)
}
