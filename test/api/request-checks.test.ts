// When the schemas of routes are compiled. That each route refuses what it does not read is in strict-requests.test.ts.
import { Ajv } from 'ajv'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { requestChecks } from '../../src/api/io/request-checks.js'
import * as queries from '../../src/contract/queries.js'
import * as requests from '../../src/contract/requests.js'

test('a schema is compiled for the first request to its route, not at the start', async () => {
  const server = fastify({ schemaController: requestChecks() })
  // Whoever compiles this fails.
  server.get('/broken', { schema: { querystring: { type: 'nonsense' } } }, () => ({}))
  server.get('/sound', { schema: { querystring: { type: 'object', properties: {} } } }, () => ({ ok: true }))
  await server.ready()
  expect((await server.inject('/sound?any=1')).json()).toEqual({ ok: true })
  expect((await server.inject('/broken')).statusCode).toBe(500)
  await server.close()
})

test('all that is wrong with a request is told, each time anew', async () => {
  const server = fastify({ schemaController: requestChecks() })
  const querystring = {
    type: 'object',
    properties: { limit: { type: 'string', pattern: '^[0-9]+$' }, order: { enum: ['up', 'down'] } },
    additionalProperties: false,
  }
  server.get('/', { schema: { querystring } }, () => ({ ok: true }))
  const told = async (query: string): Promise<unknown> => {
    const { statusCode, payload } = await server.inject(`/${query}`)
    return statusCode === 200 ? 200 : (JSON.parse(payload) as { message: string }).message
  }
  expect(await told('?limit=x&wrong=1')).toBe(
    'querystring must NOT have additional properties: "wrong", querystring/limit must match pattern "^[0-9]+$"',
  )
  expect(await told('?order=left')).toBe(
    'querystring/order must be equal to one of the allowed values: "up", "down"',
  )
  expect(await told(`?${'x'.repeat(1000)}=1`)).toBe(
    `querystring must NOT have additional properties: "${'x'.repeat(64)}"`,
  )
  const many = Array.from({ length: 1000 }, (_, n) => `x${n}=1`).join('&')
  expect(String(await told(`?${many}`)).split(', ')).toHaveLength(20)
  expect(await told('?limit=1')).toBe(200)
  expect(await told('?limit=x')).toBe('querystring/limit must match pattern "^[0-9]+$"')
  await server.close()
})

test('what requests are checked by are schemas, for which no daemon looks', () => {
  const ajv = new Ajv()
  const schemas = Object.entries({ ...queries, ...requests }).filter(([, value]) => typeof value === 'object')
  expect(schemas.length).toBeGreaterThan(20)
  expect(schemas.filter(([, schema]) => !ajv.validateSchema(schema)).map(([name]) => name)).toEqual([])
})
