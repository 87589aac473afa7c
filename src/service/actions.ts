// What the service planner decides, as values.
import type { VersionUnit } from '../compile/version-unit.js'
import type { Instant } from '../lib/time.js'
import type { Instance, RetireCause, Service, ServiceVersion } from '../model/service.js'
import type { Task } from '../model/task.js'

export type ServiceAction =
  | {
      readonly kind: 'create'
      readonly n: number
      readonly version: ServiceVersion
      readonly unit: Extract<VersionUnit, { kind: 'unit' }>
      /** Whose volumes it has; absent where it has none of a slot. */
      readonly slot?: number
    }
  | Retire
  | Settle
  | LimitStop
  | StopAtOnce
  /** What is known of an instance that went away or came back. */
  | Note
  | Begin
  | RunOfOther
  | End
  | Finish

/** The decision to stop an instance for good. */
export interface Retire {
  readonly kind: 'retire'
  readonly instance: Instance
  readonly cause: RetireCause
  readonly reason: string
  /** It goes on serving for so long, while it is found by no name any more; absent: it is stopped at once. */
  readonly stopAfterMs?: number
  /** It may be stopped so early where the entry has nothing under way for it; absent: only after `stopAfterMs`. */
  readonly stopWhenIdleAfterMs?: number
}

export interface Settle {
  /**
   * `keep`: it has stopped and stays to be looked at. `unload`: its unit is to leave its machine, with everything that
   * was made for it there. `remove`: nothing of it is left anywhere.
   */
  readonly kind: 'keep' | 'unload' | 'remove'
  readonly instance: Instance
  /** Why what was kept goes before its time; absent otherwise. */
  readonly reason?: string
}

/** An instance that is to stop is killed when its stop has taken so long; null: as its own unit says. */
export interface LimitStop {
  readonly kind: 'limit-stop'
  readonly instance: Instance
  readonly withinMs: number | null
}

/** An instance that serves a moment longer, before it is stopped, does not any more: there is nobody to go to instead. */
export interface StopAtOnce {
  readonly kind: 'stop-at-once'
  readonly instance: Instance
}

export interface Note {
  readonly kind: 'note'
  readonly instance: Instance
  /** What it tells the history; null for nothing. */
  readonly tells: 'instance-lost' | 'instance-returned' | null
}

/** A task that becomes active: its turn has come, or the planner begins it. */
export interface Begin {
  readonly kind: 'begin'
  readonly task: Task
  readonly told: string
}

/** A run of another service begins: this one waits for it. */
export interface RunOfOther {
  readonly kind: 'run'
  /** The record of that service. */
  readonly service: Service
  readonly task: Task
  readonly told: string
}

/** A task is ended early; the record says why. */
interface End {
  readonly kind: 'end'
  readonly before: Task
  readonly task: Task
}

export interface Finish {
  readonly kind: 'finish'
  readonly task: Task
  readonly state: 'completed' | 'failed'
  readonly error: string | null
}

/** What the service pass decides. */
export interface ServicePlan {
  readonly actions: readonly ServiceAction[]
  /** The service's record after the actions; null: the service is gone. The same object when nothing changed. */
  readonly service: Service | null
  readonly wakeAt: Instant | null
  /** Instances that are made in place of lost ones, for the limit on them. */
  readonly replacements: number
}
