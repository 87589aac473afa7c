// What an agent tells of a unit: what the driver sees, and what the agent itself has asked for and found out.
import type { Instant } from '../lib/time.js'
import type { DriverKind } from '../model/driver-kind.js'
import type { MachineId } from '../model/machine.js'
import type { MadeOf } from '../model/meta-fingerprints.js'
import type {
  Health,
  ObservedUnit,
  OutputLine,
  PullProgress,
  UnitExit,
  UnitFailure,
  UnitName,
  UnitReport,
} from '../model/unit.js'

/** What the agent remembers of a unit; starts from its last report, so that a restart forgets nothing. */
export interface UnitMemory {
  readonly launched: boolean
  readonly health: Health
  readonly healthReason: string | null
  readonly notice: string | null
  readonly attempts: number
  readonly retryAt: Instant | null
  /** Why the last attempt to load, start or stop it failed; null after one that worked. */
  readonly failure: UnitFailure | null
  /** How its program ended last, remembered while it runs again. */
  readonly lastExit: UnitExit | null
  /** When it was up last; null before that, and where nobody saw it. */
  readonly startedAt: Instant | null
  /** What it wrote last, of a run that is over; null before that was read, and where nobody asks for it. */
  readonly output: readonly OutputLine[] | null
  /** How far its image is, while that is fetched. */
  readonly pulling: PullProgress | null
  /** Of the project's metadata that was filled in when it was loaded last, the values; null for nothing. */
  readonly madeOf: MadeOf | null
}

export const freshMemory: UnitMemory = {
  launched: false,
  health: 'unknown',
  healthReason: null,
  notice: null,
  attempts: 0,
  retryAt: null,
  failure: null,
  lastExit: null,
  startedAt: null,
  output: null,
  pulling: null,
  madeOf: null,
}

export function memoryOf(report: UnitReport): UnitMemory {
  const { launched, health, healthReason, attempts, retryAt } = report
  return {
    launched,
    health,
    healthReason,
    notice: report.notice ?? null,
    attempts,
    retryAt,
    failure: attempts > 0 ? report.failure : null,
    lastExit: report.exit,
    startedAt: (report.active === 'active' ? report.since : report.startedAt) ?? null,
    output: report.output ?? null,
    pulling: null,
    madeOf: report.madeOf ?? null,
  }
}

/** Nobody asks to be left alone for longer: a registry that has too much to do, say. */
const waitsAtMostMs = 15 * 60_000

/**
 * The same, waiting for its next try no longer than it can have to: the clock may have been set since it was written down, or be
 * wrong after a start of the machine.
 */
export function withinReach(memory: UnitMemory, now: Instant): UnitMemory {
  const { attempts, retryAt, failure } = memory
  if (retryAt === null || retryAt <= now + waitsAtMostMs) return memory
  return { ...memory, retryAt: nextAttempt(attempts, { permanent: failure?.permanent === true }, now) }
}

/** The same without what its checks said: that was of a run that is over. */
export function unchecked(memory: UnitMemory): UnitMemory {
  return { ...memory, health: 'unknown', healthReason: null, notice: null }
}

/**
 * What is remembered of a unit that was found when the agent started. A unit that was started since its last report
 * was started by an agent that could not tell any more: it is not to be started a second time, and nobody has asked yet
 * how it is.
 */
export function memoryOfFound(observed: ObservedUnit, report: UnitReport | null): UnitMemory {
  const known = report === null ? freshMemory : memoryOf(report)
  const memory = observed.since === (report?.since ?? null) ? known : unchecked(known)
  return observed.since !== null && (report?.since ?? null) === null ? { ...memory, launched: true } : memory
}

/** A unit that its driver does not hold: not loaded yet, or loading it failed. */
export function absentUnit(name: UnitName, driver: DriverKind): ObservedUnit {
  return {
    name,
    hash: '',
    driver,
    load: 'not-found',
    active: 'inactive',
    sub: 'dead',
    since: null,
    pid: null,
    containerId: null,
    address: null,
    restarts: 0,
    exit: null,
    failure: null,
  }
}

/** The report of a unit. */
export function reportOf(
  machine: MachineId,
  { imageCheck, restartIsDue: _, stopAsked: _stopAsked, unheld: _unheld, ...observed }: ObservedUnit,
  memory: UnitMemory,
): UnitReport {
  return {
    ...observed,
    ...(imageCheck !== undefined && { checked: true }),
    machine,
    launched: memory.launched,
    health: memory.health,
    healthReason: memory.healthReason,
    ...(memory.notice !== null && { notice: memory.notice }),
    ...(memory.output !== null && { output: memory.output }),
    attempts: memory.attempts,
    retryAt: memory.retryAt,
    ...(memory.madeOf !== null && { madeOf: memory.madeOf }),
    ...(memory.pulling !== null && { pulling: memory.pulling }),
    ...(memory.startedAt !== null && observed.active !== 'active' && { startedAt: memory.startedAt }),
    failure: memory.failure ?? observed.failure,
    exit: observed.exit ?? (observed.restarts > 0 ? memory.lastExit : null),
  }
}

/**
 * When a chain that failed is tried again: after 1 s, doubled up to a minute; what only a change can mend, after 30 s at
 * least; and not before whoever refused wants to be asked again.
 */
export function nextAttempt(
  attempts: number,
  { permanent, retryAfterMs = null }: { readonly permanent: boolean; readonly retryAfterMs?: number | null },
  now: Instant,
): Instant {
  const wait = Math.min(1000 * 2 ** (attempts - 1), 60_000)
  return now + Math.max(wait, permanent ? 30_000 : 0, retryAfterMs ?? 0)
}
