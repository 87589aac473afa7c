// Versions that get only the requests of the entry that ask for them, as long as they have not been rolled out to all.
import { isOnlyAsked } from '../model/entry.js'
import type { Instance, Service, ServiceVersion } from '../model/service.js'

/** Whether a rollout is under way that leaves none of the older instances: those of before could not carry all to its end. */
export function isReplacingAll(
  { rollout, current }: Pick<Service, 'rollout' | 'current'>,
  instances: readonly Pick<Instance, 'version' | 'retired' | 'n'>[],
): boolean {
  if (rollout === null) return false
  const { replaces } = rollout
  if (typeof replaces === 'string') return true
  return instances.every(
    ({ version, retired, n }) => version === current || retired !== null || replaces.includes(n),
  )
}

/** What is told from when another version becomes current. */
export interface Leaving {
  readonly service: Service
  readonly versions: readonly ServiceVersion[]
  readonly instances: readonly { readonly instance: Instance }[]
}

/**
 * What the record of a service says of its earlier versions once `next` is current: the one that is left is judged as it stands
 * now. Where no instance is of another version than those, they have served everybody, and will.
 */
export function askedOnlyAfter(
  { service, versions, instances }: Leaving,
  next: string,
): Pick<Service, 'askedOnly'> {
  const { current, askedOnly = [] } = service
  if (next === current) return askedOnly.length === 0 ? {} : { askedOnly }
  const left = versions.find(({ uuid }) => uuid === current)
  const isSome = (left?.entry ?? []).some((route) => isOnlyAsked(route))
  if (!isSome && askedOnly.length === 0) return {}
  const all = instances.map(({ instance }) => instance)
  const live = all.filter(({ retired }) => retired === null)
  const earlier = askedOnly.filter((uuid) => uuid !== current)
  const known = isSome && !isReplacingAll(service, all) ? [...earlier, current] : earlier
  if (live.every(({ version }) => known.includes(version))) return {}
  const kept = known.filter((uuid) => uuid !== next && live.some(({ version }) => version === uuid))
  return kept.length === 0 ? {} : { askedOnly: kept }
}
