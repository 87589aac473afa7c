// `mariposa manifest …` and `version`.
import { type Command, Option } from 'commander'
import type { ImportFlags } from './import-verb.js'
import type { MetaFlags } from './manifest-meta.js'
import { addNoun, addVerb } from './program.js'

export function addManifestVerbs(program: Command): void {
  const manifest = addNoun(program, 'manifest', ['manifests'], 'check and compile manifests; needs no daemon')
  const metaOptions = [
    new Option('--offline', 'ask no daemon for metadata: it is made up'),
    new Option('--meta <file>', 'take metadata from a file, as meta import does'),
  ]
  addVerb<MetaFlags>(manifest, {
    name: 'lint',
    args: '<files...>',
    summary: 'check manifests and report every problem with its place',
    view: ['quiet'],
    examples: ['mariposa manifest lint web.yml', 'mariposa manifest lint shop/ --offline --json'],
    options: metaOptions,
    load: async (args, flags) => {
      const { lint } = await import('./manifests.js')
      return (shell) => lint(shell, args, flags)
    },
  })
  addVerb<MetaFlags>(manifest, {
    name: 'render',
    args: '<files...>',
    summary: 'print manifests in canonical form with variables filled in',
    examples: ['mariposa manifest render web.yml', 'mariposa manifest render web.yml --meta test.env'],
    options: metaOptions,
    load: async (args, flags) => {
      const { render } = await import('./manifests.js')
      return (shell) => render(shell, args, flags)
    },
  })
  addVerb<MetaFlags>(manifest, {
    name: 'compile',
    args: '<files...>',
    summary: 'print the units that manifests compile to',
    examples: ['mariposa manifest compile web.yml', 'mariposa manifest compile shop/ --json'],
    options: metaOptions,
    load: async (args, flags) => {
      const { compile } = await import('./manifests.js')
      return (shell) => compile(shell, args, flags)
    },
  })
  addVerb(manifest, {
    name: 'schema',
    args: '[name]',
    summary: 'print a JSON Schema: of a service (the default), project, packages or config',
    examples: ['mariposa manifest schema > service.schema.json', 'mariposa manifest schema config'],
    load: async ([name]) => {
      const { schema } = await import('./manifests.js')
      return (shell) => schema(shell, name)
    },
  })
  addVerb<ImportFlags>(manifest, {
    name: 'import',
    args: '<file>',
    summary: 'make manifests of the services of a Compose file',
    options: [
      new Option('-o, --output <path>', 'write to a file, or to a directory a file per service'),
      new Option('--force', 'overwrite what exists'),
    ],
    view: ['quiet'],
    examples: [
      'mariposa manifest import docker-compose.yml > shop.yml',
      'mariposa manifest import docker-compose.yml --output manifests/',
      'mariposa manifest import docker-compose.yml --json',
    ],
    load: async ([file = ''], flags) => {
      const { importManifests } = await import('./import-verb.js')
      return (shell) => importManifests(shell, file, flags)
    },
  })
}

export function addVersionVerb(program: Command, version: string): void {
  addVerb(program, {
    name: 'version',
    summary: 'print the versions of this program and of the daemon',
    examples: ['mariposa version', 'mariposa version --json'],
    load: async () => {
      const { printVersion } = await import('./look.js')
      return (shell) => printVersion(shell, version)
    },
  })
}
