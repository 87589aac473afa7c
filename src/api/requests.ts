// The bodies of requests as JSON Schema, for checking them at the door. The types are those of the contract.
import { Type } from 'typebox'
import { unitVerbs } from './contract.js'

const strict = { additionalProperties: false } as const

const source = Type.Object(
  { file: Type.String(), text: Type.String(), name: Type.Optional(Type.String()) },
  strict,
)
const sources = Type.Array(source, { minItems: 1, maxItems: 1000 })

export const compileRequest = Type.Object({ sources }, strict)

export const deployRequest = Type.Object(
  {
    sources,
    scale: Type.Optional(Type.Integer({ minimum: 0 })),
    rolling: Type.Optional(Type.Integer({ minimum: 1 })),
    canary: Type.Optional(Type.Integer({ minimum: 1 })),
    deadlineMs: Type.Optional(Type.Integer({ minimum: 1000 })),
    autoRevert: Type.Optional(Type.Boolean()),
    previous: Type.Optional(Type.String()),
    only: Type.Optional(Type.Union([Type.Literal('new'), Type.Literal('existing')])),
    service: Type.Optional(Type.String()),
    prune: Type.Optional(Type.Boolean()),
    expect: Type.Optional(Type.String()),
    waitForRoom: Type.Optional(Type.Boolean()),
    refresh: Type.Optional(Type.Boolean()),
  },
  strict,
)

export const removeRecordRequest = Type.Object(
  {
    key: Type.String(),
    revision: Type.Optional(Type.Integer()),
    force: Type.Optional(Type.Boolean()),
  },
  strict,
)

const rollout = {
  rolling: Type.Optional(Type.Integer({ minimum: 1 })),
  canary: Type.Optional(Type.Integer({ minimum: 1 })),
  deadlineMs: Type.Optional(Type.Integer({ minimum: 1000 })),
  previous: Type.Optional(Type.String()),
}

export const revertRequest = Type.Object({ ...rollout, version: Type.String() }, strict)

export const reprovisionRequest = Type.Object(
  {
    ...rollout,
    version: Type.Optional(Type.String()),
    image: Type.Optional(Type.String()),
    instance: Type.Optional(Type.String()),
    machine: Type.Optional(Type.String()),
  },
  strict,
)

export const scaleRequest = Type.Object(
  {
    targets: Type.Record(Type.String(), Type.Union([Type.String(), Type.Integer()])),
    deadlineMs: Type.Optional(Type.Integer({ minimum: 1000 })),
  },
  strict,
)

export const startRequest = Type.Object(
  {
    version: Type.Optional(Type.String()),
    deadlineMs: Type.Optional(Type.Integer({ minimum: 1000 })),
  },
  strict,
)

export const metaSetRequest = Type.Object(
  { value: Type.String(), secret: Type.Optional(Type.Boolean()), cas: Type.Optional(Type.String()) },
  strict,
)

export const metaCountRequest = Type.Object(
  { by: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })) },
  strict,
)

export const metaImportRequest = Type.Object(
  {
    values: Type.Record(Type.String(), Type.String(), { maxProperties: 1000 }),
    secret: Type.Optional(Type.Boolean()),
    force: Type.Optional(Type.Boolean()),
  },
  strict,
)

export const stopRequest = Type.Object(
  { version: Type.Optional(Type.String()), join: Type.Optional(Type.Boolean()) },
  strict,
)

const sourceText = Type.Object({ file: Type.String(), text: Type.String() }, strict)

export const unitChangeRequest = Type.Object(
  {
    verb: Type.Enum([...unitVerbs]),
    units: Type.Array(
      Type.Object(
        { name: Type.String(), source: Type.Optional(sourceText), template: Type.Optional(sourceText) },
        strict,
      ),
      { minItems: 1, maxItems: 1000 },
    ),
    replace: Type.Optional(Type.Boolean()),
  },
  strict,
)

export const unitProgressRequest = Type.Object(
  {
    units: Type.Array(Type.String(), { minItems: 1, maxItems: 1000 }),
    wanted: Type.Union([Type.Enum(['inactive', 'loaded', 'launched']), Type.Null()]),
  },
  strict,
)

export const machineChangeRequest = Type.Object(
  {
    cordoned: Type.Optional(Type.Boolean()),
    drain: Type.Optional(
      Type.Object({ rolling: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })) }, strict),
    ),
    metadata: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]), { maxProperties: 1000 }),
    ),
  },
  strict,
)

export const webhookTestRequest = Type.Object(
  { service: Type.String(), url: Type.Optional(Type.String()) },
  strict,
)

export const webhookRetryRequest = Type.Object(
  { service: Type.String(), delivery: Type.Optional(Type.String()) },
  strict,
)
export const terminateRequest = Type.Object({ freeze: Type.Optional(Type.Boolean()) }, strict)

export const scopeRequest = Type.Object({ service: Type.Optional(Type.String()) }, strict)
