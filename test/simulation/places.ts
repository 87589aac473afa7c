// Where instances may be, as the manifests of the simulation ask for it: told apart from what the product makes of them, by
// reading the manifest once more.
import type { Instance } from '../../src/model/service.js'
import type { UnitName } from '../../src/model/unit.js'
import { keys } from '../../src/store/records.js'
import { type ClusterView, serviceKey } from '../../src/store/view.js'
import { neededMb, usedMb } from './memory.js'
import { whyNotNear } from './near.js'
import { project } from './scenario.js'
import { couldTakeOver, whyNotUnitThere } from './units.js'

/** What an instance asks of its machine, besides memory. */
export interface Place {
  readonly zone: string | null
  /** A host port that only one can have. */
  readonly port: number | null
  /** Services none of whose instances may be there. */
  readonly away: readonly string[]
}

export type Runs = (unit: UnitName, machine: string) => boolean

export function placeOf(view: ClusterView, unit: UnitName): Place {
  const text = view.versions.get(view.instances.get(unit)?.version ?? '')?.text ?? ''
  const port = /^ports: \["(\d+)"\]$/m.exec(text)?.[1]
  return {
    zone: /machine\.zone==(\w+)/.exec(text)?.[1] ?? null,
    port: port === undefined ? null : Number(port),
    away: Array.from(text.matchAll(/service!=(s\d+)/g), ([, name = '']) => name),
  }
}

/** Why a machine that is there must not have a unit now, beside others that are; null where it may. */
export function whyNotThere(
  view: ClusterView,
  unit: UnitName,
  machine: string,
  others: readonly Instance[],
): string | null {
  const { zone, port, away } = placeOf(view, unit)
  const service = view.instances.get(unit)?.service ?? null
  const has = [...view.machines.values()].find(({ id }) => id === machine)?.metadata['zone']
  if (zone !== null && has !== zone) return `it asks for zone ${zone}`
  const home = homeOf(view, unit)
  if (home !== null && home !== machine) return `the volume of its slot is on ${home}`
  for (const other of others) {
    if (other.unit === unit) continue
    if (port !== null && placeOf(view, other.unit).port === port)
      return `${other.name} has port ${port} there`
    if (away.includes(other.service)) return `${other.name} is there, and it asks to be elsewhere`
    // Who asks to be away from others keeps them away as well.
    if (service !== null && placeOf(view, other.unit).away.includes(service))
      return `${other.name} is there, and asks to be elsewhere than it`
  }
  return null
}

/** Where the volume of its slot is, if it is on a machine; null where it may be made anywhere. */
function homeOf(view: ClusterView, unit: UnitName): string | null {
  const { service, slot, version = '' } = view.instances.get(unit) ?? {}
  if (service === undefined || slot === undefined) return null
  const of = serviceKey(project, service)
  const home = view.volumesOf(of).get(keys.volume(project, service, 'data', slot))?.machine ?? null
  const isLost = home !== null && !view.machines.has(home)
  return isLost && view.versions.get(version)?.text.includes('on_lost: fresh') === true ? null : home
}

/** Instances that take up room on a machine: those that are not over, and those that still run. */
export function instancesOn(view: ClusterView, machine: string, runs: Runs): readonly Instance[] {
  return [...view.placements.values()].flatMap((placement) => {
    const instance = view.instances.get(placement.unit)
    if (placement.machine !== machine || instance === undefined) return []
    return instance.retired === null || runs(instance.unit, machine) ? [instance] : []
  })
}

/** Whether a machine could take a unit that waits. */
export function couldTake(view: ClusterView, unit: UnitName, runs: Runs): boolean {
  const needed = neededMb(view, unit)
  const all = usedMb(view, runs)
  return [...view.machines.values()].some(({ id, capacity }) => {
    if (view.orders.get(id)?.cordoned === true) return false
    const there = instancesOn(view, id, runs)
    const used = all.get(id) ?? 0
    const freeMb = (capacity.memoryMb ?? Number.POSITIVE_INFINITY) - used
    if (couldTakeOver(view, unit, id, freeMb)) return true
    const hasRoom = freeMb >= needed
    if (!hasRoom || whyNotNear(view, unit, id, runs) !== null) return false
    return whyNotThere(view, unit, id, there) === null && whyNotUnitThere(view, unit, id) === null
  })
}
