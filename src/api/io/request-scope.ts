// Which request something is done for, through every wait and callback: so that a fault that nobody caught is laid to it.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'

interface RequestScope {
  readonly method: string
  /** Without its query, which may hold words of a program or a secret. */
  readonly path: string
  /** Breaks the connection off: nobody would answer it any more. */
  drop(): void
}

const scopes = new AsyncLocalStorage<RequestScope>()
let faults = 0

/** The request that the running code was called for; null where there is none. */
export function currentRequest(): RequestScope | null {
  return scopes.getStore() ?? null
}

function inRequest<T>(scope: RequestScope, work: () => T): T {
  return scopes.run(scope, work)
}

/** Everything that a server does for a request happens within its scope. */
export function scopeRequests(server: FastifyInstance): void {
  server.addHook('onRequest', ({ raw }, _reply, done) => {
    const { method = '', url = '', socket } = raw
    inRequest({ method, path: url.split('?')[0] ?? '', drop: () => socket.destroy() }, done)
  })
}

/** Counts a fault of a request that nobody caught. */
export function countFault(): void {
  faults += 1
}

/** How many there were since the daemon started. */
export function requestFaults(): number {
  return faults
}
