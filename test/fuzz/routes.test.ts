// Whatever is asked of the API, it answers: no fault of its own (500), and afterwards it still answers what is right.
// `npm run fuzz` asks a hundred thousand times; a failure names the seed and the request.
import { type FastifyInstance, fastify, type RouteOptions } from 'fastify'
import { expect, test } from 'vitest'
import { addRoutes } from '../../src/api/io/server.js'
import { deploy, openLocalApi } from '../api/local-api.js'
import { openRandom, type Random, requests, seed, signs, textOf } from './random.js'

interface Route {
  readonly method: string
  readonly url: string
  readonly schema: { readonly body?: unknown; readonly querystring?: unknown }
}

const words = [
  ...['default', 'web', 'db', 'web-1', 'a.service', 'a@.service', 'a@1.service', 'default.web.v1@1.service'],
  ...[
    'a'.repeat(32),
    '0b2f8a52-3c1d-5e6f-8a9b-0c1d2e3f4a5b',
    '1',
    '0',
    '-1',
    '5m',
    'true',
    'false',
    'launched',
    'x=y',
  ],
  ...[
    'name: web\ncompute_type: process\ncommand: [/bin/x]\n',
    '[Service]\nExecStart=/bin/x\n',
    '[X-Fleet]\nGlobal=true\n',
  ],
  ...['2026-01-01T00:00:00Z', 'https://example.org/hook', 'ZAABAA==', '{{ .meta.x }}'],
]

/** Those whose answer goes on for as long as the caller stays, or waits until what was sent is read, which inject does not tell. */
const endless = /follow|watch|\/events$|progress|\/drain|\/exec|\/export/

function routesOf(server: (listing: FastifyInstance) => void): readonly Route[] {
  const found: Route[] = []
  const listing = fastify()
  listing.addHook('onRoute', ({ method, url, schema = {} }: RouteOptions) => {
    for (const one of [method].flat()) if (one !== 'HEAD') found.push({ method: one, url, schema })
  })
  server(listing)
  return found
}

/** A value that a schema asks for, more often than not. */
function valueFor(random: Random, schema: unknown, depth = 0): unknown {
  if (depth > 6 || typeof schema !== 'object' || schema === null || random.below(12) === 0)
    return junk(random, depth)
  const {
    anyOf,
    oneOf,
    enum: words_,
    const: only,
    type,
    properties,
    items,
    additionalProperties,
  } = schema as Record<string, unknown>
  const some = anyOf ?? oneOf
  if (Array.isArray(some)) return valueFor(random, random.pick(some), depth + 1)
  if (Array.isArray(words_)) return random.pick(words_)
  if (only !== undefined) return only
  if (type === 'array')
    return Array.from({ length: random.below(4) }, () => valueFor(random, items, depth + 1))
  if (type === 'object') {
    const known = Object.entries((properties ?? {}) as Record<string, unknown>)
    const given = known.filter(() => random.below(4) > 0)
    const free =
      typeof additionalProperties === 'object' ? [[random.pick(words), additionalProperties] as const] : []
    return Object.fromEntries(
      [...given, ...free].map(([key, one]) => [key, valueFor(random, one, depth + 1)]),
    )
  }
  if (type === 'boolean') return random.below(2) === 0
  if (type === 'integer' || type === 'number') return random.pick([0, 1, 2, -1, 3.5, 2 ** 31, 2 ** 53])
  return random.below(3) === 0 ? textOf(random, words, 4) : random.pick(words)
}

function junk(random: Random, depth: number): unknown {
  const leaf = [null, true, 0, -1, 1e308, '', random.pick(words), random.pick(signs)]
  if (depth > 3 || random.below(2) === 0) return random.pick(leaf)
  return random.below(2) === 0 ? [junk(random, depth + 1)] : { [random.pick(words)]: junk(random, depth + 1) }
}

function requestOf(random: Random, { method, url, schema }: Route) {
  const word = (): string => (random.below(6) === 0 ? textOf(random, words, 3) : random.pick(words))
  const path = url.replaceAll(/:\w+|\*/g, () =>
    encodeURIComponent(word().replaceAll(/[\ud800-\udfff]/g, '_') || '_'),
  )
  const asked = random.below(3) === 0 ? {} : valueFor(random, schema.querystring)
  const query = Object.entries(typeof asked === 'object' && asked !== null ? asked : {})
    .filter(([name]) => !endless.test(name))
    .map(
      ([name, value]) =>
        `${encodeURIComponent(name)}=${encodeURIComponent(String(value).replaceAll(/[\ud800-\udfff]/g, '_'))}`,
    )
  const type = random.below(20) === 0 ? 'text/plain' : 'application/json'
  const hasBody = method !== 'GET' && random.below(10) > 0
  const text = (): string => {
    const json = JSON.stringify(valueFor(random, schema.body)) ?? ''
    return random.below(15) === 0 ? json.slice(0, random.below(json.length + 1)) : json
  }
  return {
    method: method as 'GET',
    url: `${path}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    ...(hasBody && { headers: { 'content-type': type }, payload: text() }),
  }
}

test('the API answers whatever it is asked', { timeout: 3_600_000 }, async () => {
  const random = openRandom(seed)
  const { server, context, registry } = await openLocalApi()
  const routes = routesOf((listing) => addRoutes(listing, context)).filter(({ url }) => !endless.test(url))
  expect(routes.length).toBeGreaterThan(60)
  try {
    for (let left = requests; left > 0; left--) {
      if (left % 50 === 0) await deploy(server, ['web', 'db']).catch(() => {})
      const request = requestOf(random, random.pick(routes))
      const { statusCode, payload } = await server.inject(request)
      if (statusCode === 500) expect.fail(`FUZZ_SEED=${seed}: ${JSON.stringify(request)}: ${payload}`)
    }
    expect((await server.inject({ method: 'GET', url: '/v1/machines' })).statusCode).toBe(200)
    expect((await server.inject({ method: 'GET', url: '/fleet/v1/units' })).statusCode).toBe(200)
  } finally {
    await server.close()
    await registry.close()
  }
})
