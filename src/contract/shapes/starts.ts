// Shapes of what starts by itself and who is told: schedules, runs, webhooks.
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

export const scheduleBody = shape('ScheduleBody', 'When a service starts by itself. Query: `service`.', {
  project: text(),
  service: text(),
  kind: words(['interval', 'cron']),
  expression: text(),
  timezone: orNull(text()),
  overlap: words(['skip', 'allow', 'replace']),
  epsilonMs: number(),
  next: orNull(text(), 'The next firing; null when there is none any more.'),
  waiting: orNull(text(), 'A firing that waits until the instances before it have stopped.'),
  last: orNull(text(), 'The last firing that started an instance.'),
  started: number(),
  skipped: number(),
  missed: number(),
})

export const runBody = shape(
  'RunBody',
  'One firing and what came of it; of `missed` ones the last, and how many. Or one instance that was asked for in another way, of a service that is not continuous. Query: `service`.',
  {
    service: text(),
    by: words(['schedule', 'start'], '`start`: `service start`, or a trigger URL.'),
    dueAt: text(),
    decidedAt: text(),
    outcome: words(['started', 'skipped', 'missed']),
    count: number(),
    instance: orNull(text()),
    set: optional(mapOf(text(), 'The variables that were set for it; left out for none.')),
    body: optional(
      part(
        {
          as: words(['file', 'variables']),
          bytes: number(),
          variables: list(text(), 'Names of the variables that it got; their values are shown nowhere.'),
        },
        'What it was given of the body of the call that began it; left out for nothing.',
      ),
    ),
    endedAt: orNull(text()),
    exitCode: orNull(number()),
    signal: orNull(text()),
    result: text('How it ended, in one line; empty while it runs.'),
  },
)

export const webhookState = words(
  ['ok', 'failing', 'disabled', 'retired'],
  'Disabled: it answered 410 Gone. Retired: the current version does not name it any more.',
)

export const webhookBody = shape('WebhookBody', "Who is told of a service's events. Query: `service`.", {
  uuid: text(),
  project: text(),
  service: text(),
  url: text(),
  events: list(webhookEvent),
  state: webhookState,
  queued: number('Deliveries that are still to be made.'),
  dead: number('Those that were given up.'),
  lost: number('Events that found the queue full.'),
  failures: number('Attempts that failed since the last that did not.'),
  nextAt: orNull(
    text(),
    'When the first of those that wait is sent; null where none waits, and where that is now.',
  ),
  reason: text('Why the last attempt failed; empty when it did not.'),
})

export const attemptBody = shape('AttemptBody', null, {
  at: text(),
  tookMs: number(),
  status: orNull(number()),
  error: orNull(text()),
})

export const deliveryBody = shape(
  'DeliveryBody',
  'The deliveries that are waiting, and the last ones that are over. Query: `service`, `state`.',
  {
    id: text('`webhook-id` of every attempt, and the id of the CloudEvent.'),
    service: text(),
    url: text(),
    event: webhookEvent,
    subject: text(),
    state: deliveryState,
    createdAt: text(),
    nextAt: orNull(text(), 'When it is sent next; null where it is over, and where that is now.'),
    attemptCount: number(),
    attempts: list(attemptBody, 'The last ones, oldest first.'),
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
