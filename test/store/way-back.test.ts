// The way back: what this program writes is read by the oldest program of the same format that checks what it reads.
// `format-N.json` has that program's schemas: it is never made anew, and a new format gets a file of its own.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { recordFormat } from '../../src/store/reading.js'
import { schemas } from '../../src/store/schema/all.js'
import { leader, outbox } from '../../src/store/schema/happenings.js'

const oldest = JSON.parse(
  readFileSync(join(import.meta.dirname, `format-${recordFormat}.json`), 'utf8'),
) as Readonly<Record<string, TSchema>>

/** What that program does not read, and why that does no harm. */
const known: Readonly<Record<string, { readonly holds: RegExp; readonly because: string }>> = {
  waiting: {
    holds: /"kind":"(disk|driver-away|secret-key|volume-elsewhere)"/,
    because: 'whoever leads writes it anew, in its own words',
  },
}

const kinds = Object.entries<TSchema>({ ...schemas, leader, outbox })

test.each(kinds)(
  'every shape of the record %s is one for the oldest program of this format',
  (kind, schema) => {
    const check = Compile(oldest[kind] ?? {})
    const today = Compile(schema)
    const shapes = shapesOf(schema)
    expect(shapes.filter((shape) => !today.Check(shape))).toEqual([])
    const refused = shapes.filter((shape) => !check.Check(shape)).map((shape) => JSON.stringify(shape))
    expect(refused.filter((text) => known[kind]?.holds.test(text) !== true)).toEqual([])
  },
)

test('nothing is excused that is read', () => {
  for (const [kind, { holds }] of Object.entries(known)) {
    const shapes = shapesOf(schemas[kind as keyof typeof schemas] as unknown as Schema)
    const excused = shapes.filter((shape) => holds.test(JSON.stringify(shape)))
    expect(excused.length).toBeGreaterThan(0)
    const check = Compile(oldest[kind] ?? {})
    expect(excused.filter((shape) => check.Check(shape))).toEqual([])
  }
})

/** What of JSON Schema the schemas of records use. */
interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly minItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, Schema>>
}

/** Values of a schema: each alternative, with each optional field and without it, at least once. The first has all. */
function shapesOf(schema: Schema): readonly unknown[] {
  if ('const' in schema) return [schema.const]
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(shapesOf)
  switch (schema.type) {
    case 'null':
      return [null]
    case 'boolean':
      return [true, false]
    case 'number':
    case 'integer':
      return [1]
    case 'string':
      return ['text']
    case 'array': {
      const one = shapesOf(schema.items ?? {}).map((item) => [item])
      return (schema.minItems ?? 0) > 0 ? one : [...one, []]
    }
    case 'object':
      return objectsOf(schema)
    default:
      throw new Error(`this test knows nothing of ${JSON.stringify(schema)}`)
  }
}

function objectsOf({ properties = {}, required = [], patternProperties = {} }: Schema): readonly unknown[] {
  const maps = Object.values(patternProperties).flatMap((one) =>
    shapesOf(one).map((value) => ({ key: value })),
  )
  if (maps.length > 0) return [...maps, {}]
  const fields = Object.entries(properties).map(([name, one]) => ({ name, values: shapesOf(one) }))
  const whole = Object.fromEntries(fields.map(({ name, values }) => [name, values[0]]))
  const others = fields.flatMap(({ name, values }) =>
    values.slice(1).map((value) => ({ ...whole, [name]: value })),
  )
  const without = fields
    .filter(({ name }) => !required.includes(name))
    .map(({ name }) => Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name)))
  return [whole, ...others, ...without]
}
