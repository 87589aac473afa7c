// The JSON Schemas for editors: the canonical schemas, extended by all forms that an author may write.
import { daemonConfigProperties } from '../model/daemon-config.js'
import { type Group, groups } from './grouped.js'
import { serviceManifestSchema } from './schema.js'
import { secretsSchema } from './schema-files.js'
import { healthcheck } from './schema-life.js'
import { packageListSchema } from './schema-packages.js'
import { trigger, webhook } from './schema-scaling.js'
import { ownWords, secretMark, template } from './schema-words.js'

type Schema = Readonly<Record<string, unknown>>

const dialect = 'https://json-schema.org/draft/2020-12/schema'

/** The schemas by name, as `mariposa manifest schema NAME` prints them. */
export const publishedSchemas = {
  service: publishedServiceSchema,
  project: publishedProjectSchema,
  packages: publishedPackagesSchema,
  config: publishedConfigSchema,
} as const satisfies Record<string, () => Schema>

/** The schema of a service manifest: canonical and loose forms. */
export function publishedServiceSchema(): Schema {
  return { $schema: dialect, ...serviceSchema(), ...conditions, $defs: sharedSchemas() }
}

/** The schema of a project manifest: services by name, and what they share. */
export function publishedProjectSchema(): Schema {
  const service = serviceSchema()
  const labels = {
    ...service.properties['labels'],
    description: 'Labels of all services; the labels of a service override them.',
  }
  return {
    $schema: dialect,
    title: 'Project manifest',
    description: 'Several services that are deployed as one change.',
    type: 'object',
    required: ['services'],
    properties: {
      name: {
        title: 'Project',
        description: 'The project that this manifest is for. A deploy to another project is refused.',
        type: 'string',
        examples: ['shop'],
      },
      defaults: {
        title: 'Defaults',
        description:
          'Default keys of all services. Maps are merged with those of a service; lists and scalars of a service replace the default.',
        $ref: '#/$defs/service',
        properties: { name: false },
        examples: [{ environment: { LOG_LEVEL: 'info' }, restart: 'always' }],
      },
      labels,
      tags: { ...labels, title: 'Tags', description: 'Another name of `labels`.' },
      services: {
        title: 'Services',
        description: 'The services by name.',
        type: 'object',
        minProperties: 1,
        examples: [{ web: { image: 'nginx' } }],
      },
    },
    // Keys that a service lacks may be in the defaults.
    if: { required: ['defaults'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { services: { additionalProperties: { $ref: '#/$defs/service' } } } },
    else: { properties: { services: { additionalProperties: { $ref: '#/$defs/complete' } } } },
    additionalProperties: false,
    $defs: {
      ...sharedSchemas(),
      service: { ...service, type: ['object', 'null'] },
      complete: { $ref: '#/$defs/service', type: 'object', ...conditions },
    },
  }
}

/** The schema of a package list. */
export function publishedPackagesSchema(): Schema {
  const { title, description, properties } = widened({ ...packageListSchema }, false) as {
    title: string
    description: string
    properties: Record<string, Schema>
  }
  const { packages } = properties
  const item = packages?.['items'] as Schema & { readonly properties: Record<string, Schema> }
  const { name: _name, ...unnamed } = item.properties
  const required = (item['required'] as string[]).filter((key) => key !== 'name')
  const list = { ...packages, items: { $ref: '#/$defs/package' } }
  const byName = {
    type: 'object',
    additionalProperties: { ...item, properties: unnamed, required },
    description: 'packages by name',
  }
  return {
    $schema: dialect,
    title,
    description,
    anyOf: [
      {
        type: 'object',
        required: ['packages'],
        properties: { packages: { anyOf: [{ $ref: '#/$defs/packages' }, byName] } },
        additionalProperties: false,
      },
      { $ref: '#/$defs/packages' },
    ],
    $defs: { packages: list, package: item },
  }
}

/** The schema of the daemon's configuration file. */
export function publishedConfigSchema(): Schema {
  return {
    $schema: dialect,
    title: 'Daemon configuration',
    description: 'Options of `mariposa daemon`, with the same names as on the command line.',
    type: 'object',
    properties: daemonConfigProperties,
    additionalProperties: false,
  }
}

function serviceSchema(): Schema & { readonly properties: Readonly<Record<string, Schema>> } {
  const schema = widened({ ...serviceManifestSchema }, true) as Schema & {
    properties: Record<string, Schema>
  }
  const grouped = [...groups].map(([name, group]) => [name, groupSchema(group, schema.properties)])
  return {
    ...schema,
    properties: { ...schema.properties, ...Object.fromEntries(grouped), tmpfs, secrets: secretsSchema },
  }
}

const tmpfsPath = { type: 'string', pattern: '^/[^:]+(:size=[^,:]+)?$|\\{\\{' }

/** A short form of `volumes`. */
const tmpfs: Schema = {
  title: 'Memory as directories',
  description:
    'Directories in memory, empty at each start: `/PATH`, or `/PATH:size=64M`. Short for `{tmpfs: true, path, size}` under `volumes`, which is the canonical form.',
  examples: [['/run', '/tmp:size=64M']],
  anyOf: [{ type: 'array', items: tmpfsPath }, tmpfsPath],
}

/** The schema of a group of keys, as in later drafts of the format. */
function groupSchema({ keys, plain }: Group, properties: Readonly<Record<string, Schema>>): Schema {
  const bare = ({ examples: _examples, default: _default, ...rest }: Schema): Schema => rest
  const own = keys.map((key) => [key, bare(properties[key] ?? {})] as const)
  const map = {
    type: 'object',
    minProperties: 1,
    properties: Object.fromEntries(own),
    additionalProperties: false,
  }
  const listed = keys.map((key) => `\`${key}\``).join(' and ')
  const alone = plain === null ? '' : ` A value that is not a map of these keys means \`${plain}\`.`
  const description = `A map with ${listed}, which mean the same as at the top level.${alone}`
  return plain === null
    ? { description, ...map }
    : { description, anyOf: [map, bare(properties[plain] ?? {})] }
}

/** Schemas that are used in several places. */
function sharedSchemas(): Schema {
  const once: Schema[] = [{ ...healthcheck }, { ...trigger }, { ...webhook }]
  return { template, ...Object.fromEntries(once.map((one) => [one['shared'], formsOf(one, true)])) }
}

const typeIs = (key: string, ...values: readonly string[]) => ({
  if: { properties: { [key]: { enum: values } }, required: [key] },
})

/** Conditions on compute_type and service_type that types cannot express. */
const conditions = {
  allOf: [
    {
      ...typeIs('compute_type', 'process'),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {
        anyOf: [{ required: ['command'] }, { required: ['entrypoint'] }],
        properties: { image: false },
      },
      else: {
        ...typeIs('compute_type', 'manta'),
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { required: ['command'], properties: { image: false } },
        else: { required: ['image'] },
      },
    },
    {
      ...typeIs('compute_type', 'infrastructure', 'lx', 'smartmachine', 'kvm', 'vm', 'hvm', 'manta'),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { entrypoint: false } },
    },
    {
      ...typeIs('service_type', 'scheduled'),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['schedule'] },
      else: { properties: { schedule: false } },
    },
  ],
}

const annotations = ['title', 'description', 'default', 'examples']
const templateRef = { $ref: '#/$defs/template' }

/** A schema in every form that an author may write; `templates`: whether a value may be a template. */
function widened(schema: Schema, templates: boolean): Schema {
  const { shared } = schema
  return typeof shared === 'string' ? { $ref: `#/$defs/${shared}` } : formsOf(schema, templates)
}

function formsOf(schema: Schema, templates: boolean): Schema {
  const words = Object.entries(schema).filter(
    ([word]) => !ownWords.includes(word) && word !== 'discriminator',
  )
  const plain = Object.fromEntries(words.map(([word, value]) => [word, widenedWord(word, value, templates)]))
  const canonical = withAliases(withNeeds(withoutMarks(plain, schema), schema), schema)
  const loose = ((schema['loose'] ?? []) as Schema[]).map((form) => widened(form, templates))
  const forms = templates && mayBeTemplate(schema) ? [...loose, templateRef] : loose
  if (forms.length === 0) return canonical
  const about = Object.entries(canonical).filter(([word]) => annotations.includes(word))
  const check = Object.entries(canonical).filter(([word]) => !annotations.includes(word))
  return { ...Object.fromEntries(about), anyOf: [Object.fromEntries(check), ...forms] }
}

/** Whether a template is a further form: not for a schema that accepts any text anyway, nor for a `fixed` one. */
function mayBeTemplate(schema: Schema): boolean {
  if (schema['fixed'] === true || takesAnyText(schema)) return false
  const { type, pattern, enum: words } = schema
  if (type === 'integer' || type === 'number' || type === 'boolean') return true
  return (
    type === 'string' &&
    (pattern !== undefined || words !== undefined) &&
    schema['description'] !== template.description
  )
}

/** Whether one of the loose forms accepts any text. */
function takesAnyText(schema: Schema): boolean {
  const loose = (schema['loose'] ?? []) as Schema[]
  return loose.some((form) => form['type'] === 'string' && form['pattern'] === undefined)
}

function withoutMarks(plain: Schema, schema: Schema): Schema {
  const { pattern } = plain
  if (schema['secret'] !== true || typeof pattern !== 'string') return plain
  return { ...plain, pattern: pattern.replace(`|${secretMark}`, '') }
}

/** Where the canonical form always has a key, an author may leave it out unless the schema says otherwise. */
function withNeeds(plain: Schema, schema: Schema): Schema {
  const needs = schema['needs'] as string[] | undefined
  if (needs === undefined) return plain
  const aliases = Object.entries((schema['aliases'] ?? {}) as Record<string, string>)
  const aliased = needs.flatMap((key) => {
    const names = [key, ...aliases.filter(([, name]) => name === key).map(([alias]) => alias)]
    return names.length > 1 ? [{ anyOf: names.map((name) => ({ required: [name] })) }] : []
  })
  const required = needs.filter((key) => !aliases.some(([, name]) => name === key))
  return { ...plain, required, ...(aliased.length > 0 && { allOf: aliased }) }
}

function withAliases(plain: Schema, schema: Schema): Schema {
  const aliases = Object.entries((schema['aliases'] ?? {}) as Record<string, string>)
  if (aliases.length === 0) return plain
  const properties = plain['properties'] as Record<string, Schema>
  const named = aliases.map(([alias, name]) => {
    const { examples: _examples, default: _default, ...rest } = properties[name] ?? {}
    return [alias, { ...rest, description: `Another name of \`${name}\`.` }] as const
  })
  return { ...plain, properties: { ...properties, ...Object.fromEntries(named) } }
}

function widenedWord(word: string, value: unknown, templates: boolean): unknown {
  if (['items', 'then', 'else', 'additionalProperties'].includes(word) && typeof value === 'object')
    return widened(value as Schema, templates)
  if (word === 'oneOf' || word === 'anyOf') return (value as Schema[]).map((form) => widened(form, templates))
  if (word !== 'properties' && word !== 'patternProperties') return value
  return Object.fromEntries(
    Object.entries(value as Schema).map(([name, item]) => [name, widened(item as Schema, templates)]),
  )
}
