// PUT of a unit: creates it, gives it other options, or sets what is wanted of it. Checks come in fleet's order.

import { refusedByPolicy } from '../../changes/admission.js'
import { writesFor } from '../../changes/unit-writes.js'
import type { Instant } from '../../lib/time.js'
import type { PolicyHere } from '../../model/policy.js'
import type { DesiredState, UnitName } from '../../model/unit.js'
import type { ClusterView } from '../../store/view.js'
import { checkOurs, oddSections } from '../../unit/check.js'
import { isTemplate, parseServiceUnit, toUnitName, unitNameProblem } from '../../unit/name.js'
import type { UnitFile, UnitOption } from '../../unit/parse.js'
import { maxUnitBytes, parseUnitAsFleet } from '../../unit/parse.js'
import { printInOrder, unitHash, unprintableOptions } from '../../unit/print.js'
import { fleetOptionsOf } from '../../unit/x-fleet.js'
import type { FleetFiles } from './files.js'
import { fieldsOf, parseWritten, textOf, WrittenObject } from './keys.js'
import { changed, type FleetOutcome, refused } from './outcome.js'

interface PutUnit {
  /** The name in the path. */
  readonly name: string
  /** Every `Content-Type` header. */
  readonly contentTypes: readonly string[]
  readonly body: string
}

export function putUnit(
  view: ClusterView,
  files: FleetFiles,
  put: PutUnit,
  now: Instant,
  policy: PolicyHere | null = null,
): FleetOutcome {
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
  return decide(view, files, name, entity, now, policy)
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
  policy: PolicyHere | null,
): FleetOutcome {
  const { options } = entity
  const unit = view.units.get(name)
  if (unit === undefined && options.length === 0)
    return refused(409, 'unit does not exist and options field empty')
  const wrong = options.length > 0 ? optionsProblem(options, name) : null
  if (wrong !== null) return refused(400, wrong)
  const text = printInOrder({ options })
  const isNew = unit === undefined || (options.length > 0 && unitHash(text) !== files.of(unit.hash).hash)
  if (!isNew && entity.desiredState === '') {
    return refused(409, 'must provide DesiredState to update existing unit')
  }
  const desired = readState(entity.desiredState || 'inactive')
  if (desired === null) return refused(400, `invalid desiredState: ${JSON.stringify(entity.desiredState)}`)
  if (isTemplate(name) && desired !== 'inactive') {
    return refused(400, `cannot activate template ${JSON.stringify(name)}`)
  }
  if (!isNew) {
    const outcome = changed(204, writesFor(view, [{ kind: 'want', unit, desired }], now))
    return unit.desired === 'launched' && desired === 'loaded' ? { ...outcome, stops: name } : outcome
  }
  const refusal = refusedByPolicy(view, asRead(text), name, policy)
  if (refusal !== null) return refused(403, refusal.message)
  return changed(201, writesFor(view, [{ kind: 'write', name, text, desired }], now))
}

/** What machines will read of a unit: blanks around a value are none of it. */
function asRead(text: string): UnitFile {
  return parseUnitAsFleet(text).file
}

function readState(text: string): DesiredState | null {
  return text === 'inactive' || text === 'loaded' || text === 'launched' ? text : null
}

/** The first thing that is wrong with options: that no file can hold them, or that they contradict each other. */
function optionsProblem(options: readonly UnitOption[], name: UnitName): string | null {
  const file = { options }
  const [unprintable] = unprintableOptions(file)
  if (unprintable !== undefined) return unprintable.message
  const [odd] = oddSections(file)
  if (odd !== undefined) return odd.message
  const text = printInOrder(file)
  if (new TextEncoder().encode(text).length > maxUnitBytes) return 'the unit is larger than 1 MiB'
  const read = asRead(text)
  const clash = fleetOptionsOf(read, name).diagnostics.find(
    ({ code }) => code === 'unit/unresolvable-requirements',
  )
  if (clash !== undefined) return clash.message
  return checkOurs(read, name).find(({ severity }) => severity === 'error')?.message ?? null
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
  if (!(value.json instanceof WrittenObject)) return { problem: 'a unit has to be an object' }
  const fields = fieldsOf(value.json, ['name', 'desiredState', 'options'])
  const [name, desiredState] = [textOf(fields.name), textOf(fields.desiredState)]
  if (name === undefined || desiredState === undefined)
    return { problem: 'name and desiredState have to be strings' }
  const options = optionsOf(fields.options)
  return options === null
    ? { problem: 'options has to be a list of objects with section, name and value' }
    : { name, desiredState, options }
}

/** The value of a JSON text, its objects as they were written, or what is wrong with it. */
export function readJson(text: string): { readonly json: unknown } | { readonly problem: string } {
  if (text.trim() === '') return { problem: 'EOF' }
  try {
    return { json: parseWritten(text) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'invalid JSON' }
  }
}

/** The options of all lists that are given: Go reads a later one into what it has of the earlier. Null: one is none. */
function optionsOf(lists: readonly unknown[]): readonly UnitOption[] | null {
  let options: readonly UnitOption[] = []
  for (const list of lists) {
    if (list !== null && !Array.isArray(list)) return null
    const read = (list ?? []).map((entry: unknown, at: number) => optionOf(entry, options[at] ?? blank))
    if (!read.every((one) => one !== null)) return null
    options = read
  }
  return options
}

const blank: UnitOption = { section: '', name: '', value: '', line: 0 }

/** An option, with what an earlier list said of it where this one says nothing; null where it is none. */
function optionOf(entry: unknown, before: UnitOption): UnitOption | null {
  if (!(entry instanceof WrittenObject)) return null
  const fields = fieldsOf(entry, ['section', 'name', 'value'])
  const [section, name, value] = [
    textOf([before.section, ...fields.section]),
    textOf([before.name, ...fields.name]),
    textOf([before.value, ...fields.value]),
  ]
  return section === undefined || name === undefined || value === undefined
    ? null
    : { section, name, value, line: 0 }
}
