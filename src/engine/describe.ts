import type { PlacementCause, Refusal } from '../model/unit.js'
import type { EvictionCause } from './plan.js'

/** Why a machine refuses a unit, for people. */
export function describeRefusal(refusal: Refusal): string {
  switch (refusal.kind) {
    case 'driver':
      return `has none of the drivers that the unit can run under (${refusal.needs.join(', ')})`
    case 'cordoned':
      return 'is cordoned: it takes no new units'
    case 'memory':
      return `has ${refusal.freeMb} MiB of memory left, ${refusal.needsMb} MiB are needed`
    case 'port':
      return `host port ${refusal.port}/${refusal.protocol} is held by ${refusal.heldBy}`
    case 'ports-used-up':
      return `no host port between ${refusal.from} and ${refusal.to} is free`
  }
}

/** Why a unit was placed, for people. */
export function describePlacementCause(cause: PlacementCause): string {
  switch (cause.kind) {
    case 'new':
      return 'fewest units of the machines that may run it'
    case 'machine-lost':
      return `its machine ${cause.from.slice(0, 8)} was lost`
    case 'port-taken':
      return `something else held its host port ${cause.port}`
  }
}

/** Why a unit lost its place, for people. */
export function describeEviction(cause: EvictionCause): string {
  const words: Readonly<Record<EvictionCause, string>> = {
    'unit-gone': 'it is no longer wanted',
    unloaded: 'it was unloaded',
    'machine-lost': 'its machine was lost',
    'port-taken': 'something else holds its host port',
  }
  return words[cause]
}
