import type { LeftVolume, OwnerOfVolumes } from '../../agent/driver.js'
import { type VolumeName, volumeKey } from '../../model/volume.js'

/** Deletes those of some named volumes that are a service's, unless another has its name by now. Resolves to those that stay. */
export async function deleteVolumesOfService(
  volumes: readonly VolumeName[],
  { project, name, isReplaced }: OwnerOfVolumes,
  remove: (volume: VolumeName) => Promise<void>,
): Promise<readonly LeftVolume[]> {
  const own = volumes.filter((volume) => volume.project === project && volume.service === name)
  if (isReplaced) return own.map((volume) => ({ name: volumeKey(volume), service: null }))
  for (const volume of own) await remove(volume)
  return []
}
