// Resource limits and privileges of an instance.
import * as Type from 'typebox'
import { addressIfNumeric } from '../lib/address.js'
import { allCapabilities, capabilityNames } from '../model/capability.js'
import { resourceNames } from '../model/resource-limit.js'
import { sizeForms } from './quantities.js'
import { anyScalar, pairs, quantity } from './schema-words.js'

const flagWith = (title: string, description: string) =>
  Type.Boolean({ expected: 'true or false', title, description, examples: [true] })

export const cpu = Type.Number({
  minimum: 0.01,
  maximum: 1_000,
  expected: 'a number of cores with at most two decimals, from 0.01 to 1000',
  title: 'CPU',
  description:
    'Maximum number of cores that an instance may use, such as 1.5. It reserves nothing; a `package` does. systemd and the `process` driver need a machine whose control groups have the cpu controller; if the `process` driver cannot enforce the limit, the instance does not start.',
  examples: [0.5, 2],
  loose: [{ type: 'string', pattern: '^\\d+(\\.\\d+)?$' }],
})

export const memorySwap = Type.Integer({
  minimum: -1,
  maximum: 1024 ** 2 * 64,
  expected: `${sizeForms}, or -1`,
  title: 'Memory and swap',
  description:
    'Limit of memory and swap together for one instance, in MiB: the same as `memory` for no swap, -1 for unlimited swap. Requires `memory`. Under Docker without this key, an instance may use as much swap as memory. Under systemd the machine needs cgroup v2; the `process` driver refuses it.',
  examples: [1024, '1G', -1],
  loose: [quantity],
})

export const pids = Type.Integer({
  minimum: 1,
  maximum: 4_194_304,
  expected: 'a whole number from 1 to 4194304',
  title: 'Processes',
  description:
    'Maximum number of processes and threads of an instance. The `process` driver needs the pids controller; if it cannot enforce the limit, the instance does not start. The alternative `nproc` of `ulimits` counts all processes of a user.',
  examples: [200],
  loose: [{ type: 'string', pattern: '^\\d+$' }],
})

const limit = (description: string) =>
  Type.Integer({
    minimum: -1,
    maximum: 999_999_999_999_999,
    expected: 'a whole number, or -1 for no limit',
    description,
    loose: [anyScalar],
  })

const resourceLimit = Type.Object(
  {
    soft: limit('Limit that the program starts with.'),
    hard: limit('Limit up to which the program may raise the soft one.'),
  },
  {
    additionalProperties: false,
    needs: ['soft', 'hard'],
    aliases: {},
    expected: 'a number, soft:hard, or a map with soft and hard',
    loose: [{ type: ['integer', 'string'], description: 'soft:hard, or one number for both' }],
  },
)

export const ulimits = Type.Object(
  Object.fromEntries(resourceNames.map((name) => [name, Type.Optional(resourceLimit)])) as Record<
    (typeof resourceNames)[number],
    Type.TOptional<typeof resourceLimit>
  >,
  {
    additionalProperties: false,
    needs: [],
    aliases: {},
    expected: 'a map such as nofile: 65536',
    title: 'Limits of a process',
    description:
      "Resource limits (setrlimit) of each process of an instance, with Docker's names and units: `nofile: 65536`, `core: 0`, or `{soft, hard}`; -1 is no limit. Under the `process` driver a daemon that is not root can only lower them.",
    examples: [{ nofile: { soft: 4096, hard: 65_536 }, core: 0 }],
    loose: [
      {
        type: 'array',
        items: { type: ['string', 'object'], pattern: '^[a-z]+=' },
        description: 'a list of name=soft:hard',
      },
    ],
  },
)

export const shmSize = Type.Integer({
  minimum: 1,
  maximum: 1024 ** 2,
  expected: `${sizeForms}, from 1M to 1T`,
  title: 'Shared memory',
  description:
    'Size of `/dev/shm`, in MiB. Under systemd the program gets its own `/dev/shm`; the `process` driver refuses this key.',
  examples: [256, '1G'],
  loose: [quantity],
})

const capability = Type.String({
  enum: [allCapabilities, ...capabilityNames],
  expected: 'a capability such as NET_ADMIN, or ALL',
  loose: [{ type: 'string', pattern: '^[A-Za-z_]+$' }],
})

const capabilityList = (title: string, description: string, examples: unknown[]) =>
  Type.Array(capability, {
    maxItems: 50,
    expected: 'a list of capabilities',
    title,
    description,
    examples,
    loose: [capability],
  })

export const capAdd = capabilityList(
  'Capabilities',
  "Capabilities in addition to the default ones: Docker's default set, or those of the user under systemd. A policy may refuse this key ([policy.md](policy.md)); the `process` driver always refuses it.",
  [['NET_ADMIN']],
)

export const capDrop = capabilityList(
  'Dropped capabilities',
  'Capabilities that are removed from an instance; with `ALL` it keeps only those of `cap_add`. Under the `process` driver the daemon has to run as root.',
  [['ALL']],
)

const deviceForms = 'a device such as /dev/fuse, /dev/a:/dev/b or /dev/a:/dev/b:r'

export const devices = Type.Array(
  Type.String({
    pattern: '^/dev/[^:\\s]+(:/[^:\\s]+)?(:[rwm]{1,3})?$',
    maxLength: 512,
    expected: deviceForms,
  }),
  {
    maxItems: 100,
    expected: 'a list of devices',
    title: 'Devices',
    description:
      'Devices of the machine that an instance may use: `/dev/x`, or `/dev/x:/dev/y` for another path in a container, optionally followed by a colon and the permissions `r`, `w`, `m`. Under systemd, a program with this key can open only these devices and the standard pseudo devices. A policy may refuse this key ([policy.md](policy.md)); the `process` driver always refuses it.',
    examples: [['/dev/fuse', '/dev/snd:/dev/snd:rw']],
    loose: [{ type: 'string' }],
  },
)

export const readOnly = flagWith(
  'Read-only',
  'Whether an instance may write only to its volumes. Under systemd, the whole file system of the machine except `/dev`, `/proc`, `/sys` and the volumes is read-only then; the `process` driver refuses this key.',
)

export const init = Type.Boolean({
  expected: 'true or false, or a list of steps',
  title: 'Init',
  description:
    "Whether Docker's init is the first process of a container: it forwards signals and reaps zombie processes. Only for `docker`. A list here means `init_steps`.",
  examples: [true],
  loose: [{ type: 'array', minItems: 1 }],
})

export const noNewPrivileges = flagWith(
  'No new privileges',
  'Whether the program is kept from gaining privileges through set-user-id bits and file capabilities, which `sudo` and some versions of `ping` rely on. For a program on the machine whose `user` is not root, this is the default, and it has only the capabilities of `cap_add`; use `false` if it needs such programs. For a container only `true` sets it. A policy with `root: false` refuses `false` ([policy.md](policy.md)).',
)

export const privileged = flagWith(
  'Privileged',
  'Whether a container has full access to its machine: all capabilities and devices. A policy refuses it unless it allows it explicitly ([policy.md](policy.md)). Only for `docker`.',
)

export const groupAdd = Type.Array(
  Type.String({
    pattern: '^([A-Za-z_][A-Za-z0-9_.-]*|0|[1-9]\\d{0,9})$',
    maxLength: 100,
    expected: 'the name or the number of a group',
    loose: [{ type: 'integer' }],
  }),
  {
    maxItems: 100,
    expected: 'a list of groups',
    title: 'Groups',
    description:
      'Additional groups of the program besides those of its user, by name or number. In a container, names refer to the groups of its image.',
    examples: [['video', 44]],
    loose: [{ type: ['string', 'integer'] }],
  },
)

export const hostname = Type.String({
  pattern: '^(?:[A-Za-z0-9.-]|\uE000[^\uE001]*\uE001)+$',
  maxLength: 253,
  expected: 'the name of a host: letters, digits, - and dots',
  title: 'Host name',
  description:
    'The host name inside a container. Default: the first 12 characters of the container id. It may contain `{{ .instance.name }}`. Only for `docker`.',
  examples: ['web', '{{ .instance.name }}'],
})

export const extraHosts = Type.Array(
  Type.String({
    pattern: `^[A-Za-z0-9_.-]+:(?:${addressIfNumeric}[0-9.]*[0-9]|[0-9A-Fa-f]*:[0-9A-Fa-f.:]+|host-gateway)$`,
    expected: 'NAME:ADDRESS',
  }),
  {
    maxItems: 100,
    expected: 'a list of NAME:ADDRESS, or a map',
    title: 'Hosts',
    description:
      'Additional lines for `/etc/hosts` of a container, as `NAME:ADDRESS`; `host-gateway` stands for the address of its machine. Only for `docker`: a process uses the file of its machine.',
    examples: [['db:192.0.2.7'], { db: '192.0.2.7' }],
    loose: [
      { type: 'string', pattern: '^[^\\s]+[:=]' },
      { type: 'object', description: 'a map of addresses by name' },
    ],
  },
)

export const sysctls = pairs({
  default: undefined,
  title: 'Kernel parameters',
  description:
    'Kernel parameters in the namespaces of a container, such as those below `net.`. A policy may refuse this key ([policy.md](policy.md)). Only for `docker`: a process uses the parameters of its machine.',
  examples: [{ 'net.core.somaxconn': '1024' }],
})

export const stopSignal = Type.String({
  pattern: '^SIG[A-Z0-9+]+$',
  expected: 'a signal such as SIGINT',
  title: 'Stop signal',
  description:
    'The signal that asks the program to end; a program that still runs after `stop.timeout` is killed. Default: the signal of the image, or SIGTERM.',
  examples: ['SIGQUIT'],
  loose: [{ type: ['integer', 'string'] }],
})

export const gpus = Type.String({
  pattern: '^(all|[1-9]\\d{0,2}|device=[A-Za-z0-9_-]+(,[A-Za-z0-9_-]+)*)$',
  maxLength: 1_000,
  expected: 'all, a number, or device=ID,ID',
  title: 'GPUs',
  description:
    'GPUs for a container, if its machine has a runtime for them: `all`, a number of GPUs, or `device=` with their numbers or ids. A policy may refuse this key ([policy.md](policy.md)). Only for `docker`.',
  examples: ['all', 2, 'device=0,1'],
  loose: [{ type: 'integer' }],
})

export const log = Type.Object(
  {
    driver: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9][a-zA-Z0-9._/:-]*$',
        maxLength: 255,
        expected: 'the name of a log driver such as json-file',
        description: 'A log driver of Docker; `json-file` if there are options but no driver.',
      }),
    ),
    max_size: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1024 ** 2,
        expected: `${sizeForms}, from 1M to 1T`,
        description: 'Maximum size of a log file before rotation, in MiB.',
        loose: [quantity],
      }),
    ),
    max_files: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        expected: 'a whole number from 1 to 1000',
        description: 'Number of log files that are kept; requires `max_size`.',
        loose: [{ type: 'string', pattern: '^\\d+$' }],
      }),
    ),
    options: Type.Optional(
      pairs({
        default: undefined,
        title: 'Options',
        description: 'Options of the log driver.',
        examples: [],
      }),
    ),
  },
  {
    additionalProperties: false,
    needs: [],
    aliases: {},
    expected: 'a map with driver, max_size, max_files and options',
    title: 'Log',
    description:
      'How Docker stores the output of a container. Default: as set by `--container-log-max-size` of the daemon. Only for `docker`: the journal, and the log files of the `process` driver, have limits per machine.',
    examples: [{ max_size: '20M', max_files: 5 }, { driver: 'journald' }],
  },
)
