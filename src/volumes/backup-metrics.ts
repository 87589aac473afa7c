// How old the backups by schedule of the volumes of a machine are, in Prometheus' text format.
import { isFailing, isOverdue, lastWhole } from '../backup/record.js'
import type { Instant } from '../lib/time.js'
import type { BackupRecord } from '../model/backup.js'
import type { MachineId } from '../model/machine.js'
import type { ClusterView } from '../store/view.js'
import { machineOfBackup } from './backup-targets.js'

type BackupView = Pick<ClusterView, 'servicesWithBackups' | 'backupsOf' | 'volumesOf'>

/** The age of the last whole backup of each volume of a machine with a schedule, whether the next is overdue, and whether the last try failed. */
export function backupMetrics(view: BackupView, machine: MachineId, now: Instant): string {
  const records = [...view.servicesWithBackups()]
    .flatMap((service) => [...view.backupsOf(service).values()])
    .filter((record) => record.state !== null && machineOfBackup(view, record) === machine)
  const ages = records.flatMap((record) => {
    const last = lastWhole(record)
    const seconds = last === null ? 0 : Math.max(0, now - last.endedAt) / 1000
    return last === null ? [] : [`mariposa_volume_backup_age_seconds${labelsOf(record)} ${seconds}\n`]
  })
  const overdue = records.map(
    (record) => `mariposa_volume_backup_overdue${labelsOf(record)} ${isOverdue(record, now) ? 1 : 0}\n`,
  )
  const failing = records.map(
    (record) => `mariposa_volume_backup_failing${labelsOf(record)} ${isFailing(record) ? 1 : 0}\n`,
  )
  return [
    '# TYPE mariposa_volume_backup_age_seconds gauge\n',
    ...ages,
    '# TYPE mariposa_volume_backup_overdue gauge\n',
    ...overdue,
    '# TYPE mariposa_volume_backup_failing gauge\n',
    ...failing,
  ].join('')
}

/** Names of services and volumes have no character that would have to be escaped. */
function labelsOf({ project, service, name, slot }: BackupRecord): string {
  return `{project="${project}",service="${service}",volume="${name}",slot="${slot ?? ''}"}`
}
