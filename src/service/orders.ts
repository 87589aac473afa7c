// What an order makes of a service's record, or why it cannot be carried out. The planner does the rest.
import { elapsedAt } from '../lib/elapsed.js'
import { assertNever } from '../lib/invariant.js'
import type { Instant } from '../lib/time.js'
import { claimOf, routesOfVersion } from '../model/entry.js'
import { instanceStateOf } from '../model/instance-state.js'
import type { Order, RolloutOrder } from '../model/order.js'
import { isNothing, type RunInput } from '../model/run-variables.js'
import {
  maxScale,
  type Rollout,
  type Service,
  type ServiceVersion,
  withAllStopped,
  withOneMoreStart,
} from '../model/service.js'
import type { TaskKind } from '../model/task.js'
import { askedOnlyAfter } from './asked-only.js'
import { assess, isInTrouble, isLive } from './assess.js'
import { waitingFirst, withoutWait } from './awaited.js'
import { goingBackTo } from './going-back.js'
import { isOpen, selectInstances } from './select.js'
import type { ServiceInstance } from './situation.js'

/** What an order is judged by. */
export interface OrderSituation {
  readonly service: Service
  readonly versions: readonly ServiceVersion[]
  /** May be gathered only when somebody asks for them. */
  readonly instances: readonly ServiceInstance[]
}

interface Ordered {
  readonly kind: 'ordered'
  readonly service: Service
  /** One sentence for the history. */
  readonly told: string
}

/** Why an order is refused: it is wrong in itself, names what is not there, or does not go with how things are. */
export interface Refused {
  readonly kind: 'refused'
  readonly because: 'invalid' | 'unknown' | 'conflict'
  readonly code: string
  readonly message: string
  readonly hint?: string
}

/** The record after an order. */
export function applyOrder(order: Order, situation: OrderSituation, now: Instant): Ordered | Refused {
  const { service } = situation
  switch (order.kind) {
    case 'scale':
      return applyScale(service, order.target)
    case 'start':
      return applyStart(situation, order)
    case 'stop':
      return applyStop(situation, order.version)
    case 'delete':
      return applyDelete(service, order)
    case 'rollout':
      return applyRollout(situation, order, now)
    default:
      return assertNever(order)
  }
}

/** The version that a word names within a service: its uuid, the beginning of that, or its ordinal. */
export function versionNamed(
  service: Pick<Service, 'name'>,
  versions: readonly ServiceVersion[],
  word: string,
): ServiceVersion | Refused {
  const number = word.startsWith(`${service.name}@`) ? word.slice(service.name.length + 1) : word
  const exact = versions.find(({ uuid, ordinal }) => uuid === word || String(ordinal) === number)
  const alike = word.length < 4 ? [] : versions.filter(({ uuid }) => uuid.startsWith(word))
  const [only, ...others] = exact === undefined ? alike : [exact]
  if (only !== undefined && others.length === 0) return only
  const message =
    others.length > 0
      ? `"${word}" is ambiguous: the uuids of several versions of ${service.name} begin with it`
      : `${service.name} has no version "${word}"`
  const hint = `mariposa service versions ${service.name} lists them`
  return { kind: 'refused', because: 'unknown', code: 'service/unknown-version', message, hint }
}

function ordered(service: Service, told: string): Ordered {
  return { kind: 'ordered', service, told }
}

function applyDelete(
  { handsOver: claims = [], ...service }: Service,
  { volumes, handsOver }: Extract<Order, { kind: 'delete' }>,
): Ordered {
  const told =
    handsOver === undefined
      ? `${service.name} is to be deleted`
      : `${service.name} is to be deleted: ${handsOver.join(', ')} ${handsOver.length === 1 ? 'serves' : 'serve'} in its place`
  return ordered(
    {
      ...service,
      scale: 0,
      // For a start, should the deletion be ended.
      stoppedFrom: service.type === 'continuous' ? (service.stoppedFrom ?? service.scale) : null,
      deleting: true,
      ...(volumes && { deleteVolumes: true }),
      ...(handsOver !== undefined && { handsOver: claims }),
      rollout: null,
    },
    told,
  )
}

/** The scale that an order asks for: 3, or +2 and -1 from what it is now; null where it says no number. */
export function scaleAfter(service: Service, target: string | number): number | null {
  const match = /^([+-]?)(\d{1,9})$/.exec(String(target))
  if (match === null) return null
  const amount = Number(match[2])
  if (match[1] === '') return amount
  return match[1] === '+' ? baseOf(service) + amount : baseOf(service) - amount
}

function baseOf({ scale, stoppedFrom }: Service): number {
  return stoppedFrom === null ? scale : 0
}

function applyScale(service: Service, target: string | number): Ordered | Refused {
  if (service.type !== 'continuous') return notContinuous(service, 'have a scale')
  const scale = scaleAfter(service, target)
  if (scale === null) return badScale(`"${target}" is not a scale`, 'write 3, +2 or -1')
  if (scale < 0 || scale > maxScale) {
    const message = `the scale of ${service.name} would be ${scale}: it has to be between 0 and ${maxScale}`
    return badScale(message, `it is ${baseOf(service)} now`)
  }
  const told = `scale of ${service.name} is set from ${service.scale} to ${scale}`
  return ordered({ ...service, scale, stoppedFrom: null }, told)
}

type StartOrder = Extract<Order, { kind: 'start' }>

function onlyOfRuns({ name }: Service): Refused {
  return {
    kind: 'refused',
    because: 'conflict',
    code: 'service/bad-variables',
    message: `${name} is continuous: only runs of event and scheduled services take variables and bodies of calls`,
    hint: 'set them in its manifest, under environment',
  }
}

/** What runs are given that wait is in the record of their service, which is written whole. */
function tooManyInputs({ name, inputs = [] }: Service): Refused | null {
  const chars = JSON.stringify(inputs).length
  if (chars <= mostInputChars) return null
  return {
    kind: 'refused',
    because: 'conflict',
    code: 'service/too-many-inputs',
    message: `${inputs.length - 1} runs of ${name} with variables or a body of their own are waiting already, and no more may wait`,
    hint: 'try again when some of them have started',
  }
}

const mostInputChars = 200_000

function badScale(message: string, hint: string): Refused {
  return { kind: 'refused', because: 'invalid', code: 'service/bad-scale', message, hint }
}

function notContinuous({ name, type }: Service, what: string): Refused {
  return {
    kind: 'refused',
    because: 'conflict',
    code: 'service/not-continuous',
    message: `${name} is of type ${type}: only continuous services ${what}`,
    hint: `mariposa service start ${name} runs one more instance`,
  }
}

/** A stopped service goes back to the scale it had; of others one more instance is started (contract §3). */
function applyStart(
  situation: OrderSituation,
  { version, inOrder, set = {}, body }: StartOrder,
): Ordered | Refused {
  const { service, versions } = situation
  const chosen = version === null ? null : versionNamed(service, versions, version)
  if (chosen !== null && 'kind' in chosen) return chosen
  const { name } = service
  const based = chosen === null ? service : { ...service, current: chosen.uuid, type: chosen.type }
  const at = chosen === null ? '' : ` of version ${chosen.ordinal}`
  const input: RunInput = { set, ...(body !== undefined && { body }) }
  if (based.type !== 'continuous') {
    const { service: begun } = withOneMoreStart(based, input)
    return tooManyInputs(begun) ?? ordered(begun, `one more instance of ${name}${at} is to run`)
  }
  if (!isNothing(input)) return onlyOfRuns(based)
  const live = situation.instances.filter(isLive).length
  if (live > 0) {
    return {
      kind: 'refused',
      because: 'conflict',
      code: 'service/already-running',
      message: `${name} is already running: it has ${live} instance${live === 1 ? '' : 's'}`,
      hint: `mariposa service scale ${name} +1 adds one`,
    }
  }
  const scale = Math.max(1, service.stoppedFrom ?? service.scale)
  const first = inOrder ? waitingFirst(versions.find(({ uuid }) => uuid === based.current)) : {}
  const started = { ...withoutWait(based), scale, stoppedFrom: null, failures: null, blocked: null, ...first }
  return ordered(started, `${name}${at} is to run at scale ${scale}`)
}

function applyStop(situation: OrderSituation, version: string | null): Ordered | Refused {
  const { service, versions } = situation
  const { name } = service
  if (version === null) {
    const stopped: Service =
      service.type === 'continuous'
        ? { ...service, scale: 0, stoppedFrom: service.stoppedFrom ?? service.scale }
        : withAllStopped(service)
    return ordered({ ...stopped, rollout: null }, `${name} is to stop`)
  }
  const known = versionNamed(service, versions, version)
  if ('kind' in known) return known
  const running = situation.instances.filter(
    ({ instance }) => instance.retired === null && instance.version === known.uuid,
  ).length
  const scale = service.type === 'continuous' ? Math.max(0, service.scale - running) : service.scale
  // The task of a rollout ends with it, and nothing is to be replaced that nobody follows.
  return ordered(
    { ...service, scale, stopping: known.uuid, rollout: null },
    `version ${known.ordinal} of ${name} is to stop`,
  )
}

/** What it was to hand over, and claims still, it has as before. */
function keptOf(handsOver: Service['handsOver'], version: ServiceVersion): Pick<Service, 'handsOver'> {
  const claims = new Set(routesOfVersion(version).map(claimOf))
  const kept = handsOver?.filter((claim) => claims.has(claim)) ?? []
  return kept.length === 0 ? {} : { handsOver: kept }
}

function applyRollout(situation: OrderSituation, order: RolloutOrder, now: Instant): Ordered | Refused {
  const { service, versions } = situation
  const version = versions.find(({ uuid }) => uuid === (order.version ?? service.current))
  if (version === undefined) return versionNamed(service, versions, order.version ?? '') as Refused
  if (order.version === null && service.type !== 'continuous')
    return notContinuous(service, 'are reprovisioned')
  const problem = problemOfScale(version, order.scale) ?? problemOfWidth(situation, order)
  if (problem !== null) return problem
  const chosen = chooseInstances(situation, order)
  if ('kind' in chosen) return chosen
  const { leftUpTo: _, askedOnly: __, handsOver, yields, ...rest } = service
  // Only another version claims its routes anew.
  const isSame = order.version === null || order.version === service.current
  const told =
    order.version === null
      ? `${describeChoice(chosen)} of ${service.name} ${chosen.count === 1 ? 'is' : 'are'} replaced`
      : `${service.name} ${version.uuid === service.current ? 'is deployed again at' : 'goes to'} version ${version.ordinal}${order.count === null ? '' : `, ${order.count} of ${situation.instances.length} instances first`}`
  return ordered(
    {
      ...rest,
      ...(isSame && yields && { yields }),
      ...keptOf(handsOver, version),
      ...leftAfter(service, order, chosen.replaces),
      ...askedOnlyAfter(situation, version.uuid),
      type: version.type,
      scale: order.scale ?? (version.type === 'continuous' ? service.scale : 0),
      stoppedFrom: order.scale === null ? service.stoppedFrom : null,
      current: version.uuid,
      rollout: version.type === 'continuous' ? rolloutOf(situation, order, chosen.replaces, now) : null,
      failures: null,
      blocked: null,
    },
    told,
  )
}

function rolloutOf(
  situation: OrderSituation,
  { version, rolling, deadlineMs, autoRevert }: RolloutOrder,
  replaces: Rollout['replaces'],
  now: Instant,
): Rollout {
  const { service } = situation
  const anew = version === service.current && replaces === 'other-versions' ? inTrouble(situation, now) : []
  return {
    parallel: rolling ?? 1,
    startedAt: now,
    after: service.lastInstance,
    replaces,
    ...(anew.length > 0 && { anew }),
    deadlineMs,
    revertTo: autoRevert && version !== null ? goingBackTo(situation, version) : null,
  }
}

function inTrouble({ service, instances }: OrderSituation, now: Instant): readonly number[] {
  return instances
    .map((item) => assess(item, service, [], elapsedAt(now)))
    .filter((item) => isLive(item) && isInTrouble(item) && item.state !== 'lost' && item.state !== 'unknown')
    .map(({ instance }) => instance.n)
}

function problemOfScale({ type, service }: ServiceVersion, scale: number | null): Refused | null {
  if (scale === null) return null
  if (type === 'continuous' && scale <= maxScale) return null
  const why = type === 'continuous' ? `${maxScale} is the most` : 'only continuous services have a scale'
  return badScale(`${service} cannot have the scale ${scale}: ${why}`, 'leave --scale out, or choose another')
}

/** `--rolling` is 1 to the number of instances (contract §3). */
function problemOfWidth(situation: OrderSituation, { rolling }: RolloutOrder): Refused | null {
  if (rolling === null) return null
  const { service } = situation
  const live = situation.instances.filter(isLive).length
  if (live === 0 || rolling <= live) return null
  const message = `${service.name} has ${live} instance${live === 1 ? '' : 's'}: --rolling ${rolling} is more than that`
  return { kind: 'refused', because: 'invalid', code: 'service/bad-rolling', message }
}

/** Which instances an order replaces: by rule where it is about all, by number where it picks some. */
function chooseInstances(
  situation: OrderSituation,
  { version, count, filter }: RolloutOrder,
): { readonly replaces: Rollout['replaces']; readonly count: number } | Refused {
  // How many those are, only the word about a reprovision tells.
  if (version !== null && count === null && isOpen(filter)) return { replaces: 'other-versions', count: 0 }
  const { service, instances } = situation
  const running = selectInstances(instances, filter, version ?? service.current).filter(
    ({ instance }) => version === null || instance.version !== version,
  )
  if (count === null && isOpen(filter)) {
    const { leftUpTo = 0, current } = service
    const left = running.filter(({ instance }) => instance.n <= leftUpTo)
    // What does not run just now, or was made by a canary of yet another version, is of an older version as well.
    const isPart = ({ instance }: ServiceInstance): boolean =>
      left.some((one) => one.instance.n === instance.n)
    const isAll = instances.some((item) => isLive(item) && item.instance.version !== current && !isPart(item))
    return isAll || left.length === 0
      ? { replaces: 'all', count: running.length }
      : { replaces: left.map(({ instance }) => instance.n), count: left.length }
  }
  if (running.length === 0) {
    const transit = instances.some((item) => isInTransition(item))
    return {
      kind: 'refused',
      because: 'conflict',
      code: 'service/nothing-selected',
      message: `no running instance of ${service.name} matches the selection`,
      hint: transit
        ? 'instances that are starting or stopping do not count: wait, then try again'
        : `mariposa service instances ${service.name} lists them`,
    }
  }
  if (count !== null && count > running.length) {
    const message = `${running.length} instance${running.length === 1 ? '' : 's'} of ${service.name} can be replaced: --count ${count} is more than that`
    return { kind: 'refused', because: 'invalid', code: 'service/bad-count', message }
  }
  const picked = running.slice(0, count ?? running.length).map(({ instance }) => instance.n)
  return { replaces: picked, count: picked.length }
}

function isInTransition(item: ServiceInstance): boolean {
  const state = instanceStateOf(item)
  return state === 'pending' || state === 'pulling' || state === 'starting' || state === 'stopping'
}

function describeChoice({
  replaces,
  count,
}: {
  readonly replaces: Rollout['replaces']
  readonly count: number
}): string {
  if (typeof replaces === 'string') return 'every instance'
  return `${count} instance${count === 1 ? '' : 's'}`
}

/** After a canary, and until all are replaced: those from before the first one are what a plain reprovision goes on with. */
function leftAfter(
  { leftUpTo, lastInstance }: Service,
  { count }: RolloutOrder,
  replaces: Rollout['replaces'],
): Pick<Service, 'leftUpTo'> {
  if (typeof replaces === 'string') return {}
  if (count !== null) return { leftUpTo: leftUpTo ?? lastInstance }
  // Picked by a filter, or left by a canary: neither is about all.
  return leftUpTo === undefined ? {} : { leftUpTo }
}

/** The kind of task that an order is. */
export function taskKindOf(
  order: Order,
): Extract<TaskKind, 'scale' | 'start' | 'stop' | 'delete' | 'reprovision' | 'deploy'> {
  if (order.kind !== 'rollout') return order.kind
  return order.version === null ? 'reprovision' : 'deploy'
}
