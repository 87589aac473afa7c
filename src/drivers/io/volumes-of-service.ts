import type { LeftVolume, OwnerOfVolumes } from '../../agent/driver.js'
import { type VolumeName, volumeKey } from '../../model/volume.js'

/**
 * Deletes those of some named volumes that are a service's, unless another has its name by now. Resolves to those that stay.
 * Throws what kept one from being deleted, once it has tried them all.
 */
export async function deleteVolumesOfService(
  volumes: readonly VolumeName[],
  { project, name, isReplaced }: OwnerOfVolumes,
  remove: (volume: VolumeName) => Promise<void>,
): Promise<readonly LeftVolume[]> {
  const own = volumes.filter((volume) => volume.project === project && volume.service === name)
  if (isReplaced) return own.map((volume) => ({ name: volumeKey(volume), service: null }))
  const failures: unknown[] = []
  for (const volume of own)
    await remove(volume).catch((error: unknown) => {
      failures.push(error)
    })
  if (failures.length > 0) throw failures[0]
  return []
}
