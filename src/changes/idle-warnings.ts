// What of a manifest is right, and will do nothing as things are: told at the deploy, since nothing says it later.

import { pointer } from '../compile/problem.js'
import { compileSchedule } from '../compile/schedule.js'
import type { Instant } from '../lib/time.js'
import { inSource, type ReadManifest } from '../manifest/manifest.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { parseMetricSource } from '../model/metric.js'
import { timetableOf } from '../schedule/timetable.js'
import { type ClusterView, serviceKey } from '../store/view.js'

/**
 * Warnings of a service that is deployed, together with those in `named`. Codes: `deploy/schedule-over`,
 * `deploy/unknown-source`.
 */
export function idleWarnings(
  view: ClusterView,
  project: string,
  read: ReadManifest,
  named: readonly string[],
  now: Instant,
): readonly Diagnostic[] {
  const isThere = (service: string): boolean =>
    named.includes(service) || view.services.has(serviceKey(project, service))
  return [...scheduleOver(read, now), ...unknownSources(read, isThere)].map((one) =>
    inSource({ ...one, severity: 'warning', file: read.file }, read),
  )
}

type Told = Omit<Diagnostic, 'severity'>

function scheduleOver({ manifest }: ReadManifest, now: Instant): readonly Told[] {
  const schedule = compileSchedule(manifest)
  // R0 says that nothing is to be started.
  if (schedule === null || /^R0+\//.test(schedule.expression)) return []
  if (timetableOf(schedule, now).nextAfter(now) !== null) return []
  return [
    {
      code: 'deploy/schedule-over',
      message: `the schedule ${schedule.expression} has no more firings: it starts nothing`,
      path: '/schedule',
      hint: 'give a later start, leave it out (R//PT1H) to begin now, or leave the number behind R out',
    },
  ]
}

function unknownSources({ manifest }: ReadManifest, isThere: (service: string) => boolean): readonly Told[] {
  return manifest.triggers.flatMap((trigger, index) => {
    const service = 'url' in trigger ? null : (parseMetricSource(trigger.source)?.service ?? null)
    if (service === null || isThere(service)) return []
    return [
      {
        code: 'deploy/unknown-source',
        message: `the trigger watches the service ${service}, which does not exist: it cannot fire before that service is deployed`,
        path: pointer('triggers', index, 'source'),
        hint: `deploy ${service} as well, or name another service of the project`,
      },
    ]
  })
}
