// What becomes of one service: which instances to make, stop and remove so that the scale asked for is met, how a
// rollout goes on, and when tasks begin and are over. A pure function of the service, its instances and the time.
import { type Elapsed, elapsedAt } from '../lib/elapsed.js'
import { uuidOf } from '../lib/hash.js'
import { eachInSteps, type Steps, toEnd } from '../lib/sliced-work.js'
import { earlier, type Instant } from '../lib/time.js'
import { isBehind, made, type Service, withoutUsedInputs } from '../model/service.js'
import { instanceOf, isRollout, replacingOf, type Task, type TaskKind, type WayBack } from '../model/task.js'
import type { Begin, Finish, ServiceAction, ServicePlan, Settle } from './actions.js'
import { askedOnlyAfter } from './asked-only.js'
import {
  type Assessed,
  aboutTask,
  assess,
  deadlineLeftMs,
  heldUpLeftMs,
  isLive,
  isLostUnbegun,
  waitsForItsMachine,
} from './assess.js'
import { portion } from './changes-per-pass.js'
import { holdLeftMs, isMadeFor, lateAt, planFailures } from './failing.js'
import { wayBackFrom, withComeUp, withoutFailed } from './going-back.js'
import { handOverOf, takerUpAt } from './hand-over.js'
import { leavingFirst, leavingInVain } from './leave.js'
import { applyOrder } from './orders.js'
import { withHold } from './others-first.js'
import { stopsOf } from './progress.js'
import { beginsBeside, endedByFreeze, withRestartHeld } from './queue.js'
import { beginRestart, withoutSettledRestart } from './restarts.js'
import {
  absences,
  absenceWakeAt,
  failedSoon,
  forgivenAfterMs,
  isStopping,
  isStopUnseen,
  keptWakeAt,
  planRemovals,
  planStopLimits,
  retireFailing,
  retirements,
  retirePurged,
  retireStranded,
  runLeftMs,
} from './retire.js'
import { picksOf, rolesOf } from './roles.js'
import { oneMore, planScale, type Scaling, settled } from './scaling.js'
import { instancesAtATime, type ServiceSituation } from './situation.js'
import { hasSlots, heldSlots, lettingGo, planSlots, without } from './slots.js'

/** Decides the next steps for one service. */
export function planService(situation: ServiceSituation, now: Instant): ServicePlan {
  return toEnd(servicePlanSteps(situation, now))
}

/** The same a part at a time. */
export function* servicePlanSteps(known: ServiceSituation, now: Instant): Steps<ServicePlan> {
  if (known.frozen) return endFrozen(known, now)
  const turn = nextInLine(known, now)
  if (turn !== null) return turn
  const restart = restartFor(known, now)
  if (restart !== null) return restart
  const time = elapsedAt(now, known.jumps, known.connectedForMs)
  const situation = withHold(known, time)
  const assessed = yield* eachInSteps(situation.instances, instancesAtATime, (item) =>
    assess(item, situation.service, situation.tasks, time),
  )
  const failed = planFailures(situation, assessed, time)
  const { rollout } = situation.service
  // What fails with the rollout is its own; other tasks are judged by what is left once it has ended.
  const failures = failed.filter(({ task }) => isRollout(task))
  if (failures.length === 0) return yield* planInstances(situation, assessed, failed, time)
  // A rollout that failed ends before anything else is decided: nothing more is made or replaced for it.
  const back = wayBackFrom(situation.service, failures)
  const target = situation.versions.find(({ uuid }) => uuid === back?.to)
  if (back !== null && target !== undefined)
    return goBack(situation, back, target.ordinal, failures, assessed, now)
  const [why] = failures.map(({ error }) => error ?? '')
  const held = withRestartHeld(situation.service, why ?? '')
  const ended = { ...situation, service: { ...withoutFailed(held, failures), rollout: null } }
  if (rollout === null) return yield* planInstances(ended, assessed, failed, time)
  const left = assessed.map((item) => ({ ...item, outdated: false, fresh: false }))
  return yield* planInstances(ended, left, failures, time)
}

function unchanged(service: Service): ServicePlan {
  return { actions: [], service, wakeAt: null, replacements: 0 }
}

/**
 * Under a freeze nothing goes on. What was asked for in the very moment of the freeze, which did not see it yet, is ended
 * as if it had been there before: nobody waits for it, and nothing of it begins once the freeze is lifted.
 */
function endFrozen({ service, tasks }: ServiceSituation, now: Instant): ServicePlan {
  const held = tasks.filter(({ kind }) => kind !== 'freeze')
  if (held.length === 0) return unchanged(service)
  const { service: settled, over } = endedByFreeze(service, held, now)
  return { ...unchanged(settled), actions: over.map(({ before, task }) => ({ kind: 'end', before, task })) }
}

/** Begins the task that waits the longest, once nothing that it waits for is left. */
function nextInLine(situation: ServiceSituation, now: Instant): ServicePlan | null {
  const { tasks, service } = situation
  const task = tasks.find(({ state }) => state === 'queued')
  if (task === undefined || task.order === null) return null
  const active = tasks.filter(({ state }) => state === 'active')
  const holdsUp = (one: Task): boolean =>
    !beginsBeside(service, one.kind, task.kind) && !waitsForItsMachine(one, situation.instances)
  if (active.some(holdsUp)) return null
  const failing = (error: string): ServicePlan => {
    const failed: Finish = { kind: 'finish', task: { ...task, order: null }, state: 'failed', error }
    return { ...unchanged(service), actions: [failed], wakeAt: now }
  }
  const handOver = handOverOf(task, situation, now)
  if (handOver.kind === 'waits') return null
  if (handOver.kind === 'off') return failing(handOver.reason)
  const outcome = applyOrder(task.order, situation, now)
  if (outcome.kind === 'refused') return failing(outcome.message)
  const target = { scale: outcome.service.scale, version: outcome.service.current }
  // Only what is made from now on is its doing.
  const begun: Task = {
    ...task,
    state: 'active',
    order: null,
    target,
    createdAt: now,
    ...replacingOf(task.kind, outcome.service),
    ...instanceOf(task.kind, outcome.service),
    ...stopsOf(task.kind, service, outcome.service, situation),
  }
  return {
    ...unchanged(outcome.service),
    actions: [{ kind: 'begin', task: begun, told: outcome.told }],
    wakeAt: now,
  }
}

/** Begins what a change of the metadata asks for, or notes that it asks for nothing more. */
function restartFor(
  { service, restartDue = null, tasks }: ServiceSituation,
  now: Instant,
): ServicePlan | null {
  const restart = beginRestart(service, restartDue, tasks, now)
  if (restart !== null) {
    const task = automaticTask(restart.service, 'reprovision', now)
    const begin: Begin = { kind: 'begin', task, told: restart.told }
    return { ...unchanged(restart.service), actions: [begin], wakeAt: now }
  }
  const settled = withoutSettledRestart(service, restartDue)
  return settled === service ? null : { ...unchanged(settled), wakeAt: now }
}

/** Ends a rollout that failed, with what cannot come up of it, and begins the way back to the version before. */
function goBack(
  situation: ServiceSituation,
  back: WayBack,
  ordinal: number,
  failures: readonly Finish[],
  instances: readonly Assessed[],
  now: Instant,
): ServicePlan {
  const { service } = situation
  const { leftUpTo: _, askedOnly: __, ...rest } = withoutFailed(service, failures)
  const reverted: Service = {
    ...rest,
    ...askedOnlyAfter(situation, back.to),
    current: back.to,
    rollout: {
      ...service.rollout,
      parallel: back.parallel,
      deadlineMs: back.deadlineMs,
      startedAt: now,
      after: service.lastInstance,
      replaces: 'other-versions',
      revertTo: null,
    },
    failures: null,
    blocked: null,
  }
  const told = `${service.name} goes back to version ${ordinal}`
  const ended = failures.map((one) => ({ ...one, error: `${one.error ?? ''}; ${told}` }))
  const hopeless = instances.filter((item) => isLive(item) && item.fresh)
  return {
    ...unchanged(reverted),
    actions: [
      ...hopeless.flatMap(retireFailing),
      ...ended,
      { kind: 'begin', task: automaticTask(reverted, 'revert', now), told },
    ],
    wakeAt: now,
  }
}

/** What to make, stop and remove, and which tasks that begins and completes. */
function* planInstances(
  situation: ServiceSituation,
  instances: readonly Assessed[],
  failures: readonly Finish[],
  time: Elapsed,
): Steps<ServicePlan> {
  const { service } = situation
  const live = instances.filter(isLive)
  const retired = instances.filter((item) => !isLive(item))
  const [ending, endsMore] = portion(retirements(service, live, time))
  const ended = new Set(ending.map(({ instance }) => instance))
  const left = live.filter(({ instance }) => !ended.has(instance))
  const failing = ending.some((one) => failedSoon(one, time))
  yield
  const scaling = scalingOf(
    situation,
    left,
    retired,
    live.filter((item) => ended.has(item.instance)),
    failing,
    time,
  )
  const steps = leavingFirst(situation, live, [...ending, ...scaling.actions])
  yield
  const rolledOut = service.rollout !== null && isRolledOut(service, left, scaling)
  const stranded = rolledOut ? retireStranded(left) : retirePurged(service, left)
  const going = new Set([...steps, ...stranded].flatMap((one) => ('instance' in one ? [one.instance] : [])))
  const staying = live.filter((item) => !going.has(item.instance))
  const departures = departuresOf(service, staying, retired, time)
  yield
  const inVain = situation.tasks.flatMap((task) =>
    startedInVain(task, service, instances, [...steps, ...stranded]),
  )
  const open = situation.tasks.filter(
    (task) => ![...failures, ...inVain].some((failure) => failure.task === task),
  )
  const quiet = ending.length === 0 && scaling.actions.length === 0 && !scaling.short
  const { removals } = departures
  // A start of a run is about that alone, whatever is still to be made for others.
  const done = open.filter(
    (task) =>
      (quiet || task.instance !== undefined) &&
      isConverged(task, service, rolledOut, live, retired, removals, time),
  )
  const gone = service.deleting && live.length === 0 && isAllRemoved(retired, removals)
  return {
    actions: [
      ...steps,
      ...stranded,
      ...departures.actions,
      ...automatic(situation, open, scaling, time.now),
      ...(scaling.blocked === null ? [] : (situation.hold?.runs ?? [])),
      ...failures,
      ...inVain,
      ...done.map(complete),
    ],
    service: gone ? null : nextService(situation, left, failing, rolledOut, scaling, time),
    wakeAt: [
      scaling.wakeAt,
      wakeOf(situation, live, retired, open, time),
      absenceWakeAt([...live, ...departures.unseen], time),
      endsMore || departures.isMore ? time.now : null,
    ].reduce(earlier, null),
    replacements: scaling.replacements,
  }
}

/** What there is to do about instances that are on their way out, and about the absence of any. */
interface Departures {
  readonly actions: readonly ServiceAction[]
  readonly removals: readonly Settle[]
  /** Those whose end nobody has seen. */
  readonly unseen: readonly Assessed[]
  /** Some of it follows in the next plan. */
  readonly isMore: boolean
}

function departuresOf(
  service: Service,
  staying: readonly Assessed[],
  retired: readonly Assessed[],
  time: Elapsed,
): Departures {
  const removable = planRemovals(service, retired, time)
  const cleared = new Set(removable.map(({ instance }) => instance))
  const unseen = retired.filter((item) => isAwayOrWas(item, service, time) && !cleared.has(item.instance))
  const [notes, notesMore] = portion(absences([...staying, ...unseen], time))
  const [removals, removesMore] = portion(removable)
  const uncleared = retired.filter(({ instance }) => !cleared.has(instance))
  const [inVain, inVainMore] = portion(leavingInVain(service, uncleared))
  // Each unit is written once in a plan: what else there is to say of it follows in the next.
  const hurried = new Set(inVain.map(({ instance }) => instance))
  const unhurried = retired.filter(({ instance }) => !hurried.has(instance))
  const [limits, limitsMore] = portion(planStopLimits(unhurried, removable))
  return {
    actions: [...notes, ...inVain, ...limits, ...removals],
    removals,
    unseen,
    isMore: notesMore || removesMore || limitsMore || inVainMore,
  }
}

/** When a deadline, a wait or a keep of some instance is over, so that there is something to decide. */
function wakeOf(
  situation: ServiceSituation,
  live: readonly Assessed[],
  retired: readonly Assessed[],
  open: readonly Task[],
  time: Elapsed,
): Instant | null {
  const { service } = situation
  return [
    ...[...live, ...retired].map((item) => item.upAt),
    situation.hold?.wakeAt ?? null,
    takerUpAt(situation, time),
    time.wakeAt(holdLeftMs(situation, time) ?? 0),
    keptWakeAt(retired, time),
    ...live.map((item) => time.wakeAt(runLeftMs(item, time) ?? 0)),
    ...live.map((item) => (item.up ? null : time.wakeAt(deadlineLeftMs(item, service, time) ?? 0))),
    lateAt(open, live, time),
    service.failures === null ? null : time.wakeAt(time.left(service.failures.lastAt, forgivenAfterMs)),
    ...live.map((item) => time.wakeAt(heldUpLeftMs(item, time) ?? 0)),
  ].reduce(earlier, null)
}

/** What to make and retire for the scale. With its project a service stops after those that come after it. */
function scalingOf(
  situation: ServiceSituation,
  left: readonly Assessed[],
  retired: readonly Assessed[],
  ending: readonly Assessed[],
  failing: boolean,
  time: Elapsed,
): Scaling {
  const { service, stopFirst = [] } = situation
  if (stopFirst.length > 0 && left.length > 0)
    return { ...settled, blocked: `stops after ${stopFirst.join(', ')}`, short: true }
  const isContinuous = service.type === 'continuous'
  if (!isContinuous || service.deleting)
    return planScale(situation, left, isContinuous ? retired : [...retired, ...ending], failing, time)
  if (hasSlots(situation)) return planSlots(situation, left, [...retired, ...ending], failing, time)
  // The current version has no slots. Whoever holds one that an instance of another version has waits for that to go.
  const [letGo, isMore] = portion(lettingGo(heldSlots(situation), left))
  const scaling = planScale(situation, without(left, letGo), retired, failing, time)
  if (letGo.length === 0) return scaling
  const wakeAt = earlier(isMore ? time.now : null, scaling.wakeAt)
  return { ...scaling, actions: [...letGo, ...scaling.actions], wakeAt, short: true }
}

/** A task of the planner's own where instances are made that nobody has asked for: what failed or was lost. */
function automatic(
  { service, comesUp }: ServiceSituation,
  open: readonly Task[],
  scaling: Scaling,
  now: Instant,
): readonly Begin[] {
  const creates = scaling.actions.filter(({ kind }) => kind === 'create').length
  if (creates === 0 || open.length > 0 || service.type !== 'continuous') return []
  if (comesUp === true) {
    const task = automaticTask(service, 'start', now)
    return [{ kind: 'begin', task, told: `${service.name} starts: it no longer waits for other services` }]
  }
  const told = `${creates} instance${creates === 1 ? '' : 's'} of ${service.name} ${creates === 1 ? 'is' : 'are'} replaced`
  return [{ kind: 'begin', task: automaticTask(service, 'replace', now), told }]
}

function automaticTask(service: Service, kind: TaskKind, now: Instant): Task {
  return {
    uuid: uuidOf('task', service.uuid, kind, String(now), String(service.lastInstance)),
    project: service.project,
    service: service.name,
    kind,
    state: 'active',
    target: { scale: service.scale, version: service.current },
    createdAt: now,
    finishedAt: null,
    error: null,
    order: null,
    by: null,
    ...replacingOf(kind, service),
  }
}

function isAllRemoved(retired: readonly Assessed[], removals: readonly Settle[]): boolean {
  return removals.length === retired.length && removals.every(({ kind }) => kind === 'remove')
}

/** The record with what this plan changes in it. */
function nextService(
  { service: before, versions }: ServiceSituation,
  live: readonly Assessed[],
  failing: boolean,
  rolledOut: boolean,
  scaling: Scaling,
  time: Elapsed,
): Service {
  const service = failing ? before : withComeUp(before, versions, live, rolledOut)
  const created = scaling.actions.flatMap((action) => (action.kind === 'create' ? [action.n] : []))
  const steady = live.length === service.scale && live.every((item) => item.up)
  const forgiven =
    steady && service.failures !== null && time.left(service.failures.lastAt, forgivenAfterMs) <= 0
  const stopped = service.stopping !== null && !live.some((item) => isStopping(service, item.instance))
  const same = created.length === 0 && !failing && !rolledOut && !forgiven && !stopped
  if (same && scaling.blocked === service.blocked) return service
  const next: Service = {
    ...service,
    rollout: rolledOut ? null : service.rollout,
    failures: failing ? oneMore(service, time.now) : forgiven ? null : service.failures,
    stopping: stopped ? null : service.stopping,
    blocked: scaling.blocked,
  }
  return withoutUsedInputs(made(next, Math.max(service.lastInstance, ...created)))
}

/** Nothing is left to make way, and all that it is about is up. Until then it can fail. */
function isRolledOut(service: Service, live: readonly Assessed[], scaling: Scaling): boolean {
  const there = live.filter(({ state }) => state !== 'lost')
  const { going, awaited } = rolesOf(service, there)
  if (scaling.short || going.length > 0 || !awaited.every((item) => item.up)) return false
  return awaited.length >= picksOf(service)
}

/** Runs that were told to stop, and whose machine is away, or was a moment ago. */
function isAwayOrWas(item: Assessed, service: Service, time: Elapsed): boolean {
  return service.type !== 'continuous' && (item.instance.lost !== null || isStopUnseen(item, service, time))
}

function complete(task: Task): Finish {
  return { kind: 'finish', task, state: 'completed', error: null }
}

/**
 * The failure of a start whose run is to stop before it was seen to begin, or was told to before there was an instance of
 * it; empty for any other task.
 */
function startedInVain(
  task: Task,
  service: Service,
  instances: readonly Assessed[],
  steps: readonly ServiceAction[],
): readonly Finish[] {
  if (task.state !== 'active' || task.instance === undefined) return []
  const inVain = (name: string, why: string): readonly Finish[] => {
    const error = `${name} was withdrawn before it started: ${why}`
    return [{ kind: 'finish', task, state: 'failed', error }]
  }
  const item = instances.find(({ instance }) => instance.n === task.instance)
  // The instance of a start that is not over goes with a plan that ends the start: one that is missing was never made.
  if (item === undefined)
    return isBehind(service, task.instance) && !service.deleting
      ? inVain(`${service.name}-${task.instance}`, 'the service was told to stop')
      : []
  if (!isLive(item) || item.report?.launched === true) return []
  const going = steps.find((step) => step.kind === 'retire' && step.instance === item.instance)
  return going?.kind === 'retire' ? inVain(item.instance.name, going.reason) : []
}

/** Whether a task is done, when nothing is left to be made or retired. */
function isConverged(
  task: Task,
  service: Service,
  rolledOut: boolean,
  live: readonly Assessed[],
  retired: readonly Assessed[],
  removals: readonly Settle[],
  time: Elapsed,
): boolean {
  if (isRollout(task) && service.rollout !== null && !rolledOut) return false
  if (live.some((item) => isLostUnbegun(task, item))) return false
  const there = aboutTask(task, live).filter(({ state }) => state !== 'lost')
  const outdated = there.filter((item) => item.outdated).length
  const forDrain = service.rollout === null && task.kind !== 'replace'
  if (task.state === 'queued' || (outdated > 0 && !forDrain)) return false
  const cleared = new Set(removals.filter(({ kind }) => kind !== 'unload').map(({ instance }) => instance))
  const leaving = aboutTask(task, retired).some(
    (item) =>
      (item.unloading || item.instance.retired?.kept !== true) &&
      !cleared.has(item.instance) &&
      // An end that nobody can see holds up the order to stop alone.
      (task.kind === 'stop' || !isStopUnseen(item, service, time)),
  )
  if (leaving) return false
  if (service.deleting) return live.length === 0
  const missing = there.filter((item) => !item.up && !isNoneOf(task, item, time)).length
  if (service.type !== 'continuous')
    return missing === 0 && service.lastInstance >= (task.instance ?? service.starts)
  // What is made in place of those on machines that are drained is no part of the task.
  const ahead = forDrain ? Math.max(0, Math.min(outdated, there.length - service.scale)) : 0
  return there.length - ahead === service.scale && missing <= ahead
}

/** An instance that a rollout leaves alone does not hold it up when it is in trouble. */
function isNoneOf(task: Task, item: Assessed, time: Elapsed): boolean {
  return isRollout(task) && !isMadeFor(task, item, time)
}
