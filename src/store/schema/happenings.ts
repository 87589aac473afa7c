// Records of what happened, and of who is told.
import { Type } from 'typebox'
import type { EventKind } from '../../model/event.js'
import { actor, schedule, webhook } from './services.js'
import { exit, outputLines } from './units.js'
import { count, flag, instant, orNull, text, words } from './words.js'

const event = Type.Object({
  id: Type.String({ minLength: 1 }),
  at: instant,
  /** Other programs of this format may tell of other kinds, and a history is there to be read. */
  kind: Type.Unsafe<EventKind>(Type.String()),
  project: orNull(text),
  service: orNull(text),
  instance: orNull(text),
  machine: orNull(text),
  message: text,
  by: Type.Optional(actor),
  data: Type.Optional(Type.Object({})),
})

export const events = Type.Array(event, { minItems: 1 })

export const receiver = Type.Object({
  uuid: text,
  project: text,
  service: text,
  serviceUuid: text,
  webhook,
  madeSecret: orNull(text),
  createdAt: instant,
  disabledAt: orNull(instant),
  retired: flag,
  failures: count,
  lost: count,
})

export const delivery = Type.Object({
  receiver: text,
  sequence: text,
  id: text,
  event: words('start', 'stop', 'health', 'scale', 'deploy', 'autoscale'),
  subject: text,
  body: orNull(text),
  createdAt: instant,
  state: words('queued', 'delivered', 'dead'),
  attempts: Type.Array(
    Type.Object({ at: instant, tookMs: count, status: orNull(count), error: orNull(text) }),
  ),
  attemptCount: count,
  firstAttemptAt: orNull(instant),
  nextAt: orNull(instant),
})

export const scheduleState = Type.Object({
  project: text,
  service: text,
  serviceUuid: text,
  schedule,
  origin: instant,
  decidedUpTo: instant,
  pending: orNull(instant),
  started: count,
  skipped: count,
  missed: count,
})

export const run = Type.Object({
  project: text,
  service: text,
  serviceUuid: text,
  by: words('schedule', 'start'),
  dueAt: instant,
  decidedAt: instant,
  outcome: words('started', 'skipped', 'missed'),
  count,
  instance: orNull(text),
  endedAt: orNull(instant),
  exit: orNull(exit),
  output: Type.Optional(outputLines),
})

export const trigger = Type.Object({
  project: text,
  service: text,
  name: text,
  madeSecret: orNull(text),
  calls: count,
  lastCalledAt: orNull(instant),
  recent: Type.Array(Type.Object({ id: text, at: instant, task: text })),
})

export const leader = Type.Object({ machine: Type.String({ minLength: 1 }) })
export const outbox = Type.Object({ revision: count })
