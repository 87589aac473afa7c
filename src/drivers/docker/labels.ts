// How a container says whose it is. Labels outlive the daemon: by them it finds its containers again.

import type { UnitToRun } from '../../agent/driver.js'
import type { UnitName } from '../../model/unit.js'

/** Labels that begin so are ours; a unit may not set them. */
export const labelPrefix = 'io.mariposa.'

export const unitLabel = `${labelPrefix}unit`
const hashLabel = `${labelPrefix}hash`
export const machineLabel = `${labelPrefix}machine`
/** The restart policy of a container while it is to run, as `name:retries`. */
export const restartLabel = `${labelPrefix}restart`

/** Set on the container of a unit that runs once: Docker itself never starts it again. */
export const runLabel = `${labelPrefix}run`

/** Set on a container that holds the place of a program that is joined to its caller. */
const joinedLabel = `${labelPrefix}joined`

export function isJoined(labels: Readonly<Record<string, string>> | null): boolean {
  return labels?.[joinedLabel] === 'true'
}

/** Set on a container beside the one of a unit: the id of that one. */
export const sideOfLabel = `${labelPrefix}of`
/** What it is there for. */
export const sideLabel = `${labelPrefix}side`

/** The check that its image brings, as the value of a `HealthCheck=` option; empty where none counts. */
export const checkLabel = `${labelPrefix}healthcheck`

/** What a container's labels say of it. */
export interface Ownership {
  readonly unit: UnitName
  readonly hash: string
  readonly machine: string
}

/** The labels of a unit's container. */
export function ownLabels(unit: UnitToRun, machine: string): Readonly<Record<string, string>> {
  return {
    ...unitLabels(unit, machine),
    [hashLabel]: unit.hash,
    ...(unit.instance !== null && { [`${labelPrefix}version`]: unit.instance.version }),
    ...(unit.runsOnce === true && { [runLabel]: 'true' }),
    ...(unit.joined === true && { [joinedLabel]: 'true' }),
  }
}

/** Which unit something is of, and which instance of which service. */
export function unitLabels({ name, instance }: UnitToRun, machine: string): Readonly<Record<string, string>> {
  return {
    [unitLabel]: name,
    [machineLabel]: machine,
    ...(instance !== null && {
      [`${labelPrefix}project`]: instance.project,
      [`${labelPrefix}service`]: instance.service,
      [`${labelPrefix}instance`]: instance.name,
    }),
  }
}

/** Reads them back; null for a container that is none of ours. */
export function readOwnership(labels: Readonly<Record<string, string>> | null): Ownership | null {
  const unit = labels?.[unitLabel]
  const hash = labels?.[hashLabel]
  const machine = labels?.[machineLabel]
  if (unit === undefined || hash === undefined || machine === undefined) return null
  return { unit: unit as UnitName, hash, machine }
}
