// `mariposa manifest …`, `machine …`, `unit …` and `version`.
import { type Command, Option } from 'commander'
import type { LogFlags } from './follow.js'
import type { ImportFlags } from './import-verb.js'
import { addNoun, addVerb } from './program.js'
import { logOptions } from './service-verbs.js'

export function addManifestVerbs(program: Command): void {
  const manifest = addNoun(program, 'manifest', ['manifests'], 'check and compile manifests; needs no daemon')
  addVerb(manifest, {
    name: 'lint',
    args: '<files...>',
    summary: 'check manifests and report every problem with its place',
    view: ['quiet'],
    examples: ['mariposa manifest lint web.yml', 'mariposa manifest lint shop/ --json'],
    load: async (args) => {
      const { lint } = await import('./manifests.js')
      return (shell) => lint(shell, args)
    },
  })
  addVerb(manifest, {
    name: 'render',
    args: '<files...>',
    summary: 'print manifests in canonical form with variables filled in',
    examples: ['mariposa manifest render web.yml', 'mariposa manifest render web.yml --json'],
    load: async (args) => {
      const { render } = await import('./manifests.js')
      return (shell) => render(shell, args)
    },
  })
  addVerb(manifest, {
    name: 'compile',
    args: '<files...>',
    summary: 'print the units that manifests compile to',
    examples: ['mariposa manifest compile web.yml', 'mariposa manifest compile shop/ --json'],
    load: async (args) => {
      const { compile } = await import('./manifests.js')
      return (shell) => compile(shell, args)
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

export function addMachineVerbs(program: Command): void {
  const machine = addNoun(program, 'machine', ['machines'], 'look at the machines of the cluster')
  addVerb(machine, {
    name: 'list',
    aliases: ['ls'],
    summary: 'list the machines',
    view: ['columns', 'long', 'quiet'],
    examples: ['mariposa machine list', 'mariposa machines ls -l'],
    load: async () => (await import('./look.js')).listMachines,
  })
}

export function addUnitVerbs(program: Command): void {
  const unit = addNoun(program, 'unit', ['units'], 'look at the units behind the instances')
  addVerb(unit, {
    name: 'list',
    aliases: ['ls'],
    summary: 'list the units',
    view: ['columns', 'long', 'quiet'],
    examples: ['mariposa unit list', 'mariposa units ls -o name,active,driver'],
    load: async () => (await import('./look.js')).listUnits,
  })
  addVerb(unit, {
    name: 'status',
    args: '<name>',
    summary: 'show one unit as it is now',
    view: ['long'],
    examples: ['mariposa unit status default.web.v1@1.service'],
    load: async ([name = '']) => {
      const { unitStatus } = await import('./look.js')
      return (shell) => unitStatus(shell, name)
    },
  })
  addVerb<LogFlags>(unit, {
    name: 'journal',
    args: '<name>',
    summary: "print what a unit's program wrote",
    options: logOptions(),
    examples: [
      'mariposa unit journal default.web.v1@1.service --tail 50',
      'mariposa unit journal web@1.service -f',
    ],
    load: async ([name = ''], flags) => {
      const { journal } = await import('./follow.js')
      return (shell) => journal(shell, name, flags)
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
