// What goes over the wire with a webhook, and what is said of one that nobody takes.
import dns from 'node:dns'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test, vi } from 'vitest'
import { systemClock } from '../../src/lib/io/clock.js'
import { type Letter, openSender, type Sender } from '../../src/notify/io/sender.js'

const mailer: Sender = {
  send: () => Promise.reject(new Error('no mail is sent here')),
  close: () => undefined,
}
const sender = openSender(systemClock, mailer)
let server: Server | undefined

afterEach(() => {
  sender.close()
  server?.close()
})

const letterTo = (port: number): Letter => ({
  url: `http://localhost:${port}/hook`,
  id: 'msg_1',
  body: '{"text":"ä"}',
  secret: `whsec_${Buffer.alloc(24, 1).toString('base64')}`,
  headers: { 'X-Own': 'one', 'Content-Type': 'text/plain', 'Content-Length': '1' },
  allowPrivate: true,
})

const send = (port: number) => sender.send(letterTo(port), new AbortController().signal)

async function listen(answer: (headers: IncomingHttpHeaders, body: string) => Buffer | string) {
  const opened = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      response.statusCode = 503
      response.end(answer(request.headers, Buffer.concat(parts).toString('utf8')))
    })
  })
  server = opened
  await new Promise<void>((resolve) => opened.listen(0, 'localhost', resolve))
  return (opened.address() as AddressInfo).port
}

test('a webhook goes out whole, under its own type and length, whatever headers its owner gave', async () => {
  let seen: IncomingHttpHeaders = {}
  let body = ''
  const port = await listen((headers, text) => {
    seen = headers
    body = text
    return 'busy\n  now'
  })
  expect(await send(port)).toMatchObject({ status: 503, error: 'it answers 503: busy now' })
  expect(body).toBe('{"text":"ä"}')
  expect(seen).toMatchObject({
    'x-own': 'one',
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'content-length': '13',
    'user-agent': 'mariposa-webhooks',
    'webhook-id': 'msg_1',
  })
})

test('what a receiver that compresses for those who take it says of an error can be read', async () => {
  const port = await listen(({ 'accept-encoding': takes }) =>
    takes === undefined ? 'busy' : gzipSync('busy'),
  )
  expect(await send(port)).toMatchObject({ error: 'it answers 503: busy' })
})

test('what is said of a receiver that is away names each address that was tried', async () => {
  const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }))
  const resolve = (...args: readonly unknown[]) =>
    (args.at(-1) as (...found: unknown[]) => void)(null, addresses)
  const resolver = vi.spyOn(dns, 'lookup').mockImplementation(resolve)
  const { status, error } = await send(1).finally(() => resolver.mockRestore())
  expect(status).toBeNull()
  expect(error).toBe('connect ECONNREFUSED 127.0.0.1:1; connect ECONNREFUSED 127.0.0.2:1')
})

test('a receiver that changes the protocol has not taken the webhook, and keeps nobody waiting', async () => {
  const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
  const opened = createTcpServer((socket) => {
    socket.on('error', () => {}).on('data', () => socket.write(upgrade))
  })
  await new Promise<void>((resolve) => opened.listen(0, 'localhost', resolve))
  const { port } = opened.address() as AddressInfo
  expect(await send(port)).toMatchObject({ status: null, error: expect.stringContaining('it answers 101') })
  opened.close()
})
