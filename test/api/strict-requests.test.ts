// What a request says that nobody reads is refused, on every route that there is: a typing error in a body or in a
// parameter must never make a change of one service a change of all.
import { type FastifyInstance, fastify, type RouteOptions } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ApiContext } from '../../src/api/io/context.js'
import { refusedCalls } from '../../src/api/io/refused-calls.js'
import { addRoutes, buildServer } from '../../src/api/io/server.js'
import { noDoors } from '../../src/api/io/startup-server.js'
import type { Registry } from '../../src/store/io/registry.js'
import { deploy, openLocalApi } from './local-api.js'

let server: FastifyInstance
let context: ApiContext
let registry: Registry
let revision: () => Promise<number>

beforeEach(async () => {
  ;({ server, context, registry, revision } = await openLocalApi())
  await deploy(server, ['web'])
  await deploy(server, ['db'])
})

afterEach(async () => {
  await server.close()
})

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
interface Route {
  readonly method: Method
  readonly url: string
  readonly options: RouteOptions
}

/** Every route of our own API, with names of what is there. */
function ownRoutes(): readonly Route[] {
  const found: Route[] = []
  const listing = fastify()
  listing.addHook('onRoute', (options) => {
    for (const method of [options.method].flat()) {
      if (method === 'HEAD' || !options.url.startsWith('/v1/') || options.url === '/v1/:uuid/metrics')
        continue
      const url = options.url.replace(':project', 'default').replaceAll(/:\w+/g, 'web')
      found.push({ method: method as Method, url, options })
    }
  })
  addRoutes(listing, context)
  return found
}

async function ask(method: Method, url: string, json?: unknown): Promise<readonly [number, string]> {
  const body =
    json === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, payload: JSON.stringify(json) }
  const { statusCode, payload } = await server.inject({ method, url, ...body })
  return [statusCode, payload]
}

/** What runs a program reads its body as that program's input. */
const readsAnything = /\/exec\//

test('a body is refused for a property that nobody reads, and for being of another type', async () => {
  const changing = ownRoutes().filter(({ method, url }) => method !== 'GET' && !readsAnything.test(url))
  expect(changing.length).toBeGreaterThan(20)
  const before = await revision()
  for (const { method, url } of changing) {
    const [status, told] = await ask(method, url, { stray: 'web' })
    expect([method, url, status]).toEqual([method, url, 400])
    expect(told).toMatch(/additional properties|no body/)
    for (const body of [null, [], [{}], 'x', 1, true])
      expect([method, url, body, (await ask(method, url, body))[0]]).toEqual([method, url, body, 400])
  }
  expect(await revision()).toBe(before)
})

test('a body with a key that no reader takes is told of, as one is that is not JSON', async () => {
  for (const payload of ['{', '{"metadata":{"__proto__":"a"}}']) {
    const headers = { 'content-type': 'application/json' }
    const { statusCode, body } = await server.inject({
      method: 'PATCH',
      url: '/v1/machines/web',
      headers,
      payload,
    })
    expect([statusCode, body]).toEqual([
      400,
      expect.stringContaining('or an object in it has the key __proto__'),
    ])
  }
})

test('a parameter that nobody reads is refused, on every route', async () => {
  const routes = ownRoutes()
  expect(routes.length).toBeGreaterThan(45)
  const before = await revision()
  for (const { method, url, options } of routes) {
    const { querystring, body } = options.schema ?? {}
    expect([method, url, typeof querystring, looseObjects(querystring)]).toEqual([method, url, 'object', []])
    const [status, told] = await ask(method, `${url}?stray=web`)
    expect([method, url, status]).toEqual([method, url, 400])
    // Where a body is needed, that is missed first.
    if (body === undefined) expect(told).toContain('additional properties')
  }
  expect(await revision()).toBe(before)
})

test('a switch in an address is true or false', async () => {
  const before = await revision()
  for (const url of [
    '/v1/projects/default?force=yes',
    '/v1/projects/default/services/web?force=1',
    '/v1/projects/default/services/web?force=true&volumes=all',
  ])
    expect([url, (await ask('DELETE', url))[0]]).toEqual([url, 400])
  expect(await revision()).toBe(before)
})

test('every object in a body refuses what it does not know', () => {
  for (const { method, url, options } of ownRoutes()) {
    const loose = looseObjects(options.schema?.body)
    expect([method, url, loose]).toEqual([method, url, []])
  }
})

/** Schemas of objects with named properties that take others as well. */
function looseObjects(schema: unknown): readonly unknown[] {
  if (typeof schema !== 'object' || schema === null) return []
  const own =
    'properties' in schema && (schema as { additionalProperties?: unknown }).additionalProperties !== false
  return [...(own ? [schema] : []), ...Object.values(schema).flatMap(looseObjects)]
}

test('a project is stopped by a body that is empty, or by none', async () => {
  for (const body of [undefined, {}]) {
    expect((await ask('POST', '/v1/projects/default/stop', body))[0]).toBe(200)
    expect(registry.view.services.get('default/web')?.scale).toBe(0)
  }
})

test('a caller who is not let in over TCP is told so, and counted where metrics are asked for', async () => {
  const tokens = () => [{ role: 'read', text: 'a'.repeat(16) }] as const
  const tcp = { kind: 'tcp', host: '127.0.0.1', port: 0 } as const
  const open = buildServer(context, tcp, { tls: null, tokens, open: false }, { local: false }, noDoors)
  try {
    const headers = { authorization: `Bearer ${'b'.repeat(16)}` }
    const before = refusedCalls().get('api/unauthorized') ?? 0
    const refused = await open.inject({ method: 'GET', url: '/v1/machines', headers })
    expect(refused.statusCode).toBe(401)
    const { payload } = await server.inject({ method: 'GET', url: '/metrics' })
    expect(payload).toContain(`mariposa_refused_calls_total{code="api/unauthorized"} ${before + 1}\n`)
  } finally {
    await open.close()
  }
})

test('a body that is no JSON is refused for that', async () => {
  const payload = JSON.stringify({ scale: 2 })
  for (const type of ['text/plain', 'text/plain; charset=utf-8', 'application/x-www-form-urlencoded']) {
    const headers = { 'content-type': type }
    const url = '/v1/projects/default/scale'
    const { statusCode, body } = await server.inject({ method: 'POST', url, headers, payload })
    expect([type, statusCode, body]).toEqual([type, 415, expect.stringContaining('api/bad-media-type')])
  }
})
