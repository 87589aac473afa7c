// Backups of volumes by schedule as JSON: by volume, the oldest first, and the next firing behind them.
import { backupId } from '../backup/names.js'
import { isOverdue, nextFiring } from '../backup/record.js'
import { noSuchService, type Problem } from '../changes/problem.js'
import type { VolumeBackupBody } from '../contract/contract.js'
import { type Instant, toIso } from '../lib/time.js'
import type { BackupRecord, MadeBackup } from '../model/backup.js'
import type { MachineId } from '../model/machine.js'
import { hostnameOf } from '../store/hostname.js'
import { keys } from '../store/records.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { machineOfBackup } from './backup-targets.js'

/** What is known of the backups of the volumes of a project, or of one service, which may be gone. */
export function volumeBackupsOf(
  view: ClusterView,
  project: string,
  service: string | undefined,
  now: Instant,
): readonly VolumeBackupBody[] | Problem {
  const groups = [...view.servicesWithBackups()].filter((key) =>
    service === undefined ? key.startsWith(`${project}/`) : key === serviceKey(project, service),
  )
  if (service !== undefined && groups.length === 0 && !view.services.has(serviceKey(project, service)))
    return noSuchService(view, project, service)
  return groups
    .flatMap((key) => [...view.backupsOf(key).values()])
    .sort((a, b) => (keys.backup(a) < keys.backup(b) ? -1 : 1))
    .flatMap((record) => bodiesOf(view, record, now))
}

/** A whole backup, and what it is of. */
export interface FoundBackup {
  readonly record: BackupRecord
  readonly made: MadeBackup
  readonly id: string
}

/** So much of an id is asked for at the least, so that no short word stands for a backup by chance. */
const idAtLeast = 4

/** The whole backup of a project with an id, or the beginning of one; refused where it is none, has expired, or is one of several. */
export function findBackup(view: ClusterView, project: string, word: string): FoundBackup | Problem {
  const wanted = word.toLowerCase()
  const found = [...view.servicesWithBackups()]
    .filter((key) => key.startsWith(`${project}/`))
    .flatMap((key) => [...view.backupsOf(key).values()])
    .flatMap((record) => record.made.map((made) => ({ record, made, id: backupId(made.to) })))
    .filter(({ id }) => wanted.length >= idAtLeast && id.startsWith(wanted))
  const whole = found.filter(({ made }) => made.expired !== true)
  const [one] = whole
  if (one !== undefined && whole.length === 1) return one
  if (one !== undefined)
    return {
      status: 409,
      code: 'volume/ambiguous-backup',
      message: `"${word}" is ambiguous: it matches ${whole.length} backups: ${whole.map(({ id }) => id).join(', ')}`,
      hint: 'give more of the id',
    }
  const isExpired = found.length > 0
  return {
    status: 404,
    code: 'volume/unknown-backup',
    message: isExpired
      ? `the backup "${word}" has expired: it was deleted, and newer ones are kept`
      : `there is no complete scheduled backup "${word}" in ${project}; it may have expired`,
    hint: 'mariposa volume backups shows those that are kept, with their ids',
  }
}

function bodiesOf(view: ClusterView, record: BackupRecord, now: Instant): readonly VolumeBackupBody[] {
  const { project, service, name, slot, made, failures, running, due } = record
  const place = machineOfBackup(view, record)
  const common = {
    ...{ id: null, project, service, name, slot, ...hostOf(view, place) },
    ...{ endedAt: null, to: null, bytes: null, sha256: null, consistency: null },
    ...{ changed: false, reason: null, overdue: false },
  }
  const ended = [
    ...made
      .filter(({ expired }) => expired !== true)
      .map((one) => ({
        at: one.endedAt,
        body: {
          ...{ ...common, ...hostOf(view, one.machine), dueAt: toIso(one.dueAt), id: backupId(one.to) },
          ...{ result: 'whole' as const, endedAt: toIso(one.endedAt), to: one.to, bytes: one.bytes },
          ...{ sha256: one.sha256, consistency: one.consistency, changed: one.changed === true },
        },
      })),
    ...failures.map((one) => ({
      at: one.at,
      body: {
        ...{ ...common, dueAt: toIso(one.dueAt), result: one.outcome, endedAt: toIso(one.at) },
        reason: one.count === 1 ? one.reason : `${one.count} of them: ${one.reason}`,
      },
    })),
  ].sort((a, b) => a.at - b.at)
  const next = place === null ? null : nextFiring(record, now)
  return [
    ...ended.map(({ body }) => body),
    ...(running === null
      ? []
      : [
          {
            ...{ ...common, ...hostOf(view, running.machine), dueAt: toIso(running.dueAt) },
            ...{ result: 'running' as const, to: running.to, consistency: running.consistency },
          },
        ]),
    ...(due === null || running?.dueAt === due.dueAt
      ? []
      : [
          { ...common, dueAt: toIso(due.dueAt), result: 'waiting' as const, reason: waitingReason(due, now) },
        ]),
    ...(next === null
      ? []
      : [
          {
            ...{ ...common, dueAt: toIso(next), result: 'planned' as const },
            overdue: isOverdue(record, now),
          },
        ]),
  ]
}

function waitingReason(
  { failures, notBefore }: NonNullable<BackupRecord['due']>,
  now: Instant,
): string | null {
  if (failures === 0 || notBefore <= now) return null
  return `it has failed${failures === 1 ? '' : ` ${failures} times`}; the next attempt is at ${toIso(notBefore)}`
}

function hostOf(
  view: ClusterView,
  machine: MachineId | null,
): Pick<VolumeBackupBody, 'machine' | 'hostname'> {
  return { machine, hostname: machine === null ? null : hostnameOf(view, machine) }
}
