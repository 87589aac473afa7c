// What a simulated daemon answers to who reaches it over the network: the product's own servers, from the head of a request to
// the end of its answer, which listen nowhere.
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { ApiContext } from '../../src/api/io/context.js'
import { machineHeader, openPeers, type Peers } from '../../src/api/io/peers.js'
import { buildServer } from '../../src/api/io/server.js'
import { noDoors } from '../../src/api/io/startup-server.js'
import type { ClusterView } from '../../src/store/view.js'
import { carried, type SentStream, type StreamEnds } from './carried.js'
import type { Clockwork } from './clockwork.js'
import { type Network, NobodyThere } from './network.js'
import type { Node } from './node.js'
import { apiToken } from './secrets-judge.js'

/** An address of a daemon. */
export type Door = 'triggers' | 'api'

export interface DoorRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | null
  /** Whose address it comes from. */
  readonly from: string
  /** Whether the answer is handed on as it is made. */
  readonly isStream?: true
}

export interface DoorAnswer {
  readonly status: number
  readonly text: string
  /** What is still being made of it; null: it is all there. */
  readonly sent: SentStream | null
}

export type Doors = Readonly<Record<Door, (request: DoorRequest) => Promise<DoorAnswer>>>

/** A server is made when somebody first comes: most daemons are asked nothing in their life. */
export function openDoors(make: Readonly<Record<Door, () => FastifyInstance>>): Doors {
  return { triggers: opening(make.triggers), api: opening(make.api) }
}

function opening(make: () => FastifyInstance): (request: DoorRequest) => Promise<DoorAnswer> {
  let server: FastifyInstance | null = null
  return async ({ method, path, headers, body, from, isStream }) => {
    server ??= make()
    const asked: InjectOptions = { method, url: path, headers: { ...headers }, remoteAddress: from }
    if (isStream === true) return await streamed(server, asked)
    const answer = await server.inject(body === null ? asked : { ...asked, payload: Buffer.from(body) })
    return { status: answer.statusCode, text: answer.payload, sent: null }
  }
}

async function streamed(server: FastifyInstance, asked: InjectOptions): Promise<DoorAnswer> {
  const answer = await server.inject({ ...asked, payloadAsStream: true })
  const { statusCode: status, headers, trailers } = answer
  const stream = answer.stream()
  if (status !== 200) return { status, text: await text(stream), sent: null }
  const end = (): unknown => answer.raw.res.destroy()
  return { status, text: '', sent: { stream, headers, trailers, end } }
}

/** The API of a daemon. `parts`: what is asked of it needs. */
export function buildApi(parts: Partial<ApiContext>): FastifyInstance {
  const address = { kind: 'tcp', host: '10.0.0.1', port: 7447 } as const
  const access = { tls: null, tokens: () => [{ role: 'write', text: apiToken } as const], open: false }
  return buildServer(parts as ApiContext, address, access, { local: false }, noDoors)
}

/** How long a daemon waits for another one, as over HTTP. */
const peerWithinMs = 10_000
/** What is sent as it is made. */
const isStreamed = (path: string): boolean => path.startsWith('/v1/volumes/') && path.includes('/export?')

/** The other daemons, as one reaches them over the network. */
export function peersOver(
  network: Network,
  {
    from,
    view,
    nodes,
    clockwork,
  }: {
    readonly from: Node
    readonly view: ClusterView
    readonly nodes: () => readonly Node[]
    readonly clockwork: Clockwork
  },
): Peers {
  const credentials = { token: () => apiToken, tls: () => null }
  return openPeers(view, credentials, from.time, async (_, machine, { method, path }, __, ___, signal) => {
    const node = nodes().find(({ id }) => id === machine)
    if (node === undefined) throw new NobodyThere(`there is no ${machine}`)
    const headers = { [machineHeader]: machine, authorization: `Bearer ${apiToken}` }
    const request = { method, path, headers, body: null, from: '10.0.0.1' }
    const ends = { from, to: node, network, clockwork, signal }
    if (isStreamed(path)) return await askForStream(ends, { ...request, isStream: true })
    const asked = network.ask({ from: from.name, to: node.name, withinMs: peerWithinMs }, () =>
      node.knock('api', request),
    )
    const { status, text } = await unlessAborted(asked, signal)
    const answer = Readable.from([Buffer.from(text)])
    return Object.assign(answer, {
      statusCode: status,
      headers: {},
      trailers: {},
    }) as unknown as IncomingMessage
  })
}

/** What is sent goes on over the network when its head has come; who does not wait for that any more ends it. */
async function askForStream(ends: StreamEnds, request: DoorRequest): Promise<IncomingMessage> {
  const { from, to, network, signal } = ends
  let isGivenUp = false
  let sent: SentStream | null = null
  const asked = network.ask({ from: from.name, to: to.name, withinMs: peerWithinMs }, async () => {
    const answer = await to.knock('api', request)
    sent = answer.sent
    if (isGivenUp) sent?.end()
    return answer
  })
  try {
    const { status, text, sent: stream } = await unlessAborted(asked, signal)
    if (stream !== null) return carried(stream, ends)
    const answer = Object.assign(Readable.from([Buffer.from(text)]), {
      statusCode: status,
      headers: {},
      trailers: {},
    })
    return answer as unknown as IncomingMessage
  } catch (error) {
    isGivenUp = true
    ;(sent as SentStream | null)?.end()
    throw error
  }
}

function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new Error('no answer in time'))
    signal.addEventListener('abort', abort, { once: true })
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
