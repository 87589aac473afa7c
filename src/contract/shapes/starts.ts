// Schedules, runs and webhooks.
import {
  deliveryState,
  list,
  mapOf,
  number,
  optional,
  orNull,
  part,
  shape,
  text,
  webhookEvent,
  words,
} from './words.js'

export const scheduleBody = shape('ScheduleBody', 'The schedule of a service. Query: `service`.', {
  project: text(),
  service: text(),
  kind: words(['interval', 'cron']),
  expression: text(),
  timezone: orNull(text()),
  overlap: words(['skip', 'allow', 'replace']),
  epsilonMs: number(),
  next: orNull(text(), 'The next firing; null if there are no more.'),
  waiting: orNull(text(), 'A firing that waits until the earlier instances have stopped.'),
  last: orNull(text(), 'The last firing that started an instance.'),
  started: number(),
  skipped: number(),
  missed: number(),
})

export const runBody = shape(
  'RunBody',
  'One firing and its outcome; of consecutive `missed` firings, the last one and their number. Or one instance of a service that is not continuous and was started in another way. Query: `service`.',
  {
    service: text(),
    by: words(['schedule', 'start'], '`start`: `service start`, or a trigger URL.'),
    dueAt: text(),
    decidedAt: text(),
    outcome: words(['started', 'skipped', 'missed']),
    count: number(),
    instance: orNull(text()),
    set: optional(mapOf(text(), 'Variables set for this run; absent if there are none.')),
    body: optional(
      part(
        {
          as: words(['file', 'variables']),
          bytes: number(),
          variables: list(text(), 'Names of the variables from the body; their values are never shown.'),
        },
        'The part of the body of the call that the run got; absent if none.',
      ),
    ),
    endedAt: orNull(text()),
    exitCode: orNull(number()),
    signal: orNull(text()),
    result: text('How the run ended, in one line; empty while it runs.'),
  },
)

export const webhookState = words(
  ['ok', 'failing', 'disabled', 'retired'],
  '`disabled`: the receiver answered 410 Gone. `retired`: the current version no longer names it.',
)

export const webhookBody = shape('WebhookBody', 'A receiver of the events of a service. Query: `service`.', {
  uuid: text(),
  project: text(),
  service: text(),
  url: text(),
  events: list(webhookEvent),
  state: webhookState,
  queued: number('Number of deliveries that are still to be made.'),
  dead: number('Number of deliveries that were given up after the last attempt.'),
  lost: number('Number of events that were dropped because the queue was full.'),
  failures: number('Number of failed attempts since the last successful one.'),
  nextAt: orNull(text(), 'When the next waiting delivery is sent; null if none waits, or if it is due now.'),
  reason: text('Why the last attempt failed; empty if it succeeded.'),
})

export const attemptBody = shape('AttemptBody', null, {
  at: text(),
  tookMs: number(),
  status: orNull(number()),
  error: orNull(text()),
})

export const deliveryBody = shape(
  'DeliveryBody',
  'A delivery of an event to a receiver: one that is waiting, or one of the last finished ones. Query: `service`, `state`.',
  {
    id: text('`webhook-id` of every attempt, and the id of the CloudEvent.'),
    service: text(),
    url: text(),
    event: webhookEvent,
    subject: text(),
    state: deliveryState,
    createdAt: text(),
    nextAt: orNull(text(), 'When it is sent next; null if it is finished, or due now.'),
    attemptCount: number(),
    attempts: list(attemptBody, 'The last attempts, oldest first.'),
  },
)

export const webhookTestResponse = list(
  part({
    ...attemptBody.properties,
    url: text(),
  }),
)

export const webhookRetryResponse = shape('WebhookRetryResponse', null, {
  retried: number(),
})
