// The JSON Schemas for editors: the canonical schema, widened to every form that an author may write.
import { serviceManifestSchema } from './schema.js'

type Schema = Readonly<Record<string, unknown>>

const dialect = 'https://json-schema.org/draft/2020-12/schema'

/** The schema of a service manifest: canonical and loose forms. */
export function publishedServiceSchema(): Schema {
  return { $schema: dialect, ...serviceSchema() }
}

/** The schema of a project manifest: services by name. */
export function publishedProjectSchema(): Schema {
  return {
    $schema: dialect,
    title: 'Project manifest',
    description: 'Several services that are deployed as one change.',
    type: 'object',
    required: ['services'],
    properties: {
      services: {
        description: 'The services by name.',
        type: 'object',
        additionalProperties: { $ref: '#/$defs/service' },
      },
    },
    additionalProperties: false,
    $defs: { service: serviceSchema() },
  }
}

function serviceSchema(): Schema {
  const { properties, ...rest } = widened({ ...serviceManifestSchema }) as {
    properties: Record<string, Schema>
  }
  const tags = { ...properties['labels'], title: 'Tags', description: 'Another name of `labels`.' }
  return { ...rest, properties: { ...properties, tags }, ...byComputeType }
}

/** What depends on the compute type, for which types have no words. */
const byComputeType = {
  if: { properties: { compute_type: { const: 'process' } }, required: ['compute_type'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { anyOf: [{ required: ['command'] }, { required: ['entrypoint'] }], properties: { image: false } },
  else: { required: ['image'] },
}

const ownWords = ['expected', 'loose', 'needs', 'discriminator']
const annotations = ['title', 'description', 'default', 'examples']

function widened(schema: Schema): Schema {
  const words = Object.entries(schema).filter(([word]) => !ownWords.includes(word))
  const plain = Object.fromEntries(words.map(([word, value]) => [word, widenedWord(word, value)]))
  const canonical = Array.isArray(schema['needs']) ? { ...plain, required: schema['needs'] } : plain
  const loose: unknown = schema['loose']
  if (!Array.isArray(loose)) return canonical
  const about = Object.entries(canonical).filter(([word]) => annotations.includes(word))
  const check = Object.entries(canonical).filter(([word]) => !annotations.includes(word))
  return { ...Object.fromEntries(about), anyOf: [Object.fromEntries(check), ...loose] }
}

function widenedWord(word: string, value: unknown): unknown {
  if (word === 'items') return widened(value as Schema)
  if (word === 'oneOf') return (value as Schema[]).map(widened)
  if (word !== 'properties' && word !== 'patternProperties') return value
  return Object.fromEntries(
    Object.entries(value as Schema).map(([name, item]) => [name, widened(item as Schema)]),
  )
}
