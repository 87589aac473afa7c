// Scheduled backups of volumes.
import { flag, machineId, number, orNull, shape, text, words } from './words.js'

/** Outcomes of a firing. */
export const backupResults = ['whole', 'failed', 'missed', 'running', 'waiting', 'planned'] as const

export const volumeBackupBody = shape(
  'VolumeBackupBody',
  'A scheduled backup of a volume: finished, failed, or the next one. Query: `service`.',
  {
    id: orNull(text(), 'Id of a complete backup, for restoring it; null while there is no complete backup.'),
    project: text(),
    service: text(),
    name: text('Name of the volume in the service.'),
    slot: orNull(number(), 'The slot that the volume belongs to; null if instances share it.'),
    machine: orNull(machineId, 'Id of the machine of `hostname`.'),
    hostname: orNull(
      text(),
      'Hostname of the machine that made the backup, or that has the volume; null if unknown.',
    ),
    dueAt: text('Time of the firing of the schedule.'),
    result: words(
      backupResults,
      '`whole`: the backup is complete and kept. `missed`: no machine could make it in time, or an earlier backup was still running. `waiting`: it is due and begins as soon as possible. `planned`: the next firing.',
    ),
    endedAt: orNull(text(), 'When it was completed, failed, or was reported as missed.'),
    to: orNull(text(), 'The file, or the object as `s3://BUCKET/KEY`.'),
    bytes: orNull(number()),
    sha256: orNull(text()),
    consistency: orNull(
      words(
        ['live', 'stopped'],
        '`stopped`: the instance was stopped meanwhile. `live`: it went on running.',
      ),
    ),
    changed: flag('Whether files changed while the volume was read.'),
    reason: orNull(text(), 'Why there is no backup, or why it waits.'),
    overdue: flag('Only with `planned`: whether two firings have passed without a complete backup.'),
  },
)
