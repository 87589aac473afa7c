import type { Instant } from '../lib/time.js'
import type { Actor } from './actor.js'
import type { Order } from './order.js'
import type { Rollout, Service } from './service.js'

/**
 * What a task does. `replace` is begun by the service pass itself, where instances failed or were lost; `freeze` does
 * nothing and holds everything else until it is lifted.
 */
export type TaskKind =
  | 'deploy'
  | 'revert'
  | 'reprovision'
  | 'scale'
  | 'stop'
  | 'start'
  | 'delete'
  | 'replace'
  | 'freeze'
/** Where a task is in its life. */
export type TaskState = 'queued' | 'active' | 'completed' | 'failed' | 'terminated'

/** A long-running operation on a service that can be listed and watched. */
export interface Task {
  readonly uuid: string
  readonly project: string
  /** Empty for a freeze of a whole project. */
  readonly service: string
  readonly kind: TaskKind
  readonly state: TaskState
  /** What it works towards; null for a freeze. */
  readonly target: TaskTarget | null
  readonly createdAt: Instant
  readonly finishedAt: Instant | null
  /** Why it failed or was terminated; null otherwise. */
  readonly error: string | null
  /** How far it came; absent while it is not over. */
  readonly reached?: Reached
  /** What it replaces, of one that is about replacing and has begun. */
  readonly replacing?: Replacing
  /** How many instances it has to stop, of a stop, a deletion or a scale that is lowered, once it has begun. */
  readonly stops?: number
  /**
   * Of a start of a service that is not continuous: the number of the instance that it has asked for, once it has begun.
   * Absent for others, and for those of before: these are about all instances.
   */
  readonly instance?: number
  /** What is to be done when its turn comes; null once it has begun. */
  readonly order: Order | null
  /**
   * Of a scale or a start: how long the instances that it waits for may take until they are up, before it has failed;
   * absent: for ever. That of a rollout is in the rollout.
   */
  readonly deadlineMs?: number
  /** Of a stop: it is that of a whole project, and waits until those have stopped that come after its service. */
  readonly inOrder?: true
  /** Who asked for it; null for what the service pass began. */
  readonly by: Actor | null
}

/** What a task replaces, which is known of the rollout of its service only until that is over. */
interface Replacing {
  /** The last instance made before it. */
  readonly after: number
  /** How many it has picked; null: it is about all. */
  readonly picks: number | null
  /** What it goes back to when it fails, with the ways of its rollout: it may fail after that is over; absent: nothing. */
  readonly back?: WayBack
}

/** How a task goes back to the version before. */
export interface WayBack {
  /** uuid of that version. */
  readonly to: string
  readonly parallel: number
  readonly deadlineMs: number
}

/** What a task of a kind replaces that begins with a service's record as it is. */
export function replacingOf(kind: TaskKind, { rollout }: Pick<Service, 'rollout'>): Pick<Task, 'replacing'> {
  if (!isRollout({ kind }) || rollout === null) return {}
  const { after, replaces } = rollout
  const back = wayBackOf(rollout)
  const picks = typeof replaces === 'string' ? null : replaces.length
  return { replacing: { after, picks, ...(back !== null && { back }) } }
}

/** Which instance a task has asked for that begins with a service's record as it is. */
export function instanceOf(
  kind: TaskKind,
  { type, starts }: Pick<Service, 'type' | 'starts'>,
): Pick<Task, 'instance'> {
  return kind === 'start' && type !== 'continuous' ? { instance: starts } : {}
}

/** What a rollout goes back to when it fails; null for nothing. */
export function wayBackOf({ revertTo, parallel, deadlineMs }: Rollout): WayBack | null {
  return revertTo === null ? null : { to: revertTo, parallel, deadlineMs }
}

/** Of the instances that a task is about, how many are as it wants them. */
export interface Reached {
  readonly done: number
  readonly total: number
}

interface TaskTarget {
  readonly scale: number
  readonly version: string
}

/** The services that a deletion which waits for its turn hands over to; null for any other task. */
export function takersOf({ state, order }: Pick<Task, 'state' | 'order'>): readonly string[] | null {
  return state === 'queued' && order?.kind === 'delete' ? (order.handsOver ?? null) : null
}

/** Whether a task replaces instances: what it does is in the rollout of its service. */
export function isRollout({ kind }: Pick<Task, 'kind'>): boolean {
  return kind === 'deploy' || kind === 'revert' || kind === 'reprovision'
}
