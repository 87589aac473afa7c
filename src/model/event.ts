import type { Instant } from '../lib/time.js'

/** What happened, for history, `service events` and, later, webhooks. Appended by whoever acts. */
export interface HistoryEvent {
  /** Sorts by time: `<13-digit ms>-<counter>`. */
  readonly id: string
  readonly at: Instant
  readonly kind: EventKind
  readonly project: string | null
  readonly service: string | null
  readonly instance: string | null
  readonly machine: string | null
  /** One sentence for people. */
  readonly message: string
}

export type EventKind =
  | 'deploy'
  | 'scale'
  | 'stop'
  | 'start'
  | 'delete'
  | 'meta'
  | 'blocked'
  | 'instance-created'
  | 'instance-retired'
  | 'instance-removed'
  | 'instance-kept'
  | 'instance-started'
  | 'instance-exited'
  | 'instance-failed'
  | 'placed'
  | 'evicted'
  | 'unplaceable'
  | 'health'
  | 'telemetry'
  | 'task-completed'
  | 'task-failed'
  | 'task-terminated'
  | 'machine-joined'
  | 'machine-lost'
