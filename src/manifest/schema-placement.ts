// Placement of instances, and the resources that they reserve.
import * as Type from 'typebox'
import { sizeForms } from './quantities.js'
import { oneOf, pairs, quantity } from './schema-words.js'

/** Names, uuids and families of packages. */
export const packageNamePattern = '^[A-Za-z0-9][A-Za-z0-9_.-]*$'

export const packageName = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: packageNamePattern,
  expected: 'the name, uuid or family of a package',
  title: 'Package',
  description:
    "A package of the daemon's list, by name or uuid, or a family of packages. From a family, the smallest package with enough memory for `memory` is chosen, as it is without `package`. The memory of the package is a limit like `memory`; its share of a core is reserved on the machine and is not a limit.",
  examples: ['g4-highcpu-512M', 'g4-highcpu'],
})

export const memory = Type.Integer({
  minimum: 4,
  maximum: 1024 * 1024 * 64,
  loose: [quantity],
  expected: `${sizeForms}, at least 4`,
  title: 'Memory',
  description:
    'Memory of one instance, in MiB: the amount that the scheduler reserves and the limit of the instance (the DRAM cap of a `manta` job). Without this key and without `package` there is no limit. Under Docker and systemd the kernel enforces the limit. Under the embedded supervisor (`process` driver) the kernel does so if the machine has the memory controller of cgroup v2 or v1 and the supervisor may create cgroups ([units.md](units.md#limits-under-the-process-driver)). Otherwise the memory use is checked every 5 s, and an instance that exceeds the limit in two checks in a row is killed; a short peak can exceed it unnoticed.',
  examples: [512, '1.5GiB'],
})

export const labels = pairs({
  title: 'Labels',
  description:
    'Labels of every instance, as pairs of key and value. `tags` is the same key under another name; use only one of them.',
  examples: [{ 'triton.cns.services': 'elasticsearch-master' }],
})

/** Keys of machine metadata, as fleet's API allows them. */
const metadataKey = '^[A-Za-z0-9_.-]{1,128}$'

const affinityRule = Type.Object(
  {
    key: Type.String({
      pattern: '^[A-Za-z_][A-Za-z0-9_.-]+$',
      expected: 'container, instance, service, machine.<key> or the name of a tag, of two characters or more',
      description:
        '`instance` (also `container`), `service`, `machine.<key>` for metadata of machines, or else the name of a tag.',
    }),
    operator: oneOf(['==', '!=', '==~', '!=~'], {
      description: '`==`: on the same machine. `!=`: on another machine. With `~` it is a preference.',
    }),
    value: Type.String({
      maxLength: 256,
      pattern: '^[A-Za-z0-9:_\\s.*/()?+[\\]\\\\^$|-]+$',
      expected: 'a text, a glob such as web-*, or a /regular expression/, without , = ~ @ and braces',
      description: 'An exact text, a `*` glob, or a `/regular expression/` that need not match the whole.',
    }),
    by: Type.Optional(
      Type.String({
        pattern: metadataKey,
        expected: 'a key of machine metadata, such as rack',
        description: 'Machine metadata key: machines with the same value of it count as the same machine.',
      }),
    ),
  },
  {
    additionalProperties: false,
    needs: [],
    expected: 'a rule such as role!=database',
    aliases: {},
    loose: [
      { type: 'string', minLength: 4, description: 'a rule such as role!=database' },
      {
        type: 'object',
        required: ['rule'],
        properties: { rule: { type: 'string', minLength: 4 }, by: { type: 'string', pattern: metadataKey } },
        additionalProperties: false,
      },
    ],
  },
)

/** Of one service. */
const maxRules = 100

export const affinity = Type.Array(affinityRule, {
  maxItems: maxRules,
  expected: `a list of at most ${maxRules} rules such as role!=database`,
  title: 'Affinity',
  description:
    'Rules that place an instance near (`==`) or away from (`!=`) other instances. `==` and `!=` are constraints, `==~` and `!=~` are preferences; a service may have only one of the two kinds. A rule is `container==<name>`, `service!=<name>` or `<tag>!=<value>`; `{rule: "role!=database", by: rack}` compares a metadata key of the machines instead of the machine itself.',
  default: [],
  examples: [['container!=/^foo/', 'role!=database'], [{ rule: 'service!=db', by: 'rack' }]],
  loose: [
    { type: 'string', minLength: 4, description: 'one rule per line' },
    { type: 'object', required: ['rule'] },
  ],
})

export const spread = Type.String({
  pattern: metadataKey,
  expected: 'a key of machine metadata, such as rack',
  title: 'Spread',
  description: 'Metadata key of machines over whose values the instances are spread evenly.',
  examples: ['rack'],
})
