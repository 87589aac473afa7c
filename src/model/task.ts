import type { Instant } from '../lib/time.js'

export type TaskKind = 'deploy' | 'scale' | 'stop' | 'start' | 'reprovision' | 'delete'
export type TaskState = 'queued' | 'active' | 'completed' | 'failed' | 'terminated'

/** A long-running operation on a service that can be listed and watched. */
export interface Task {
  readonly uuid: string
  readonly project: string
  readonly service: string
  readonly kind: TaskKind
  readonly state: TaskState
  /** What it works towards. */
  readonly target: { readonly scale: number; readonly version: string }
  readonly createdAt: Instant
  readonly finishedAt: Instant | null
  /** Why it failed or was terminated; null otherwise. */
  readonly error: string | null
}
