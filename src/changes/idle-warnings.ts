// What of a manifest is right, and will do nothing as things are: told at the deploy, since nothing says it later.

import { pointer } from '../compile/problem.js'
import { compileSchedule } from '../compile/schedule.js'
import type { Instant } from '../lib/time.js'
import { inSource, type ReadManifest } from '../manifest/manifest.js'
import { type Measured, measuredOf, silentSources } from '../manifest/silent-sources.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { parseMetricSource } from '../model/metric.js'
import type { UnitName } from '../model/unit.js'
import { timetableOf } from '../schedule/timetable.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { parseUnit } from '../unit/parse.js'
import { readXMariposa } from '../unit/x-mariposa.js'

/**
 * Warnings of a service that is deployed, together with those in `others`. Codes: `deploy/schedule-over`,
 * `deploy/silent-source`, `deploy/unknown-source`.
 */
export function idleWarnings(
  view: ClusterView,
  project: string,
  read: ReadManifest,
  others: readonly ReadManifest[],
  now: Instant,
): readonly Diagnostic[] {
  const named = (service: string) => others.find(({ manifest }) => manifest.name === service)?.manifest
  const isThere = (service: string): boolean =>
    named(service) !== undefined || view.services.has(serviceKey(project, service))
  const measured = (service: string): Measured | null => {
    const deployed = named(service)
    return deployed === undefined ? measuredNow(view, project, service) : measuredOf(deployed)
  }
  const idle = [...scheduleOver(read, now), ...unknownSources(read, isThere)].map((one) =>
    inSource({ ...one, severity: 'warning', file: read.file }, read),
  )
  return [...idle, ...silentSources(read, measured)]
}

/** What the current version of a service has metrics of; null where there is no such service. */
function measuredNow(view: ClusterView, project: string, service: string): Measured | null {
  const version = view.versions.get(view.services.get(serviceKey(project, service))?.current ?? '')
  if (version === undefined) return null
  const { file } = parseUnit(view.files.get(version.hash) ?? '')
  const context = { name: `${project}.${service}.service` as UnitName, machine: null }
  const telemetry = readXMariposa(file, context).settings.healthChecks.some(
    ({ type }) => type === 'containerpilot',
  )
  return { telemetry, entry: (version.entry ?? []).length > 0 }
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
