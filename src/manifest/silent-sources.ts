// Triggers on metrics that their service does not have, of this service or another: such a trigger never fires.
import type { Diagnostic } from '../model/diagnostic.js'
import {
  entryMetricOf,
  isOfContainerMonitor,
  type MetricSource,
  parseMetricSource,
  readFrom,
} from '../model/metric.js'
import { inSource, type ReadManifest } from './manifest.js'

/** What a service has metrics of, beside the use of its instances. */
export interface Measured {
  /** Its instances publish metrics of their own (`containerpilot`). */
  readonly telemetry: boolean
  /** Its requests are counted (`entry`). */
  readonly entry: boolean
}

/** What a manifest has metrics of. */
export function measuredOf({ containerpilot, entry = [] }: ReadManifest['manifest']): Measured {
  return { telemetry: containerpilot !== undefined, entry: entry.length > 0 }
}

/**
 * Warnings of a manifest's triggers; `measuredOfOther` says what another service has, null where nobody knows. Code:
 * `deploy/silent-source`.
 */
export function silentSources(
  read: ReadManifest,
  measuredOfOther: (service: string) => Measured | null,
): readonly Diagnostic[] {
  return read.manifest.triggers.flatMap((trigger, index) => {
    const source = 'url' in trigger ? undefined : parseMetricSource(trigger.source)
    if (source === undefined) return []
    const { service, metric } = source
    const measured = service === null ? measuredOf(read.manifest) : measuredOfOther(service)
    const key = measured === null ? null : missingKey(source, measured)
    // Of its own entry, and of names that are no metric of Container Monitor, an error has said so.
    if (
      key === null ||
      (service === null && (key === 'entry' || !source.providers.includes('containerpilot')))
    )
      return []
    const whose = service === null ? 'this service' : `the service ${service}`
    return [
      inSource(
        {
          code: 'deploy/silent-source',
          severity: 'warning',
          message: `${whose} has no ${key}, so nothing measures ${metric}: the trigger cannot fire`,
          hint: `add ${key} to ${service === null ? 'the manifest' : `the manifest of ${service}`}, or use another metric`,
          file: read.file,
          path: `/triggers/${index}/source`,
        },
        read,
      ),
    ]
  })
}

/** The key that a manifest would need for the metric of a source; null where it has what it needs. */
function missingKey(source: MetricSource, { telemetry, entry }: Measured): 'containerpilot' | 'entry' | null {
  if (entryMetricOf(source) !== null) return entry ? null : 'entry'
  const { providers, metric } = readFrom(source)
  if (!providers.includes('containerpilot') || telemetry) return null
  return providers.includes('containermonitor') && isOfContainerMonitor(metric) ? null : 'containerpilot'
}
