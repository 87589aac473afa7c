// The life of a unit as systemd lives it, as a pure machine: an event comes in, a new state and effects come out.
// Nothing here knows how a process is made or found; `io/process/unit-runner.ts` does what the effects say.
//
//   start-pre → start → start-post → running | exited → stop → stop-sigterm → stop-sigkill → stop-post → …
//   … → final-sigterm → final-sigkill → dead | failed | auto-restart (→ start-pre)
//
// Two rules go beyond systemd, both so that there are never two copies: a unit whose processes outlive SIGKILL
// (or outlive its stop signal under SendSIGKILL=no) stays deactivating until they are gone; and what cannot be
// run at all (no such program) is not tried again by the restart rule.
import { assertNever } from '../lib/invariant.js'
import type { Instant } from '../lib/time.js'
import type { UnitExit, UnitFailure } from '../model/unit.js'
import type { ExecCommand } from '../unit/exec.js'
import { decideRestart, isIn } from './restart.js'
import type { CommandList, Service } from './service.js'
import {
  activeOf,
  isAtRest,
  isSameProcess,
  type ProcessId,
  type Result,
  type Role,
  type SubState,
  type UnitState,
} from './state.js'

export type UnitEvent =
  | { readonly kind: 'start' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'spawned'; readonly role: Role; readonly process: ProcessId }
  | { readonly kind: 'spawn-failed'; readonly role: Role; readonly failure: UnitFailure }
  /** Both null: it has ended and nobody saw how. */
  | {
      readonly kind: 'exited'
      readonly role: Role
      readonly code: number | null
      readonly signal: string | null
    }
  /** The answer to `lingering`: how many processes of the run there are besides main and control. */
  | { readonly kind: 'leftovers'; readonly count: number }
  /** Nothing is in these sessions of the run any more. */
  | { readonly kind: 'sessions-ended'; readonly sessions: readonly ProcessId[] }
  /** `deadlineAt` has come. */
  | { readonly kind: 'deadline' }
  | { readonly kind: 'over-memory' }

export type Effect =
  | { readonly kind: 'spawn'; readonly role: Role; readonly list: CommandList; readonly index: number }
  /** `group`: the process and what it started; `leftovers`: what the latest look found. */
  | {
      readonly kind: 'signal'
      readonly target: Role | 'main-group' | 'control-group' | 'leftovers'
      readonly signal: string
    }

interface Step {
  readonly state: UnitState
  readonly effects: readonly Effect[]
}

/** What a unit does about an event. */
export function step(service: Service, state: UnitState, event: UnitEvent, now: Instant): Step {
  const next = react(service, state, event, now)
  const changed = activeOf(next.state.sub) !== activeOf(state.sub)
  return changed ? { ...next, state: { ...next.state, since: now } } : next
}

function react(service: Service, state: UnitState, event: UnitEvent, now: Instant): Step {
  switch (event.kind) {
    case 'start':
      return onStart(service, state, now)
    case 'stop':
      return onStop(service, { ...state, stopAsked: true, again: false }, now)
    case 'spawned':
      return onSpawned(service, state, event.role, event.process, now)
    case 'spawn-failed':
      return onSpawnFailed(service, { ...state, spawning: null }, event.role, event.failure, now)
    case 'exited':
      return event.role === 'main'
        ? onMainExit(service, state, event, now)
        : onControlExit(service, state, event, now)
    case 'leftovers':
      return onLeftovers(service, state, event.count, now)
    case 'sessions-ended':
      return stay(withoutSessions(state, event.sessions))
    case 'deadline':
      return onDeadline(service, { ...state, deadlineAt: null }, now)
    case 'over-memory':
      if (state.main === null || isStopping(state.sub)) return stay(state)
      return { state: { ...state, overMemory: true }, effects: [signal('main-group', 'SIGKILL')] }
    default:
      return assertNever(event)
  }
}

function stay(state: UnitState): Step {
  return { state, effects: [] }
}

// Requests.

function onStart(service: Service, state: UnitState, now: Instant): Step {
  if (isAtRest(state)) return begin(service, { ...state, restarts: 0, attempt: 0, stopAsked: false }, now)
  if (state.sub === 'auto-restart') return begin(service, state, now)
  return stay(isStopping(state.sub) ? { ...state, again: true } : state)
}

function onStop(service: Service, state: UnitState, now: Instant): Step {
  switch (state.sub) {
    case 'auto-restart':
      return stay({ ...state, sub: state.result === 'success' ? 'dead' : 'failed', deadlineAt: null })
    case 'start-pre':
    case 'start':
    case 'start-post':
      return enterKill(service, state, 'stop-sigterm', 'success', now)
    case 'running':
    case 'exited':
      return runList(service, state, 'stop', 0, now)
    default:
      return stay(state)
  }
}

// A run, from its first command to its main process.

function begin(service: Service, state: UnitState, now: Instant): Step {
  const { intervalMs, burst } = service.startLimit
  // What is yet to come was before the clock was set back: when, nobody knows.
  const recent = state.starts.filter((at) => at > now - intervalMs && at <= now).slice(-burst)
  if (service.restart.kind === 'systemd' && intervalMs > 0 && burst > 0 && recent.length >= burst) {
    return stay({
      ...state,
      sub: 'failed',
      deadlineAt: null,
      result: 'start-limit-hit',
      failure: startLimitHit(burst, intervalMs),
    })
  }
  const fresh: UnitState = {
    ...state,
    run: state.run + 1,
    starts: [...recent, now].slice(-burst),
    sessions: [],
    lingering: false,
    leftoversSignalled: false,
    result: 'success',
    exit: null,
    failure: null,
    overMemory: false,
    mainSince: null,
    again: false,
  }
  return runList(service, fresh, 'start-pre', 0, now)
}

/** Runs the command at `index` of a list, or goes on to what follows the list. */
function runList(service: Service, state: UnitState, list: CommandList, index: number, now: Instant): Step {
  if (service.commands[list][index] === undefined) return afterList(service, state, list, now)
  const timeoutMs = list === 'stop' || list === 'stop-post' ? service.timeoutStopMs : service.timeoutStartMs
  const role = list === 'start' ? 'main' : 'control'
  return {
    state: { ...state, sub: list, index, spawning: role, deadlineAt: after(now, timeoutMs) },
    effects: [{ kind: 'spawn', role, list, index }],
  }
}

function afterList(service: Service, state: UnitState, list: CommandList, now: Instant): Step {
  switch (list) {
    case 'start-pre':
      return runList(service, state, 'start', 0, now)
    case 'start':
      return runList(service, state, 'start-post', 0, now)
    case 'start-post':
      return enterRunning(service, state, now)
    case 'stop':
      return enterKill(service, state, 'stop-sigterm', 'success', now)
    case 'stop-post':
      return enterKill(service, state, 'final-sigterm', 'success', now)
    default:
      return assertNever(list)
  }
}

function enterRunning(service: Service, state: UnitState, now: Instant): Step {
  if (state.main !== null) return stay({ ...state, sub: 'running', deadlineAt: null })
  if (state.result !== 'success') return enterKill(service, state, 'stop-sigterm', state.result, now)
  if (service.remainAfterExit) return stay({ ...state, sub: 'exited', deadlineAt: null })
  return runList(service, state, 'stop', 0, now)
}

// What becomes of processes.

function onSpawned(service: Service, state: UnitState, role: Role, process: ProcessId, now: Instant): Step {
  const known: UnitState = {
    ...state,
    spawning: null,
    [role]: process,
    sessions: [...state.sessions, process],
    ...(role === 'main' ? { mainSince: now } : {}),
  }
  if (isKilling(state.sub)) return { state: known, effects: killSignals(service, known) }
  if (role === 'main' && service.type !== 'oneshot') return runList(service, known, 'start-post', 0, now)
  return stay(known)
}

function onSpawnFailed(
  service: Service,
  state: UnitState,
  role: Role,
  failure: UnitFailure,
  now: Instant,
): Step {
  const ignored = commandOf(service, state)?.ignoreFailure === true && failure.permanent
  if (ignored && state.sub === 'start' && service.type !== 'oneshot') return enterRunning(service, state, now)
  if (ignored && isRunningList(state.sub)) return runList(service, state, state.sub, state.index + 1, now)
  return failedCommand(service, { ...state, failure: state.failure ?? failure }, role, 'resources', now)
}

type Exited = Extract<UnitEvent, { kind: 'exited' }>

function onMainExit(service: Service, before: UnitState, event: Exited, now: Instant): Step {
  const exit: UnitExit = { code: event.code, signal: event.signal, oom: before.overMemory, at: now }
  const ignored = before.sub === 'start' && commandOf(service, before)?.ignoreFailure === true
  const mainIgnored = service.type !== 'oneshot' && service.commands.start[0]?.ignoreFailure === true
  const result = ignored || mainIgnored ? 'success' : mainResult(service, before, exit)
  const failure = result === 'unseen' ? (before.failure ?? unseen) : before.failure
  const state: UnitState = {
    ...before,
    main: null,
    spawning: clearOf(before.spawning, 'main'),
    exit,
    failure,
    result: worse(before.result, result),
  }
  switch (state.sub) {
    case 'start':
      if (result !== 'success') return enterKill(service, state, 'stop-sigterm', result, now)
      return service.type === 'oneshot'
        ? runList(service, state, 'start', state.index + 1, now)
        : enterRunning(service, state, now)
    case 'running':
      return enterRunning(service, state, now)
    default:
      return goOnIfGone(service, state, now)
  }
}

function onControlExit(service: Service, before: UnitState, event: Exited, now: Instant): Step {
  const state: UnitState = { ...before, control: null, spawning: clearOf(before.spawning, 'control') }
  if (isKilling(state.sub)) return goOnIfGone(service, state, now)
  const clean = event.code === 0 || commandOf(service, state)?.ignoreFailure === true
  if (clean && isRunningList(state.sub)) return runList(service, state, state.sub, state.index + 1, now)
  const failed = { ...state, failure: state.failure ?? commandFailure(service, state, event) }
  return failedCommand(service, failed, 'control', controlResult(event), now)
}

/** A command that failed ends its list, and the unit goes on to its end. */
function failedCommand(service: Service, before: UnitState, role: Role, result: Result, now: Instant): Step {
  const state =
    before.failure === null && role === 'control'
      ? { ...before, failure: commandFailure(service, before, null) }
      : before
  if (isKilling(state.sub)) return goOnIfGone(service, state, now)
  return enterKill(service, state, state.sub === 'stop-post' ? 'final-sigterm' : 'stop-sigterm', result, now)
}

// The end: signals, what is left, and what comes after.

function enterKill(service: Service, before: UnitState, sub: KillState, result: Result, now: Instant): Step {
  const state: UnitState = {
    ...before,
    sub,
    result: worse(before.result, result),
    deadlineAt: after(now, service.timeoutStopMs),
    lingering: service.killMode !== 'process',
    leftoversSignalled: false,
  }
  const killed = { state, effects: killSignals(service, state) }
  return isGone(state) ? goOnIfGone(service, state, now) : killed
}

function killSignals(service: Service, state: UnitState): readonly Effect[] {
  const last = isSigkill(state.sub)
  const name = last ? 'SIGKILL' : service.killSignal
  const whole = service.killMode === 'control-group' || (service.killMode === 'mixed' && last)
  return [
    ...(state.main !== null ? [signal(whole ? 'main-group' : 'main', name)] : []),
    ...(state.control !== null ? [signal(whole ? 'control-group' : 'control', name)] : []),
    ...(whole && state.leftoversSignalled ? [signal('leftovers', name)] : []),
  ]
}

/** What is left gets the stop signal once the main process is gone; under `mixed` it is killed at once. */
function onLeftovers(service: Service, state: UnitState, count: number, now: Instant): Step {
  if (!isKilling(state.sub) || !state.lingering) return stay(state)
  if (count === 0) {
    const lingering = state.main !== null || state.control !== null
    return goOnIfGone(service, { ...state, lingering, sessions: lingering ? state.sessions : [] }, now)
  }
  if (state.leftoversSignalled || state.main !== null || state.control !== null) return stay(state)
  const name = service.killMode === 'mixed' || isSigkill(state.sub) ? 'SIGKILL' : service.killSignal
  return { state: { ...state, leftoversSignalled: true }, effects: [signal('leftovers', name)] }
}

function goOnIfGone(service: Service, state: UnitState, now: Instant): Step {
  if (!isKilling(state.sub) || !isGone(state)) return stay(state)
  const stopPostIsDue = state.sub === 'stop-sigterm' || state.sub === 'stop-sigkill'
  if (stopPostIsDue && service.commands['stop-post'].length > 0)
    return runList(service, state, 'stop-post', 0, now)
  return enterRest(service, state, now)
}

function enterRest(service: Service, ended: UnitState, now: Instant): Step {
  const state: UnitState = {
    ...ended,
    sub: ended.result === 'success' ? 'dead' : 'failed',
    deadlineAt: null,
    index: 0,
  }
  const restart = decideRestart(service, state, now)
  if (restart === null && state.again)
    return begin(service, { ...state, restarts: 0, attempt: 0, stopAsked: false }, now)
  if (restart === null) return stay(state)
  return stay({ ...state, sub: 'auto-restart', attempt: restart.attempt, deadlineAt: now + restart.waitMs })
}

function onDeadline(service: Service, state: UnitState, now: Instant): Step {
  switch (state.sub) {
    case 'auto-restart':
      return begin(service, { ...state, restarts: state.restarts + 1 }, now)
    case 'start-pre':
    case 'start':
    case 'start-post':
      return enterKill(
        service,
        { ...state, failure: state.failure ?? startTimeout },
        'stop-sigterm',
        'timeout',
        now,
      )
    case 'stop':
      return enterKill(service, state, 'stop-sigterm', 'timeout', now)
    case 'stop-post':
      return enterKill(service, state, 'final-sigterm', 'timeout', now)
    case 'stop-sigterm':
    case 'stop-sigkill':
      return harder(service, state, 'stop-sigkill', now)
    case 'final-sigterm':
    case 'final-sigkill':
      return harder(service, state, 'final-sigkill', now)
    default:
      return stay(state)
  }
}

/** The stop signal was not enough: SIGKILL, and again each time that even that has not ended it. */
function harder(service: Service, before: UnitState, sub: KillState, now: Instant): Step {
  const state: UnitState = { ...before, result: worse(before.result, 'timeout') }
  if (!service.sendSigkill) return stay(state)
  const killing: UnitState = { ...state, sub, deadlineAt: after(now, service.timeoutStopMs) }
  return {
    state: killing,
    effects: killSignals(
      { ...service, killMode: wholeOf(service) },
      { ...killing, leftoversSignalled: true },
    ),
  }
}

function wholeOf({ killMode }: Service): Service['killMode'] {
  return killMode === 'mixed' ? 'control-group' : killMode
}

/** A session of which a process was started meanwhile is none that has ended. */
function withoutSessions(state: UnitState, ended: readonly ProcessId[]): UnitState {
  const isEnded = (leader: ProcessId): boolean => ended.some((one) => isSameProcess(one, leader))
  return { ...state, sessions: state.sessions.filter((one) => !isEnded(one)) }
}

// Small questions.

type KillState = Extract<SubState, `${string}-sigterm` | `${string}-sigkill`>

function isKilling(sub: SubState): sub is KillState {
  return sub.endsWith('-sigterm') || sub.endsWith('-sigkill')
}

function isSigkill(sub: SubState): boolean {
  return sub.endsWith('-sigkill')
}

function isStopping(sub: SubState): boolean {
  return activeOf(sub) === 'deactivating'
}

function isRunningList(sub: SubState): sub is CommandList {
  return (
    sub === 'start-pre' || sub === 'start' || sub === 'start-post' || sub === 'stop' || sub === 'stop-post'
  )
}

function isGone(state: UnitState): boolean {
  return state.main === null && state.control === null && state.spawning === null && !state.lingering
}

function commandOf(service: Service, { sub, index }: UnitState): ExecCommand | undefined {
  return isRunningList(sub) ? service.commands[sub][index] : undefined
}

const cleanSignals: readonly string[] = ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGPIPE']

/** systemd's clean exits: status 0, what SuccessExitStatus= adds, and for daemons the signals that ask to end. */
function mainResult(service: Service, state: UnitState, exit: UnitExit): Result {
  if (exit.oom) return 'oom-kill'
  if (exit.code === 0 || isIn(service.success, exit)) return 'success'
  if (exit.code !== null) return 'exit-code'
  if (exit.signal === null) return isStopping(state.sub) ? 'success' : 'unseen'
  if (isStopping(state.sub) && exit.signal === service.killSignal) return 'success'
  return service.type !== 'oneshot' && cleanSignals.includes(exit.signal) ? 'success' : 'signal'
}

function controlResult({ code, signal: name }: Exited): Result {
  if (code !== null) return 'exit-code'
  return name === null ? 'unseen' : 'signal'
}

/** The first thing that went wrong is what the run came to. */
function worse(known: Result, result: Result): Result {
  return known === 'success' ? result : known
}

function clearOf(spawning: Role | null, role: Role): Role | null {
  return spawning === role ? null : spawning
}

function after(now: Instant, timeoutMs: number | null): Instant | null {
  return timeoutMs === null ? null : now + timeoutMs
}

function signal(target: Extract<Effect, { kind: 'signal' }>['target'], name: string): Effect {
  return { kind: 'signal', target, signal: name }
}

const unseen: UnitFailure = {
  code: 'process/exit-unseen',
  message: 'the program ended while no supervisor was running: its exit status is unknown',
  permanent: false,
}

const startTimeout: UnitFailure = {
  code: 'process/start-timeout',
  message: 'the unit did not start within TimeoutStartSec=',
  permanent: false,
}

function commandFailure(service: Service, state: UnitState, end: Exited | null): UnitFailure {
  const { sub } = state
  const option = isRunningList(sub) ? optionOf[sub] : 'the command'
  const { path } = commandOf(service, state) ?? {}
  const how = end?.signal != null ? `was ended by ${end.signal}` : `exited with status ${end?.code ?? '?'}`
  const which = end === null || path === undefined ? '' : `: ${path} ${how}`
  return { code: 'process/command-failed', message: `${option} failed${which}`, permanent: false }
}

const optionOf: Readonly<Record<CommandList, string>> = {
  'start-pre': 'ExecStartPre=',
  start: 'ExecStart=',
  'start-post': 'ExecStartPost=',
  stop: 'ExecStop=',
  'stop-post': 'ExecStopPost=',
}

function startLimitHit(burst: number, intervalMs: number): UnitFailure {
  return {
    code: 'process/start-limit',
    message: `it was started ${burst} times within ${intervalMs / 1000} s, the most that StartLimitBurst= allows`,
    permanent: false,
  }
}
