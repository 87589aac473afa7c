// What one connection may ask of the API: callers who are not let in, and those who ask too much at once.
import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { refusedCalls } from '../../src/api/io/refused-calls.js'
import { buildServer } from '../../src/api/io/server.js'
import { noDoors } from '../../src/api/io/startup-server.js'
import { openLocalApi } from './local-api.js'

const token = 'a-token-of-sixteen-or-more'
const ends: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** The API on TCP, for callers with the token; `answered` counts what got as far as a route. */
async function serve(): Promise<{ port: number; server: FastifyInstance; answered: () => number }> {
  const { context, registry } = await openLocalApi()
  const address = { kind: 'tcp', host: '127.0.0.1', port: 0 } as const
  const access = { tls: null, tokens: () => [{ role: 'write' as const, text: token }], open: false }
  const server = buildServer(context, address, access, { local: false }, noDoors)
  let answered = 0
  server.addHook('preHandler', async () => {
    answered += 1
  })
  const { port } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }))
  ends.push(
    () => registry.close(),
    () => server.close(),
  )
  return { port: Number(port), server, answered: () => answered }
}

/** Everything that a server answers on a connection, until it ends it. */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true }, () => socket.write(bytes))
    socket.on('data', (chunk) => {
      text += String(chunk)
    })
    socket.on('end', () => {
      socket.destroy()
      resolve(text)
    })
    socket.on('error', reject)
  })
}

const host = 'Host: 127.0.0.1\r\n'
const good = `${host}Authorization: Bearer ${token}\r\n`
const statuses = (text: string): readonly number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))
const codeOf = (text: string): unknown => JSON.parse(text.slice(text.indexOf('\r\n\r\n'))).error.code

test('a refused call is the last of its connection: what stands behind it is not looked at', async () => {
  const { port } = await serve()
  const before = refusedCalls().get('api/unauthorized') ?? 0
  const answer = await exchange(port, `GET /v1/machines HTTP/1.1\r\n${host}\r\n`.repeat(1000))
  expect(statuses(answer)).toEqual([401])
  expect(answer).toMatch(/^connection: close\r$/im)
  expect((refusedCalls().get('api/unauthorized') ?? 0) - before).toBe(1)
})

test.each([
  [
    'a path that nobody can read',
    `GET /v1/projects/%zz/services HTTP/1.1\r\n${host}\r\n`,
    'api/unauthorized',
  ],
  ['a foreign origin', `GET /healthz HTTP/1.1\r\n${host}Origin: http://a\r\n\r\n`, 'api/foreign-origin'],
  ['another machine', `GET /healthz HTTP/1.1\r\n${host}mariposa-machine: x\r\n\r\n`, 'api/another-machine'],
])('so is one with %s', async (_what, request, code) => {
  const { port } = await serve()
  const before = refusedCalls().get(code) ?? 0
  const answer = await exchange(port, request.repeat(100))
  expect([statuses(answer).length, codeOf(answer)]).toEqual([1, code])
  expect((refusedCalls().get(code) ?? 0) - before).toBe(1)
})

test('who sends a thousand requests at once that are for everybody gets a few answers', async () => {
  const { port, answered } = await serve()
  const answer = await exchange(port, `GET /healthz HTTP/1.1\r\n${host}\r\n`.repeat(1000))
  expect(statuses(answer)).toEqual([...Array(8).fill(200), 429])
  expect(answer).toContain('api/too-many-requests')
  expect(answered()).toBe(8)
})

test('a connection with the token goes on for as long as it asks and waits', async () => {
  const { port } = await serve()
  const request = `GET /v1/machines HTTP/1.1\r\n${good}\r\n`
  const got: number[] = []
  await new Promise<void>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('closed')))
    socket.on('data', (chunk) => {
      got.push(...statuses(String(chunk)))
      if (got.length < 50) socket.write(request)
      else resolve(socket.removeAllListeners('close').end() && undefined)
    })
  })
  expect(got).toEqual(Array(50).fill(200))
})

test('a few requests at once are answered, and so is what is asked afterwards', async () => {
  const { port } = await serve()
  const last = `GET /v1/machines HTTP/1.1\r\n${good}Connection: close\r\n\r\n`
  const answer = await exchange(port, `GET /v1/machines HTTP/1.1\r\n${good}\r\n`.repeat(4) + last)
  expect(statuses(answer)).toEqual([200, 200, 200, 200, 200])
})

test('a caller with a large body is told why it is refused', async () => {
  const { port } = await serve()
  const body = 'x'.repeat(3_000_000)
  const response = await fetch(`http://127.0.0.1:${port}/v1/projects/default/deploy`, {
    method: 'POST',
    body,
  })
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({ error: { code: 'api/unauthorized' } })
})

test.each([
  [
    'a path that cannot be read',
    `GET /v1/projects/%zz/services HTTP/1.1\r\n${good}\r\n`,
    400,
    'api/bad-request',
  ],
  ['no HTTP', 'HELLO\r\n\r\n', 400, 'api/bad-request'],
  ['too long headers', `GET / HTTP/1.1\r\n${host}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'api/too-large'],
  ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', 400, 'api/bad-request'],
  ['another expectation', `GET /healthz HTTP/1.1\r\n${host}Expect: more\r\n\r\n`, 417, 'api/bad-request'],
])('%s is refused in the form of all answers', async (_what, bytes, status, code) => {
  const { port } = await serve()
  const answer = await exchange(port, bytes)
  expect([statuses(answer), codeOf(answer)]).toEqual([[status], code])
})
