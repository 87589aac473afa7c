// What a request to fleet's API comes to: an answer, and what it changes.

import type { Change } from '../../changes/services.js'
import type { Writes } from '../../changes/unit-writes.js'
import { abridgedMessage } from '../../lib/abridge.js'
import type { UnitName } from '../../model/unit.js'

/** An answer is JSON, or has no body. */
export interface FleetAnswer {
  readonly status: number
  readonly body: string | null
}

/** Decided on the view as it is: the answer holds once the change is written. */
export interface FleetOutcome extends Change {
  readonly answer: FleetAnswer
  /** A launched unit that is to be loaded only. */
  readonly stops?: UnitName
}

export function answered(body: string): FleetOutcome {
  return { ...unchanged, answer: { status: 200, body } }
}

/** A change, answered without a body. */
export function changed(status: 201 | 204, { decidedOn, ops, events }: Writes): FleetOutcome {
  return { ...unchanged, decidedOn, ops, events, answer: { status, body: null } }
}

/** fleet's error entity; the message is empty where fleet has none. */
export function refused(status: number, message = ''): FleetOutcome {
  return { ...unchanged, answer: { status, body: errorJson(status, message) } }
}

export function errorJson(status: number, message: string): string {
  return JSON.stringify({ error: { code: status, message: abridgedMessage(message) } })
}

const unchanged: Change = { decidedOn: [], ops: [], events: [], tasks: [] }
