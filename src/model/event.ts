import type { Instant } from '../lib/time.js'
import type { Actor } from './actor.js'
import type { RetireCause } from './service.js'
import type { TaskKind, TaskState } from './task.js'
import type { Health, UnitExit, UnitName } from './unit.js'

/** What happened, for `events` and webhooks. Appended by whoever acts, in the transaction of the change itself. */
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
  /** Who asked for it; absent where nobody did. */
  readonly by?: Actor
  readonly data?: EventData
}

/** What programs may want to know of an event beside its sentence. */
export interface EventData {
  /** Of `instance-exited`. */
  readonly exit?: UnitExit
  /** Of `health`. */
  readonly health?: Health
  /** Why, as far as that is one line of its own. */
  readonly reason?: string
  /** Of `instance-retired`. */
  readonly cause?: RetireCause
  readonly task?: { readonly uuid: string; readonly kind: TaskKind; readonly state: TaskState }
  /** Of a unit that belongs to no service. */
  readonly unit?: UnitName
  /** The scale before and after. */
  readonly scale?: { readonly from: number; readonly to: number }
}

/** An event before it has its id and time. */
export type EventDraft = Omit<HistoryEvent, 'id' | 'at'>

/** Every kind of event; what people may ask for by name. */
export const eventKinds = [
  'deploy',
  'revert',
  'reprovision',
  'freeze',
  'unfreeze',
  'scale',
  'stop',
  'start',
  'run',
  'delete',
  'meta',
  'blocked',
  'instance-retired',
  'instance-removed',
  'instance-kept',
  'instance-discarded',
  'instance-lost',
  'instance-returned',
  'instance-started',
  'instance-exited',
  'instance-failed',
  'image-pulling',
  'image-pulled',
  'image-not-pulled',
  'placed',
  'evicted',
  'unplaceable',
  'health',
  'telemetry',
  'files-replaced',
  'files-not-replaced',
  'task-begun',
  'autoscale',
  'task-completed',
  'task-failed',
  'task-terminated',
  'machine-joined',
  'machine-lost',
  'machine-sick',
  'machine-well',
  'clock-differs',
  'clock-agrees',
  'webhook-delivered',
  'webhook-failed',
  'webhook-dead',
  'schedule-fired',
  'schedule-skipped',
  'schedule-missed',
  'unit',
  'machine',
  'record',
  'volume',
  'backup-succeeded',
  'backup-failed',
  'backup-missed',
] as const

/** What an event is about. */
export type EventKind = (typeof eventKinds)[number]
