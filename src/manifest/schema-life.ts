// How an instance is started, checked, restarted and stopped.
import * as Type from 'typebox'
import { addressIfNumeric } from '../lib/address.js'
import { durationForms } from '../lib/duration.js'
import { defaults } from './defaults.js'
import { network } from './schema-network.js'
import { argv, oneOf, portNumber, quantity, seconds, singleKeyMaps, template } from './schema-words.js'

export const restart = Type.Object(
  {
    policy: oneOf(['no', 'on-failure', 'always', 'unless-stopped'], {
      description: 'When the program is restarted; as `condition` also `none` and `any`.',
      loose: [{ enum: ['none', 'any'] }, { const: false }],
    }),
    max: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        expected: 'a whole number from 1',
        description: 'Maximum number of restarts, for `on-failure`.',
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
      'Whether the machine restarts a program that exits by itself, with the rules of Docker. Default: `always` for continuous services, `no` for others. A plain `false`, which YAML 1.1 makes of `no`, means `no`. As a map: `policy` (also `condition`) and `max` (also `max_attempts`).',
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
    description:
      'Seconds between the stop signal and killing the program; a negative number waits without limit.',
  }),
  preservestopped: oneOf(['on-failure', 'no', 'always'], {
    default: defaults.stop.preservestopped,
    loose: [{ const: false }],
    description:
      'Which stopped instances are kept: those that exited with a non-zero status (`on-failure`), none (`no`), or all (`always`).',
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
    description: 'Seconds from the end of one check to the next; `interval` is the same key.',
  }),
  timeout: Type.Number({
    ...seconds(0.01, 3_600),
    default: defaults.check.timeout,
    description:
      'Seconds until a check counts as failed. The default is `poll` if that is shorter than 10 s.',
  }),
  retries: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    expected: 'a whole number from 1 to 1000',
    default: defaults.check.retries,
    description: 'Number of consecutive failures until the instance is unhealthy and is replaced.',
  }),
  start_period: Type.Optional(
    Type.Number({
      ...seconds(0, 86_400),
      description:
        'Seconds after the start in which failures do not count, unless the instance was healthy once; default `retries × poll`, at least 10.',
    }),
  ),
  start_interval: Type.Optional(
    Type.Number({
      ...seconds(0.1, 86_400),
      description:
        'Seconds between two checks during `start_period`. Default: soon after the start, then at growing intervals up to `poll`.',
    }),
  ),
}

/** Names from Compose. */
const aliases = { interval: 'poll' }

const checkNetwork = {
  ...network,
  default: defaults.check.network,
  description:
    'Name or uuid of the network on which the service listens; `public` means the usual addresses of its instances. With another network, instances are placed on machines with `network.<name>=ADDRESS` in their metadata.',
} as typeof network

const httpCheck = Type.Object(
  {
    type: oneOf(['http', 'https'], { fixed: true }),
    network: checkNetwork,
    port: Type.Integer({
      ...portNumber,
      minimum: 1,
      description: 'The port, as in `ports`; default 80 or 443.',
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
        description: 'Number of redirects within the instance that are followed; default none.',
      }),
    ),
    host: Type.Optional(
      Type.String({
        pattern: `^${addressIfNumeric}(?!.*\\.\\.)[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$`,
        expected: 'the name of a host',
        description: 'Host name of the request, instead of the address of the instance.',
      }),
    ),
    verify: Type.Optional(
      Type.Boolean({
        expected: 'true or false',
        description:
          'For `https`: whether the machine has to trust the certificate, for the name `host`. By default the certificate is not verified.',
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
      description: 'The port to connect to, as in `ports`.',
    }),
    ...timing,
  },
  { additionalProperties: false, needs: ['type', 'port'], aliases },
)

const commandCheck = Type.Object(
  {
    type: oneOf(['command'], { fixed: true }),
    command: argv(
      'Command',
      'Command that runs inside the instance; a non-zero exit status is a failure. Not for `kvm`.',
      ['/usr/sbin/some_executable'],
    ),
    user: Type.Optional(
      Type.String({ minLength: 1, expected: 'a user name or id', description: 'The user to run it as.' }),
    ),
    ...timing,
  },
  { additionalProperties: false, needs: ['type', 'command'], aliases },
)

type Check = Type.Static<typeof httpCheck> | Type.Static<typeof tcpCheck> | Type.Static<typeof commandCheck>

/** A check of any type. With `discriminator`, the validator reports problems only for the type that `type` names. */
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
    'Checks of every instance. An instance that fails one `retries` times in a row is unhealthy: it is stopped and replaced by a new instance. A list of maps, one map, a map by name, or a list of single-key maps. Without this key, the health check of the Docker image is used; `[]` disables it.',
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
      '`R[n]/<start>/<period>`: n firings (without n: without end) from the start on (default: the deploy), with a period such as `PT1H`, `P1D` or `P1M` between them. Or five fields of a cron line (minute, hour, day of the month, month, day of the week), or six with seconds first.',
  }),
  epsilon: Type.Optional(
    Type.Number({
      ...seconds(1, 31_536_000),
      description:
        'Maximum delay of a start, in seconds. A firing that is missed by more is skipped and reported.',
    }),
  ),
  timezone: Type.Optional(
    Type.String({
      minLength: 1,
      expected: 'a time zone such as Europe/Berlin',
      description: 'Time zone of the schedule; default UTC.',
    }),
  ),
  overlap: oneOf(['skip', 'allow', 'replace'], {
    default: defaults.schedule.overlap,
    description:
      'What happens if an instance of the last firing still runs: `skip` skips this firing, `allow` starts another instance beside it, `replace` stops the old instance first.',
  }),
}

const { overlap: _ofServices, ...backupScheduleParts } = scheduleParts

/** The schedule of backups of a volume: that of a service without the keys that apply only to instances. */
export const backupSchedule = Type.Object(
  {
    ...backupScheduleParts,
    epsilon: Type.Optional(
      Type.Number({
        ...seconds(1, 31_536_000),
        description:
          'Maximum delay of a backup, in seconds; default six hours. A firing that is missed by more is skipped and reported.',
      }),
    ),
  },
  {
    additionalProperties: false,
    needs: [],
    expected: 'an ISO 8601 repeating interval such as R/2026-01-01T00:00:00Z/PT1H, a cron line, or a map',
    description:
      'Schedule of automatic backups of the volume, like `schedule` of scheduled services, without `overlap`. Requires `to`.',
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
    'Times at which a service of `service_type: scheduled` starts an instance. A text, or a map with one of `interval`, `cron` and `expression`.',
  examples: ['R/2026-01-01T00:00:00Z/PT1H', { cron: '15 3 * * *', timezone: 'Europe/Berlin' }],
  aliases: { interval: 'expression', cron: 'expression' },
  loose: [
    { type: 'string', minLength: 1 },
    singleKeyMaps({
      properties: { ...scheduleParts, interval: scheduleParts.expression, cron: scheduleParts.expression },
    }),
  ],
})
