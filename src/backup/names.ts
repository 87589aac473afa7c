// What backups by schedule are called, so that those of several volumes, slots and machines are never the same.
import type { Instant } from '../lib/time.js'
import type { BackupOf } from '../model/backup.js'
import type { MachineId } from '../model/machine.js'
import { volumeKey } from '../model/volume.js'

/** `PROJECT.SERVICE.VOLUME[.SLOT].TIME.MACHINE.tar.zst`: the time to the millisecond, of the machine the beginning of its id. */
export function backupName(
  { project, service, name, slot }: BackupOf,
  machine: MachineId,
  startedAt: Instant,
): string {
  const time = new Date(startedAt).toISOString().replace(/[-:]/g, '')
  return `${volumeKey({ project, service, name, slot })}.${time}.${machine.slice(0, 8)}.tar.zst`
}
