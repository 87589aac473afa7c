// The canonical form against its JSON Schema, and the validator's findings in words, at their places in the text.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { nearest } from '../lib/nearest.js'
import type { ManifestCode, Notes, Span } from './notes.js'
import { nodeAt, stepsOf } from './pointer.js'
import { type ServiceManifest, serviceManifestSchema } from './schema.js'
import { type PackageList, packageListSchema } from './schema-packages.js'
import { ownWords } from './schema-words.js'
import type { MapNode } from './tree.js'

/** Compiled on first use: most commands of the CLI never read a manifest. */
const validator = once(() => compiled<ServiceManifest>(serviceManifestSchema))
const packageValidator = once(() => compiled<PackageList>(packageListSchema))

/** Where a canonical manifest was read from. */
export interface Origin {
  readonly tree: MapNode
  /** Where the service's name stands; null when it is not in the text. */
  readonly name: Span | null
}

/** Whether a canonical form obeys the schema. Reports each way in which it does not. */
export function validate(manifest: unknown, origin: Origin, notes: Notes): manifest is ServiceManifest {
  return isValid(validator(), manifest, origin, notes)
}

/** The same of a package list. */
export function validatePackages(list: unknown, tree: MapNode, notes: Notes): list is PackageList {
  return isValid(packageValidator(), list, { tree, name: null }, notes)
}

function compiled<T>(schema: object): ValidateFunction<T> {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    discriminator: true,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
  })
  ajv.addVocabulary(ownWords)
  return ajv.compile<T>(schema)
}

function isValid<T>(check: ValidateFunction<T>, value: unknown, origin: Origin, notes: Notes): value is T {
  if (check(value)) return true
  for (const error of check.errors ?? []) reportError(error, origin, notes)
  return false
}

interface Finding {
  readonly code: ManifestCode
  readonly message: string
  readonly hint?: string
}

function reportError(error: ErrorObject, origin: Origin, notes: Notes): void {
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
  const { code, message, hint } = steps[0] === 'name' ? badName(error) : findingOf(error, steps)
  notes.report(code, steps[0] === 'name' ? origin.name : place.node, message, hint)
}

function badName(error: ErrorObject): Finding {
  return {
    code: 'manifest/bad-name',
    message: `the name of the service is ${JSON.stringify(error.data)}, expected ${expectedOf(error)}`,
    hint: 'name it with `name:` in the file',
  }
}

function findingOf(error: ErrorObject, steps: readonly string[]): Finding {
  if (error.keyword === 'additionalProperties') {
    const extra = String(error.params['additionalProperty'])
    const known = Object.keys((error.parentSchema as { properties?: object }).properties ?? {})
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
  const allowed: unknown = discriminates ? ['http', 'https', 'command'] : error.params['allowedValues']
  if (error.parentSchema?.['secret'] === true)
    return {
      code: 'manifest/bad-value',
      message: `${label} is not what it should be, expected ${expectedOf(error)}`,
    }
  const near =
    Array.isArray(allowed) && typeof got === 'string' ? nearest(got, allowed.map(String)) : undefined
  return {
    code: 'manifest/bad-value',
    message: `${label} is ${shown(got)}, expected ${expectedOf(error)}`,
    ...(near !== undefined && { hint: `did you mean ${near}?` }),
  }
}

function expectedOf(error: ErrorObject): string {
  const expected: unknown = error.parentSchema?.['expected']
  return typeof expected === 'string' ? expected : (error.message ?? 'another value')
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 57)}…"` : text
}

/** The last key of a path, with the number of its list entry counted as people count. */
function labelOf(steps: readonly string[]): string {
  const last = steps.at(-1)
  if (last === undefined) return 'the manifest'
  return /^\d+$/.test(last) ? `entry ${Number(last) + 1} of ${labelOf(steps.slice(0, -1))}` : last
}

function once<T>(make: () => T): () => T {
  const made: T[] = []
  return () => {
    const value = made[0] ?? make()
    made[0] = value
    return value
  }
}
