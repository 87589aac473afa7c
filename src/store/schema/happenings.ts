// Records of what happened, and of who is told.
import { Type } from 'typebox'
import type { EventKind } from '../../model/event.js'
import type { RetireCause } from '../../model/service.js'
import type { TaskKind, TaskState } from '../../model/task.js'
import { actor, schedule, webhook } from './services.js'
import { exit, outputLines } from './units.js'
import {
  count,
  flag,
  health,
  instant,
  namedBody,
  orNull,
  said,
  text,
  texts,
  unitName,
  words,
} from './words.js'

/** Words are not looked at: other programs of this format may have others, and a history is there to be read. */
const eventData = Type.Object({
  exit: Type.Optional(exit),
  health: Type.Optional(health),
  reason: Type.Optional(text),
  cause: Type.Optional(Type.Unsafe<RetireCause>(text)),
  task: Type.Optional(
    Type.Object({ uuid: text, kind: Type.Unsafe<TaskKind>(text), state: Type.Unsafe<TaskState>(text) }),
  ),
  unit: Type.Optional(unitName),
  scale: Type.Optional(Type.Object({ from: count, to: count })),
})

const event = Type.Object({
  id: Type.String({ minLength: 1 }),
  at: instant,
  /** Nor is this one, for the same reason. */
  kind: Type.Unsafe<EventKind>(text),
  project: orNull(text),
  service: orNull(text),
  instance: orNull(text),
  machine: orNull(text),
  message: text,
  by: Type.Optional(actor),
  data: Type.Optional(eventData),
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

const stretch = { after: instant, upTo: instant }

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
  passedOver: Type.Optional(Type.Array(Type.Object({ ...stretch, count, dueAt: instant }))),
  ahead: Type.Optional(Type.Array(Type.Object(stretch))),
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
  version: Type.Optional(text),
  set: Type.Optional(texts),
  body: Type.Optional(namedBody),
  endedAt: orNull(instant),
  exit: orNull(exit),
  failure: Type.Optional(text),
  withdrawn: said,
  output: Type.Optional(outputLines),
})

export const callBody = Type.Object({ project: text, service: text, id: text, sealed: text })

export const trigger = Type.Object({
  project: text,
  service: text,
  name: text,
  madeSecret: orNull(text),
  calls: count,
  lastCalledAt: orNull(instant),
  recent: Type.Array(Type.Object({ id: text, at: instant, task: text, body: Type.Optional(text) })),
})

export const leader = Type.Object({ machine: Type.String({ minLength: 1 }) })
export const outbox = Type.Object({ revision: count })
