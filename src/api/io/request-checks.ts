// What requests are checked by. A schema is compiled when the first request to its route comes: all of them at the start
// would hold up the daemon, and most are never needed.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler, FastifyServerOptions } from 'fastify'

/**
 * What a server checks requests and writes answers with. No route says of what its answers consist, so those are plain
 * JSON; Fastify loads neither of its own compilers then.
 */
export function requestChecks(): Controller {
  return {
    compilersFactory: {
      // Fastify's types have it called with a schema. It is called with what a FastifySchemaCompiler takes.
      buildValidator: compilerWhenAsked as unknown as BuildValidator,
      buildSerializer: () => () => (data: unknown) => JSON.stringify(data),
    },
  }
}

type Controller = NonNullable<FastifyServerOptions['schemaController']>
type BuildValidator = NonNullable<NonNullable<Controller['compilersFactory']>['buildValidator']>

/** As Fastify's own, but that nothing is made of what a request says: it is right or refused. */
function compilerWhenAsked(): FastifySchemaCompiler<object> {
  let ajv: Ajv | null = null
  return ({ schema }) => {
    let compiled: ValidateFunction | null = null
    const check = (value: unknown): boolean => {
      // The schemas are our own: that they are schemas is not for the first request to wait for.
      ajv ??= new Ajv({ allErrors: true, addUsedSchema: false, meta: false, validateSchema: false })
      compiled ??= ajv.compile(schema)
      const isRight = compiled(value)
      check.errors = compiled.errors?.slice(0, mostErrors).map(withWhatIsMeant) ?? null
      return isRight
    }
    check.errors = null as NonNullable<ValidateFunction['errors']> | null
    return check
  }
}

/** Ajv's sentences name neither a property that is unknown nor the values that would be right. */
function withWhatIsMeant(error: ErrorObject): ErrorObject {
  const named = namesIn(error)
  return named.length === 0 ? error : { ...error, message: `${error.message ?? ''}: ${named.join(', ')}` }
}

function namesIn({ keyword, params }: ErrorObject): readonly string[] {
  const { additionalProperty, allowedValues } = params as Record<string, unknown>
  if (keyword === 'additionalProperties')
    return [JSON.stringify(String(additionalProperty).slice(0, longestName))]
  return keyword === 'enum' ? (allowedValues as readonly unknown[]).map((value) => JSON.stringify(value)) : []
}

/** More helps nobody, and an answer must not grow with what was sent. */
const mostErrors = 20
const longestName = 64
