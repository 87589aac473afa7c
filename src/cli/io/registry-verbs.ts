// `mariposa registry …`
import { type Command, Option } from 'commander'
import { addNoun, codeOf, type Verb, verb } from './program.js'
import type { LoginFlags } from './registry.js'

const registry = codeOf(() => import('./registry.js'))

export function addRegistryVerbs(program: Command): void {
  addNoun(program, 'registry', ['registries'], 'logins at image registries', registryVerbs)
}

const registryVerbs: readonly Verb<never>[] = [
  verb<LoginFlags>({
    name: 'login',
    args: '<registry>',
    summary: 'log all machines in to a registry; the password is stored encrypted',
    options: [
      new Option('-u, --username <name>', 'the username; default: asked for on a terminal'),
      new Option('--password-stdin', 'read the password from standard input'),
      new Option('--no-check', 'do not check the login with the registry'),
    ],
    examples: [
      'mariposa registry login hub.example -u deploy --password-stdin < token',
      'mariposa registry login docker.io -u shop',
    ],
    load: registry(({ logIn }, shell, [host = ''], flags) => logIn(shell, host, flags)),
  }),
  verb({
    name: 'list',
    aliases: ['ls'],
    summary: 'list the registries that have a login',
    view: ['columns', 'long', 'quiet'],
    examples: ['mariposa registry list', 'mariposa registries ls --json'],
    load: registry(({ listRegistries }, shell) => listRegistries(shell)),
  }),
  verb({
    name: 'logout',
    args: '<registry>',
    summary: 'remove the login of a registry; running instances go on',
    view: ['quiet'],
    examples: ['mariposa registry logout registry.example:5000'],
    load: registry(({ logOut }, shell, [host = '']) => logOut(shell, host)),
  }),
]
