// What a manifest may say already and nothing carries out yet: it is read, checked and kept, and a deploy of it is
// refused before anything changes.
import type { ServiceManifest } from '../manifest/schema.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { parseMetricSource, pluginMetrics, unmeasuredMetrics } from '../model/metric.js'
import { pointer, problemAt } from './problem.js'

/** The code of everything that is refused here. */
export const notSupportedYet = 'compile/not-supported-yet'

/** What of a manifest cannot be carried out yet, all of it. Code: `compile/not-supported-yet`. */
export function unsupportedYet(manifest: ServiceManifest): readonly Diagnostic[] {
  return features.flatMap((feature) =>
    feature(manifest).map(({ path, message, hint }) => problemAt(path, notSupportedYet, message, hint)),
  )
}

interface Unsupported {
  readonly path: string
  readonly message: string
  readonly hint: string
}

/** Looks for one thing that cannot be done yet. Who makes it work removes it here. */
type Feature = (manifest: ServiceManifest) => readonly Unsupported[]

const features: readonly Feature[] = [
  ({ compute_type: type }) =>
    only(type !== 'docker' && type !== 'process', {
      path: '/compute_type',
      message: `no driver can run ${type} yet`,
      hint: 'use docker or process',
    }),
  ({ triggers }) =>
    triggers.flatMap((trigger, index) =>
      only(!('url' in trigger) && isUnmeasured(trigger.source), {
        path: pointer('triggers', index, 'source'),
        message: `nothing here measures ${'source' in trigger ? trigger.source : ''}, so the trigger would never fire`,
        hint: 'docs/metrics.md lists what is measured',
      }),
    ),
]

/** What Container Monitor alone has, and has not here. */
function isUnmeasured(text: string): boolean {
  const source = parseMetricSource(text)
  if (source === undefined || source.providers.includes('containerpilot')) return false
  const { metric } = source
  return unmeasuredMetrics.has(metric) || (metric.startsWith('plugin_') && !pluginMetrics.has(metric))
}

function only(holds: boolean, problem: Unsupported): readonly Unsupported[] {
  return holds ? [problem] : []
}
