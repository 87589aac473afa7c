// What backups by schedule are called, so that those of several volumes, slots and machines are never the same.
import { uuidOf } from '../lib/hash.js'
import type { Instant } from '../lib/time.js'
import type { BackupOf } from '../model/backup.js'
import type { MachineId } from '../model/machine.js'
import { volumeKey } from '../model/volume.js'

/** What a backup is called where somebody names it: it derives from where it is, which no other one ever has. */
export function backupId(to: string): string {
  return uuidOf('backup', to)
}

/** A backup below the place that it goes to: a directory, or `s3://BUCKET/PREFIX`. */
export function backupPath(to: string, name: string): string {
  return `${to.replace(/\/+$/, '')}/${name}`
}

/** `PROJECT.SERVICE.VOLUME[.SLOT].TIME.MACHINE.tar.zst`: the time to the millisecond, of the machine the beginning of its id. */
export function backupName(
  { project, service, name, slot }: BackupOf,
  machine: MachineId,
  startedAt: Instant,
): string {
  const time = new Date(startedAt).toISOString().replace(/[-:]/g, '')
  return `${volumeKey({ project, service, name, slot })}.${time}.${machine.slice(0, 8)}.tar.zst`
}
