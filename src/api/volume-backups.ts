// Backups of volumes by schedule as JSON: by volume, the oldest first, and the next firing behind them.
import { isOverdue, nextFiring } from '../backup/record.js'
import { noSuchService, type Problem } from '../changes/problem.js'
import type { VolumeBackupBody } from '../contract/contract.js'
import { type Instant, toIso } from '../lib/time.js'
import type { BackupRecord } from '../model/backup.js'
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

function bodiesOf(view: ClusterView, record: BackupRecord, now: Instant): readonly VolumeBackupBody[] {
  const { project, service, name, slot, made, failures, running, due } = record
  const place = machineOfBackup(view, record)
  const common = {
    ...{ project, service, name, slot, ...hostOf(view, place) },
    ...{ endedAt: null, to: null, bytes: null, sha256: null, consistency: null },
    ...{ changed: false, reason: null, overdue: false },
  }
  const ended = [
    ...made
      .filter(({ expired }) => expired !== true)
      .map((one) => ({
        at: one.endedAt,
        body: {
          ...{ ...common, ...hostOf(view, one.machine), dueAt: toIso(one.dueAt) },
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
  return `it has failed${failures === 1 ? '' : ` ${failures} times`}, and is tried again at ${toIso(notBefore)}`
}

function hostOf(
  view: ClusterView,
  machine: MachineId | null,
): Pick<VolumeBackupBody, 'machine' | 'hostname'> {
  return { machine, hostname: machine === null ? null : hostnameOf(view, machine) }
}
