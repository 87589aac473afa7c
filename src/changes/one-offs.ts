// Programs that run once beside the instances of a service: their records are made when they are asked for, and go with their end.
import type { OneOffProgram } from '../compile/one-off.js'
import { unitOfOneOff } from '../compile/version-unit.js'
import { uuidOf } from '../lib/hash.js'
import type { Instant } from '../lib/time.js'
import type { AdmissionSettings } from '../manifest/settings.js'
import { hasErrors } from '../model/diagnostic.js'
import type { EventDraft } from '../model/event.js'
import { describeExit } from '../model/instance-state.js'
import type { MachineId } from '../model/machine.js'
import type { Instance, Service, ServiceVersion } from '../model/service.js'
import type { DesiredUnit, UnitExit } from '../model/unit.js'
import { keys, putOf } from '../store/records.js'
import type { Op } from '../store/store.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { isVariableName } from '../unit/environment.js'
import { withInstance } from '../unit/name.js'
import { parseUnit } from '../unit/parse.js'
import { admit } from './admission.js'
import { isProblem, noSuchService, type Problem } from './problem.js'
import { isUnfit } from './run-variables.js'
import { type Change, emptyChange, eventOf, refusalOf } from './services.js'

/** What is asked for: a program, and which machine's daemon waits for its end. */
interface OneOffAsked extends OneOffProgram {
  readonly argv: readonly string[]
  readonly attendedBy: MachineId
  /** No other request has it. */
  readonly id: string
}

export interface OneOffChange extends Change {
  readonly instance: Instance
}

/** Most that a command and its variables have: the kernel takes less from the end of a page on. */
const longestText = 100_000

/** Makes an instance of the current version that runs another program once. Codes: `service/cannot-run`, and those of any change. */
export function startOneOff(
  view: ClusterView,
  project: string,
  name: string,
  asked: OneOffAsked,
  settings: AdmissionSettings,
  now: Instant,
): OneOffChange | Problem {
  const service = view.services.get(serviceKey(project, name))
  if (service === undefined) return noSuchService(view, project, name)
  const refusal = refusalOf(view, project, name, service) ?? badText(asked)
  if (refusal !== null) return refusal
  const version = view.versions.get(service.current)
  if (version === undefined) return cannotRun(`the current version of ${name} cannot be read`)
  const bySituation = situationProblem(service, version)
  if (bySituation !== null) return bySituation
  const made = madeUnit(view, service, version, asked, settings)
  if (isProblem(made)) return made
  return changeOf(view, service, version, asked, made, now)
}

interface MadeUnit {
  readonly hash: string
  readonly text: string
}

function madeUnit(
  view: ClusterView,
  service: Service,
  version: ServiceVersion,
  asked: OneOffAsked,
  settings: AdmissionSettings,
): MadeUnit | Problem {
  const unit = unitOfOneOff(version, service.uuid, view.metaOf(service.project), settings, asked)
  if (unit.kind === 'problem') return cannotRun(unit.message)
  const { hash, text } = unit
  if (text === null) return cannotRun('its unit cannot be made')
  const file = parseUnit(text, version.template).file
  const details = admit(view, file, version.template, settings.policy ?? null)
  if (!hasErrors(details)) return { hash, text }
  return {
    ...cannotRun(details.find(({ severity }) => severity === 'error')?.message ?? 'no machine can run it'),
    details,
  }
}

function changeOf(
  view: ClusterView,
  service: Service,
  version: ServiceVersion,
  { argv, attendedBy, id }: OneOffAsked,
  { hash, text }: MadeUnit,
  now: Instant,
): OneOffChange {
  const n = Math.max(service.lastInstance, service.starts) + 1
  const { project, name } = service
  const uuid = uuidOf('instance', service.uuid, String(n))
  const unit = withInstance(version.template, String(n))
  const instance: Instance = {
    ...{ uuid, n, project, unit, name: `${name}-${n}`, service: name },
    ...{ version: version.uuid, ordinal: version.ordinal, createdAt: now },
    ...{ retired: null, lost: null, oneOff: { attendedBy, id } },
  }
  const desired: DesiredUnit = {
    name: unit,
    hash,
    desired: 'launched',
    instance: { project, service: name, name: instance.name, n, uuid, version: version.uuid },
    createdAt: now,
  }
  const file = view.files.has(hash) ? [] : [putOf('file', { hash, text })]
  const told = `${instance.name} runs ${argv[0] ?? ''} once`
  return {
    ...emptyChange,
    decidedOn: [keys.freezes(project)],
    ops: [
      putOf('service', { ...service, lastInstance: n }),
      ...file,
      putOf('instance', instance),
      putOf('unit', desired),
    ],
    events: [{ ...eventOf(service, 'run', told), instance: instance.name }],
    instance,
  }
}

function situationProblem(service: Service, { slotVolumes = [] }: ServiceVersion): Problem | null {
  const [volume] = slotVolumes
  if (volume !== undefined)
    return cannotRun(
      `the volume ${volume.name} can be used by one instance at a time, and an instance of the service has it`,
      `mariposa service exec runs a program beside an instance; scope: service shares a volume`,
    )
  if (service.type !== 'continuous' && service.starts > service.lastInstance)
    return cannotRun('earlier instances are still waiting to start', 'try again when they have started')
  return null
}

/** The writes of a step towards the end of an instance that runs once, and what is told of it. */
export interface OneOffEnd {
  readonly ops: readonly Op[]
  readonly events: readonly EventDraft[]
}

const nothing: OneOffEnd = { ops: [], events: [] }

/** Whether an instance is there that runs once, and not another one that has its number. */
export function isThere({ instances }: ClusterView, { unit, oneOff }: Instance): boolean {
  const there = instances.get(unit)?.oneOff
  return there !== undefined && there.attendedBy === oneOff?.attendedBy && there.id === oneOff.id
}

/**
 * The writes after which an instance cannot come to be any more whose making had an unknown outcome: it was decided on its
 * service's record as it was, so a request that is still on its way somewhere takes no effect once that is written anew.
 * None where the instance is there.
 */
export function preventOneOff(view: ClusterView, instance: Instance): OneOffEnd {
  const service = view.services.get(serviceKey(instance.project, instance.service))
  return service === undefined || isThere(view, instance)
    ? nothing
    : { ops: [putOf('service', service)], events: [] }
}

/**
 * Its program is over, or nobody waits for it any more: it leaves its machine, with what it wrote into volumes without a name. How
 * the program has ended is told here, as its machine sees what holds its place alone.
 */
export function stopOneOff(
  view: ClusterView,
  instance: Instance,
  code: number | null,
  now: Instant,
): OneOffEnd {
  const unit = view.units.get(instance.unit)
  if (unit === undefined || unit.desired === 'inactive' || !isThere(view, instance)) return nothing
  const report = view.reportOf(instance.unit)
  const isUp = unit.desired === 'launched' && report?.active === 'active'
  const exit: UnitExit = { code, signal: null, oom: false, at: now }
  const how = code === null ? 'is ended: the client that waited for it is gone' : describeExit(exit)
  const about = { project: instance.project, service: instance.service, instance: instance.name }
  const ended = { kind: 'instance-exited' as const, ...about, message: `${instance.name} ${how}` }
  return {
    ops: [
      putOf('instance', { ...instance, retired: { cause: 'finished', at: now, kept: false } }),
      putOf('unit', { ...unit, desired: 'inactive', deleteVolumes: true }),
    ],
    events: isUp ? [{ ...ended, machine: report.machine, data: { exit } }] : [],
  }
}

/** The writes that forget one that has left its machine. */
export function forgetOneOff(view: ClusterView, instance: Instance): OneOffEnd {
  const { project, service, name, n, unit } = instance
  const key = serviceKey(project, service)
  const hash = view.units.get(unit)?.hash
  if (hash === undefined || !isThere(view, instance)) return nothing
  const others = view.allInstancesOf(key).filter((one) => one.unit !== unit)
  const isUsed =
    view.versionsOf(key).some((version) => version.hash === hash) ||
    others.some((one) => view.units.get(one.unit)?.hash === hash)
  const about = { project, service, instance: name, machine: null }
  return {
    ops: [
      { op: 'delete', key: keys.instance(project, service, n) },
      { op: 'delete', key: keys.unit(unit) },
      ...(isUsed ? [] : [{ op: 'delete' as const, key: keys.file(hash) }]),
    ],
    events: [{ kind: 'instance-removed', ...about, message: `${name} is removed` }],
  }
}

function badText({ argv, environment }: OneOffAsked): Problem | null {
  const bad = (message: string): Problem => ({ status: 400, code: 'api/bad-request', message })
  if (argv.length === 0 || argv[0] === '') return bad('no command is given')
  const names = Object.keys(environment)
  const odd = names.find((name) => !isVariableName(name))
  if (odd !== undefined) return bad(`${JSON.stringify(odd)} cannot name a variable`)
  const texts = [...argv, ...Object.values(environment)]
  if (texts.some(isUnfit)) return bad('a word or a value holds a character that cannot be passed on')
  return texts.join('').length > longestText ? bad('the command and its variables are too long') : null
}

function cannotRun(message: string, hint?: string): Problem {
  return { status: 409, code: 'service/cannot-run', message, ...(hint !== undefined && { hint }) }
}
