// Changing the records of backups by schedule, with what is told of it.

import { tryUntilDone } from '../../lib/io/tries.js'
import type { Instant } from '../../lib/time.js'
import type { BackupOf, BackupRecord } from '../../model/backup.js'
import type { EventDraft } from '../../model/event.js'
import type { Service } from '../../model/service.js'
import { keys, putOf } from '../../store/records.js'
import type { ClusterView } from '../../store/view.js'
import { serviceKey } from '../../store/view.js'
import { type ApiContext, contended, retryPolicy } from './context.js'

/** A record as it is to be, and what is told with it. */
interface BackupStep {
  readonly record: BackupRecord
  readonly events?: readonly EventDraft[]
}

/** What a step is decided by. */
interface StepInput {
  readonly view: ClusterView
  readonly service: Service | undefined
  readonly now: Instant
}

/**
 * Has a record go one step, decided anew where somebody else was faster; null from `step` for nothing to be done. Resolves to what
 * the record is then, null where nothing was done. One that cannot be read stays as it is.
 */
export async function changeBackup(
  { registry, events, clock, random }: Pick<ApiContext, 'registry' | 'events' | 'clock' | 'random'>,
  of: BackupOf,
  step: (record: BackupRecord | undefined, input: StepInput) => BackupStep | null,
): Promise<BackupRecord | null> {
  const key = keys.backup(of)
  const group = serviceKey(of.project, of.service)
  const done = await tryUntilDone({ time: clock, random }, retryPolicy, async () => {
    const { committed, decision } = await registry.decide((view) => {
      const before = view.backupsOf(group).get(key)
      const service = view.services.get(group)
      const next = view.unreadable.has(key) ? null : step(before, { view, service, now: clock.now() })
      if (next === null || next.record === before) return { decidedOn: [], ops: [], next }
      const told = events.append(next.events ?? [])
      return { decidedOn: [key], ops: [putOf('backup', next.record), ...told], next }
    })
    return committed ? { next: decision.next } : null
  })
  if (done === null) throw contended()
  return done.next?.record ?? null
}
