// The API describes itself as an OpenAPI document: every route that there is, with what it takes and what it answers.
import { readFileSync } from 'node:fs'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type FastifyInstance, fastify } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ApiContext } from '../../src/api/io/context.js'
import { addRoutes } from '../../src/api/io/server.js'
import { deploy, openLocalApi } from '../api/local-api.js'

interface Schema {
  readonly [key: string]: unknown
}
interface Operation {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: {
    readonly 200: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  }
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

let server: FastifyInstance
let context: ApiContext
let document: Document

beforeEach(async () => {
  ;({ server, context } = await openLocalApi())
  await deploy(
    server,
    ['web'],
    'triggers:\n  - name: go\n    secret: 0123456789abcdef0123456789abcdef\n    action: start\n',
  )
  document = (await server.inject('/v1/openapi.json')).json()
})

afterEach(async () => {
  await server.close()
})

/** By method and path, as the document writes them. */
function operations(): ReadonlyMap<string, Operation> {
  return new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
    ),
  )
}

/** fleet's API has a document of its own. */
const isOwn = /^\/(v1\/|healthz$|readyz$|metrics$)/

test('every route is described, with every parameter and the body that it takes, and nothing else is', async () => {
  const known = operations()
  const found = new Set<string>()
  const listing = fastify()
  listing.addHook('onRoute', ({ method, url, schema }) => {
    for (const one of [method].flat()) {
      if (one === 'HEAD' || !isOwn.test(url)) continue
      const path = url.replaceAll(/:(\w+)/g, '{$1}')
      const operation = known.get(`${one} ${path}`)
      found.add(`${one} ${path}`)
      expect([one, url, operation]).not.toEqual([one, url, undefined])
      const query = (schema?.querystring as { properties?: object } | undefined)?.properties ?? {}
      const named = (place: string) =>
        operation?.parameters.filter((parameter) => parameter.in === place).map(({ name }) => name)
      expect([url, named('query')]).toEqual([url, Object.keys(query)])
      expect([url, named('path')]).toEqual([url, [...url.matchAll(/:(\w+)/g)].map(([, name]) => name)])
      const takes =
        schema?.body !== undefined || /\/(exec\/:instance|services\/:service\/run|restore)$/.test(url)
      expect([url, operation?.requestBody !== undefined]).toEqual([url, takes])
    }
  })
  addRoutes(listing, context)
  await listing.ready()
  expect([...known.keys()].filter((one) => !found.has(one))).toEqual([])
  expect(found.size).toBeGreaterThan(65)
})

test('it is what the OpenAPI Initiative calls an OpenAPI document, and its references lead somewhere', () => {
  const meta = JSON.parse(
    readFileSync(new URL('../api/spec/openapi-3.1.json', import.meta.url), 'utf8'),
  ) as object
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(meta)
  expect([validate(document), validate.errors]).toEqual([true, null])
  const ids = [...operations().values()].map(({ operationId }) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
  const check = checkers()
  const names = Object.keys(document.components.schemas).map((name) => ['components', 'schemas', name])
  const bodies = [...operations()].flatMap(([where, { requestBody, responses }]) => [
    ...Object.keys(requestBody?.content ?? {}).map((type) => [
      ...placeOf(where),
      'requestBody',
      'content',
      type,
      'schema',
    ]),
    ...Object.keys(responses[200].content).map((type) => [...placeOf(where), ...answerOf(type)]),
  ])
  expect(names.length).toBeGreaterThan(60)
  for (const place of [...names, ...bodies]) expect(() => check(place)).not.toThrow()
})

function placeOf(where: string): readonly string[] {
  const [method = '', path = ''] = where.split(' ')
  return ['paths', path, method.toLowerCase()]
}

function answerOf(type: string): readonly string[] {
  return ['responses', '200', 'content', type, 'schema']
}

/** What compiles the schema at a place of the document; it takes what that describes, and not a field more. */
function checkers(): (place: readonly string[]) => ValidateFunction {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true })
  ajv.addVocabulary(Object.keys(document))
  ajv.addSchema(closed(document) as Schema, 'api', false, false)
  const escaped = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
  return (place) => ajv.compile({ $ref: `api#/${place.map(escaped).join('/')}` })
}

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const inner = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, closed(one)]))
  const isObject = inner['type'] === 'object' && inner['properties'] !== undefined
  return isObject ? { ...inner, additionalProperties: false } : inner
}

test('what is asked is answered as it says', async () => {
  const set = await server.inject({
    method: 'PUT',
    url: '/v1/projects/default/meta/color',
    payload: { value: 'red' },
  })
  expect(set.statusCode).toBe(200)
  const [task] = (await server.inject('/v1/tasks')).json<readonly { readonly uuid: string }[]>()
  const names: Readonly<Record<string, string>> = {
    ...{ project: 'default', service: 'web', key: 'color', name: 'web', version: 'web@1' },
    ...{ uuid: task?.uuid ?? '', id: 'a', instance: 'web-1' },
  }
  const answered: string[] = []
  const checkerAt = checkers()
  const source = { file: 'web.yml', text: 'compute_type: process\ncommand: [/bin/y]\n' }
  const payloads: Readonly<Record<string, object>> = {
    'POST /v1/projects/{project}/compile': { sources: [source] },
    'POST /v1/projects/{project}/plan': { sources: [source], waitForRoom: true },
    'POST /v1/projects/{project}/deploy': { sources: [source], waitForRoom: true },
    'POST /v1/projects/{project}/scale': { targets: { web: 2 } },
    'POST /v1/projects/{project}/freeze': {},
    'POST /v1/projects/{project}/meta/import': { values: { size: '3' } },
    'PATCH /v1/machines/{id}': { cordoned: true },
    'POST /v1/unit-changes': {
      verb: 'submit',
      units: [{ name: 'x.service', source: { file: 'x.service', text: '[Service]\nExecStart=/bin/x\n' } }],
    },
  }
  for (const [where, operation] of operations()) {
    const [method = '', path = ''] = where.split(' ')
    const [type = ''] = Object.keys(operation.responses[200].content)
    const payload = payloads[where]
    if (type !== 'application/json' || (method !== 'GET' && payload === undefined)) continue
    const url = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => names[name] ?? name)
    const answer = await server.inject({ method: method as 'GET', url, ...(payload && { payload }) })
    if (answer.statusCode === 404) continue
    expect([where, answer.statusCode]).toEqual([where, 200])
    const check = checkerAt([...placeOf(where), ...answerOf(type)])
    expect([where, check(answer.json()), check.errors]).toEqual([where, true, null])
    answered.push(operation.operationId)
  }
  for (const id of [
    'services',
    'service',
    'instances',
    'tasks',
    'machines',
    'metaKey',
    'plan',
    'deploy',
    'scale',
    'explain',
    'project',
  ])
    expect(answered).toContain(id)
  expect(answered.length).toBeGreaterThan(25)
})
