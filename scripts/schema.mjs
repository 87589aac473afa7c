// Writes what derives from the schema in src/manifest/schema.ts: the JSON Schemas in schemas/, the reference part of
// docs/manifest.md, and the validators as the build does. With --check it writes nothing and fails when one of them is stale.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stringify } from 'yaml'
import { loadSchemas, validatorsFile, validatorsOf } from './validators.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const begin = '<!-- written by scripts/schema.mjs from here -->'
const end = '<!-- to here -->'

const schemas = await loadSchemas()
const service = schemas.publishedSchemas.service()
const files = {
  service: 'service-manifest',
  project: 'project-manifest',
  packages: 'package-list',
  config: 'daemon-config',
}
const page = await readFile(join(root, 'docs/manifest.md'), 'utf8')
const wanted = {
  ...Object.fromEntries(
    Object.entries(schemas.publishedSchemas).map(([name, make]) => [
      `schemas/${files[name]}.schema.json`,
      `${JSON.stringify(make(), null, 2)}\n`,
    ]),
  ),
  'docs/manifest.md': withReference(page, service),
  [validatorsFile]: await validatorsOf(schemas),
}
if (process.argv.includes('--check')) await check(wanted)
else await write(wanted)

async function check(files) {
  const stale = []
  for (const [path, text] of Object.entries(files)) {
    const present = await readFile(join(root, path), 'utf8').catch(() => '')
    if (present !== text) stale.push(path)
  }
  if (stale.length === 0) return
  process.stderr.write(`stale: ${stale.join(', ')}; run node scripts/schema.mjs\n`)
  process.exitCode = 1
}

async function write(files) {
  for (const [path, text] of Object.entries(files)) await writeFile(join(root, path), text)
}

function withReference(text, schema) {
  const [before, after] = [text.indexOf(begin), text.indexOf(end)]
  if (before === -1 || after === -1) throw new Error(`docs/manifest.md has lost its marks: ${begin} … ${end}`)
  const keys = Object.entries(schema.properties).map(([name, property]) => describeKey(name, property))
  return `${text.slice(0, before)}${begin}\n\n${keys.join('\n')}\n${text.slice(after)}`
}

function describeKey(name, property) {
  const lines = [`### \`${name}\``, '', property.description, '']
  if (property.default !== undefined) lines.push(`Default: \`${JSON.stringify(property.default)}\``, '')
  const choices = choicesOf(property)
  if (choices) lines.push(`One of ${choices}.`, '')
  lines.push(...partsOf(property))
  if (property.examples) {
    const examples = property.examples.map((example) => stringify({ [name]: example }).trimEnd())
    lines.push('```yaml', examples.join('\n# or\n'), '```', '')
  }
  return lines.join('\n')
}

function choicesOf(property) {
  const values = (property.enum ?? property.anyOf?.find((form) => form.enum)?.enum)?.map(
    (value) => `\`${value}\``,
  )
  return values?.join(', ')
}

/** The keys of a map, or of the maps in a list. */
function partsOf(property) {
  const maps = mapsIn(property).filter((form) => form.required)
  return [...new Map(maps.map((map) => [JSON.stringify(map), map])).values()].flatMap((map) => [
    `| ${titleOf(map)} | default | |`,
    '| --- | --- | --- |',
    ...Object.entries(map.properties)
      .filter(([, part]) => part.description !== '')
      .map(([name, part]) => describePart(name, part)),
    '',
  ])
}

function mapsIn(form) {
  if (typeof form !== 'object') return []
  if (form.$ref) return mapsIn(service.$defs[form.$ref.replace('#/$defs/', '')])
  const inner = [form.items, form.then, form.else, ...(form.anyOf ?? []), ...(form.oneOf ?? [])]
  return [
    ...(form.properties && !form.properties.rule ? [form] : []),
    ...inner.flatMap((one) => (one ? mapsIn(one) : [])),
  ]
}

/** Where there are several kinds of maps: for which of them the keys are. */
function titleOf({ properties }) {
  const type = properties.type?.enum
  if (type) return `key, for ${type.join(' and ')}`
  if (properties.aggregate) return 'key, for a metric'
  return properties.secret && properties.action ? 'key, for a URL' : 'key'
}

function describePart(name, part) {
  const preset = part.default === undefined ? '' : `\`${shown(part.default)}\``
  const choices = choicesOf(part)
  const says = [part.description, choices && !part.description?.includes('`') && `One of ${choices}.`]
  return `| \`${name}\` | ${preset} | ${says.filter(Boolean).join(' ').replaceAll('|', '\\|')} |`
}

function shown(value) {
  return typeof value === 'object' ? JSON.stringify(value) : value
}
