// A receiver of webhooks that verifies what it gets by the rules of Standard Webhooks, with code of its own.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  // biome-ignore lint/suspicious/noExplicitAny: the event as JSON, looked into by tests
  readonly event: any
}

export interface TestReceiver {
  readonly url: string
  readonly port: number
  /** All that came with a right signature and was answered with 2xx, in order. */
  readonly received: Received[]
  /** How many requests came at all. */
  readonly requests: () => number
  /** Answers the next requests; default: 204. */
  answer: (request: IncomingMessage, response: ServerResponse) => void
  /** Resolves when what was received is as wanted. */
  until(wanted: (received: readonly Received[]) => boolean): Promise<void>
  close(): Promise<void>
}

export const testSecret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`

/** Starts a receiver, on the loopback unless told otherwise. What is signed wrongly is answered with 401. */
export async function startReceiver(
  secret: string | null = testSecret,
  port = 0,
  address = '127.0.0.1',
): Promise<TestReceiver> {
  const received: Received[] = []
  const waiters = new Set<() => void>()
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      if (secret !== null && !verifies(secret, request.headers, body)) {
        response.writeHead(401).end('bad signature')
        return
      }
      response.on('finish', () => {
        if (response.statusCode >= 300) return
        const id = String(request.headers['webhook-id'])
        received.push({ id, headers: request.headers, body, event: JSON.parse(body) })
        for (const waiter of waiters) waiter()
      })
      receiver.answer(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(port, address, resolve))
  const at = (server.address() as AddressInfo).port
  const receiver: TestReceiver = {
    url: `http://${address}:${at}/hook`,
    port: at,
    received,
    requests: () => requests,
    answer: (_request, response) => {
      response.writeHead(204).end()
    },
    until: (wanted) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!wanted(received)) return
          waiters.delete(look)
          resolve()
        }
        waiters.add(look)
        look()
      }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return receiver
}

function verifies(secret: string, headers: IncomingHttpHeaders, body: string): boolean {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    String(headers[name]),
  )
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  return (signatures ?? '').split(' ').some((one) => {
    const [version, given = ''] = one.split(',')
    const bytes = Buffer.from(given, 'base64')
    return version === 'v1' && bytes.length === expected.length && timingSafeEqual(bytes, expected)
  })
}
