// Where instances are placed, and how much of a machine they get.
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
    "A package of the daemon's list, by name or uuid, or a family of packages: then the smallest that holds `memory` is chosen, as it is where `package` is left out. Its memory is a limit as `memory` is; its share of a core is reserved on the machine and limits nothing.",
  examples: ['g4-highcpu-512M', 'g4-highcpu'],
})

export const memory = Type.Integer({
  minimum: 4,
  maximum: 1024 * 1024 * 64,
  loose: [quantity],
  expected: `${sizeForms}, at least 4`,
  title: 'Memory',
  description:
    'Memory of one instance, in MiB: what the scheduler reserves and what the instance is limited to, the DRAM cap of a `manta` job. Without it, and without `package`, there is no limit. Under Docker and systemd the kernel holds the limit; under the embedded supervisor (`process` driver) it does where the machine has the memory controller of cgroup v2 ([units.md](units.md#memory-under-the-process-driver)); elsewhere it is looked at every 5 s, and an instance that is above it at two looks in a row is killed, so that a sudden peak can pass it by.',
  examples: [512, '1.5GiB'],
})

export const labels = pairs({
  title: 'Labels',
  description:
    'Key and value pairs put on every instance. `tags` is the same key under another name; give one of them.',
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
        '`instance` (also `container`), `service`, `machine.<key>` for metadata of machines, else the name of a tag.',
    }),
    operator: oneOf(['==', '!=', '==~', '!=~'], {
      description: 'On the same machine, or on another one; with `~` only where that is possible.',
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
        description: 'With it, machines count as the same that have the same value of this metadata key.',
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
    'Near or far from which other instances an instance must run (`==`, `!=`) or should run (`==~`, `!=~`); not both kinds in one service. A rule says `container==<name>`, `service!=<name>` or `<tag>!=<value>`; `{rule: "role!=database", by: rack}` compares a metadata key of the machines instead of the machine itself.',
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
  description: 'A metadata key of machines: instances are spread evenly over its values.',
  examples: ['rack'],
})
