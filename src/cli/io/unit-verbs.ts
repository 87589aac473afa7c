// `mariposa unit …`: fleet's verbs.
import { type Command, Option } from 'commander'
import type { UnitVerb } from '../../contract/contract.js'
import type { LogFlags } from './follow.js'
import type { KillFlags } from './kill.js'
import { addNoun, codeOf, type Verb, verb, waitOptions } from './program.js'
import { logOptions } from './service-verbs.js'
import type { UnitFlags } from './units.js'

const units = codeOf(() => import('./units.js'))
const kill = codeOf(() => import('./kill.js'))
const look = codeOf(() => import('./read-commands.js'))
const follow = codeOf(() => import('./follow.js'))

export function addUnitVerbs(program: Command): void {
  addNoun(program, 'unit', ['units'], 'single unit files: submit, start, stop and show them', unitVerbs)
}

const replace = new Option('--replace', 'replace the text of an existing unit by the file')
const waiting: readonly Option[] = [
  new Option('-d, --detach', 'print the names and do not wait'),
  new Option('--no-block', 'the same, under the name that fleetctl has'),
  ...waitOptions.filter(({ long }) => long === '--timeout'),
]

/** A verb that changes units, under its name in the API. */
function act(one: Omit<Verb<UnitFlags>, 'load' | 'view'> & { readonly name: UnitVerb }): Verb<never> {
  return verb<UnitFlags>({
    ...one,
    view: ['quiet'],
    load: units(({ actOnUnits }, shell, words, flags) => actOnUnits(shell, one.name, words, flags)),
  })
}

const unitVerbs: readonly Verb<never>[] = [
  act({
    name: 'submit',
    args: '<units...>',
    summary: 'submit unit files; the units stay inactive',
    options: [replace],
    examples: ['mariposa unit submit web.service', 'mariposa unit submit units/*.service --replace'],
  }),
  act({
    name: 'load',
    args: '<units...>',
    summary: 'submit units and load them on machines, without starting them',
    options: [replace, ...waiting],
    examples: ['mariposa unit load web.service', 'mariposa unit load web@1 web@2 --no-block'],
  }),
  act({
    name: 'start',
    args: '<units...>',
    summary: 'submit units, load them on machines and start them',
    options: [replace, ...waiting],
    examples: [
      'mariposa unit start web.service',
      'mariposa unit start web@1 web@2',
      'mariposa unit start web.service --replace --timeout 1m',
    ],
  }),
  act({
    name: 'stop',
    args: '<units...>',
    summary: 'stop units; they stay loaded on their machines',
    options: waiting,
    examples: ['mariposa unit stop web.service', 'mariposa unit stop web@1 web@2 --json'],
  }),
  act({
    name: 'unload',
    args: '<units...>',
    summary: 'stop units and remove them from their machines; they stay submitted',
    options: waiting,
    examples: ['mariposa unit unload web.service', 'mariposa unit unload web@1 --detach'],
  }),
  act({
    name: 'destroy',
    aliases: ['rm'],
    args: '<units...>',
    summary: 'stop units, remove them from their machines and delete them',
    options: waiting,
    examples: ['mariposa unit destroy web.service', 'mariposa unit destroy web@1 web@2 web@'],
  }),
  verb<KillFlags>({
    name: 'kill',
    args: '<units...>',
    summary: 'send a signal to all processes of units, including units that do not stop',
    options: [new Option('-s, --signal <signal>', 'name or number of the signal').default('SIGKILL')],
    examples: ['mariposa unit kill default.web.v1@1.service', 'mariposa unit kill web@1 --signal SIGHUP'],
    load: kill(({ killUnits }, shell, names, flags) => killUnits(shell, names, flags)),
  }),
  verb({
    name: 'list',
    aliases: ['ls'],
    summary: 'list the units on machines with their states',
    view: ['columns', 'long', 'quiet'],
    examples: ['mariposa unit list', 'mariposa units ls -o name,load,active,sub'],
    load: units(({ listUnits }, shell) => listUnits(shell)),
  }),
  verb({
    name: 'files',
    summary: 'list the unit files with their desired and observed states',
    view: ['columns', 'long', 'quiet'],
    examples: ['mariposa unit files', 'mariposa unit files -l', 'mariposa unit files --json'],
    load: units(({ listUnitFiles }, shell) => listUnitFiles(shell)),
  }),
  verb({
    name: 'cat',
    args: '<units...>',
    summary: 'print unit files as they were submitted',
    examples: ['mariposa unit cat web.service', 'mariposa unit cat web@ --json'],
    load: units(({ catUnits }, shell, names) => catUnits(shell, names)),
  }),
  verb({
    name: 'status',
    args: '<units...>',
    summary: 'show the present state of units, with their last log lines',
    view: ['long'],
    examples: ['mariposa unit status web.service', 'mariposa unit status default.web.v1@1.service'],
    load: units(({ unitStatus }, shell, names) => unitStatus(shell, names)),
  }),
  verb({
    name: 'explain',
    args: '<unit>',
    summary: 'explain why a unit is on its machine, and why each other machine could or could not run it',
    examples: ['mariposa unit explain web.service', 'mariposa unit explain web@3 --json'],
    load: look(({ explainUnit }, shell, [name = '']) => explainUnit(shell, name)),
  }),
  verb<LogFlags>({
    name: 'journal',
    args: '<unit>',
    summary: 'print the log of a unit',
    options: logOptions(),
    examples: [
      'mariposa unit journal default.web.v1@1.service --tail 50',
      'mariposa unit journal web@1.service -f',
    ],
    load: follow(({ journal }, shell, [name = ''], flags) => journal(shell, name, flags)),
  }),
]
