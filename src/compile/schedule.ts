// The schedule of a manifest as the version keeps it: no part of the unit, but of what the leader starts.
import type { ServiceManifest } from '../manifest/schema.js'
import type { Schedule } from '../model/schedule.js'

/** How late a start may be where the manifest does not say: as in Chronos. */
const defaultEpsilonMs = 60_000

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
