// The canonical form against its JSON Schema, and the validator's findings in words, at their places in the text.
import type { ErrorObject, ValidateFunction } from 'ajv'
import { quotedBriefly } from '../lib/abridge.js'
import { nearest } from '../lib/nearest.js'
import type { ManifestCode, Notes, Span } from './notes.js'
import { nodeAt, stepsOf } from './pointer.js'
import type { ServiceManifest } from './schema.js'
import type { PackageList } from './schema-packages.js'
import type { MapNode } from './tree.js'
import { checkPackages, checkService, packagesSchema, serviceSchema } from './validators.js'

/** What the validators of a schema are, and what they check by. */
interface Checked<T> {
  readonly check: ValidateFunction<T>
  readonly schema: object
}

const service = { check: checkService, schema: serviceSchema } as unknown as Checked<ServiceManifest>
const packages = { check: checkPackages, schema: packagesSchema } as unknown as Checked<PackageList>

/** Where a canonical manifest was read from. */
interface Origin {
  readonly tree: MapNode
  /** Where the service's name stands; null when it is not in the text. */
  readonly name: Span | null
}

/** Whether a canonical form obeys the schema. Reports each way in which it does not. */
export function validate(manifest: unknown, origin: Origin, notes: Notes): manifest is ServiceManifest {
  return isValid(service, manifest, origin, notes)
}

/** The same of a package list. */
export function validatePackages(list: unknown, tree: MapNode, notes: Notes): list is PackageList {
  return isValid(packages, list, { tree, name: null }, notes)
}

function isValid<T>({ check, schema }: Checked<T>, value: unknown, origin: Origin, notes: Notes): value is T {
  if (check(value)) return true
  for (const error of check.errors ?? []) {
    const found = {
      ...error,
      data: valueAt(value, stepsOf(error.instancePath)),
      parentSchema: valueAt(schema, stepsOf(decodeURIComponent(error.schemaPath)).slice(0, -1)) as BareSchema,
    }
    reportError(found, origin, notes)
  }
  return false
}

/** What stands in a value under these keys. */
function valueAt(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce((within, step) => (within as Readonly<Record<string, unknown>>)[step], value)
}

/** What is said here of a schema. */
interface BareSchema {
  readonly expected?: string
  readonly secret?: boolean
  readonly properties?: object
}

/** An error with what is wrong, and what should be there. */
interface FoundError extends ErrorObject {
  readonly parentSchema: BareSchema
}

interface Finding {
  readonly code: ManifestCode
  readonly message: string
  readonly hint?: string
}

function reportError(error: FoundError, origin: Origin, notes: Notes): void {
  // Only says that something inside is wrong.
  if (error.keyword === 'oneOf' || error.keyword === 'if') return
  const steps = stepsOf(error.instancePath)
  const discriminated = error.keyword === 'discriminator' ? [String(error.params['tag'])] : []
  const place = nodeAt(origin.tree, [...steps, ...discriminated])
  if (error.keyword === 'required') {
    const missing = String(error.params['missingProperty'])
    const parent = place.rest.length === 0 && place.node.kind === 'map' ? place.node : undefined
    if (parent?.dropped?.includes(missing)) return
    notes.report('manifest/missing', place.node, `${labelOf([...steps, missing])} is missing`)
    return
  }
  const { code, message, hint } = steps[0] === 'name' ? badName(error, origin) : findingOf(error, steps)
  notes.report(code, steps[0] === 'name' ? origin.name : place.node, message, hint)
}

function badName(error: FoundError, { tree }: Origin): Finding {
  const isNamed = tree.entries.some(({ key }) => key.value === 'name')
  const label = labelLike(String(error.data))
  return {
    code: 'manifest/bad-name',
    message: `the name of the service is ${JSON.stringify(error.data)}, expected ${expectedOf(error)}`,
    ...(isNamed
      ? label !== '' && { hint: `write ${label}, for example` }
      : { hint: 'name it with `name:` in the file' }),
  }
}

/** A DNS label that looks like a text; empty where none of it can stay. */
function labelLike(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replace(/^-+|-+$/g, '')
}

function findingOf(error: FoundError, steps: readonly string[]): Finding {
  if (error.keyword === 'additionalProperties') {
    const extra = String(error.params['additionalProperty'])
    const known = Object.keys(error.parentSchema.properties ?? {})
    return {
      code: 'manifest/unknown-key',
      message: `${extra} does not belong to ${labelOf(steps)}`,
      hint: `known keys here are ${known.join(', ')}`,
    }
  }
  const discriminates = error.keyword === 'discriminator'
  const got = discriminates ? error.params['tagValue'] : error.data
  const label = labelOf(discriminates ? [...steps, String(error.params['tag'])] : steps)
  if (got === undefined)
    return { code: 'manifest/missing', message: `${label} is missing`, hint: `expected ${expectedOf(error)}` }
  const allowed: unknown = discriminates ? ['http', 'https', 'tcp', 'command'] : error.params['allowedValues']
  if (error.parentSchema.secret === true)
    return {
      code: 'manifest/bad-value',
      message: `${label} is not what it should be, expected ${expectedOf(error)}`,
    }
  const hint = typeof got === 'string' ? hintFor(got, expectedOf(error), allowed) : undefined
  return {
    code: 'manifest/bad-value',
    message: `${label} is ${shown(got)}, expected ${expectedOf(error)}`,
    ...(hint !== undefined && { hint }),
  }
}

/** YAML 1.1 read these as true and false. */
const formerBooleans: Readonly<Record<string, string>> = {
  ...{ on: 'true', yes: 'true', y: 'true' },
  ...{ off: 'false', no: 'false', n: 'false' },
}

function hintFor(got: string, expected: string, allowed: unknown): string | undefined {
  const boolean = formerBooleans[got.toLowerCase()]
  if (boolean !== undefined && expected.endsWith('true or false')) return `did you mean ${boolean}?`
  const near = Array.isArray(allowed) ? nearest(got, allowed.map(String)) : undefined
  return near === undefined ? undefined : `did you mean ${near}?`
}

function expectedOf({ parentSchema, message }: FoundError): string {
  return parentSchema.expected ?? message ?? 'another value'
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`
  return quotedBriefly(JSON.stringify(value))
}

/** The last key of a path, with the number of its list entry counted as people count. */
function labelOf(steps: readonly string[]): string {
  const last = steps.at(-1)
  if (last === undefined) return 'the manifest'
  return /^\d+$/.test(last) ? `entry ${Number(last) + 1} of ${labelOf(steps.slice(0, -1))}` : last
}
