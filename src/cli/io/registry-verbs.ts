// `mariposa registry …`
import { type Command, Option } from 'commander'
import { addNoun, addVerb } from './program.js'
import type { LoginFlags } from './registry.js'

export function addRegistryVerbs(program: Command): void {
  const registry = addNoun(program, 'registry', ['registries'], 'who registries of images are asked as')
  addVerb<LoginFlags>(registry, {
    name: 'login',
    args: '<registry>',
    summary: 'log every machine in to a registry; the password is sealed in the store',
    options: [
      new Option('-u, --username <name>', 'the username; asked for on a terminal without it'),
      new Option('--password-stdin', 'read the password from standard input'),
      new Option('--no-check', 'do not have the registry asked whether it is right'),
    ],
    examples: [
      'mariposa registry login hub.example -u deploy --password-stdin < token',
      'mariposa registry login docker.io -u shop',
    ],
    load: async ([host = ''], flags) => {
      const { logIn } = await import('./registry.js')
      return (shell) => logIn(shell, host, flags)
    },
  })
  addVerb(registry, {
    name: 'list',
    aliases: ['ls'],
    summary: 'list the registries that somebody is logged in to',
    view: ['columns', 'long', 'quiet'],
    examples: ['mariposa registry list', 'mariposa registries ls --json'],
    load: async () => {
      const { listRegistries } = await import('./registry.js')
      return listRegistries
    },
  })
  addVerb(registry, {
    name: 'logout',
    args: '<registry>',
    summary: 'forget the login of a registry; what runs goes on',
    view: ['quiet'],
    examples: ['mariposa registry logout registry.example:5000'],
    load: async ([host = '']) => {
      const { logOut } = await import('./registry.js')
      return (shell) => logOut(shell, host)
    },
  })
}
