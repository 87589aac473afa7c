// What daemons tell each other of their clocks, so that they can be compared.
import type { Instant } from '../lib/time.js'
import type { MachineId } from './machine.js'

/** Whoever leads asks machines what their clocks say; each answers as soon as it sees that. */
export interface ClockCall {
  /** The leader. */
  readonly machine: MachineId
  /** When it asked, by its own clock. */
  readonly at: Instant
  readonly asked: readonly MachineId[]
}

/** What a machine says of its clock. Lives as long as the machine's lease. */
export interface ClockReading {
  readonly machine: MachineId
  /** When it was written, by the machine's own clock. */
  readonly at: Instant
  /** Which call it answers; null where the machine has just come, or its clock was set, and it is to be asked. */
  readonly answers: {
    /** The revision of the call. */
    readonly call: number
    /** When the machine saw the call, by its own clock. */
    readonly seenAt: Instant
  } | null
}

/** A machine's clock that differs from those of the others. Written by whoever leads; ends when it agrees again. */
export interface ClockOffset {
  readonly machine: MachineId
  /** How far ahead of the others it is; negative where it is behind. */
  readonly aheadMs: number
  /** Whether it is too far off for the machine to lead. */
  readonly barsLead: boolean
}

/** A difference for people: `12.3 s ahead`. */
export function describeAhead(aheadMs: number): string {
  return `${(Math.abs(aheadMs) / 1000).toFixed(1)} s ${aheadMs < 0 ? 'behind' : 'ahead'}`
}
