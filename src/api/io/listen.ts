// The addresses that the API is served on: sockets that are handed over, unix sockets, TCP with or without TLS.
import { once } from 'node:events'
import { chmod, lstat, mkdir, unlink } from 'node:fs/promises'
import { connect, type Server } from 'node:net'
import { dirname } from 'node:path'
import { Server as TlsServer } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { errorCode } from '../../lib/io/error-code.js'
import { describeError } from '../../lib/io/log.js'
import { isLoopback } from '../../lib/loopback.js'

/** Where to listen. */
export type Address =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  /** A socket that somebody else has opened and handed over, by its descriptor. */
  | { readonly kind: 'inherited'; readonly fd: number }

/** A socket that cannot be listened on; `code` is stable. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
  readonly code: string
  readonly hint: string
  constructor(code: string, message: string, hint: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.hint = hint
  }
}

/** What is listened on. */
interface Listening {
  readonly url: string
  /** A unix socket, which its file guards; no page in a browser reaches one either. */
  readonly local: boolean
}

/** Begins to listen. Throws ListenError when the address cannot be had; `option` is what it was given with. */
export async function listen(
  server: FastifyInstance,
  address: Address,
  access: { readonly open: boolean },
  option = '--listen',
): Promise<Listening> {
  // Fastify would listen once more, and does not take notice of a server that does already.
  const isListening = server.server.listening
  if (isListening) await server.ready()
  switch (address.kind) {
    case 'tcp':
      return {
        url: isListening ? urlOf(server.server) : await listenOnPort(server, address, option),
        local: false,
      }
    case 'unix':
      return {
        url: isListening ? urlOfPath(address.path) : await listenOnPath(server, address.path, option),
        local: true,
      }
    case 'inherited':
      return listenOnDescriptor(server, address.fd, access.open)
  }
}

/** The same for a server without Fastify. */
export async function listenRaw(server: Server, address: Address, option = '--listen'): Promise<void> {
  switch (address.kind) {
    case 'tcp': {
      const { host, port } = address
      await begun(server.listen({ host, port })).catch((cause: unknown) => {
        throw portError(address, option, cause)
      })
      return
    }
    case 'unix':
      await makeWayFor(address.path, option)
      await begun(server.listen({ path: address.path }))
        .then(() => chmod(address.path, socketMode))
        .catch((cause: unknown) => {
          throw pathError(address.path, option, cause)
        })
      return
    case 'inherited':
      await begun(server.listen({ fd: address.fd }))
  }
}

async function begun(server: Server): Promise<void> {
  await once(server, 'listening')
}

const socketMode = 0o660

function urlOfPath(path: string): string {
  return `unix://${path}`
}

function urlOf(server: Server): string {
  const address = server.address()
  if (address === null || typeof address === 'string') return ''
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `${server instanceof TlsServer ? 'https' : 'http'}://${host}:${address.port}`
}

async function listenOnPort(
  server: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
  option: string,
): Promise<string> {
  try {
    const url = await server.listen({ host, port })
    // Fastify does not know of servers that it did not make whether they speak TLS.
    return server.server instanceof TlsServer ? url.replace(/^http:/, 'https:') : url
  } catch (cause) {
    throw portError({ host, port }, option, cause)
  }
}

function portError(
  { host, port }: { readonly host: string; readonly port: number },
  option: string,
  cause: unknown,
): ListenError {
  const taken = errorCode(cause) === 'EADDRINUSE'
  const where = `${host}:${port}`
  return new ListenError(
    taken ? 'daemon/address-taken' : 'daemon/cannot-listen',
    taken ? `something else listens on ${where}` : `cannot listen on ${where}: ${describeError(cause)}`,
    `choose another address with ${option}`,
    { cause },
  )
}

async function listenOnPath(server: FastifyInstance, path: string, option: string): Promise<string> {
  await makeWayFor(path, option)
  try {
    await server.listen({ path })
    await chmod(path, socketMode)
  } catch (cause) {
    throw pathError(path, option, cause)
  }
  return urlOfPath(path)
}

function pathError(path: string, option: string, cause: unknown): ListenError {
  return new ListenError(
    'daemon/cannot-listen',
    `cannot listen on ${path}: ${describeError(cause)}`,
    `choose another path with ${option} unix:PATH`,
    { cause },
  )
}

/** What was handed over keeps its owner and mode, and stays when the daemon ends. */
async function listenOnDescriptor(server: FastifyInstance, fd: number, open: boolean): Promise<Listening> {
  try {
    await server.ready()
    // Fastify itself listens on addresses alone, and so it does not know of the connections to be closed either.
    if (!server.server.listening) {
      server.server.listen({ fd })
      await once(server.server, 'listening')
    }
  } catch (cause) {
    throw new ListenError(
      'daemon/cannot-listen',
      `descriptor ${fd}, which was passed in, is not a listening socket: ${describeError(cause)}`,
      'check the socket unit: it needs Accept=no',
      { cause },
    )
  }
  const address = server.server.address()
  // Node knows no path of a unix socket that it did not open.
  if (address === null || typeof address === 'string') return { url: `fd://${fd}`, local: true }
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  if (open || isLoopback(address.address)) return { url: `http://${host}:${address.port}`, local: false }
  throw new ListenError(
    'daemon/cannot-listen',
    `descriptor ${fd}, which was passed in, can be reached from outside`,
    'pass in a unix socket or one on the loopback; for others use --listen, with TLS, or --insecure-listen',
  )
}

/** Removes the socket file that a killed daemon left behind, but never one that somebody answers on. */
async function makeWayFor(path: string, option: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o755 })
    const found = await lstat(path)
    if (!found.isSocket())
      throw new ListenError(
        'daemon/cannot-listen',
        `${path} exists and is not a socket`,
        'remove it, or choose another path',
      )
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return
    if (cause instanceof ListenError) throw cause
    throw new ListenError(
      'daemon/cannot-listen',
      `cannot listen on ${path}: ${describeError(cause)}`,
      `choose another path with ${option} unix:PATH`,
      { cause },
    )
  }
  if (await answers(path)) {
    throw new ListenError(
      'daemon/address-taken',
      `another daemon answers on ${path}`,
      `stop it, or choose another path with ${option} unix:PATH`,
    )
  }
  await unlink(path)
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
