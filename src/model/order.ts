// What is asked of a service, as data: it is carried out at once, or kept in a task until its turn comes.

import type { NamedBody } from './call-body.js'
import type { MachineId } from './machine.js'
import type { RunVariables } from './run-variables.js'

/** What is asked of a service. */
export type Order =
  | { readonly kind: 'scale'; readonly target: string | number; readonly deadlineMs?: number }
  /** With a version, that one becomes current first. `inOrder`: with its project, after the services that it comes after. */
  | {
      readonly kind: 'start'
      readonly version: string | null
      readonly deadlineMs?: number
      readonly inOrder?: true
      /** Variables of the run that it starts; absent for none. */
      readonly set?: RunVariables
      /** What that is given of a call's body; absent for nothing. */
      readonly body?: NamedBody
    }
  /** With a version, only its instances are stopped. `inOrder`: with its project, before the services that it comes after. */
  | { readonly kind: 'stop'; readonly version: string | null; readonly inOrder?: true }
  /**
   * `volumes`: what its instances wrote into volumes without a name goes as well. `handsOver`: services of the project that take over what the entry serves for it, by name. It waits until they serve;
   * absent: it waits for none.
   */
  | { readonly kind: 'delete'; readonly volumes?: true; readonly handsOver?: readonly string[] }
  | RolloutOrder

/** Makes a version current and replaces instances by new ones of it. */
export interface RolloutOrder {
  readonly kind: 'rollout'
  /** uuid of the version to make current; null: the current one stays. */
  readonly version: string | null
  /** The scale from then on; null: as it is. */
  readonly scale: number | null
  /** How many are replaced at a time; null: one. */
  readonly rolling: number | null
  /** How many are replaced in total; null: all that the filter lets through. */
  readonly count: number | null
  readonly filter: InstanceFilter
  readonly deadlineMs: number
  /** When it fails, the version that was current before becomes current again. */
  readonly autoRevert: boolean
}

/** Which instances an order is about: those that meet every part that is not null. */
export interface InstanceFilter {
  /** uuid of a version. */
  readonly version: string | null
  readonly image: string | null
  /** Name or uuid of an instance. */
  readonly instance: string | null
  readonly machine: MachineId | null
}

export const noFilter: InstanceFilter = { version: null, image: null, instance: null, machine: null }

/** How long a new instance of a rollout may take until it is up, unless told otherwise; Nomad's progress deadline. */
export const defaultDeadlineMs = 10 * 60_000
