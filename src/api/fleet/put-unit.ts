// PUT of a unit: creates it, gives it other options, or sets what is wanted of it. Checks come in fleet's order.
import type { Instant } from '../../lib/time.js'
import type { DesiredState, UnitName } from '../../model/unit.js'
import type { ClusterView } from '../../store/view.js'
import { isTemplate, parseServiceUnit, toUnitName, unitNameProblem } from '../../unit/name.js'
import type { UnitOption } from '../../unit/parse.js'
import { maxUnitBytes } from '../../unit/parse.js'
import { printInOrder, unitHash, unprintableOptions } from '../../unit/print.js'
import { fleetOptionsOf } from '../../unit/x-fleet.js'
import { readXMariposa } from '../../unit/x-mariposa.js'
import { writesFor } from '../unit-writes.js'
import type { FleetFiles } from './files.js'
import { changed, type FleetOutcome, refused } from './outcome.js'

export interface PutUnit {
  /** The name in the path. */
  readonly name: string
  /** Every `Content-Type` header. */
  readonly contentTypes: readonly string[]
  readonly body: string
}

export function putUnit(view: ClusterView, files: FleetFiles, put: PutUnit, now: Instant): FleetOutcome {
  const wrongType = contentTypeProblem(put.contentTypes)
  if (wrongType !== null) return refused(415, wrongType)
  const entity = readEntity(put.body)
  if ('problem' in entity) return refused(400, `unable to decode body: ${entity.problem}`)
  if (entity.name !== '' && entity.name !== put.name) {
    const names = [put.name, entity.name].map((name) => JSON.stringify(name))
    return refused(400, `name in URL ${names[0]} differs from unit name in request body ${names[1]}`)
  }
  const name = toUnitName(put.name)
  if (name === null) return refused(400, unitNameProblem(put.name) ?? '')
  if (parseServiceUnit(name) !== null) return refused(403, ofService(name))
  return decide(view, files, name, entity, now)
}

/** Why fleet's API does not change a unit of a service. */
export function ofService(name: UnitName): string {
  return `unit ${JSON.stringify(name)} belongs to a service, and is changed by it alone`
}

function decide(
  view: ClusterView,
  files: FleetFiles,
  name: UnitName,
  entity: UnitEntity,
  now: Instant,
): FleetOutcome {
  const { options } = entity
  const unit = view.units.get(name)
  if (unit === undefined && options.length === 0)
    return refused(409, 'unit does not exist and options field empty')
  const wrong = options.length > 0 ? optionsProblem(options, name) : null
  if (wrong !== null) return refused(400, wrong)
  const isNew = unit === undefined || (options.length > 0 && hashOf(options) !== files.of(unit.hash).hash)
  if (!isNew && entity.desiredState === '') {
    return refused(409, 'must provide DesiredState to update existing unit')
  }
  const desired = readState(entity.desiredState || 'inactive')
  if (desired === null) return refused(400, `invalid desiredState: ${JSON.stringify(entity.desiredState)}`)
  if (isTemplate(name) && desired !== 'inactive') {
    return refused(400, `cannot activate template ${JSON.stringify(name)}`)
  }
  if (!isNew) return changed(204, writesFor(view, [{ kind: 'want', unit, desired }], now))
  const text = printInOrder({ options })
  return changed(201, writesFor(view, [{ kind: 'write', name, text, desired }], now))
}

function hashOf(options: readonly UnitOption[]): string {
  return unitHash(printInOrder({ options }))
}

function readState(text: string): DesiredState | null {
  return text === 'inactive' || text === 'loaded' || text === 'launched' ? text : null
}

/** The first thing that is wrong with options: that no file can hold them, or that they contradict each other. */
function optionsProblem(options: readonly UnitOption[], name: UnitName): string | null {
  const file = { options }
  const [unprintable] = unprintableOptions(file)
  if (unprintable !== undefined) return unprintable.message
  if (new TextEncoder().encode(printInOrder(file)).length > maxUnitBytes)
    return 'the unit is larger than 1 MiB'
  const clash = fleetOptionsOf(file, name).diagnostics.find(
    ({ code }) => code === 'unit/unresolvable-requirements',
  )
  if (clash !== undefined) return clash.message
  const anywhere = { name, machine: { id: '0'.repeat(32), hostname: 'localhost' } }
  return (
    readXMariposa(file, anywhere).diagnostics.find(({ severity }) => severity === 'error')?.message ?? null
  )
}

function contentTypeProblem(values: readonly string[]): string | null {
  if (values.length !== 1) return `expected 1 Content-Type, got ${values.length}`
  const type = values[0]?.split(';')[0]?.trim()
  return type === 'application/json' ? null : 'only acceptable Content-Type is application/json'
}

/** What of a Unit entity counts; the rest is ignored. */
interface UnitEntity {
  readonly name: string
  readonly desiredState: string
  readonly options: readonly UnitOption[]
}

function readEntity(body: string): UnitEntity | { readonly problem: string } {
  const value = readJson(body)
  if ('problem' in value) return value
  if (typeof value.json !== 'object' || value.json === null || Array.isArray(value.json)) {
    return { problem: 'a unit has to be an object' }
  }
  const { name, desiredState, options } = value.json as Readonly<Record<string, unknown>>
  const listed = options ?? []
  if (!isTextOrNone(name) || !isTextOrNone(desiredState)) {
    return { problem: 'name and desiredState have to be strings' }
  }
  if (!Array.isArray(listed) || !listed.every(isOption)) {
    return { problem: 'options has to be a list of objects with section, name and value' }
  }
  return {
    name: name ?? '',
    desiredState: desiredState ?? '',
    options: listed.map((option) => ({
      section: option.section ?? '',
      name: option.name ?? '',
      value: option.value ?? '',
      line: 0,
    })),
  }
}

/** The value of a JSON text, or what is wrong with it. */
export function readJson(text: string): { readonly json: unknown } | { readonly problem: string } {
  if (text.trim() === '') return { problem: 'EOF' }
  try {
    return { json: JSON.parse(text) as unknown }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'invalid JSON' }
  }
}

type OptionEntity = Partial<Record<'section' | 'name' | 'value', string | null>>

function isOption(value: unknown): value is OptionEntity {
  if (typeof value !== 'object' || value === null) return false
  const { section, name, value: text } = value as Readonly<Record<string, unknown>>
  return [section, name, text].every(isTextOrNone)
}

/** Go takes null for a key that is not there. */
function isTextOrNone(value: unknown): value is string | null | undefined {
  return value === undefined || value === null || typeof value === 'string'
}
