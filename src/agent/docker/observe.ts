// What Docker shows of a container, in systemd's words.
import { dockerBackoffMs, steadyAfterMs } from '../../lib/backoff.js'
import { assertNever } from '../../lib/invariant.js'
import type { Instant } from '../../lib/time.js'
import type { ActiveState, ObservedUnit, UnitExit, UnitFailure } from '../../model/unit.js'
import { signalName } from '../process/signals.js'
import type { ContainerEvent, Inspected } from './api.js'
import { startFailure } from './failure.js'
import { readCheckMark } from './image-check.js'
import type { Ownership } from './labels.js'

export interface KnownOfContainer {
  /** One that was asked to stop ended well, whatever its exit status says. */
  readonly stopAsked: boolean
  /** The exit status of its latest end that Docker told of; null where it has told of none. */
  readonly endedWith: number | null
  /** How many of its restarts no longer count for Docker's wait; none where that is left out. */
  readonly steadyRestarts?: number
  /** Its latest run did not end by itself: Docker was stopped. */
  readonly interrupted?: boolean
}

/** A unit as its container shows it, and as its events told before. */
export function observe(container: Inspected, owner: Ownership, known: KnownOfContainer): ObservedUnit {
  const { State } = container
  const exit = exitOf(container, known.endedWith)
  const imageCheck = readCheckMark(container.Config.Labels, owner.unit)
  return {
    name: owner.unit,
    hash: owner.hash,
    driver: 'docker',
    load: 'loaded',
    ...stateOf(container, exit, known.stopAsked),
    since: sinceOf(container),
    pid: State.Pid > 0 ? State.Pid : null,
    containerId: container.Id,
    address: addressOf(container),
    // Docker counts a restart when it begins to wait for it.
    restarts: container.RestartCount - (State.Status === 'restarting' ? 1 : 0),
    ...restartOf(container, known.steadyRestarts ?? 0),
    exit,
    failure: failureOf(container),
    ...(known.interrupted === true && { interrupted: true }),
    ...(imageCheck !== null && { imageCheck }),
  }
}

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

/**
 * How many restarts of a container no longer count for its wait, since a steady run set that back: Docker itself
 * remembers it and does not tell. What was so before a container was first seen is not known.
 */
export function steadyRestartsOf({ RestartCount, State }: Inspected, known: number): number {
  if (RestartCount < known) return 0
  if (State.Status !== 'restarting') return known
  const ranMs = Date.parse(State.FinishedAt) - Date.parse(State.StartedAt)
  return ranMs >= steadyAfterMs ? RestartCount - 1 : known
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
export function asTold(container: Inspected, before: Inspected | undefined): Inspected {
  const { State } = container
  const isSameEnd =
    State.Status === 'exited' &&
    before?.State.Status === 'exited' &&
    State.StartedAt === before.State.StartedAt
  return isSameEnd ? { ...container, State: { ...State, FinishedAt: before.State.FinishedAt } } : container
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
function exitOf({ State, RestartCount }: Inspected, endedWith: number | null): UnitExit | null {
  const at = instantOf(State.FinishedAt)
  const isUp = State.Status === 'running' || State.Status === 'paused'
  const status = isUp ? (RestartCount > 0 ? endedWith : null) : State.ExitCode
  if (at === null || status === null) return null
  const signal = status > 128 ? signalName(String(status - 128)) : null
  return { code: signal === null ? status : null, signal, oom: State.OOMKilled, at }
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
