// What systemd refuses, as the errors that drivers throw.

import { DriverError } from '../../../model/driver-error.js'
import type { ObservedUnit, UnitExit, UnitName } from '../../../model/unit.js'
import { spawnFailureOf } from '../observe.js'
import { BusError, type UnitLine } from './bus.js'

/** Turns what a call threw into a DriverError; for `.catch`. */
export function callFailed(what: string): (error: unknown) => never {
  return (error) => {
    // The caller gave up; that is no failure of systemd.
    if (!(error instanceof BusError)) throw isAbort(error) ? error : unreachable(what, error)
    const { code, permanent } = refusals[error.dbusName] ?? fallback
    throw new DriverError(code, `${what}: ${error.message}`, { cause: error, permanent })
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

function unreachable(what: string, cause: unknown): DriverError {
  return new DriverError('systemd/unreachable', what, { cause })
}

interface Refusal {
  readonly code: string
  readonly permanent: boolean
}

const fallback: Refusal = { code: 'systemd/refused', permanent: false }
const badUnit: Refusal = { code: 'systemd/bad-unit', permanent: true }
const noPermission: Refusal = { code: 'systemd/no-permission', permanent: true }
const away: Refusal = { code: 'systemd/unreachable', permanent: false }

const refusals: Readonly<Record<string, Refusal>> = {
  'org.freedesktop.systemd1.NoSuchUnit': { code: 'systemd/unknown-unit', permanent: false },
  'org.freedesktop.systemd1.BadUnitSetting': badUnit,
  'org.freedesktop.systemd1.LoadFailed': badUnit,
  'org.freedesktop.systemd1.UnitMasked': badUnit,
  'org.freedesktop.systemd1.JobTypeNotApplicable': badUnit,
  'org.freedesktop.DBus.Error.InvalidArgs': badUnit,
  'org.freedesktop.DBus.Error.AccessDenied': noPermission,
  'org.freedesktop.DBus.Error.InteractiveAuthorizationRequired': noPermission,
  'org.freedesktop.DBus.Error.Disconnected': away,
  'org.freedesktop.DBus.Error.NoReply': away,
}

/**
 * Why a start job did not end as it should; null where the program ran and ended by itself, for then the start was
 * carried out, and how it ended is seen by those who look. `exit` is that of this start; `missing` is what the unit would
 * start and systemd has not.
 */
export function startFailure(
  name: UnitName,
  result: string,
  seen: ObservedUnit | null,
  exit: UnitExit | null,
  missing: readonly UnitLine[] = [],
): DriverError | null {
  const failure = exit === null ? seen?.failure : spawnFailureOf(exit)
  if (failure)
    return new DriverError(failure.code, `${name}: ${failure.message}`, { permanent: failure.permanent })
  if (exit !== null && result === 'failed') return null
  const lacks = missing.map(({ name: other, load }) => `${other}, which it starts, is ${load}`).join('; ')
  const reason = lacks === '' ? (jobResults[result] ?? result) : lacks
  return new DriverError('systemd/start-failed', `${name} did not start: ${reason}`)
}

const jobResults: Readonly<Record<string, string>> = {
  failed: 'it failed',
  timeout: 'it took too long',
  canceled: 'another job replaced it',
  dependency: 'a unit that it needs failed',
  skipped: 'one of its conditions is not met',
  assert: 'one of its assertions does not hold',
  unsupported: 'units of this type are not supported here',
}
