// The guard of changes that make another version current or replace instances: what is current has to be as expected.
import { versionNamed } from '../service/orders.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import type { Problem } from './problem.js'

/**
 * Why a change does not go with the version that it expects to be current, named by its uuid, the beginning of that or
 * its number; null where nothing is expected, or it is so.
 */
export function previousProblem(
  view: ClusterView,
  project: string,
  name: string,
  previous: string | undefined,
): Problem | null {
  if (previous === undefined) return null
  const key = serviceKey(project, name)
  const current = view.versions.get(view.services.get(key)?.current ?? '')
  const expected = versionNamed({ name }, view.versionsOf(key), previous)
  if (current !== undefined && !('kind' in expected) && expected.uuid === current.uuid) return null
  const found =
    current === undefined
      ? 'it does not exist'
      : `its current version is ${current.uuid} (number ${current.ordinal})`
  return {
    status: 409,
    code: 'service/not-previous',
    message: `${name} is not at version ${previous}: ${found}`,
    hint: 'check what has changed, then try again with the current version',
  }
}
