// The selection policy of contract §3: which instances go first.
import { byKeys } from '../lib/sort.js'
import { instanceStateOf } from '../model/instance-state.js'
import type { InstanceFilter } from '../model/order.js'
import type { Instance, InstanceState } from '../model/service.js'
import type { ServiceInstance } from './situation.js'

/** Oldest service version first, the current version last; within a version the oldest instance first. */
export function selectionOrder(currentVersion: string): (a: Instance, b: Instance) => number {
  return byKeys(
    (instance) => (instance.version === currentVersion ? 1 : 0),
    (instance) => instance.ordinal,
    (instance) => instance.n,
  )
}

/** The instances that an order picks: those that run, or are paused, and pass the filter, in the order of the policy. */
export function selectInstances(
  instances: readonly ServiceInstance[],
  filter: InstanceFilter,
  currentVersion: string,
): readonly ServiceInstance[] {
  const order = selectionOrder(currentVersion)
  return instances
    .filter((item) => item.instance.retired === null && isThere(instanceStateOf(item)))
    .filter((item) => passes(item, filter))
    .sort((a, b) => order(a.instance, b.instance))
}

function isThere(state: InstanceState): boolean {
  return state === 'running' || state === 'paused'
}

/** Whether a filter lets everything through. */
export function isOpen(filter: InstanceFilter): boolean {
  return Object.values(filter).every((part) => part === null)
}

function passes(
  { instance, version, placement }: ServiceInstance,
  { version: ofVersion, image, instance: named, machine }: InstanceFilter,
): boolean {
  return (
    (ofVersion === null || instance.version === ofVersion) &&
    (image === null || version?.image === image) &&
    (named === null || instance.name === named || instance.uuid === named) &&
    (machine === null || placement?.machine === machine)
  )
}
