// What requests are checked by. A schema is compiled when the first request to its route comes: all of them at the start
// would hold up the daemon, and most are never needed.
import { Ajv, type ValidateFunction } from 'ajv'
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
  const ajv = new Ajv({ allErrors: true, addUsedSchema: false })
  return ({ schema }) => {
    let compiled: ValidateFunction | null = null
    const check = (value: unknown): boolean => {
      compiled ??= ajv.compile(schema)
      const isRight = compiled(value)
      check.errors = compiled.errors ?? null
      return isRight
    }
    check.errors = null as NonNullable<ValidateFunction['errors']> | null
    return check
  }
}
