// What fleet's commands do to units: which states each may be given in, and what it makes of them (seed: fleet-states).

import type {
  ChangedUnit,
  NamedUnit,
  SourceText,
  UnitChangeRequest,
  UnitChangeResponse,
  UnitVerb,
} from '../contract/contract.js'
import type { Instant } from '../lib/time.js'
import type { AdmissionSettings } from '../manifest/settings.js'
import { type Diagnostic, hasErrors } from '../model/diagnostic.js'
import type { DesiredState, UnitName } from '../model/unit.js'
import type { ClusterView } from '../store/view.js'
import { isTemplate, parseServiceUnit, templateOf, typedUnitName, unitNameProblem } from '../unit/name.js'
import { parseUnit } from '../unit/parse.js'
import { unitHash } from '../unit/print.js'
import { admit, isForProcesses } from './admission.js'
import type { Problem } from './problem.js'
import { rootWarning } from './root-warning.js'
import type { Change } from './services.js'
import { type UnitEdit, writesFor } from './unit-writes.js'

export interface UnitChange extends Change {
  readonly response: UnitChangeResponse
}

/** What the machine whose daemon is asked says of units. */
type ByMachine = Pick<AdmissionSettings, 'policy' | 'asRoot'>

/** Decides what a verb does to the units named: to all of them, or, with every reason at once, to none. */
export function changeUnits(
  view: ClusterView,
  request: UnitChangeRequest,
  now: Instant,
  { policy = null, asRoot = false }: ByMachine = {},
): UnitChange | Problem {
  const decided = request.units.map((unit) => changeUnit(view, request, unit, { policy, asRoot }))
  const names = decided.flatMap((one) => ('refusal' in one ? [] : [one.changed.name]))
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) return refuse(400, 'unit/named-twice', `${twice} is named twice`)
  const refusals = decided.flatMap((one) => ('refusal' in one ? [one.refusal] : []))
  const [first] = refusals
  if (first !== undefined) return refusals.length === 1 ? first : severalRefused(refusals)
  const edits = decided.flatMap((one) => ('refusal' in one ? [] : [one.edit]))
  return {
    ...writesFor(view, edits, now),
    tasks: [],
    response: {
      units: decided.flatMap((one) => ('refusal' in one ? [] : [one.changed])),
      warnings: decided.flatMap((one) => ('refusal' in one ? [] : one.warnings)),
    },
  }
}

/** fleet's table: what each verb asks for, and of units in which state it may be asked; null is one that is not there. */
const verbTable: Readonly<
  Record<UnitVerb, { readonly desired: DesiredState | null; readonly from: readonly (DesiredState | null)[] }>
> = {
  submit: { desired: 'inactive', from: [null] },
  load: { desired: 'loaded', from: [null, 'inactive'] },
  start: { desired: 'launched', from: [null, 'inactive', 'loaded'] },
  stop: { desired: 'loaded', from: ['launched'] },
  unload: { desired: 'inactive', from: ['launched', 'loaded'] },
  destroy: { desired: null, from: ['launched', 'loaded', 'inactive'] },
}

interface Decided {
  readonly changed: ChangedUnit
  readonly edit: UnitEdit
  readonly warnings: readonly Diagnostic[]
}

interface Refused {
  readonly refusal: Problem
}

function changeUnit(
  view: ClusterView,
  request: UnitChangeRequest,
  named: NamedUnit,
  by: ByMachine,
): Decided | Refused {
  const name = typedUnitName(named.name)
  if (name === null) return { refusal: badName(named.name) }
  if (parseServiceUnit(name) !== null) return { refusal: ofService(name) }
  const { desired, from } = verbTable[request.verb]
  const unit = view.units.get(name)
  const before = unit?.desired ?? null
  const replaces = request.replace === true && named.source !== undefined
  if (!from.includes(before) && !(replaces && from.includes(null))) {
    return { refusal: wrongState(request.verb, name, before) }
  }
  if (isTemplate(name) && desired !== null && desired !== 'inactive') return { refusal: aTemplate(name) }
  const changed: ChangedUnit = { name, before, desired }
  if (unit === undefined || (replaces && !isSame(view, unit.hash, named.source.text))) {
    return desired === null
      ? { refusal: unknown(name) }
      : submit(view, name, named, { ...changed, desired }, by)
  }
  if (named.source !== undefined && !isSame(view, unit.hash, named.source.text)) {
    return { refusal: differs(name, named.source) }
  }
  const edit: UnitEdit = desired === null ? { kind: 'remove', unit } : { kind: 'want', unit, desired }
  return { changed, edit, warnings: [] }
}

/** Takes a unit in with its own text, or with that of its template. */
function submit(
  view: ClusterView,
  name: UnitName,
  named: NamedUnit,
  changed: ChangedUnit & { readonly desired: DesiredState },
  by: ByMachine,
): Decided | Refused {
  const source = named.source ?? templateText(view, name) ?? named.template
  if (source === undefined) return { refusal: unknown(name) }
  const { file, diagnostics } = parseUnit(source.text, source.file)
  const problems = hasErrors(diagnostics)
    ? diagnostics
    : [...diagnostics, ...admit(view, file, name, by.policy).map(asWarningWhileNoneCan)].map((one) => ({
        file: source.file,
        ...one,
      }))
  if (hasErrors(problems)) return { refusal: invalid(name, problems) }
  // Under systemd a unit of one's own is what it is there, where most run as root.
  const isAsked = by.asRoot === true && isForProcesses(view, file, name)
  const ofRoot = isAsked ? rootWarning(file, name).map((one) => ({ file: source.file, ...one })) : []
  return {
    changed,
    edit: { kind: 'write', name, text: source.text, desired: changed.desired },
    warnings: [...problems, ...ofRoot],
  }
}

/** A unit that no machine can run yet waits for one, as in fleet. */
function asWarningWhileNoneCan(problem: Diagnostic): Diagnostic {
  return problem.code === 'deploy/no-driver' ? { ...problem, severity: 'warning' } : problem
}

function templateText(view: ClusterView, name: UnitName): SourceText | undefined {
  const template = isTemplate(name) ? null : templateOf(name)
  const unit = template === null ? undefined : view.units.get(template)
  const text = unit === undefined ? undefined : view.files.get(unit.hash)
  return unit === undefined || text === undefined ? undefined : { file: unit.name, text }
}

/** Whether a text says the same as the one of a unit: comments and blank lines do not count, as for fleet. */
function isSame(view: ClusterView, hash: string, text: string): boolean {
  const known = view.files.get(hash)
  return known === text || (known !== undefined && unitHash(known) === unitHash(text))
}

function wrongState(verb: UnitVerb, name: UnitName, before: DesiredState | null): Problem {
  if (before === null) return unknown(name)
  const states = verbTable[verb].from.map((state) => state ?? 'not submitted')
  return refuse(
    409,
    'unit/wrong-state',
    `${name} is ${before}: ${verb} is for units that are ${listed(states)}`,
    hints[`${verb} ${before}`] ?? 'mariposa unit files shows the states of units',
  )
}

/** What may have been meant instead. */
const hints: Readonly<Partial<Record<`${UnitVerb} ${DesiredState}`, string>>> = {
  'submit inactive': '--replace gives it another text',
  'submit loaded': '--replace gives it another text, and unloads it',
  'submit launched': '--replace gives it another text, and unloads it',
  'load launched': 'mariposa unit stop leaves it loaded',
  'stop inactive': 'it is not on any machine',
}

function listed(states: readonly string[]): string {
  return states.length === 1 ? (states[0] ?? '') : `${states.slice(0, -1).join(', ')} or ${states.at(-1)}`
}

function unknown(name: UnitName): Problem {
  const instance = templateOf(name)
  const hint =
    instance === null || isTemplate(name)
      ? 'mariposa unit files shows the units; to submit one, name its file'
      : `submit its template ${instance} first, or name its file`
  return refuse(404, 'unit/unknown', `there is no unit "${name}"`, hint)
}

function badName(name: string): Problem {
  return refuse(400, 'unit/bad-name', `"${name}": ${unitNameProblem(name) ?? 'is not a unit name'}`)
}

function ofService(name: UnitName): Problem {
  return refuse(
    403,
    'unit/of-service',
    `${name} belongs to a service, and can only be changed through the service`,
    'see mariposa service --help',
  )
}

function aTemplate(name: UnitName): Problem {
  const instance = name.replace('@.', '@1.')
  return refuse(
    400,
    'unit/is-template',
    `${name} is a template: only its instances run`,
    `name an instance of it, such as ${instance}`,
  )
}

function differs(name: UnitName, { file }: SourceText): Problem {
  return refuse(
    409,
    'unit/differs',
    `${name} is in the cluster with another text than ${file}`,
    'add --replace to give it this text, or leave the file out',
  )
}

function invalid(name: UnitName, details: readonly Diagnostic[]): Problem {
  const count = details.filter(({ severity }) => severity === 'error').length
  const message = `${name} has ${count === 1 ? 'a problem' : `${count} problems`}; nothing was changed`
  return { status: 422, code: 'unit/invalid', message, details }
}

/** Several at once: each with its own code, and the worst kind of status. */
function severalRefused(refusals: readonly Problem[]): Problem {
  const details = refusals.flatMap(({ code, message, hint, details: own = [] }): readonly Diagnostic[] =>
    own.length > 0 ? own : [{ code, severity: 'error', message, ...(hint !== undefined && { hint }) }],
  )
  const status = refusals.find(({ status: one }) => one === 400 || one === 422)?.status ?? 409
  return {
    status,
    code: 'unit/refused',
    message: `${refusals.length} units are refused; nothing was changed`,
    details,
  }
}

function refuse(status: Problem['status'], code: string, message: string, hint?: string): Problem {
  return { status, code, message, ...(hint !== undefined && { hint }) }
}
