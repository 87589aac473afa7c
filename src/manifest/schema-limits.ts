// What an instance may use, and what it may do to the machine.
import * as Type from 'typebox'
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
    'How many cores an instance may keep busy at the most, such as 1.5. It reserves nothing: that does a `package`. Under systemd it takes a machine whose control groups have the cpu controller; the `process` driver refuses it.',
  examples: [0.5, 2],
  loose: [{ type: 'string', pattern: '^\\d+(\\.\\d+)?$' }],
})

export const memorySwap = Type.Integer({
  minimum: -1,
  maximum: 1024 ** 2 * 64,
  expected: `${sizeForms}, or -1`,
  title: 'Memory and swap',
  description:
    'Memory and swap of one instance together, in MiB: as much as `memory` for no swap at all, -1 for as much swap as there is. It needs `memory`. Under Docker without it, an instance may have as much swap as memory. Under systemd the machine has to have cgroup v2; the `process` driver refuses it.',
  examples: [1024, '1G', -1],
  loose: [quantity],
})

export const pids = Type.Integer({
  minimum: 1,
  maximum: 4_194_304,
  expected: 'a whole number from 1 to 4194304',
  title: 'Processes',
  description:
    'How many processes and threads an instance may have at a time. The `process` driver refuses it: `ulimits` has `nproc`, which counts all processes of a user.',
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
  { soft: limit('What the program begins with.'), hard: limit('What it may raise it to.') },
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
      "setrlimit's limits of each process of an instance, by Docker's names, in its units: `nofile: 65536`, `core: 0`, or `{soft, hard}`; -1 is no limit. Under the `process` driver a daemon that is not root can only lower them.",
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
    'Size of `/dev/shm`, in MiB. Under systemd the program gets one of its own; the `process` driver refuses it.',
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
  "Capabilities beside those that an instance has anyway: Docker's default, or those of its user under systemd. A policy may refuse it ([policy.md](policy.md)); the `process` driver does.",
  [['NET_ADMIN']],
)

export const capDrop = capabilityList(
  'Capabilities that are taken',
  'Capabilities that an instance is not to have; with `ALL` it has those of `cap_add` alone. Under the `process` driver it takes a daemon that is root.',
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
      'Devices of the machine, as `/dev/x`, `/dev/x:/dev/y` (under another path, in a container alone) or with `r`, `w`, `m` behind a colon for what may be done with it. A program under systemd that names some may open no others but the harmless ones. A policy may refuse it ([policy.md](policy.md)); the `process` driver does.',
    examples: [['/dev/fuse', '/dev/snd:/dev/snd:rw']],
    loose: [{ type: 'string' }],
  },
)

export const readOnly = flagWith(
  'Read-only',
  'Whether an instance may write to its volumes alone. Under systemd the whole of the machine but `/dev`, `/proc`, `/sys` and its volumes can only be read then; the `process` driver refuses it.',
)

export const init = Type.Boolean({
  expected: 'true or false, or a list of steps',
  title: 'Init',
  description:
    "Whether Docker's own init is the first process of a container, which passes signals on and collects processes that have ended. For `docker` alone. A list stands for `init_steps`.",
  examples: [true],
  loose: [{ type: 'array', minItems: 1 }],
})

export const noNewPrivileges = flagWith(
  'No new privileges',
  'Whether a program stays without what set-user-id bits and capabilities of files would give it, `sudo` and some `ping` among them. A program of the machine whose `user` is another than root has it by default, and no capabilities but those of `cap_add`; `false` is for one that needs such programs. A container has it with `true` alone. A policy with `root: false` refuses `false` ([policy.md](policy.md)).',
)

export const privileged = flagWith(
  'Privileged',
  'Whether a container may do everything to its machine: all capabilities and devices. A policy refuses it unless it says otherwise ([policy.md](policy.md)). For `docker` alone.',
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
      'Groups that the program is in beside those of its user, by name or number. In a container, names are those of its image.',
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
    'The host name inside a container. Without it: the first 12 characters of its id. `{{ .instance.name }}` may stand in it. For `docker` alone.',
  examples: ['web', '{{ .instance.name }}'],
})

export const extraHosts = Type.Array(
  Type.String({
    pattern: '^[A-Za-z0-9_.-]+:[0-9A-Fa-f.:]+$|^[A-Za-z0-9_.-]+:host-gateway$',
    expected: 'NAME:ADDRESS',
  }),
  {
    maxItems: 100,
    expected: 'a list of NAME:ADDRESS, or a map',
    title: 'Hosts',
    description:
      'Lines of `/etc/hosts` of a container, as `NAME:ADDRESS`; the address `host-gateway` is that of its machine. For `docker` alone: a process reads the file of its machine.',
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
    "Kernel parameters of a container's own namespaces, such as those of `net.`. A policy may refuse it ([policy.md](policy.md)). For `docker` alone: a process shares those of its machine.",
  examples: [{ 'net.core.somaxconn': '1024' }],
})

export const stopSignal = Type.String({
  pattern: '^SIG[A-Z0-9+]+$',
  expected: 'a signal such as SIGINT',
  title: 'Stop signal',
  description:
    'The signal that asks the program to end; it is killed when it has not after `stop.timeout`. Without it: what the image says, or SIGTERM.',
  examples: ['SIGQUIT'],
  loose: [{ type: ['integer', 'string'] }],
})

export const gpus = Type.String({
  pattern: '^(all|[1-9]\\d{0,2}|device=[A-Za-z0-9_-]+(,[A-Za-z0-9_-]+)*)$',
  maxLength: 1_000,
  expected: 'all, a number, or device=ID,ID',
  title: 'GPUs',
  description:
    'GPUs that a container is given, where its machine has a runtime for them: `all`, how many, or `device=` with their numbers or ids. A policy may refuse it ([policy.md](policy.md)). For `docker` alone.',
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
        description: 'A log driver of Docker; `json-file` where options are given without one.',
      }),
    ),
    max_size: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1024 ** 2,
        expected: `${sizeForms}, from 1M to 1T`,
        description: 'Size of a log file, in MiB, after which the next one begins.',
        loose: [quantity],
      }),
    ),
    max_files: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        expected: 'a whole number from 1 to 1000',
        description: 'How many log files are kept; it needs `max_size`.',
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
      "How Docker keeps what a container prints. Without it: as the daemon's `--container-log-max-size` says. For `docker` alone: the journal, and the files of the `process` driver, have limits of their own for the machine.",
    examples: [{ max_size: '20M', max_files: 5 }, { driver: 'journald' }],
  },
)
