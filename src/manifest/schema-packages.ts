// The daemon's package list.
import * as Type from 'typebox'
import { sizeForms } from './quantities.js'
import { packageNamePattern } from './schema-placement.js'
import { quantity } from './schema-words.js'

const size = (description: string) =>
  Type.Integer({
    minimum: 1,
    maximum: 1024 * 1024 * 1024,
    loose: [quantity],
    expected: `${sizeForms}, at least 1`,
    description,
  })

const packageSchema = Type.Object(
  {
    uuid: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
        expected: 'a uuid in lower case',
        description: 'uuid of the package; default: derived from the name.',
      }),
    ),
    name: Type.String({
      pattern: '^[a-zA-Z0-9](?!.*[_.-]{2})([a-zA-Z0-9_.-]*[a-zA-Z0-9])?$',
      maxLength: 128,
      expected:
        'a name of letters, digits, _, . and -, no two signs in a row, that begins and ends with a letter or digit',
      description: 'Name of the package, unique in the list.',
    }),
    family: Type.String({
      pattern: packageNamePattern,
      expected: 'a name of letters, digits, _, . and -, that begins with a letter or digit',
      description: 'Family of the package; default: the name up to its first `-`.',
    }),
    ram: size('Memory, in MiB.'),
    disk: size('Disk, in MiB.'),
    cpu: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      expected: 'hundredths of a core, such as 100 for one core',
      description:
        'Hundredths of a core: 100 is one core. The scheduler reserves them; an instance may use more if the machine has more.',
    }),
  },
  {
    additionalProperties: false,
    needs: ['name', 'ram', 'disk', 'cpu'],
    expected: 'a map with name, family, ram, disk and cpu',
    title: 'Package',
    description: 'A size of instances.',
    examples: [{ name: 'small-1G', family: 'small', ram: '1G', disk: '25G', cpu: 100 }],
  },
)

export const packageListSchema = Type.Object(
  {
    packages: Type.Array(packageSchema, {
      maxItems: 1_000,
      expected: 'a list of at most 1000 packages',
      title: 'Packages',
      description: 'The packages. If two have the same size, the first is chosen.',
    }),
  },
  {
    title: 'Package list',
    description: 'The packages that manifests may name. A map with `packages`, or the list alone.',
    additionalProperties: false,
    needs: ['packages'],
    expected: 'a list of packages',
  },
)

export type PackageList = Type.Static<typeof packageListSchema>
