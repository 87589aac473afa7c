// What runs, in the words of software that finds its targets by asking.

import type { PrometheusTarget } from '../contract/contract.js'
import { answeringAt, portAt, type Whereabouts, whereaboutsOf } from '../dns/reach.js'
import { isPort } from '../lib/port.js'
import { byKeys } from '../lib/sort.js'
import type { HealthCheck } from '../model/health-check.js'
import type { MachineId } from '../model/machine.js'
import type { Instance } from '../model/service.js'
import type { DesiredUnit } from '../model/unit.js'
import type { ClusterView } from '../store/view.js'

/** What targets are told from. */
export interface DiscoveryAsked {
  readonly view: ClusterView
  readonly units: {
    checks(unit: DesiredUnit): readonly HealthCheck[]
    needs(unit: DesiredUnit): { readonly labels: Readonly<Record<string, string>> }
  }
  /** The machine that answers. */
  readonly machine: MachineId
}

/** Where an instance tells its metrics. */
interface Metrics {
  readonly port: number
  readonly path: string
  readonly scheme: 'http' | 'https'
  readonly network: string
}

/** The label that names the port on which a service tells its metrics; `prometheus.path` and `prometheus.scheme` go with it. */
const portLabel = 'prometheus.port'

/**
 * Every instance that runs and tells metrics, one group each, as Prometheus' HTTP service discovery wants them: by the
 * label `prometheus.port`, else by ContainerPilot's telemetry. One that cannot be reached from elsewhere is left out.
 */
export function prometheusTargets(
  asked: DiscoveryAsked,
  project: string | undefined,
): readonly PrometheusTarget[] {
  const { view } = asked
  const instances = [...view.instances.values()].filter(
    (one) => one.oneOff === undefined && (project === undefined || one.project === project),
  )
  return instances
    .sort(
      byKeys(
        (one) => one.project,
        (one) => one.service,
        (one) => one.n,
      ),
    )
    .flatMap((instance) => targetOf(asked, instance) ?? [])
}

function targetOf(
  { view, units, machine: here }: DiscoveryAsked,
  instance: Instance,
): PrometheusTarget | null {
  const unit = view.units.get(instance.unit)
  const placement = view.placements.get(instance.unit)
  const report = view.reportOf(instance.unit)
  if (unit === undefined || placement === undefined || report?.active !== 'active') return null
  // What is to stop is not asked any more: it would seem to be down.
  if (instance.retired !== null) return null
  const machine = view.machines.get(placement.machine)
  const { labels } = units.needs(unit)
  const metrics = metricsOf(labels, units.checks(unit))
  if (machine === undefined || metrics === null) return null
  const address = addressOf(
    whereaboutsOf(machine, placement.machine === here, report, placement.ports),
    metrics,
  )
  if (address === null) return null
  return {
    targets: [address],
    labels: {
      __scheme__: metrics.scheme,
      __metrics_path__: metrics.path,
      __meta_mariposa_project: instance.project,
      __meta_mariposa_service: instance.service,
      __meta_mariposa_instance: instance.name,
      __meta_mariposa_instance_uuid: instance.uuid,
      __meta_mariposa_version: String(view.versions.get(instance.version)?.ordinal ?? ''),
      __meta_mariposa_machine: machine.id,
      __meta_mariposa_hostname: machine.hostname,
      ...Object.fromEntries(
        Object.entries(labels).map(([key, value]) => [`__meta_mariposa_label_${labelName(key)}`, value]),
      ),
    },
  }
}

function metricsOf(labels: Readonly<Record<string, string>>, checks: readonly HealthCheck[]): Metrics | null {
  const said = Object.hasOwn(labels, portLabel) ? labels[portLabel] : undefined
  if (said !== undefined) {
    const port = /^\d{1,5}$/.test(said) ? Number(said) : 0
    if (!isPort(port)) return null
    const scheme = labels['prometheus.scheme'] === 'https' ? 'https' : 'http'
    return { port, path: labels['prometheus.path'] ?? '/metrics', scheme, network: 'public' }
  }
  const pilot = checks.find((check) => check.type === 'containerpilot')
  if (pilot === undefined) return null
  return { port: pilot.port, path: '/metrics', scheme: 'http', network: pilot.network ?? 'public' }
}

function addressOf(where: Whereabouts, { port, network }: Metrics): string | null {
  const networks = network === 'public' ? undefined : [network]
  return answeringAt(where, (reach) => portAt(where, reach, port, null), networks)?.host ?? null
}

/** As names of labels are in Prometheus. */
function labelName(key: string): string {
  return key.replaceAll(/[^A-Za-z0-9_]/g, '_')
}
