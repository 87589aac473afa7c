// What Docker shows of a container, in systemd's words.
import { dockerBackoffMs } from '../../lib/backoff.js'
import { assertNever } from '../../lib/invariant.js'
import type { Instant } from '../../lib/time.js'
import { signalName } from '../../model/signal.js'
import type { ActiveState, ObservedUnit, UnitExit, UnitFailure, UnitReport } from '../../model/unit.js'
import type { ContainerEvent, Inspected } from './api.js'
import { startFailure } from './failure.js'
import { readCheckMark } from './image-check.js'
import type { Ownership } from './labels.js'
import { asksForRestart, policyOfRun, restartWaitMs, wasSteady } from './restart-policy.js'

interface KnownOfContainer {
  /** One that was asked to stop ended well, whatever its exit status says. */
  readonly stopAsked: boolean
  /** The exit status of its latest end that Docker told of; null where it has told of none. */
  readonly endedWith: number | null
  /** How many of its restarts no longer count for Docker's wait; none where that is left out. */
  readonly steadyRestarts?: number
  /** Its latest run did not end by itself: Docker was stopped. */
  readonly interrupted?: boolean
  /** How often it was restarted, where that is not left to Docker. */
  readonly ownRestarts?: number
  /** Somebody has stopped it through Docker: then nobody restarts it. */
  readonly isHalted?: boolean
  /** How the end was reported before that it shows now; null, or left out, for an end that was not. */
  readonly told?: UnitExit | null
}

/** A unit as its container shows it, and as its events told before. */
export function observe(container: Inspected, owner: Ownership, known: KnownOfContainer): ObservedUnit {
  const { State } = container
  const runsOnce = policyOfRun(container) !== null
  const restarts = runsOnce ? (known.ownRestarts ?? 0) : restartsOf(container)
  const isCutOff = runsOnce && known.interrupted === true
  const exit = known.told ?? (isCutOff ? cutOff(container) : exitOf(container, restarts, known.endedWith))
  const restartAt = isCutOff || exit?.cutOff === true ? null : ownRestartAt(container, restarts, known)
  const imageCheck = readCheckMark(container.Config.Labels, owner.unit)
  return {
    name: owner.unit,
    hash: owner.hash,
    driver: 'docker',
    load: 'loaded',
    ...(restartAt === null ? stateOf(container, exit, known.stopAsked) : awaitsRestart),
    since: sinceOf(container),
    pid: State.Pid > 0 ? State.Pid : null,
    containerId: container.Id,
    address: addressOf(container),
    restarts,
    ...(restartAt === null
      ? restartOf(container, known.steadyRestarts ?? 0)
      : { restartAt, restartIsDue: true as const }),
    exit,
    failure: failureOf(container),
    ...(known.interrupted === true && { interrupted: true }),
    ...(imageCheck !== null && { imageCheck }),
  }
}

/** Docker counts a restart when it begins to wait for it. */
function restartsOf({ RestartCount, State }: Inspected): number {
  return RestartCount - (State.Status === 'restarting' ? 1 : 0)
}

/** When a container is to be restarted whose restarts are not left to Docker; null for not at all. */
function ownRestartAt(
  container: Inspected,
  restarts: number,
  { stopAsked, isHalted = false, steadyRestarts = 0 }: KnownOfContainer,
): Instant | null {
  const { State } = container
  const policy = policyOfRun(container)
  if (policy === null || stopAsked || isHalted) return null
  if (!hasEnded(container) || failureOf(container) !== null) return null
  const endedAt = instantOf(State.FinishedAt)
  if (endedAt === null || !asksForRestart(policy, State.ExitCode, restarts)) return null
  return endedAt + restartWaitMs(restarts, steadyRestarts)
}

const awaitsRestart: StateWords = { active: 'activating', sub: 'auto-restart' }

/** Whether a container ran and does so no more, without a restart to come. */
export function hasEnded({ State }: Inspected): boolean {
  return (State.Status === 'exited' || State.Status === 'dead') && wasStarted(State)
}

/** Whether a container runs, or is to run again in a moment. */
export function isUp({ State }: Inspected): boolean {
  return State.Status === 'running' || State.Status === 'paused' || State.Status === 'restarting'
}

/** Whether a container ever ran; what it wrote then may be all that there is of it. */
export function wasStarted(state: Inspected['State']): boolean {
  return instantOf(state.StartedAt) !== null
}

/** How long after its own start Docker ends what it finds running from before. */
const endsLeftoversWithinMs = 60_000

/** Whether what has ended, and was never seen before, ended with its machine or with Docker: not by itself. */
export function endedWithHost(
  { StartedAt, FinishedAt }: Pick<Inspected['State'], 'StartedAt' | 'FinishedAt'>,
  { bootedAt, startedAt }: { readonly bootedAt: Instant; readonly startedAt: Instant | null },
): boolean {
  const began = Date.parse(StartedAt)
  if (began < bootedAt) return true
  return startedAt !== null && began < startedAt && Date.parse(FinishedAt) < startedAt + endsLeftoversWithinMs
}

/** Docker's own word for the end of a program that it has not seen. */
const unseenStatus = 255

/**
 * Whether the end of a program may be the work of a Docker that went down: one that lets its containers live on ends none,
 * and makes up a status only for what has gone with the machine.
 */
export function mayBeDockers({ State }: Inspected, livesOn: boolean): boolean {
  return !livesOn || State.ExitCode === unseenStatus
}

interface EndOfHost {
  readonly bootedAt: Instant
  /** When Docker was started; null where that cannot be seen. */
  readonly startedAt: Instant | null
  readonly livesOn: boolean
  /** Whether it was followed from before its end on, over a connection that has lasted. */
  readonly isFollowed: boolean
}

/**
 * Whether the end that a container shows may be the work of its machine, or of a Docker, that went down. Where nobody can tell
 * it is taken for that.
 */
export function mayBeCutOff(
  container: Inspected,
  { bootedAt, startedAt, livesOn, isFollowed }: EndOfHost,
): boolean {
  const { State } = container
  // Whoever followed it was there all the time; the clock may have been set since it began.
  if (!isFollowed && Date.parse(State.StartedAt) < bootedAt) return true
  if (!mayBeDockers(container, livesOn)) return false
  return startedAt === null ? !isFollowed : endedWithHost(State, { bootedAt, startedAt })
}

/**
 * How many restarts of a container no longer count for its wait, since a steady run set that back: Docker itself
 * remembers it and does not tell. What was so before a container was first seen is not known.
 */
export function steadyRestartsOf({ RestartCount, State }: Inspected, known: number): number {
  if (RestartCount < known) return 0
  if (State.Status !== 'restarting') return known
  return wasSteady(State) ? RestartCount - 1 : known
}

/** The same of restarts that are not left to Docker, of which there were so many. */
export function ownSteadyRestarts(container: Inspected, restarts: number, known: number): number {
  return hasEnded(container) && wasSteady(container.State) ? restarts : known
}

function restartOf({ RestartCount, State }: Inspected, steady: number): Pick<ObservedUnit, 'restartAt'> {
  const endedAt = instantOf(State.FinishedAt)
  if (State.Status !== 'restarting' || endedAt === null) return {}
  return { restartAt: endedAt + dockerBackoffMs(Math.max(0, RestartCount - 1 - steady)) }
}

/**
 * A container that ran, after its event `die`, without asking Docker: that answers only when it has cleared up after the
 * container. Null where Docker may start it again by itself, which the event does not tell.
 */
export function afterDeath(container: Inspected, { Actor, timeNano }: ContainerEvent): Inspected | null {
  const { State, HostConfig } = container
  if (HostConfig.RestartPolicy.Name !== 'no' || State.Status !== 'running') return null
  const ExitCode = Number(Actor.Attributes['exitCode'])
  const FinishedAt = new Date(timeNano / 1e6).toISOString()
  return { ...container, State: { ...State, Status: 'exited', Pid: 0, ExitCode, FinishedAt } }
}

/**
 * A container with the time at which it was seen ended before, if it is the same end: Docker notes that a little after
 * its event, and one end is not to be told as two.
 */
export function withReportedEnd(container: Inspected, before: Inspected | undefined): Inspected {
  const { State } = container
  if (before === undefined || State.FinishedAt === before.State.FinishedAt) return container
  const isSameRun = State.StartedAt === before.State.StartedAt
  const endedBefore = before.State.Status === 'exited'
  // One that runs again shows when the run before it ended.
  const isSameEnd =
    State.Status === 'exited'
      ? endedBefore && isSameRun
      : isRunning(container) &&
        isNear(State.FinishedAt, before.State.FinishedAt) &&
        (isRunning(before) ? isSameRun : endedBefore)
  return isSameEnd ? { ...container, State: { ...State, FinishedAt: before.State.FinishedAt } } : container
}

function isRunning({ State }: Inspected): boolean {
  return State.Status === 'running' || State.Status === 'paused'
}

/** What was reported of a unit before. */
export type ReportedUnit = Pick<UnitReport, 'active' | 'containerId' | 'exit' | 'restarts' | 'interrupted'>

/** How often a container was restarted by now: an end is told before the restart that follows it, and that may not be. */
export function restartsSince({ State }: Inspected, { active, exit, restarts }: ReportedUnit): number {
  const isRestarted = active === 'activating' && exit !== null && Date.parse(State.StartedAt) > exit.at
  return restarts + (isRestarted ? 1 : 0)
}

/** How the end was reported that a container shows; null for one that was not. */
export function reportedEnd(container: Inspected, reported: ReportedUnit | undefined): UnitExit | null {
  if (reported?.exit == null || reported.containerId !== container.Id || !hasEnded(container)) return null
  const seen = exitOf(container, reported.restarts, null)
  if (seen === null || !isNear(seen.at, reported.exit.at)) return null
  const isSame = reported.exit.code === seen.code && reported.exit.signal === seen.signal
  return isSame || reported.exit.cutOff === true ? reported.exit : null
}

/** Docker notes the time of an end a little after its event. */
const sameEndWithinMs = 10_000

/** Whether two times that were told of an end are of the same one. */
function isNear(one: string | Instant, other: string | Instant): boolean {
  return Math.abs(timeOf(one) - timeOf(other)) <= sameEndWithinMs
}

function timeOf(at: string | Instant): Instant {
  return typeof at === 'string' ? Date.parse(at) : at
}

interface StateWords {
  readonly active: ActiveState
  readonly sub: string
}

function stateOf(container: Inspected, exit: UnitExit | null, stopAsked: boolean): StateWords {
  const { State } = container
  switch (State.Status) {
    case 'created':
    case 'exited':
    case 'dead':
      return endedState(failureOf(container), exit, stopAsked)
    case 'running':
      return { active: 'active', sub: 'running' }
    case 'paused':
      return { active: 'active', sub: 'paused' }
    case 'restarting':
      return { active: 'activating', sub: 'auto-restart' }
    case 'removing':
      return { active: 'deactivating', sub: 'stop-post' }
    default:
      return assertNever(State.Status)
  }
}

function endedState(failure: UnitFailure | null, exit: UnitExit | null, stopAsked: boolean): StateWords {
  const well = failure === null && (exit === null || stopAsked || isClean(exit))
  return well ? { active: 'inactive', sub: 'dead' } : { active: 'failed', sub: 'failed' }
}

/** What systemd takes for a clean end (systemd.service(5), SuccessExitStatus=). */
function isClean({ code, signal, oom }: UnitExit): boolean {
  return !oom && (code === 0 || ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGPIPE'].includes(signal ?? ''))
}

/**
 * How the last run ended; null while the first one lasts. Docker gives 128 + n for signal n. A container that runs again
 * shows when it ended, but no longer how.
 */
function exitOf({ State }: Inspected, restarts: number, endedWith: number | null): UnitExit | null {
  const at = instantOf(State.FinishedAt)
  const isUp = State.Status === 'running' || State.Status === 'paused'
  const status = isUp ? (restarts > 0 ? endedWith : null) : State.ExitCode
  if (at === null || status === null) return null
  const signal = status > 128 ? signalName(String(status - 128)) : null
  return { code: signal === null ? status : null, signal, oom: State.OOMKilled, at }
}

/** The exit status that Docker tells then is one of its own making, or that of a program that Docker has stopped. */
function cutOff({ State }: Inspected): UnitExit | null {
  const at = instantOf(State.FinishedAt)
  return at === null ? null : { code: null, signal: null, oom: false, at, cutOff: true }
}

/** Docker remembers why a start failed; a container that ran once keeps the exit status of its failed start. */
function failureOf({ State }: Inspected): UnitFailure | null {
  if (State.Error === '' || State.Status === 'running') return null
  return startFailure(State.Error)
}

function sinceOf({ State }: Inspected): Instant | null {
  const isUp = State.Status === 'running' || State.Status === 'paused'
  return isUp ? instantOf(State.StartedAt) : (instantOf(State.FinishedAt) ?? instantOf(State.StartedAt))
}

/** The container's own address on a bridge; a container without one shares the host's network. */
function addressOf({ State, NetworkSettings }: Inspected): string | null {
  if (State.Pid === 0) return null
  const others = Object.values(NetworkSettings.Networks ?? {}).map((network) => network?.IPAddress)
  return (
    [NetworkSettings.IPAddress, ...others].find((address) => address !== undefined && address !== '') ??
    '127.0.0.1'
  )
}

function instantOf(text: string): Instant | null {
  const at = Date.parse(text)
  return at > 0 ? at : null
}
