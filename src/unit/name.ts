// Unit names: fleet's rules for them, and the names that Mariposa gives to the units of its services.
import { invariant } from '../lib/invariant.js'
import type { UnitName } from '../model/unit.js'

/** Why text is no unit name, in fleet's words; null when it is one. */
export function unitNameProblem(text: string): string | null {
  if (text === '') return 'unit name cannot be empty'
  // A UTF-16 unit takes three bytes at most, so that few names have to be measured.
  if (text.length * 3 > 256 && new TextEncoder().encode(text).length > 256)
    return 'unit name exceeds maximum length (256)'
  const dot = text.lastIndexOf('.')
  if (dot === -1) return 'unit name must contain "."'
  if (dot === text.length - 1) return 'unit name cannot end in "."'
  const stem = text.slice(0, dot)
  const type = text.slice(dot + 1)
  if (!unitTypes.has(type)) return `invalid unit type: ${JSON.stringify(type)}`
  if (stem.indexOf('@') === stem.length - 1 && stem !== '' && !templateTypes.has(type)) {
    return `invalid unit type for template: ${JSON.stringify(type)}`
  }
  const bad = /[^a-zA-Z0-9:\-_.\\@]/u.exec(stem)?.[0]
  if (bad !== undefined) return `invalid character ${quoteCharacter(bad)} in unit name`
  return text.startsWith('@') ? 'unit name cannot start in "@"' : null
}

const unitTypes: ReadonlySet<string> = new Set(
  'automount busname device mount path scope service slice snapshot socket swap target timer'.split(' '),
)
const templateTypes: ReadonlySet<string> = new Set('path service socket target timer'.split(' '))

/** A character as Go prints it with %q. */
function quoteCharacter(char: string): string {
  if (char === "'") return "'\\''"
  const inner = JSON.stringify(char).slice(1, -1)
  return `'${inner === '\\"' ? '"' : inner}'`
}

/** Text as a unit name, or null when it is none. */
export function toUnitName(text: string): UnitName | null {
  return unitNameProblem(text) === null ? (text as UnitName) : null
}

/** The same for a name that people typed: one without a type is a service's, as for fleetctl. */
export function typedUnitName(text: string): UnitName | null {
  const typed = unitTypes.has(text.slice(text.lastIndexOf('.') + 1)) && text.includes('.')
  return toUnitName(typed ? text : `${text}.service`)
}

/** Text that must be a unit name; throws InvariantError otherwise. */
export function asUnitName(text: string): UnitName {
  const problem = unitNameProblem(text)
  invariant(problem === null, `${problem}: ${text}`)
  return text as UnitName
}

/** A unit name taken apart: `web@7.service` is prefix `web`, instance `7`, type `service`. */
interface NameParts {
  /** All before the type: `web@7`. */
  readonly stem: string
  readonly prefix: string
  /** Empty for a template, null for a name without `@`. */
  readonly instance: string | null
  readonly type: string
}

/** Takes a name apart as fleet does: the instance is all from the first `@` to the last dot. */
export function splitUnitName(name: UnitName): NameParts {
  const dot = name.lastIndexOf('.')
  const stem = name.slice(0, dot)
  const at = stem.indexOf('@')
  const type = name.slice(dot + 1)
  if (at === -1) return { stem, prefix: stem, instance: null, type }
  return { stem, prefix: stem.slice(0, at), instance: stem.slice(at + 1), type }
}

/** Whether it names a template: `web@.service`. */
export function isTemplate(name: UnitName): boolean {
  return splitUnitName(name).instance === ''
}

/** The template that an instance is made from (a template is its own); null for a plain unit. */
export function templateOf(name: UnitName): UnitName | null {
  const { prefix, instance, type } = splitUnitName(name)
  return instance === null ? null : asUnitName(`${prefix}@.${type}`)
}

/** The instance of a template with this instance part. */
export function withInstance(template: UnitName, instance: string | number): UnitName {
  invariant(isTemplate(template), `${template} is not a template`)
  const { prefix, type } = splitUnitName(template)
  return asUnitName(`${prefix}@${instance}.${type}`)
}

/** Which version of which service a unit is of. */
interface ServiceUnit {
  readonly project: string
  readonly service: string
  readonly ordinal: number
}

/** The template unit of a service version: `<project>.<service>.v<ordinal>@.service`. */
export function serviceTemplate({ project, service, ordinal }: ServiceUnit): UnitName {
  return asUnitName(`${project}.${service}.v${ordinal}@.service`)
}

/** Reads such a name back. `n` is null for the template; the result is null for a name that is none of ours. */
export function parseServiceUnit(name: UnitName): (ServiceUnit & { readonly n: number | null }) | null {
  const match = serviceUnitName.exec(name)
  const [, project, service, ordinal, n] = match ?? []
  if (project === undefined || service === undefined || ordinal === undefined) return null
  return { project, service, ordinal: Number(ordinal), n: n === undefined || n === '' ? null : Number(n) }
}

const serviceUnitName =
  /^([a-z0-9](?:[a-z0-9-]*[a-z0-9])?)\.([a-z0-9](?:[a-z0-9-]*[a-z0-9])?)\.v([1-9][0-9]{0,8})@([1-9][0-9]{0,14})?\.service$/
