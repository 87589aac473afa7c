// From systemd's properties of a unit to what every driver reports.
import type { Instant } from '../../lib/time.js'
import type {
  ActiveState,
  LoadState,
  ObservedUnit,
  UnitExit,
  UnitFailure,
  UnitName,
} from '../../model/unit.js'
import type { StartedBy } from '../../unit/install.js'

/** Properties as they come over D-Bus: 64-bit numbers as bigint, others as number, text and lists as they are. */
export type Properties = Readonly<Record<string, unknown>>

/** A unit that systemd has never run, or has run and forgotten. */
export const neverRan: Properties = { LoadState: 'loaded', ActiveState: 'inactive', SubState: 'dead' }

/**
 * Keeps what was known of a unit that systemd has forgotten: one that ended well leaves its memory at once, and is then
 * told of as if it had never run.
 */
export function recall(known: Properties | null, told: Properties): Properties {
  const forgotten = told['ActiveState'] === 'inactive' && instantOf(told, 'InactiveEnterTimestamp') === null
  if (known === null || !forgotten || instantOf(known, 'InactiveExitTimestamp') === null) return told
  const { LoadState, ActiveState, SubState } = told
  return { ...known, LoadState, ActiveState, SubState, MainPID: 0 }
}

/**
 * What is known after a signal, which tells of the properties of every unit or of those of its type. A unit that systemd
 * has forgotten is in its memory anew as soon as anybody asks it to be stopped, and its signals tell that it never ran.
 */
export function afterSignal(known: Properties, changed: Properties): Properties {
  const told = { ...known, ...changed }
  const hasNoProcess = mainTimes.every((name) => name in changed && instantOf(changed, name) === null)
  return hasNoProcess && told['ActiveState'] === 'inactive' && exitOf(known) !== null
    ? known
    : recall(known, told)
}

const mainTimes = ['ExecMainStartTimestamp', 'ExecMainExitTimestamp'] as const

/** Whether systemd tells of a unit as if it had never run, and how it ended last is not known either. */
export function isEndUnseen(known: Properties | null, told: Properties): boolean {
  const recalled = recall(known, told)
  return recalled['ActiveState'] === 'inactive' && exitOf(recalled) === null
}

/** Since when a unit that is known to have been started runs; null where it is not known to have been. */
export function startedAtOf(known: Properties): Instant | null {
  return instantOf(known, 'InactiveExitTimestamp')
}

/** What systemd forgot of a unit that ended well at `at`: of how it ended, the journal has no more than that. */
export function afterCleanEnd(told: Properties, at: Instant): Properties {
  const us = BigInt(at) * 1000n
  const times = { InactiveExitTimestamp: us, InactiveEnterTimestamp: us, ExecMainExitTimestamp: us }
  return { ...told, ...times, ExecMainCode: exited, ExecMainStatus: 0 }
}

/** CLD_EXITED: `si_code` of a process that ended by itself. */
const exited = 1

/** What the driver itself knows of a unit. */
export interface HeldUnit {
  readonly name: UnitName
  readonly hash: string
  /** `[Service] Type=`, where the unit says it. */
  readonly type: string | null
  /** It is restarted by Docker's logic, not by `[Service] RestartSec=`. */
  readonly dockerRestarts: boolean
  /** The most restarts that the unit's policy allows; null for no limit. */
  readonly maxRestarts: number | null
  /** The units of the host that start it along with themselves. */
  readonly startedBy: readonly StartedBy[]
  /** Its limits that systemd passes over on this machine. */
  readonly unheld: readonly string[]
}

/** One unit as systemd tells of it; load, active and sub exactly in systemd's words where the model has them. */
export function observeUnit(held: HeldUnit, properties: Properties): ObservedUnit {
  const active = activeOf(textOf(properties, 'ActiveState'))
  const exit = exitOf(properties)
  const load = textOf(properties, 'LoadState')
  return {
    name: held.name,
    hash: held.hash,
    driver: 'systemd',
    load: loadOf(load),
    ...(load === 'bad-setting' && { badSetting: true }),
    active,
    sub: textOf(properties, 'SubState'),
    since: instantOf(properties, sinceProperty[active]),
    pid: numberOf(properties, 'MainPID') || null,
    containerId: null,
    address: '127.0.0.1',
    restarts: restartsOf(held, properties),
    ...restartOf(properties),
    exit,
    failure: failureOf(properties, active, exit),
    ...(held.unheld.length > 0 && { unheld: held.unheld }),
  }
}

/** The instant that a state was entered; systemd keeps one for each side of the two borders. */
const sinceProperty: Readonly<Record<ActiveState, string>> = {
  active: 'ActiveEnterTimestamp',
  reloading: 'ActiveEnterTimestamp',
  deactivating: 'ActiveExitTimestamp',
  activating: 'InactiveExitTimestamp',
  inactive: 'InactiveEnterTimestamp',
  failed: 'InactiveEnterTimestamp',
}

const activeStates: Readonly<Record<string, ActiveState>> = {
  active: 'active',
  reloading: 'reloading',
  refreshing: 'reloading',
  inactive: 'inactive',
  maintenance: 'inactive',
  failed: 'failed',
  activating: 'activating',
  deactivating: 'deactivating',
}

function activeOf(text: string): ActiveState {
  return activeStates[text] ?? 'inactive'
}

const loadStates: Readonly<Record<string, LoadState>> = {
  loaded: 'loaded',
  merged: 'loaded',
  stub: 'loaded',
  'not-found': 'not-found',
  masked: 'masked',
}

function loadOf(text: string): LoadState {
  return loadStates[text] ?? 'error'
}

/** systemd counts the restart that the start limit refused as well. */
function restartsOf({ maxRestarts }: HeldUnit, properties: Properties): number {
  return Math.min(numberOf(properties, 'NRestarts'), maxRestarts ?? Number.POSITIVE_INFINITY)
}

/**
 * systemd's own wait, which begins when the unit starts to be activating; from systemd 254 on it may grow. Signals do
 * not tell of it: where systemd was not asked since the unit was loaded, it is not known.
 */
function restartOf(properties: Properties): Pick<ObservedUnit, 'restartAt'> {
  const since = instantOf(properties, 'InactiveExitTimestamp')
  if (!textOf(properties, 'SubState').startsWith('auto-restart') || since === null) return {}
  const waitUs = numberOf(properties, 'RestartUSecNext') || numberOf(properties, 'RestartUSec')
  return waitUs === 0 ? {} : { restartAt: since + Math.round(waitUs / 1000) }
}

/** How long the last main process ran; 0 where that is not known. */
export function ranMsOf(properties: Properties): number {
  const from = instantOf(properties, 'ExecMainStartTimestamp')
  const until = instantOf(properties, 'ExecMainExitTimestamp')
  return from === null || until === null ? 0 : Math.max(0, until - from)
}

/** `si_code` of the main process: CLD_EXITED, CLD_KILLED, CLD_DUMPED; 0 while it runs or when there was none. */
function exitOf(properties: Properties): UnitExit | null {
  const how = numberOf(properties, 'ExecMainCode')
  const at = instantOf(properties, 'ExecMainExitTimestamp')
  if (at === null || how < 1 || how > 3) return null
  const status = numberOf(properties, 'ExecMainStatus')
  const oom = textOf(properties, 'Result') === 'oom-kill'
  return how === 1
    ? { code: status, signal: null, oom, at }
    : { code: null, signal: signalName(status), oom, at }
}

function failureOf(properties: Properties, active: ActiveState, exit: UnitExit | null): UnitFailure | null {
  const load = textOf(properties, 'LoadState')
  if (loadOf(load) !== 'loaded') return loadFailure(load, properties)
  if (active !== 'failed') return null
  if (exit !== null) return spawnFailureOf(exit)
  const result = textOf(properties, 'Result')
  return {
    code: 'systemd/start-failed',
    message: `the unit did not start: ${result || 'no reason given'}`,
    permanent: false,
  }
}

function loadFailure(load: string, properties: Properties): UnitFailure {
  const error = properties['LoadError']
  const reason =
    Array.isArray(error) && typeof error[1] === 'string' && error[1] !== '' ? error[1] : `it is ${load}`
  return { code: 'systemd/bad-unit', message: `systemd does not load the unit: ${reason}`, permanent: true }
}

/** What a status says that comes from systemd's child and not from the program; null for an end of the program. */
export function spawnFailureOf({ code }: UnitExit): UnitFailure | null {
  return code === null ? null : (spawnStatus[code] ?? null)
}

/** Statuses with which systemd's child ends when it cannot become the program (systemd.exec(5)). */
const spawnStatus: Readonly<Record<number, UnitFailure>> = {
  200: spawnFailure('its working directory cannot be entered'),
  203: spawnFailure('its program is not there or cannot be executed'),
  216: spawnFailure('its group is not known'),
  217: spawnFailure('its user is not known'),
}

function spawnFailure(reason: string): UnitFailure {
  return { code: 'systemd/not-executable', message: `the unit cannot be run: ${reason}`, permanent: true }
}

/** The exit statuses after which trying again is of no use, for `RestartPreventExitStatus=`. */
export const hopelessStatuses: readonly number[] = Object.keys(spawnStatus).map(Number)

function textOf(properties: Properties, name: string): string {
  const value = properties[name]
  return typeof value === 'string' ? value : ''
}

function numberOf(properties: Properties, name: string): number {
  const value = properties[name]
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0
}

/** Microseconds since the Unix epoch; 0 for never. */
function instantOf(properties: Properties, name: string): Instant | null {
  const us = numberOf(properties, name)
  return us === 0 ? null : Math.floor(us / 1000)
}

/** Linux's names, in the order of their numbers from 1. */
const signalNames =
  'HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS'.split(
    ' ',
  )

function signalName(number: number): string {
  const name = signalNames[number - 1]
  return name === undefined ? `SIG${number}` : `SIG${name}`
}
