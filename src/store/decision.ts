// What is written after a look at the view, and what has to be as it was for that to take effect.
import { invariant } from '../lib/invariant.js'
import { kindOfKey, type RecordKind } from './records.js'
import type { Compare, Op } from './store.js'
import type { ClusterView } from './view.js'

/** Writes that were decided on the view. They take effect only if what they rest on has not changed since. */
export interface Decision {
  /** Keys of further records that it rests on. Shared records that it writes count without being named. */
  readonly decidedOn: readonly string[]
  readonly ops: readonly Op[]
}

/**
 * Records that several writers change: whoever writes one holds it to what they read. The others have one writer, or
 * belong to a service and are held by its record: every change of what a service has writes that, too.
 */
const sharedKinds: ReadonlySet<RecordKind> = new Set([
  'project',
  'service',
  'order',
  'meta',
  'scaling',
  'receiver',
  'schedule',
  'trigger',
  'registryLogin',
  'backup',
  // Sealed anew where the service has no part in it.
  'callBody',
])

/** The comparisons that hold a decision to the view that it was made on: to be asked for in the same turn. */
export function comparesOf(view: ClusterView, { decidedOn, ops }: Decision): readonly Compare[] {
  const keys = new Set([...decidedOn, ...ops.flatMap((op) => (isShared(op) ? [op.key] : []))])
  return [...keys].map((key) => ({ key, modRevision: view.revisionOf(key) }))
}

/** Throws where a write of a shared record is not held to what was read. */
export function assertUnshared(ops: readonly Op[]): void {
  const shared = ops.find(isShared)
  invariant(
    shared === undefined,
    `${shared?.key ?? ''} is shared: it is changed by a decision, not by a commit`,
  )
}

function isShared(op: Op): op is Exclude<Op, { op: 'delete-prefix' }> {
  if (op.op === 'delete-prefix') return false
  const kind = kindOfKey(op.key)
  return kind !== null && sharedKinds.has(kind)
}
