// The age of backups by schedule as metrics.
import { expect, test } from 'vitest'
import type { BackupRecord } from '../../src/model/backup.js'
import type { MachineId } from '../../src/model/machine.js'
import type { ScheduleState } from '../../src/model/schedule.js'
import type { VolumeRecord } from '../../src/model/volume.js'
import { keyOf } from '../../src/store/records.js'
import { backupMetrics } from '../../src/volumes/backup-metrics.js'

const [here, there] = ['a'.repeat(32) as MachineId, 'b'.repeat(32) as MachineId]
const hour = 3_600_000
const schedule = {
  kind: 'cron',
  expression: '0 * * * *',
  epsilonMs: 1,
  timezone: null,
  overlap: 'skip',
} as const
const state = { schedule, origin: 1, decidedUpTo: 0 } as unknown as ScheduleState
const record = (slot: number | null, machine: MachineId | null, endedAt: number | null): BackupRecord => ({
  ...{ project: 'default', service: 'db', name: 'data', slot, machine },
  ...{ state, due: null, running: null, failures: [] },
  made:
    endedAt === null
      ? []
      : [
          {
            ...{ dueAt: endedAt, startedAt: endedAt, endedAt, machine: here, to: '/x', bytes: 1 },
            ...{ sha256: '', consistency: 'live' as const },
          },
        ],
})

test('each machine tells of its own volumes, and of those without a backup that they are overdue', () => {
  const records = [record(0, null, hour), record(1, null, hour), record(null, here, null)]
  const volumes = [
    { project: 'default', service: 'db', name: 'data', slot: 0, machine: here },
    { project: 'default', service: 'db', name: 'data', slot: 1, machine: there },
  ] as unknown as readonly VolumeRecord[]
  const view = {
    servicesWithBackups: () => ['default/db'] as const,
    backupsOf: () => new Map(records.map((one, n) => [String(n), one])),
    volumesOf: () => new Map(volumes.map((one) => [keyOf('volume', one), one])),
  }
  const of = (slot: string): string => `{project="default",service="db",volume="data",slot="${slot}"}`
  expect(backupMetrics(view, here, 1.5 * hour).split('\n')).toEqual([
    '# TYPE mariposa_volume_backup_age_seconds gauge',
    `mariposa_volume_backup_age_seconds${of('0')} 1800`,
    '# TYPE mariposa_volume_backup_overdue gauge',
    `mariposa_volume_backup_overdue${of('0')} 0`,
    `mariposa_volume_backup_overdue${of('')} 0`,
    '# TYPE mariposa_volume_backup_failing gauge',
    `mariposa_volume_backup_failing${of('0')} 0`,
    `mariposa_volume_backup_failing${of('')} 0`,
    '',
  ])
  expect(backupMetrics(view, here, 5 * hour)).toContain(`mariposa_volume_backup_overdue${of('')} 1`)
})
