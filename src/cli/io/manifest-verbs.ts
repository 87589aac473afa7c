// `mariposa manifest …` and `version`.
import { type Command, Option } from 'commander'
import type { ImportFlags } from './import-verb.js'
import type { MetaFlags } from './manifest-meta.js'
import { addNoun, addVerb, codeOf, type Verb, verb } from './program.js'

const look = codeOf(() => import('./read-commands.js'))
const manifests = codeOf(() => import('./manifests.js'))
const importVerb = codeOf(() => import('./import-verb.js'))

export function addManifestVerbs(program: Command): void {
  addNoun(program, 'manifest', ['manifests'], 'check and compile manifests; needs no daemon', manifestVerbs)
}

export function addVersionVerb(program: Command, version: string): void {
  addVerb(program, {
    name: 'version',
    summary: 'print the versions of this program and of the daemon',
    examples: ['mariposa version', 'mariposa version --json'],
    load: look(({ printVersion }, shell) => printVersion(shell, version)),
  })
}

const metaOptions = [
  new Option('--offline', 'ask no daemon for metadata: use made-up values'),
  new Option('--meta <file>', 'read metadata from a file, in the formats of meta import'),
]

const manifestVerbs: readonly Verb<never>[] = [
  verb<MetaFlags>({
    name: 'lint',
    args: '<files...>',
    summary: 'check manifests and report every problem with its position',
    view: ['quiet'],
    examples: ['mariposa manifest lint web.yml', 'mariposa manifest lint shop/ --offline --json'],
    options: metaOptions,
    load: manifests(({ lint }, shell, args, flags) => lint(shell, args, flags)),
  }),
  verb<MetaFlags>({
    name: 'render',
    args: '<files...>',
    summary: 'print manifests in canonical form with variables filled in',
    examples: ['mariposa manifest render web.yml', 'mariposa manifest render web.yml --meta test.env'],
    options: metaOptions,
    load: manifests(({ render }, shell, args, flags) => render(shell, args, flags)),
  }),
  verb<MetaFlags>({
    name: 'compile',
    args: '<files...>',
    summary: 'print the units that manifests compile to',
    examples: ['mariposa manifest compile web.yml', 'mariposa manifest compile shop/ --json'],
    options: metaOptions,
    load: manifests(({ compile }, shell, args, flags) => compile(shell, args, flags)),
  }),
  verb({
    name: 'schema',
    args: '[name]',
    summary: 'print a JSON Schema: of a service (the default), project, packages or config',
    examples: ['mariposa manifest schema > service.schema.json', 'mariposa manifest schema config'],
    load: manifests(({ schema }, shell, [name]) => schema(shell, name)),
  }),
  verb<ImportFlags>({
    name: 'import',
    args: '<file>',
    summary: 'convert the services of a Compose file to manifests',
    options: [
      new Option('-o, --output <path>', 'write to a file, or one file per service to a directory'),
      new Option('--force', 'overwrite existing files'),
    ],
    view: ['quiet'],
    examples: [
      'mariposa manifest import docker-compose.yml > shop.yml',
      'mariposa manifest import docker-compose.yml --output manifests/',
      'mariposa manifest import docker-compose.yml --json',
    ],
    load: importVerb(({ importManifests }, shell, [file = ''], flags) => importManifests(shell, file, flags)),
  }),
]
