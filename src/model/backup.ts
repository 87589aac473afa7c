// Backups of volumes by schedule: how far each volume has come with them, and what became of them.
import type { Instant } from '../lib/time.js'
import type { MachineId } from './machine.js'
import type { ScheduleState } from './schedule.js'
import type { ScheduledConsistency } from './volume.js'

/**
 * The backups of one volume by schedule: of a slot, wherever it is, or of what instances on one machine share. Written by the
 * daemon of the machine where the volume is. It outlives its service, as the volumes do.
 */
export interface BackupRecord {
  readonly project: string
  readonly service: string
  /** Of the volume in the service. */
  readonly name: string
  /** Null where instances share it. */
  readonly slot: number | null
  /** Of a volume that instances share: its machine; null of a slot. */
  readonly machine: MachineId | null
  /** How far its schedule has come; null while it has none. */
  readonly state: ScheduleState | null
  /** A firing whose backup is still to be made; null for none. */
  readonly due: DueBackup | null
  /** The backup that is being made; null for none. */
  readonly running: RunningBackup | null
  /** Whole ones, the oldest first. */
  readonly made: readonly MadeBackup[]
  /** Firings without a backup and tries that failed, the oldest first. */
  readonly failures: readonly FailedBackup[]
  /** Backups that were ended in the middle: their machines take away what they have left. Absent for none. */
  readonly left?: readonly RunningBackup[]
}

/** Which volume a record is of. */
export type BackupOf = Pick<BackupRecord, 'project' | 'service' | 'name' | 'slot' | 'machine'>

interface DueBackup {
  readonly dueAt: Instant
  /** Tries that have failed. */
  readonly failures: number
  /** The next try is not before that. */
  readonly notBefore: Instant
}

/** A backup in the making: what a daemon that is started again takes away. */
export interface RunningBackup {
  readonly id: string
  readonly dueAt: Instant
  readonly startedAt: Instant
  /** Who makes it. */
  readonly machine: MachineId
  /** The file or object that it becomes. */
  readonly to: string
  readonly consistency: ScheduledConsistency
  /** Of an object; absent for a file, and where nobody knew whom to ask, so that nothing was begun. */
  readonly store?: ObjectStore
}

/** Where an object is, and who is asked for it. */
export interface ObjectStore {
  /** The secret key of the project's metadata that says so. */
  readonly credentials: string
  /** As that said it when the backup was begun; null for Amazon's own. */
  readonly endpoint: string | null
}

/** Whether a place, or a backup, is in an S3-like store and not in a directory. */
export function isInObjectStore(to: string): boolean {
  return to.startsWith('s3://')
}

/** A whole backup, as it was when it was verified. */
export interface MadeBackup {
  readonly dueAt: Instant
  readonly startedAt: Instant
  readonly endedAt: Instant
  readonly machine: MachineId
  readonly to: string
  readonly bytes: number
  readonly sha256: string
  readonly consistency: ScheduledConsistency
  /** Something was changed while it was read. Absent for nothing. */
  readonly changed?: true
  /** Enough newer ones are whole: it is deleted, and then forgotten. Absent for one that is kept. */
  readonly expired?: true
  /** Nothing had the volume: while that has not changed, it is not backed up again. Absent where something had it. */
  readonly atRest?: RestingVolume
  /** Of an object; absent for a file. */
  readonly store?: ObjectStore
}

/** What tells whether somebody may have written to a volume since nothing had it. */
export interface RestingVolume {
  /** Of the volume. */
  readonly uuid: string
  /** Of its directory: what is restored is another one. */
  readonly inode: number
  /** Of the service, and how many instances it has made. */
  readonly serviceUuid: string
  readonly instances: number
}

export interface FailedBackup {
  readonly dueAt: Instant
  readonly at: Instant
  /** `missed`: too late, or an earlier one still went on. `failed`: it was tried. */
  readonly outcome: 'missed' | 'failed'
  /** How many firings. */
  readonly count: number
  readonly reason: string
}
