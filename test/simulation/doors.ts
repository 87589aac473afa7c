// What a simulated daemon answers to who reaches it over the network: the product's own servers, from the head of a request to
// the end of its answer, which listen nowhere.
import type { FastifyInstance, InjectOptions } from 'fastify'

/** An address of a daemon. */
export type Door = 'triggers'

export interface DoorRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | null
  /** Whose address it comes from. */
  readonly from: string
}

export interface DoorAnswer {
  readonly status: number
  readonly text: string
}

export type Doors = Readonly<Record<Door, (request: DoorRequest) => Promise<DoorAnswer>>>

/** A server is made when somebody first comes: most daemons are asked nothing in their life. */
export function openDoors(make: Readonly<Record<Door, () => FastifyInstance>>): Doors {
  return { triggers: opening(make.triggers) }
}

function opening(make: () => FastifyInstance): (request: DoorRequest) => Promise<DoorAnswer> {
  let server: FastifyInstance | null = null
  return async ({ method, path, headers, body, from }) => {
    server ??= make()
    const asked: InjectOptions = { method, url: path, headers: { ...headers }, remoteAddress: from }
    const answer = await server.inject(body === null ? asked : { ...asked, payload: Buffer.from(body) })
    return { status: answer.statusCode, text: answer.payload }
  }
}
