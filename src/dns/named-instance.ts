// An instance as its names show it.
import type { Instant } from '../lib/time.js'
import { type CnsLabels, type CnsService, readCnsLabels } from '../model/cns-labels.js'
import type { MachineId } from '../model/machine.js'
import type { Instance } from '../model/service.js'
import type { DesiredUnit } from '../model/unit.js'
import type { ClusterView } from '../store/view.js'
import { lingersSince } from './linger.js'
import { type Listing, listingOf } from './listing.js'
import { type Whereabouts, whereaboutsOf } from './reach.js'

/** An instance with its names and addresses. */
export interface NamedInstance {
  readonly instance: Instance
  readonly labels: CnsLabels
  readonly listing: Listing
  readonly where: Whereabouts
  /** It is out, and leaves the answers little by little from then on; null where it does not. */
  readonly lingersSince: Instant | null
}

/** What is read of units: their labels. */
export interface Labels {
  needs(unit: DesiredUnit): { readonly labels: Readonly<Record<string, string>> }
}

/** An instance as it is now, seen from a machine; `before` as it was until it changed, `at` when that was. */
export function namedInstance(
  view: ClusterView,
  units: Labels,
  here: MachineId,
  instance: Instance,
  now: Instant,
  { before, at }: { readonly before?: NamedInstance | undefined; readonly at: Instant },
): NamedInstance {
  const unit = view.units.get(instance.unit)
  const labels = readCnsLabels(unit === undefined ? {} : units.needs(unit).labels)
  const placement = view.placements.get(instance.unit) ?? null
  const report = view.reportOf(instance.unit)
  const machine = placement === null ? undefined : view.machines.get(placement.machine)
  const order = placement === null ? undefined : view.orders.get(placement.machine)
  const version = view.versions.get(instance.version)
  const candidate = { instance, labels, placement, report, machine, order, version }
  const listing = listingOf(candidate, before?.listing ?? null, now)
  const since = lingersSince(before, listing, labels.hysteresis, at)
  const where = whereaboutsOf(machine, placement?.machine === here, report, placement?.ports ?? [])
  return {
    instance,
    labels,
    listing,
    // Of a machine that is gone nobody knows where it was but who has seen it there.
    where: since !== null && machine === undefined && before !== undefined ? before.where : where,
    lingersSince: since,
  }
}

/** The names of services that it stands behind: that of its own, and those of its labels. */
export function servicesOf({ instance, labels }: NamedInstance): readonly CnsService[] {
  if (labels.disabled) return []
  const own: CnsService = { label: instance.service, port: null, priority: 0, weight: 10 }
  return labels.services.some(({ label }) => label === own.label)
    ? labels.services
    : [own, ...labels.services]
}

/** The labels of its own names: a name is no label where it is too long. */
export function labelsOf({ instance, labels }: NamedInstance): readonly string[] {
  if (labels.disabled) return []
  return instance.name.length > 63 ? [instance.uuid] : [instance.name, instance.uuid]
}

/** The shortest of them. */
export function labelOf({ instance }: NamedInstance): string {
  return instance.name.length > 63 ? instance.uuid : instance.name
}
