// Shapes of backups of volumes by schedule.
import { flag, machineId, number, orNull, shape, text, words } from './words.js'

/** What becomes of a firing. */
export const backupResults = ['whole', 'failed', 'missed', 'running', 'waiting', 'planned'] as const

export const volumeBackupBody = shape(
  'VolumeBackupBody',
  'A backup of a volume by schedule, what became of it, or the next one. Query: `service`.',
  {
    project: text(),
    service: text(),
    name: text('Of the volume in the service.'),
    slot: orNull(number(), 'The slot that has the volume; null where instances share it.'),
    machine: orNull(machineId, 'The machine of `hostname`.'),
    hostname: orNull(text(), 'Of the machine that made it, or where the volume is; null where nobody knows.'),
    dueAt: text('The firing of the schedule.'),
    result: words(
      backupResults,
      '`whole`: it is kept. `missed`: nobody was there in time, or an earlier one still went on. `waiting`: it is due, and begins once it can. `planned`: the next firing.',
    ),
    endedAt: orNull(text(), 'When it was whole, had failed, or was told as missed.'),
    to: orNull(text(), 'The file.'),
    bytes: orNull(number()),
    sha256: orNull(text()),
    consistency: orNull(words(['live', 'stopped'], 'How the instance was treated.')),
    changed: flag('Whether something was changed while it was read.'),
    reason: orNull(text(), 'Why there is none, or why it waits.'),
    overdue: flag('Of `planned`: two firings have gone by without a whole backup.'),
  },
)
