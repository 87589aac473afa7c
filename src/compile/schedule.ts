// The schedule of a manifest as the version keeps it: no part of the unit, but of what the leader starts.
import type { ManifestVolume, ServiceManifest } from '../manifest/schema.js'
import type { Schedule } from '../model/schedule.js'

/** How late a start may be where the manifest does not say: as in Chronos. */
const defaultEpsilonMs = 60_000

/** How late a backup may begin where the manifest does not say: a machine that was away over night makes it up. */
const backupEpsilonMs = 6 * 3_600_000

/** The schedule of the backups of a volume. */
export function compileBackupSchedule({
  kind,
  expression,
  epsilon,
  timezone,
}: NonNullable<NonNullable<ManifestVolume['backup']>['schedule']>): Schedule {
  const epsilonMs = epsilon === undefined ? backupEpsilonMs : Math.round(epsilon * 1000)
  return { kind, expression, epsilonMs, timezone: timezone ?? null, overlap: 'skip' }
}

/** The schedule of a service, or null where it has none. */
export function compileSchedule({ schedule }: ServiceManifest): Schedule | null {
  if (schedule === undefined) return null
  const { kind, expression, epsilon, timezone, overlap } = schedule
  return {
    kind,
    expression,
    epsilonMs: epsilon === undefined ? defaultEpsilonMs : Math.round(epsilon * 1000),
    timezone: timezone ?? null,
    overlap,
  }
}
