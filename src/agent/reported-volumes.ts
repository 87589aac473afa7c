// The volumes that the drivers of a machine report, as one list: all programs of a machine share the directories.
import { byKeys } from '../lib/sort.js'
import type { DriverKind } from '../model/driver-kind.js'
import { volumeKey } from '../model/volume.js'
import type { VolumeInUse, VolumeUser } from './driver.js'

/**
 * The volumes of a machine, each once. A driver knows best which of its own units use them: what another driver reports of
 * those counts only where that driver reports nothing.
 */
export function mergeReportedVolumes(
  told: ReadonlyMap<DriverKind, readonly VolumeInUse[]>,
): readonly VolumeInUse[] {
  const volumes = new Map<string, VolumeInUse>()
  for (const [driver, list] of told) {
    for (const volume of list) {
      const counts = (user: VolumeUser): boolean => user.driver === driver || !told.has(user.driver)
      const before = volumes.get(volume.uuid)?.users ?? []
      volumes.set(volume.uuid, { ...volume, users: merged(before, volume.users.filter(counts)) })
    }
  }
  return [...volumes.values()].sort(byKeys<VolumeInUse>(volumeKey, ({ uuid }) => uuid))
}

function merged(before: readonly VolumeUser[], more: readonly VolumeUser[]): readonly VolumeUser[] {
  const isNew = (user: VolumeUser): boolean =>
    !before.some(({ driver, name }) => driver === user.driver && name === user.name)
  return [...before, ...more.filter(isNew)]
}
