// Who of a service makes way, and who stays: while a rollout runs, while machines are drained, and otherwise.
import type { Service } from '../model/service.js'
import type { Assessed } from './assess.js'
import { firstToGo } from './select-surplus.js'

/** The live instances of a service that are not lost, by what becomes of them. */
export interface Roles {
  readonly there: readonly Assessed[]
  /** Those that make way: old ones, and beside the picks of a rollout what is too many. */
  readonly going: readonly Assessed[]
  readonly staying: readonly Assessed[]
  /** Those of them that the rollout, or the drain, is not over without: each has to be up. */
  readonly awaited: readonly Assessed[]
}

/** Sorts instances into their roles. */
export function rolesOf(service: Service, there: readonly Assessed[]): Roles {
  const going = new Set([...there.filter((item) => item.outdated), ...leftOver(service, there)])
  const staying = there.filter((item) => !going.has(item))
  return {
    there,
    going: [...going],
    staying,
    awaited: isOfPicks(service) ? staying.filter((item) => item.fresh) : staying,
  }
}

/** Whether a rollout replaces instances that were picked, and leaves the others alone. */
function isOfPicks({ rollout }: Service): boolean {
  return rollout !== null && typeof rollout.replaces !== 'string'
}

/** How many new instances a rollout makes for those that were picked; 0 where it is about all. */
export function picksOf({ rollout, scale }: Service): number {
  if (rollout === null || typeof rollout.replaces === 'string') return 0
  return Math.min(rollout.replaces.length, scale)
}

/**
 * What a rollout neither made nor picked, beyond the places that its picks leave: what an earlier one had on its way,
 * or what has come back. Without that the new ones of the picks would have no place in the scale.
 */
function leftOver(service: Service, there: readonly Assessed[]): readonly Assessed[] {
  if (!isOfPicks(service)) return []
  const places = service.scale - picksOf(service)
  const alone = there.filter((item) => !item.outdated && !item.fresh)
  return firstToGo(
    service,
    alone.filter((item) => !item.returning),
    alone.length - places,
  )
}
