// Records as the store has them, for operators: what one says, and whether it may be removed.

import type { RecordBody } from '../contract/contract.js'
import type { EventDraft } from '../model/event.js'
import { kindOfKey, leaderKey, outboxKey } from '../store/records.js'
import type { Compare, Entry, Op } from '../store/store.js'
import type { ClusterView } from '../store/view.js'
import type { Problem } from './problem.js'

/** What is known of records beyond their meaning. */
interface RawRecords {
  readonly view: ClusterView
  entryAt(key: string): Entry | null
}

/** A record under its key, readable or not. */
export function findRecord(records: RawRecords, key: string): RecordBody | Problem {
  const kind = kindOfKey(key) ?? (key === leaderKey || key === outboxKey ? key : null)
  const entry = kind === null ? null : records.entryAt(key)
  if (kind === null || entry === null)
    return {
      status: 404,
      code: 'store/no-record',
      message: `there is no record "${key}"`,
      hint: 'mariposa store check names those that cannot be read',
    }
  const unreadable = records.view.unreadable.get(key)
  return {
    ...{ key, kind, value: entry.value, revision: entry.modRevision },
    unfit: unreadable?.unfit ?? null,
    problem: unreadable?.problem ?? null,
  }
}

/** Why a record is not removed; null where it may be. `revision`: what the caller has looked at, if it has. */
export function refuseRemoval(
  { key, unfit, revision: now }: RecordBody,
  revision: number | undefined,
  force: boolean,
): Problem | null {
  if (revision !== undefined && revision !== now) return changedMeanwhile(key)
  if (force || unfit === 'damaged') return null
  const why = unfit === 'newer' ? 'a newer Mariposa wrote it and can read it' : 'it can be read'
  return {
    status: 409,
    code: 'store/readable',
    message: `the record ${key} is not removed: ${why}`,
    hint:
      unfit === 'newer'
        ? 'upgrade this machine too; --force removes it anyway'
        : 'change it with the command for its kind; --force removes it anyway',
  }
}

/** Somebody else was first. */
export function changedMeanwhile(key: string): Problem {
  return {
    status: 409,
    code: 'store/changed',
    message: `the record ${key} has changed meanwhile`,
    hint: 'look at it again: mariposa store check',
  }
}

/** How a record is removed as it was looked at, and what the history says of it. */
export function removalOf({ key, unfit, problem, revision }: RecordBody): {
  readonly compare: readonly Compare[]
  readonly drop: Op
  readonly event: EventDraft
} {
  const why = unfit === null ? 'although it could be read' : `which could not be read: ${problem}`
  const about = { project: null, service: null, instance: null, machine: null }
  return {
    compare: [{ key, modRevision: revision }],
    drop: { op: 'delete', key },
    event: { kind: 'record', ...about, message: `the record ${key} was removed, ${why}` },
  }
}
