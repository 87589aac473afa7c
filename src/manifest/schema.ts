// The canonical service manifest: one description from which come the type, the check, the published JSON Schema and
// the reference page. Three of our own words stand beside JSON Schema's: `expected` completes "expected …" in a
// diagnostic, `loose` lists the other forms that an author may write, `needs` the keys of a map that an author cannot
// leave out (where `required` lists what the canonical form always has).
import * as Type from 'typebox'
import { durationForms } from '../lib/duration.js'
import { sizeForms } from './quantities.js'

/** Defaults that do not depend on other keys. */
export const defaults = {
  service_type: 'continuous',
  compute_type: 'docker',
  stop: { timeout: 10, preservestopped: 'on-failure' },
  check: { poll: 30, timeout: 10, retries: 3, path: '/', ports: { http: 80, https: 443 } },
} as const

const dnsLabel = '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'
const template = { type: 'string', pattern: '\\{\\{', description: 'a template' }
const quantity = { type: 'string', minLength: 1, description: 'with a unit' }
const anyScalar = { type: ['string', 'number', 'boolean', 'null'] }
const shellWords = {
  type: 'string',
  minLength: 1,
  description: 'split into words as a shell would, without a shell',
}
const pairList = {
  type: 'array',
  items: { type: 'string', pattern: '^[^=]+=' },
  description: 'a list of key=value',
}

function oneOf<const T extends string[]>(values: readonly [...T], options: object) {
  return Type.Enum(values, { type: 'string', expected: `one of ${values.join(', ')}`, ...options })
}

const name = Type.String({
  pattern: dnsLabel,
  expected: 'a DNS label: a-z, 0-9 and -, at most 63 characters',
  title: 'Name',
  description:
    'The name of the service, unique in its project. Without it: the key in `services:`, the name given on the command line, or the base name of the file.',
  examples: ['web'],
})

const serviceType = oneOf(['continuous', 'scheduled', 'event'], {
  title: 'Service type',
  description:
    '`continuous` services are kept running at their scale. `event` services run one instance per `service start`. `scheduled` is not supported yet.',
  default: defaults.service_type,
})

const computeType = oneOf(['docker', 'process'], {
  title: 'Compute type',
  description:
    '`docker` runs a container of `image`. `process` runs `command` directly on the host, without an image. The other types of the specification are not supported yet.',
  default: defaults.compute_type,
})

const image = Type.String({
  minLength: 1,
  pattern: '^\\S+$',
  expected: 'a Docker image reference, such as nginx:1.27',
  title: 'Image',
  description: 'The Docker image. Required for `docker`, refused for `process`.',
  examples: ['0x74696d/triton-elasticsearch:0.1.1'],
})

function argv(title: string, description: string, examples: unknown[]) {
  return Type.Array(Type.String({ loose: [anyScalar] }), {
    minItems: 1,
    expected: 'a list of words, or one line of text that is split into words',
    title,
    description: `${description} A text is split into words as a shell would, but no shell runs: for pipes and variables write \`["sh", "-c", "…"]\`.`,
    examples,
    loose: [shellWords],
  })
}

const environment = Type.Record(Type.String({ pattern: '^[^\\s=]+$' }), Type.String({ loose: [anyScalar] }), {
  expected: 'a map, or a list of key=value',
  title: 'Environment',
  description:
    'Environment variables of the program. Values are text exactly as written: `0755`, `1.10` and `no` stay what they are.',
  default: {},
  examples: [{ CLUSTER_NAME: 'elasticsearch' }],
  loose: [pairList],
})

const labels = Type.Record(Type.String({ pattern: '^[^\\s=]+$' }), Type.String({ loose: [anyScalar] }), {
  expected: 'a map, or a list of key=value',
  title: 'Labels',
  description:
    'Key and value pairs put on every instance. `tags` is the same key under another name; give one of them.',
  default: {},
  examples: [{ 'triton.cns.services': 'elasticsearch-master' }],
  loose: [pairList],
})

const portNumber = { maximum: 65_535, expected: 'a port number from 1 to 65535' }

const port = Type.Object(
  {
    ip: Type.Optional(
      Type.String({ description: 'Host address to publish on; every address without it. Docker only.' }),
    ),
    host: Type.Optional(
      Type.Integer({
        ...portNumber,
        minimum: 0,
        description: 'Host port; 0, or no host port for docker: chosen by the engine.',
      }),
    ),
    container: Type.Integer({
      ...portNumber,
      minimum: 1,
      description: 'The port that the program listens on.',
    }),
    protocol: oneOf(['tcp', 'udp'], { default: 'tcp' }),
  },
  {
    additionalProperties: false,
    needs: ['container'],
    expected: 'a port such as 8080, "80:8080", "127.0.0.1:80:8080", "53/udp" or "8000-8003"',
    loose: [
      { type: 'integer', minimum: 1, maximum: 65_535 },
      { type: 'string', pattern: '^[^\\s]+$' },
    ],
  },
)

const ports = Type.Array(port, {
  maxItems: 1_000,
  expected: 'a list of ports, at most 1000',
  title: 'Ports',
  description:
    'Ports of the program. For `docker`, `8080` is a port of the container that gets a free host port, `"80:8080"` fixes the host port. For `process`, `8080` says that the program listens on that host port; `"0:8080"` lets the engine choose the port, which the program finds in `PORT` and `PORT_8080`.',
  default: [],
  examples: [[8500], ['80:8080', '53/udp', '127.0.0.1:9000-9003:9000-9003']],
  loose: [
    { type: 'integer', minimum: 1, maximum: 65_535 },
    { type: 'string', pattern: '^[^\\s]+$' },
  ],
})

const memory = Type.Integer({
  minimum: 4,
  maximum: 1024 * 1024 * 64,
  loose: [quantity],
  expected: `${sizeForms}, at least 4`,
  title: 'Memory',
  description:
    'Memory of one instance, in MiB: what the scheduler reserves and what the instance is limited to. No limit without it.',
  examples: [512, '1.5GiB'],
})

const restart = Type.Object(
  {
    policy: oneOf(['no', 'on-failure', 'always', 'unless-stopped'], {}),
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
    expected: 'no, on-failure, on-failure:3, always or unless-stopped',
    title: 'Restart',
    description:
      "What happens on the machine when the program exits by itself, with Docker's logic. Without it: `always` for continuous services, `no` for others. A plain `false`, which YAML 1.1 makes of `no`, means `no`.",
    examples: ['on-failure:3', 'unless-stopped'],
    loose: [
      { type: 'string', pattern: '^(no|false|always|unless-stopped|on-failure(:\\d+)?)$' },
      { const: false },
    ],
  },
)

const stop = Type.Object(
  {
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
      description:
        'Which stopped instances are kept: those that exited with a non-zero status, none, or all.',
    }),
  },
  {
    additionalProperties: false,
    needs: [],
    expected: 'a map with timeout and preservestopped',
    title: 'Stop',
    description: 'How an instance is stopped. A map, or a list of single-key maps.',
    default: defaults.stop,
    examples: [{ timeout: -1, preservestopped: 'always' }],
    loose: [
      {
        type: 'array',
        items: {
          type: 'object',
          properties: { timeout: {}, preservestopped: {} },
          additionalProperties: false,
        },
      },
    ],
  },
)

const seconds = (from: number, to: number) => ({
  minimum: from,
  maximum: to,
  loose: [quantity],
  expected: `${durationForms}, from ${from} to ${to} seconds`,
})

const timing = {
  poll: Type.Number({
    ...seconds(0.1, 86_400),
    default: defaults.check.poll,
    description: 'Seconds between two checks.',
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
}

const httpCheck = Type.Object(
  {
    type: oneOf(['http', 'https'], {}),
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
  },
  { additionalProperties: false, needs: ['type'] },
)

const commandCheck = Type.Object(
  {
    type: oneOf(['command'], {}),
    command: argv('Command', 'Runs inside the instance; a non-zero exit is a failure.', [
      '/usr/sbin/some_executable',
    ]),
    user: Type.Optional(
      Type.String({ minLength: 1, expected: 'a user name or id', description: 'The user to run it as.' }),
    ),
    ...timing,
  },
  { additionalProperties: false, needs: ['type', 'command'] },
)

/** A check of either type. `discriminator` lets the validator speak of the one that `type` names. */
const healthcheck = Type.Unsafe<Type.Static<typeof httpCheck> | Type.Static<typeof commandCheck>>({
  type: 'object',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: [httpCheck, commandCheck],
  expected: 'a map with type http, https or command',
})

const healthchecks = Type.Array(healthcheck, {
  maxItems: 20,
  expected: 'a list of at most 20 checks',
  title: 'Health checks',
  description:
    'Checks of every instance. One that fails `retries` times in a row is unhealthy: it is stopped and a new instance takes its place. A list of maps, one map, or a list of single-key maps.',
  default: [],
  examples: [
    [
      { type: 'https', port: 443, path: '/some/path', poll: 30, timeout: 10, retries: 3 },
      { type: 'command', command: '/usr/sbin/some_executable', user: 'root' },
    ],
  ],
  loose: [
    { type: 'object', required: ['type'] },
    { type: 'array', items: { type: 'object', maxProperties: 1 } },
  ],
})

const user = Type.String({
  minLength: 1,
  pattern: '^[^\\s]+$',
  expected: 'a user name or id, with an optional :group for docker',
  title: 'User',
  description:
    'The user that the program runs as. Without it: what the image says, or the user of the daemon for `process`.',
  examples: ['nobody', '1000:1000'],
  loose: [{ type: 'integer' }],
})

const workingDir = Type.String({
  pattern: '^/',
  expected: 'an absolute path',
  title: 'Working directory',
  description: 'The directory that the program starts in.',
  examples: ['/srv/web'],
})

export const serviceManifestSchema = Type.Object(
  {
    name,
    service_type: serviceType,
    compute_type: computeType,
    image: Type.Optional(image),
    command: Type.Optional(
      argv('Command', 'What the program is run with; required for `process` unless `entrypoint` is given.', [
        ['nginx', '-g', 'daemon off;'],
      ]),
    ),
    entrypoint: Type.Optional(
      argv('Entrypoint', 'The program itself, in front of `command`.', [['/some/executable.sh']]),
    ),
    environment,
    ports,
    memory: Type.Optional(memory),
    labels,
    restart,
    stop,
    healthchecks,
    user: Type.Optional(user),
    working_dir: Type.Optional(workingDir),
  },
  {
    title: 'Service manifest',
    description: 'What one service runs, and how.',
    additionalProperties: false,
    needs: [],
    expected: 'a map of manifest keys',
  },
)

/** A service manifest in canonical form: every default filled in, every loose form resolved. */
export type ServiceManifest = Type.Static<typeof serviceManifestSchema>
export type ManifestHealthcheck = ServiceManifest['healthchecks'][number]
export type ManifestPort = ServiceManifest['ports'][number]

/** What an author gave, in canonical form, before defaults. */
export type GivenManifest = Partial<Omit<ServiceManifest, 'stop' | 'healthchecks'>> & {
  readonly stop?: Partial<ServiceManifest['stop']>
  readonly healthchecks?: readonly GivenCheck[]
}
type GivenCheck = { readonly type: string; readonly poll?: number }

const keyOrder = Object.keys(serviceManifestSchema.properties)

/** Fills in the defaults, in the order of the schema; what the author gave stays, right or wrong, for `validate` to judge. */
export function withDefaults(given: GivenManifest, name: string): object {
  const serviceType = given.service_type ?? defaults.service_type
  const filled: Record<string, unknown> = {
    service_type: serviceType,
    compute_type: defaults.compute_type,
    environment: {},
    ports: [],
    labels: {},
    restart: { policy: serviceType === 'continuous' ? 'always' : 'no' },
    ...given,
    name,
    stop: { ...defaults.stop, ...given.stop },
    healthchecks: (given.healthchecks ?? []).map(withCheckDefaults),
  }
  return Object.fromEntries(keyOrder.filter((key) => key in filled).map((key) => [key, filled[key]]))
}

function withCheckDefaults(given: GivenCheck): object {
  const { poll, timeout, retries, path, ports } = defaults.check
  const timing = { poll, timeout: Math.max(0.01, Math.min(timeout, given.poll ?? poll)), retries }
  if (given.type === 'http' || given.type === 'https')
    return { ...given, port: ports[given.type], path, ...timing, ...given }
  return { ...given, ...timing, ...given }
}
