// What becomes of the firings of a volume's schedule, and of its backups: each step from one record to the next.
import { type Backoff, backoffMs } from '../lib/backoff.js'
import { type Instant, toIso } from '../lib/time.js'
import type {
  BackupOf,
  BackupRecord,
  FailedBackup,
  MadeBackup,
  RestingVolume,
  RunningBackup,
} from '../model/backup.js'
import type { Run } from '../model/schedule.js'
import type { Service } from '../model/service.js'
import type { BackupPlan } from '../model/volume.js'
import { decideFiring, stateFor } from '../schedule/decide.js'
import { timetableOf } from '../schedule/timetable.js'

/** Tries that failed and firings that were missed: so many are remembered. */
export const failuresKept = 20
/** Tries of one firing: the next firing is tried anew. */
export const triesAtMost = 5
/** Between tries: a minute, 4, 16 and 64. */
const retries: Backoff = { firstMs: 60_000, longestMs: 2 ** 6 * 60_000 }
/** Firings that are decided in one step, each of which may stand for many that were missed. */
const firingsAtOnce = 1000

/** The record of a volume that has none yet. */
export function firstRecord(of: BackupOf): BackupRecord {
  const { project, service, name, slot, machine } = of
  return {
    ...{ project, service, name, slot, machine },
    ...{ state: null, due: null, running: null, made: [], failures: [] },
  }
}

/** A record after its firings up to now, and what is to be told of those without a backup. */
interface AfterFirings {
  /** The same object when nothing changed. */
  readonly record: BackupRecord
  readonly missed: readonly FailedBackup[]
  /** The next firing; null where there is none any more. */
  readonly wakeAt: Instant | null
}

/**
 * Decides the firings of a plan that are due: each has one backup at the most, and a firing while the backup of an earlier one
 * goes on has none. Those that a machine was away for have one together. `deployedAt`: when the version with the plan was.
 */
export function afterFirings(
  record: BackupRecord,
  { schedule }: BackupPlan,
  {
    service,
    deployedAt,
    now,
  }: { readonly service: Service; readonly deployedAt: Instant; readonly now: Instant },
): AfterFirings {
  const before = record.state ?? undefined
  // What was due before there was a volume, or while nothing was said of it, is none of it.
  let state = stateFor(service, schedule, before === undefined ? now : Math.min(deployedAt, now), before, now)
  let { due, failures } = record
  const runs: Run[] = []
  let wakeAt: Instant | null = null
  for (let n = 0; n < firingsAtOnce; n += 1) {
    const isBusy = record.running !== null || (due !== null && due.failures === 0)
    const wasMade = (at: Instant): boolean =>
      due?.dueAt === at || record.made.some(({ dueAt }) => dueAt === at)
    const decided = decideFiring(state, timetableOf(schedule, state.origin), isBusy, now, wasMade)
    state = decided.state
    if (decided.withdrawn !== null) {
      const { withdrawn } = decided.withdrawn
      failures = failures.filter(({ outcome, dueAt }) => outcome !== 'missed' || !withdrawn.includes(dueAt))
    }
    if (decided.action === 'start' && decided.run !== null)
      due = { dueAt: decided.run.dueAt, failures: 0, notBefore: now }
    else if (decided.run !== null) runs.push(decided.run)
    wakeAt = decided.wakeAt
    if (wakeAt !== now) break
  }
  const missed = missedOf(runs, now)
  if (state === record.state && due === record.due && failures === record.failures && missed.length === 0)
    return { record, missed, wakeAt }
  return { record: { ...record, state, due, failures: withFailures(failures, missed) }, missed, wakeAt }
}

/** Those that were too late as one, and those during an earlier backup as one. */
function missedOf(runs: readonly Run[], at: Instant): readonly FailedBackup[] {
  const reasons = {
    missed: 'the machine or its daemon was away',
    skipped: 'the backup of an earlier firing was still running',
  } as const
  return (['missed', 'skipped'] as const).flatMap((outcome) => {
    const some = runs.filter((run) => run.outcome === outcome)
    const last = some.at(-1)
    if (last === undefined) return []
    const count = some.reduce((sum, run) => sum + run.count, 0)
    return [{ dueAt: last.dueAt, at, outcome: 'missed' as const, count, reason: reasons[outcome] }]
  })
}

function withFailures(
  failures: readonly FailedBackup[],
  more: readonly FailedBackup[],
): readonly FailedBackup[] {
  return more.length === 0 ? failures : [...failures, ...more].slice(-failuresKept)
}

/** A record whose volume has no plan any more: what is there stays. The same object when nothing changed. */
export function withoutPlan(record: BackupRecord): BackupRecord {
  return record.state === null && record.due === null ? record : { ...record, state: null, due: null }
}

/** When a backup that is due may begin; null while there is none, or one is being made. */
export function startsAt({ due, running }: BackupRecord, now: Instant): Instant | null {
  if (due === null || running !== null) return null
  // A clock that was set back holds nothing up for longer than the longest wait.
  return due.notBefore - now > retries.longestMs ? now : due.notBefore
}

/** A record whose backup is begun. */
export function begun(record: BackupRecord, running: RunningBackup): BackupRecord {
  return { ...record, running }
}

/** A record whose firing needs no backup: nothing has had the volume since the last one. */
export function notNeeded(record: BackupRecord): BackupRecord {
  return { ...record, due: null }
}

/** A record after a try that failed: it is tried again later, unless it was too often. */
export function afterFailure(record: BackupRecord, reason: string, at: Instant): BackupRecord {
  const { running, due } = record
  if (running === null) return record
  const isOfDue = due !== null && due.dueAt === running.dueAt
  const failures = (isOfDue ? due.failures : 0) + 1
  const waitMs = backoffMs(2 * failures - 1, retries)
  const failed = { dueAt: running.dueAt, at, outcome: 'failed', count: 1, reason } as const
  return {
    ...record,
    running: null,
    due: !isOfDue
      ? due
      : failures >= triesAtMost
        ? null
        : { dueAt: due.dueAt, failures, notBefore: at + waitMs },
    failures: withFailures(record.failures, [failed]),
  }
}

/**
 * A record after a backup that is whole and verified: the newest `keep` of those that are there are kept. Only this has any
 * expire.
 */
export function afterSuccess(record: BackupRecord, made: MadeBackup, keep: number): BackupRecord {
  return { ...withMade(record, made, keep), running: null }
}

/** A record after a backup turned out to be whole that was left behind in the middle, as far as the record said. */
export function afterFoundWhole(
  record: BackupRecord,
  { id }: RunningBackup,
  made: MadeBackup,
  keep: number,
): BackupRecord {
  return withoutLeft(withMade(record, made, keep), id)
}

function withMade(record: BackupRecord, made: MadeBackup, keep: number): BackupRecord {
  const { due } = record
  const all = [...record.made, made].sort((a, b) => a.startedAt - b.startedAt)
  const kept = new Set(all.filter(({ expired }) => expired !== true).slice(-Math.max(1, keep)))
  return {
    ...record,
    due: due !== null && due.dueAt === made.dueAt ? null : due,
    made: all.map((one) => (kept.has(one) ? one : { ...one, expired: true })),
  }
}

/** A record that has forgotten a backup which is deleted. */
export function forgottenBackup(record: BackupRecord, to: string): BackupRecord {
  return { ...record, made: record.made.filter((one) => one.to !== to || one.expired !== true) }
}

/** The backups that a machine has to delete, of those that are its own to take away. */
export function expiredOn(
  { made }: BackupRecord,
  isOurs: (made: MadeBackup) => boolean,
): readonly MadeBackup[] {
  return made.filter((one) => one.expired === true && isOurs(one))
}

/** What a machine has to take away of backups that have come to no good end, of what is its own to take away. */
export function leftOn(
  { left = [] }: BackupRecord,
  isOurs: (left: RunningBackup) => boolean,
): readonly RunningBackup[] {
  return left.filter(isOurs)
}

/** Whether the record has a backup as a whole one that was in the making. */
export function isMade(record: BackupRecord | undefined, { to }: Pick<RunningBackup, 'to'>): boolean {
  return record?.made.some((one) => one.to === to) === true
}

/**
 * A record whose backup was begun by a daemon that has ended, or by a machine that is lost: what that has left it takes away
 * once it is back.
 */
export function takenOver(record: BackupRecord, reason: string, at: Instant): BackupRecord {
  const { running, left = [] } = record
  if (running === null) return record
  return { ...afterFailure(record, reason, at), left: [...left, running] }
}

/** A record that has forgotten what a machine had left, and has taken away. */
export function withoutLeft({ left = [], ...record }: BackupRecord, id: string): BackupRecord {
  const others = left.filter((one) => one.id !== id)
  return others.length === 0 ? record : { ...record, left: others }
}

/** Whether a volume is as it was when its last whole backup was made, as far as can be told. */
export function isAtRestSince({ made }: BackupRecord, now: RestingVolume): boolean {
  const before = made.findLast(({ expired }) => expired !== true)?.atRest
  return (
    before !== undefined &&
    before.uuid === now.uuid &&
    before.inode === now.inode &&
    before.serviceUuid === now.serviceUuid &&
    before.instances === now.instances
  )
}

/** The last whole backup; null for none. */
export function lastWhole({ made }: BackupRecord): MadeBackup | null {
  return made.findLast(({ expired }) => expired !== true) ?? null
}

/** When the next one is due, for people; null for never. */
export function nextFiring({ state }: BackupRecord, now: Instant): Instant | null {
  if (state === null) return null
  return timetableOf(state.schedule, state.origin).nextAfter(Math.max(state.decidedUpTo, now))
}

/**
 * Whether two firings have gone by without a whole backup since the last one, or since the schedule began, and no more time is
 * left to make up for the second one.
 */
export function isOverdue(record: BackupRecord, now: Instant): boolean {
  const { state } = record
  if (state === null) return false
  const { nextAfter } = timetableOf(state.schedule, state.origin)
  const last = lastWhole(record)
  // Nothing has had the volume since, unless a later backup was tried.
  if (last?.atRest !== undefined && !record.failures.some(({ at }) => at > last.endedAt)) return false
  const first = nextAfter(last === null ? state.origin - 1 : last.dueAt)
  const second = first === null ? null : nextAfter(first)
  return second !== null && second + Math.min(state.schedule.epsilonMs, second - (first ?? second)) < now
}

/** Whether a try has failed since the last whole backup. */
export function isFailing(record: BackupRecord): boolean {
  const endedAt = lastWhole(record)?.endedAt ?? Number.NEGATIVE_INFINITY
  return record.failures.some(({ outcome, at }) => outcome === 'failed' && at > endedAt)
}

/** What is told of firings that have no backup. */
export function describeMissed({ count, dueAt, reason }: FailedBackup): string {
  const what =
    count === 1
      ? `the backup due ${toIso(dueAt)} was skipped`
      : `${count} backups, the last due ${toIso(dueAt)}, were skipped`
  return `${what}: ${reason}`
}
