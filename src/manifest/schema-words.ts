// Building blocks that the schemas of the manifest's keys share. Seven keywords are our own, besides JSON Schema's: `expected`
// completes "expected …" in a diagnostic, `loose` lists the other forms that an author may write, `needs` the keys of
// a map that an author cannot leave out (where `required` lists what the canonical form always has), `aliases` the
// other names of its keys, `secret` says that no diagnostic may show the value, `fixed` that it
// cannot be a template, `shared` the name under which the published schema says it once for all of its places.

import * as Type from 'typebox'
import { durationForms } from '../lib/duration.js'
import { greatestPort } from '../lib/port.js'

/** Keywords of ours among those of JSON Schema. */
export const ownWords = ['expected', 'loose', 'needs', 'aliases', 'secret', 'fixed', 'shared']

/** The mark (`deferredPlaceholder`) that stands for a secret of the project's metadata until it is needed. */
export const secretMark = '\uE000meta\\.[^\uE001]+\uE001'

/** A value that is a template until it is filled in. */
export const template = { type: 'string', pattern: '\\{\\{', description: 'a template' }
/** A number with a unit, in place of a plain number. */
export const quantity = { type: 'string', minLength: 1, description: 'with a unit' }
export const anyScalar = { type: ['string', 'number', 'boolean', 'null'] }

/** One of a few words. */
export function oneOf<const T extends string[]>(values: readonly [...T], options: object) {
  return Type.Enum(values, { type: 'string', expected: `one of ${values.join(', ')}`, ...options })
}

const shellWords = {
  type: 'string',
  description: 'split into words as a shell would, without a shell',
}

/** A program's words, at least `minItems` of them. */
export function argv(title: string, description: string, examples: unknown[], minItems = 1) {
  return Type.Array(Type.String({ loose: [anyScalar] }), {
    ...(minItems > 0 && { minItems }),
    expected: 'a list of words, or one line of text that is split into words',
    title,
    description: `${description} A text is split into words as a shell would, but no shell runs: for pipes and variables write \`["sh", "-c", "…"]\`.`,
    examples,
    loose: [minItems > 0 ? { ...shellWords, minLength: 1 } : shellWords],
  })
}

const pairList = {
  type: 'array',
  items: { type: ['string', 'object'], pattern: '^[^=]+=' },
  description: 'a list of key=value, or of maps',
}

/** Keys with text values. */
export function pairs(options: {
  title: string
  description: string
  examples: unknown[]
  default?: undefined
}) {
  return Type.Record(Type.String({ pattern: '^[^\\s=]+$' }), Type.String({ loose: [anyScalar] }), {
    expected: 'a map, or a list of key=value',
    default: {},
    loose: [pairList],
    ...options,
  })
}

/** A list that may be written as its only item. */
export function listOrOne<T extends Type.TSchema>(item: T, options: object) {
  return Type.Array(item, { default: [], loose: [item], ...options })
}

export const portNumber = { maximum: greatestPort, expected: 'a port number from 1 to 65535' }

/** Seconds, or a duration. */
export function seconds(from: number, to: number) {
  return {
    minimum: from,
    maximum: to,
    loose: [quantity],
    expected: `${durationForms}, from ${from} to ${to} seconds`,
  }
}

/** The seed's list of single-key maps, in place of one map of these kinds or of several of them. */
export function singleKeyMaps(...kinds: readonly { readonly properties: object }[]) {
  const forms = new Map<string, unknown[]>()
  for (const [key, schema] of kinds.flatMap(({ properties }) => Object.entries(properties)))
    forms.set(key, [...(forms.get(key) ?? []), schema])
  const properties = [...forms].map(([key, schemas]) => [
    key,
    schemas.length === 1 ? schemas[0] : { anyOf: schemas },
  ])
  return {
    type: 'array',
    items: {
      type: 'object',
      minProperties: 1,
      maxProperties: 1,
      properties: Object.fromEntries(properties) as object,
      additionalProperties: false,
    },
    description: 'a list of single-key maps',
  }
}
