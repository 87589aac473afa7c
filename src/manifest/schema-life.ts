// How an instance is started, checked, restarted and stopped.
import * as Type from 'typebox'
import { durationForms } from '../lib/duration.js'
import { defaults } from './defaults.js'
import { network } from './schema-network.js'
import { argv, oneOf, portNumber, quantity, seconds, singleKeyMaps, template } from './schema-words.js'

export const restart = Type.Object(
  {
    policy: oneOf(['no', 'on-failure', 'always', 'unless-stopped'], {
      description: 'When it is started again; as `condition` also `none` and `any`.',
      loose: [{ enum: ['none', 'any'] }, { const: false }],
    }),
    max: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        expected: 'a whole number from 1',
        description: 'How many restarts, for `on-failure`.',
      }),
    ),
  },
  {
    additionalProperties: false,
    needs: ['policy'],
    aliases: { condition: 'policy', max_attempts: 'max' },
    expected: 'no, on-failure, on-failure:3, always or unless-stopped',
    title: 'Restart',
    description:
      "What happens on the machine when the program exits by itself, with Docker's logic. Without it: `always` for continuous services, `no` for others. A plain `false`, which YAML 1.1 makes of `no`, means `no`. As a map: `policy` (also `condition`) and `max` (also `max_attempts`).",
    examples: ['on-failure:3', 'unless-stopped'],
    loose: [
      { type: 'string', pattern: '^(no|false|always|unless-stopped|on-failure(:\\d+)?)$' },
      { const: false },
    ],
  },
)

const stopParts = {
  timeout: Type.Integer({
    minimum: -1_000_000_000,
    maximum: 1_000_000_000,
    loose: [quantity],
    expected: `whole seconds: ${durationForms}`,
    default: defaults.stop.timeout,
    description: 'Seconds between asking the program to stop and killing it; negative waits without end.',
  }),
  preservestopped: oneOf(['on-failure', 'no', 'always'], {
    default: defaults.stop.preservestopped,
    loose: [{ const: false }],
    description: 'Which stopped instances are kept: those that exited with a non-zero status, none, or all.',
  }),
}

export const stop = Type.Object(stopParts, {
  additionalProperties: false,
  needs: [],
  expected: 'a map with timeout and preservestopped',
  title: 'Stop',
  description: 'How an instance is stopped. A map, or a list of single-key maps.',
  default: defaults.stop,
  examples: [{ timeout: -1, preservestopped: 'always' }],
  loose: [singleKeyMaps({ properties: stopParts })],
})

const timing = {
  poll: Type.Number({
    ...seconds(0.1, 86_400),
    default: defaults.check.poll,
    description: 'Seconds from the end of one check to the next; `interval` is another name of it.',
  }),
  timeout: Type.Number({
    ...seconds(0.01, 3_600),
    default: defaults.check.timeout,
    description:
      'Seconds until a check counts as failed; not above `poll`, and `poll` by default where that is shorter.',
  }),
  retries: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    expected: 'a whole number from 1 to 1000',
    default: defaults.check.retries,
    description: 'Failures in a row until the instance is unhealthy and replaced.',
  }),
  start_period: Type.Optional(
    Type.Number({
      ...seconds(0, 86_400),
      description:
        'Seconds after the start in which failures do not count, unless it was healthy once; `retries × poll`, at least 10, without it.',
    }),
  ),
  start_interval: Type.Optional(
    Type.Number({
      ...seconds(0.1, 86_400),
      description:
        'Seconds between two checks in that time; without it soon after the start, and then ever more slowly up to `poll`.',
    }),
  ),
}

/** As Compose calls it. */
const aliases = { interval: 'poll' }

const checkNetwork = {
  ...network,
  default: defaults.check.network,
  description:
    'The name or uuid of the network on which the service listens; `public` is where its instances answer by themselves. They go to machines that have `network.<name>=ADDRESS` in their metadata.',
} as typeof network

const httpCheck = Type.Object(
  {
    type: oneOf(['http', 'https'], { fixed: true }),
    network: checkNetwork,
    port: Type.Integer({
      ...portNumber,
      minimum: 1,
      description: 'The port as in `ports`; 80 or 443 without it.',
    }),
    path: Type.String({
      pattern: '^/',
      expected: 'a path that begins with /',
      default: defaults.check.path,
      description: 'The path to request; a status of 200 to 399 is healthy.',
      loose: [template],
    }),
    ...timing,
    redirects: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10,
        expected: 'a whole number from 0 to 10',
        description: 'How many redirects within the instance are followed; none without it.',
      }),
    ),
    host: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$',
        expected: 'the name of a host',
        description: 'The host that is asked for, in place of the address of the instance.',
      }),
    ),
    verify: Type.Optional(
      Type.Boolean({
        expected: 'true or false',
        description:
          'For `https`: whether the certificate has to be one that the machine trusts, for `host`. It is not looked at without it.',
      }),
    ),
  },
  { additionalProperties: false, needs: ['type'], aliases },
)

const tcpCheck = Type.Object(
  {
    type: oneOf(['tcp'], { fixed: true }),
    network: checkNetwork,
    port: Type.Integer({
      ...portNumber,
      minimum: 1,
      description: 'The port as in `ports`, which is to take a connection.',
    }),
    ...timing,
  },
  { additionalProperties: false, needs: ['type', 'port'], aliases },
)

const commandCheck = Type.Object(
  {
    type: oneOf(['command'], { fixed: true }),
    command: argv('Command', 'Runs inside the instance; a non-zero exit is a failure. Not for `kvm`.', [
      '/usr/sbin/some_executable',
    ]),
    user: Type.Optional(
      Type.String({ minLength: 1, expected: 'a user name or id', description: 'The user to run it as.' }),
    ),
    ...timing,
  },
  { additionalProperties: false, needs: ['type', 'command'], aliases },
)

type Check = Type.Static<typeof httpCheck> | Type.Static<typeof tcpCheck> | Type.Static<typeof commandCheck>

/** A check of any type. `discriminator` lets the validator speak of the one that `type` names. */
export const healthcheck = Type.Unsafe<Check>({
  shared: 'healthcheck',
  type: 'object',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: [httpCheck, tcpCheck, commandCheck],
  expected: 'a map with type http, https, tcp or command',
})

export const healthchecks = Type.Array(healthcheck, {
  maxItems: 20,
  expected: 'a list of at most 20 checks',
  title: 'Health checks',
  description:
    'Checks of every instance. One that fails `retries` times in a row is unhealthy: it is stopped and a new instance takes its place. A list of maps, one map, a map by name, or a list of single-key maps. Without the key the check that a Docker image brings itself counts; `[]` switches that off.',
  examples: [
    [
      { type: 'https', port: 443, path: '/some/path', poll: 30, timeout: 10, retries: 3 },
      { type: 'command', command: '/usr/sbin/some_executable', user: 'root' },
    ],
  ],
  loose: [
    healthcheck,
    { type: 'object', additionalProperties: healthcheck, description: 'by name' },
    singleKeyMaps(httpCheck, tcpCheck, commandCheck, { properties: { interval: timing.poll } }),
  ],
})

const scheduleParts = {
  kind: oneOf(['interval', 'cron'], {
    description: 'An ISO 8601 repeating interval, or a cron line.',
  }),
  expression: Type.String({
    minLength: 1,
    maxLength: 256,
    expected: 'an interval such as R/2026-01-01T00:00:00Z/PT1H, or a cron line such as "15 3 * * *"',
    description:
      '`R[n]/<start>/<period>`: n firings (without n for ever), beginning at the start (without one: when it is deployed), a period such as `PT1H`, `P1D` or `P1M` apart. Or five fields of a cron line (minute, hour, day of the month, month, day of the week), or six with seconds in front.',
  }),
  epsilon: Type.Optional(
    Type.Number({
      ...seconds(1, 31_536_000),
      description:
        'How late a start may be, in seconds. A firing that is missed by more is left out, and reported.',
    }),
  ),
  timezone: Type.Optional(
    Type.String({
      minLength: 1,
      expected: 'a time zone such as Europe/Berlin',
      description: 'The time zone of the wall clock that is meant; UTC without it.',
    }),
  ),
  overlap: oneOf(['skip', 'allow', 'replace'], {
    default: defaults.schedule.overlap,
    description:
      'What happens when an instance of the last firing still runs: leave this one out, start beside it, or stop the old one first.',
  }),
}

const { overlap: _ofServices, ...backupScheduleParts } = scheduleParts

/** When backups of a volume are made: the schedule of a service without what only instances can do. */
export const backupSchedule = Type.Object(
  {
    ...backupScheduleParts,
    epsilon: Type.Optional(
      Type.Number({
        ...seconds(1, 31_536_000),
        description:
          'How late a backup may begin, in seconds; six hours without it. A firing that is missed by more is left out, and told.',
      }),
    ),
  },
  {
    additionalProperties: false,
    needs: [],
    expected: 'an ISO 8601 repeating interval such as R/2026-01-01T00:00:00Z/PT1H, a cron line, or a map',
    description:
      'When the volume is backed up by itself, as `schedule` of scheduled services says it, without `overlap`. It goes with `to`.',
    aliases: { interval: 'expression', cron: 'expression' },
    loose: [
      { type: 'string', minLength: 1 },
      singleKeyMaps({
        properties: {
          ...backupScheduleParts,
          interval: scheduleParts.expression,
          cron: scheduleParts.expression,
        },
      }),
    ],
  },
)

export const schedule = Type.Object(scheduleParts, {
  additionalProperties: false,
  needs: [],
  expected: 'an ISO 8601 repeating interval such as R/2026-01-01T00:00:00Z/PT1H, a cron line, or a map',
  title: 'Schedule',
  description:
    'When a service of `service_type: scheduled` starts an instance. A text, or a map with one of `interval`, `cron` and `expression`.',
  examples: ['R/2026-01-01T00:00:00Z/PT1H', { cron: '15 3 * * *', timezone: 'Europe/Berlin' }],
  aliases: { interval: 'expression', cron: 'expression' },
  loose: [
    { type: 'string', minLength: 1 },
    singleKeyMaps({
      properties: { ...scheduleParts, interval: scheduleParts.expression, cron: scheduleParts.expression },
    }),
  ],
})
