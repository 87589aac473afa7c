// The OpenAPI document of the API, made from the schemas that check requests and from the schemas of answers, from which the
// types of the contract derive.
import type { TSchema } from 'typebox'
import { type Answer, type Operation, operations } from './operations.js'
import { errorBody } from './shapes/errors.js'

/** A route of the server. */
export interface ServedRoute {
  readonly method: string
  /** With parameters as `:name`. */
  readonly url: string
  /** The schemas that check its parameters and its body. */
  readonly query: unknown
  readonly body: unknown
}

/** JSON Schema, or any part of the document. */
type Json = Readonly<Record<string, unknown>>

/** Describes the routes in `operations`. fleet's API has a document of its own. */
export function openApiDocument(routes: readonly ServedRoute[], version: string): Json {
  const components = new Map<string, Json>()
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of routes) {
    const operation = operations[`${route.method} ${route.url}`]
    if (operation === undefined) continue
    const path = route.url.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describe(route, operation, components) }
  }
  const error = referTo(errorBody, components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mariposa',
      version,
      description:
        "The API of Mariposa's daemon. Answers may have more keys than described here; requests may not. fleet's API is described at /fleet/v1/discovery.",
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{}, { token: [] }, { certificate: [] }],
    paths,
    components: {
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      responses: {
        Error: {
          description: 'Why the request was refused, or failed.',
          content: { 'application/json': { schema: error } },
        },
      },
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description:
            'On TCP: a token of --token-file, or the one that the daemon generated at its first start.',
        },
        certificate: {
          type: 'mutualTLS',
          description: 'On TCP, if the daemon has a certificate authority for clients.',
        },
      },
    },
  }
}

function describe(route: ServedRoute, operation: Operation, components: Map<string, Json>): Json {
  const body =
    route.body === undefined ? operation.input : { type: 'application/json', schema: route.body as TSchema }
  const query = queryParameters(route.query, components)
  const headers = query.some(({ name }) => name === 'after') && { headers: linkHeader }
  return {
    operationId: operation.id,
    summary: operation.summary,
    parameters: [...pathParameters(route.url), ...query],
    ...(body !== undefined && {
      requestBody: { required: route.body !== undefined, content: contentOf(body, components) },
    }),
    responses: {
      200: { description: 'Done.', ...headers, content: contentOf(operation.answer, components) },
      default: { $ref: '#/components/responses/Error' },
    },
  }
}

/** Answers with lists have it. */
const linkHeader: Json = {
  link: {
    description:
      'If there are more entries: `<ADDRESS>; rel="next"`, relative to the address of the request.',
    schema: { type: 'string' },
  },
}

function contentOf(
  { type, schema }: { readonly type: string; readonly schema: Answer['schema'] },
  components: Map<string, Json>,
): Json {
  return { [type]: { schema: referTo(schema, components) } }
}

function pathParameters(url: string): readonly Json[] {
  return [...url.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters(query: unknown, components: Map<string, Json>): readonly Json[] {
  const { properties = {}, required = [] } = (query ?? {}) as {
    readonly properties?: Readonly<Record<string, Json>>
    readonly required?: readonly string[]
  }
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = referTo(schema, components) as Json
    return {
      name,
      in: 'query',
      ...(required.includes(name) && { required: true }),
      ...(description !== undefined && { description }),
      schema: rest,
    }
  })
}

/** Replaces each object with a title by a reference, and adds the object once to the components. */
function referTo(schema: unknown, components: Map<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map((one) => referTo(one, components))
  if (typeof schema !== 'object' || schema === null) return schema
  const { title, here, ...rest } = schema as Json
  const said = here !== undefined && { description: here }
  if (typeof title !== 'string') return { ...mapped(rest, components), ...said }
  if (!components.has(title)) {
    // Added before its parts, so that a part that refers to it does not add it again.
    components.set(title, {})
    components.set(title, mapped(rest, components))
  }
  return { $ref: `#/components/schemas/${title}`, ...said }
}

function mapped(schema: Json, components: Map<string, Json>): Json {
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, referTo(value, components)]))
}
