// What of a service was made from values of the project's metadata that are others by now.
import { otherByNow } from '../model/meta-fingerprints.js'
import type { Instance, Service, ServiceVersion } from '../model/service.js'
import { type ClusterView, serviceKey } from '../store/view.js'

/**
 * The keys of an instance that is to run on, as templates name them (`meta.color`); sorted. What is filled in at each start
 * is what it was at the last one, as far as its machine has told.
 */
export function driftOfInstance(view: ClusterView, instance: Instance): readonly string[] {
  if (instance.retired !== null) return none
  const atStart = view.reportOf(instance.unit)?.madeOf
  if (instance.madeOf === undefined && atStart === undefined) return none
  return named(otherByNow({ ...instance.madeOf, ...atStart }, view.metaOf(instance.project)))
}

/** The keys of a service, with those of its instances. */
export function driftOfService(view: ClusterView, service: Service): readonly string[] {
  const current = view.versions.get(service.current)
  const found = new Set(current === undefined ? [] : driftOfVersion(view, current))
  for (const instance of lastingInstances(view, service))
    for (const key of driftOfInstance(view, instance)) found.add(key)
  return [...found].sort()
}

/**
 * Whether a version is to be made anew for all of it to be of the values of now. Instances of other versions are replaced by
 * the one that is current, which a canary may have made a moment ago.
 */
export function isMadeOfOthers(view: ClusterView, service: Service, current: ServiceVersion): boolean {
  return (
    driftOfVersion(view, current).length > 0 ||
    lastingInstances(view, service).some(
      (one) => one.version === current.uuid && driftOfInstance(view, one).length > 0,
    )
  )
}

function driftOfVersion(view: ClusterView, { project, madeOf }: ServiceVersion): readonly string[] {
  return madeOf === undefined ? none : named(otherByNow(madeOf, view.metaOf(project)))
}

/** A run ends by itself, and the next one takes the values of its time: none is replaced. */
function lastingInstances(view: ClusterView, { project, name, type }: Service): readonly Instance[] {
  return type === 'continuous' ? view.instancesOf(serviceKey(project, name)) : none
}

function named(keys: readonly string[]): readonly string[] {
  return keys.map((key) => `meta.${key}`)
}

const none: readonly never[] = []
