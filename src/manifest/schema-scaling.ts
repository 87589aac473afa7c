// Autoscaling, triggers and webhooks.
import * as Type from 'typebox'
import { bodyUses } from '../model/call-body.js'
import { defaults } from './defaults.js'
import { listOrOne, oneOf, pairs, seconds, secretMark, singleKeyMaps } from './schema-words.js'

const email = Type.String({
  pattern: '^[^\\s@<>,;]+@[^\\s@<>,;]+$',
  maxLength: 254,
  expected: 'an e-mail address',
})

const autoscaleParts = {
  enable: Type.Unsafe<'notify' | boolean>({
    enum: ['notify', true, false],
    expected: 'notify, true or false',
    default: defaults.autoscale.enable,
    description:
      '`notify` (also `notify-only`): triggers that fire only notify. `true` (also `1`): they change the scale. `false` (also `0`): neither.',
    loose: [{ enum: ['notify-only', 'true', 'false', '0', '1', 0, 1] }],
  }),
  min: Type.Integer({
    minimum: 0,
    maximum: 100_000,
    expected: 'a whole number from 0 to 100000',
    default: defaults.autoscale.min,
    description: 'The smallest number of instances.',
  }),
  max: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      expected: 'a whole number from 1 to 100000',
      description: 'The largest number of instances; required if `enable` is true.',
    }),
  ),
  retrigger_delay: Type.Number({
    ...seconds(0, 86_400),
    default: defaults.autoscale.retrigger_delay,
    description: 'Seconds after the action of a trigger in which no trigger acts.',
  }),
  notify_email: listOrOne(email, {
    maxItems: 20,
    expected: 'a list of at most 20 e-mail addresses',
    description: 'E-mail addresses that get a message when a trigger fires.',
  }),
}

export const autoscale = Type.Object(autoscaleParts, {
  additionalProperties: false,
  needs: [],
  expected: 'a map with enable, min, max, retrigger_delay and notify_email',
  title: 'Autoscale',
  description: 'Limits for scaling by triggers. A map, or a list of single-key maps.',
  examples: [{ enable: true, min: 2, max: 10 }],
  loose: [singleKeyMaps({ properties: autoscaleParts })],
})

const triggerName = Type.String({
  pattern: '^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$',
  expected:
    'a name of letters, digits, _, . and -, at most 64 characters, that begins and ends with a letter or digit',
  description: 'The name of the trigger, unique in the service.',
})

const metricTrigger = Type.Object(
  {
    name: triggerName,
    source: Type.String({
      pattern:
        '^(service\\.[A-Za-z0-9_-]{1,63}\\.)?(entry|(containermonitor|containerpilot)(\\|(containermonitor|containerpilot))?)\\.[A-Za-z_:][A-Za-z0-9_:]*$',
      expected:
        'containermonitor.<metric>, containerpilot.<metric>, entry.<metric>, or the same behind service.<name>.',
      description:
        'The metric: `containermonitor.<name>`, `containerpilot.<name>` or `entry.<rps, errors or p95>`; for another service of the project `service.<service>.containerpilot.<name>`. With `containerpilot|containermonitor` the first source that has the metric is used. A metric that Container Monitor has no name for is read from what the program publishes, under either name.',
      examples: ['containermonitor.mem_agg_usage', 'service.web.containerpilot.latency'],
    }),
    operator: oneOf(['<', '<=', '>', '>=', '==', '!='], {
      description: 'Comparison of the metric with `value` that makes the trigger fire.',
      loose: [{ const: '', description: 'a > without quotes' }, { const: '=' }],
    }),
    value: Type.Number({
      expected: 'a number, or a percentage such as 80%',
      description: 'A number, or a percentage (`80%`) of the limit of the same instance.',
      loose: [{ type: 'string', pattern: '^[-+]?(\\d+\\.?\\d*|\\.\\d+)\\s*%?$' }],
    }),
    percent: Type.Boolean({
      default: false,
      expected: 'true or false',
      description: 'Whether `value` is a percentage; set by the `%` sign.',
    }),
    time: Type.Number({
      ...seconds(1, 86_400),
      description: 'Seconds for which the condition has to hold; `sustain` is the same key.',
    }),
    aggregate: oneOf(['avg', 'min', 'max', 'sum', 'p90'], {
      default: defaults.trigger.aggregate,
      description: 'How the values of the instances are combined.',
    }),
    action: oneOf(['increment', 'decrement'], {
      expected: 'increment (or incr), or decrement (or decr)',
      description: '`increment` (also `incr`) or `decrement` (also `decr`).',
      loose: [{ enum: ['incr', 'decr'] }],
    }),
    instances: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      expected: 'a whole number from 1 to 10000',
      default: defaults.trigger.instances,
      description: 'Number of instances to add or remove.',
    }),
  },
  {
    additionalProperties: false,
    needs: ['source', 'operator', 'value', 'time', 'action'],
    aliases: { metric: 'source', sustain: 'time' },
    expected: 'a trigger with source, operator, value, time and action',
  },
)

const urlTrigger = Type.Object(
  {
    name: triggerName,
    url: Type.Unsafe<true>({
      const: true,
      expected: 'true',
      description: 'Makes this trigger a URL, as `secret` does.',
    }),
    secret: Type.Optional(
      Type.String({
        minLength: 8,
        maxLength: 256,
        pattern: `^([\\x21-\\x7e]+|${secretMark})$`,
        expected: 'a secret of 8 to 256 letters, digits and signs without blanks',
        secret: true,
        description:
          'Secret that a caller has to know. Without this key a secret is generated and shown once.',
      }),
    ),
    action: oneOf(['start', 'stop', 'scale'], { description: 'The effect of a call.' }),
    scale: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100_000,
        expected: 'a whole number from 0 to 100000',
        description: 'For `scale`: the new number of instances.',
      }),
    ),
    instances: Type.Optional(
      Type.Integer({
        minimum: -10_000,
        maximum: 10_000,
        expected: 'a whole number from -10000 to 10000',
        description: 'For `scale`: number of instances to add; negative: to remove.',
      }),
    ),
    body: Type.Optional(
      oneOf(bodyUses, {
        description:
          'For `start` of an `event` or `scheduled` service: how the run gets the body of the call. `file`: as a file. `variables`: its keys as variables.',
      }),
    ),
  },
  {
    additionalProperties: false,
    needs: ['action'],
    expected: 'a trigger with secret (or url: true) and action',
  },
)

export type MetricTrigger = Type.Static<typeof metricTrigger>
/** A trigger of a manifest that is called by its URL. */
export type UrlTrigger = Type.Static<typeof urlTrigger>

/** A trigger of either kind. With `if`, the validator reports problems only for the kind that is meant. */
export const trigger = Type.Unsafe<MetricTrigger | UrlTrigger>({
  shared: 'trigger',
  type: 'object',
  if: { anyOf: [{ required: ['url'] }, { required: ['secret'] }] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: urlTrigger,
  else: metricTrigger,
  expected: 'a trigger',
})

export const triggers = Type.Array(trigger, {
  maxItems: 50,
  expected: 'a list or a map of at most 50 triggers',
  title: 'Triggers',
  description:
    'Triggers of two kinds. A trigger with `source` (also `metric`) watches a metric and changes the scale within the limits of `autoscale`. A trigger with `secret` or `url: true` is a public URL that starts, stops or scales the service. A map by name, a list of maps with `name`, or a list of single-key maps.',
  default: [],
  examples: [
    {
      highram: {
        metric: 'containermonitor.ram_used',
        operator: '>',
        value: '80%',
        time: '5 minutes',
        action: 'increment',
        instances: 1,
      },
      nightly: { secret: '{{ .meta.nightly_secret }}', action: 'start' },
    },
  ],
  loose: [
    { type: 'object', additionalProperties: trigger, description: 'by name' },
    trigger,
    {
      type: 'array',
      items: { type: 'object', maxProperties: 1, additionalProperties: trigger },
      description: 'a list of maps by name',
    },
    singleKeyMaps(metricTrigger, urlTrigger, {
      properties: {
        metric: metricTrigger.properties.source,
        sustain: metricTrigger.properties.time,
      },
    }),
  ],
})

const webhookEvents = ['start', 'stop', 'health', 'scale', 'deploy'] as const

export const webhook = Type.Object(
  {
    url: Type.String({
      pattern: '^https?://[^\\s/?#]+\\S*$',
      maxLength: 2_048,
      expected: 'a URL that begins with https:// or http://',
      description: 'URL that events are sent to, by `POST`.',
    }),
    events: listOrOne(oneOf([...webhookEvents], {}), {
      minItems: 1,
      uniqueItems: true,
      expected: `a list of ${webhookEvents.join(', ')}, each once`,
      default: defaults.webhook.events,
      description: 'Events that are sent; default: all.',
    }),
    secret: Type.Optional(
      Type.String({
        pattern: `^(whsec_[A-Za-z0-9+/]{32,86}={0,2}|${secretMark})$`,
        secret: true,
        expected: 'whsec_ and the base64 of 24 to 64 bytes',
        description:
          'Secret that signs the deliveries (Standard Webhooks). Without this key a secret is generated and shown once.',
      }),
    ),
    headers: pairs({
      title: 'Headers',
      description: 'Additional headers of the request.',
      examples: [{ Authorization: 'Bearer {{ .meta.hook_token }}' }],
    }),
    allow_private: Type.Boolean({
      default: false,
      expected: 'true or false',
      description: 'Whether the URL may resolve to a loopback or private address.',
    }),
  },
  { shared: 'webhook', additionalProperties: false, needs: ['url'], expected: 'a map with url' },
)

export const webhooks = Type.Array(webhook, {
  maxItems: 20,
  expected: 'a list of at most 20 webhooks',
  title: 'Webhooks',
  description:
    'Receivers of events over HTTP: an instance starts, stops or fails all retries of its health checks; the service is scaled or deployed. A list of maps, one map, or a list of single-key maps.',
  default: [],
  examples: [[{ url: 'https://hooks.example/mariposa', events: ['start', 'stop'] }]],
  loose: [webhook, singleKeyMaps(webhook)],
})
