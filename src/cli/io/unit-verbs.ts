// `mariposa unit …`: fleet's verbs.
import { type Command, Option } from 'commander'
import type { UnitVerb } from '../../contract/contract.js'
import type { LogFlags } from './follow.js'
import type { KillFlags } from './kill.js'
import { addNoun, addVerb, waitOptions } from './program.js'
import { logOptions } from './service-verbs.js'
import type { UnitFlags } from './units.js'

export function addUnitVerbs(program: Command): void {
  const unit = addNoun(program, 'unit', ['units'], 'unit files as such: submit, start, stop and look at them')
  for (const act of acts) addAct(unit, act)
  addKill(unit)
  addLists(unit)
  addLooks(unit)
}

interface Act {
  readonly verb: UnitVerb
  readonly aliases?: readonly string[]
  readonly args: string
  readonly summary: string
  readonly options: readonly Option[]
  readonly examples: readonly string[]
}

const replace = new Option('--replace', 'give a unit that is there the text of the file')
const waiting: readonly Option[] = [
  new Option('-d, --detach', 'print the names and do not wait'),
  new Option('--no-block', 'the same, as fleetctl calls it'),
  ...waitOptions.filter(({ long }) => long === '--timeout'),
]

const acts: readonly Act[] = [
  {
    verb: 'submit',
    args: '<units...>',
    summary: 'take unit files in; they are inactive',
    options: [replace],
    examples: ['mariposa unit submit web.service', 'mariposa unit submit units/*.service --replace'],
  },
  {
    verb: 'load',
    args: '<units...>',
    summary: 'submit units, and load them on machines without starting them',
    options: [replace, ...waiting],
    examples: ['mariposa unit load web.service', 'mariposa unit load web@1 web@2 --no-block'],
  },
  {
    verb: 'start',
    args: '<units...>',
    summary: 'submit units, load them on machines and start them',
    options: [replace, ...waiting],
    examples: [
      'mariposa unit start web.service',
      'mariposa unit start web@1 web@2',
      'mariposa unit start web.service --replace --timeout 1m',
    ],
  },
  {
    verb: 'stop',
    args: '<units...>',
    summary: 'stop units; they stay loaded on their machines',
    options: waiting,
    examples: ['mariposa unit stop web.service', 'mariposa unit stop web@1 web@2 --json'],
  },
  {
    verb: 'unload',
    args: '<units...>',
    summary: 'stop units and take them off their machines; they stay submitted',
    options: waiting,
    examples: ['mariposa unit unload web.service', 'mariposa unit unload web@1 --detach'],
  },
  {
    verb: 'destroy',
    aliases: ['rm'],
    args: '<units...>',
    summary: 'stop units, take them off their machines and forget them',
    options: waiting,
    examples: ['mariposa unit destroy web.service', 'mariposa unit destroy web@1 web@2 web@'],
  },
]

function addAct(unit: Command, { verb, aliases = [], args, summary, options, examples }: Act): void {
  addVerb<UnitFlags>(unit, {
    name: verb,
    aliases,
    args,
    summary,
    options,
    view: ['quiet'],
    examples,
    load: async (words, flags) => {
      const { actOnUnits } = await import('./units.js')
      return (shell) => actOnUnits(shell, verb, words, flags)
    },
  })
}

function addLists(unit: Command): void {
  addVerb(unit, {
    name: 'list',
    aliases: ['ls'],
    summary: 'list the units on machines, and in which state they are there',
    view: ['columns', 'long', 'quiet'],
    examples: ['mariposa unit list', 'mariposa units ls -o name,load,active,sub'],
    load: async () => (await import('./units.js')).listUnits,
  })
  addVerb(unit, {
    name: 'files',
    summary: 'list the unit files, with the state that each should be in, and is in',
    view: ['columns', 'long', 'quiet'],
    examples: ['mariposa unit files', 'mariposa unit files -l', 'mariposa unit files --json'],
    load: async () => (await import('./units.js')).listUnitFiles,
  })
}

function addKill(unit: Command): void {
  addVerb<KillFlags>(unit, {
    name: 'kill',
    args: '<units...>',
    summary: 'send a signal to all processes of units, also of those that do not stop',
    options: [new Option('-s, --signal <signal>', 'which signal').default('SIGKILL')],
    examples: ['mariposa unit kill default.web.v1@1.service', 'mariposa unit kill web@1 --signal SIGHUP'],
    load: async (names, flags) => {
      const { killUnits } = await import('./kill.js')
      return (shell) => killUnits(shell, names, flags)
    },
  })
}

function addLooks(unit: Command): void {
  addVerb(unit, {
    name: 'cat',
    args: '<units...>',
    summary: 'print unit files as they were submitted',
    examples: ['mariposa unit cat web.service', 'mariposa unit cat web@ --json'],
    load: async (names) => {
      const { catUnits } = await import('./units.js')
      return (shell) => catUnits(shell, names)
    },
  })
  addVerb(unit, {
    name: 'status',
    args: '<units...>',
    summary: 'show units as they are now, with the last lines that they wrote',
    view: ['long'],
    examples: ['mariposa unit status web.service', 'mariposa unit status default.web.v1@1.service'],
    load: async (names) => {
      const { unitStatus } = await import('./units.js')
      return (shell) => unitStatus(shell, names)
    },
  })
  addVerb(unit, {
    name: 'explain',
    args: '<unit>',
    summary: 'say why a unit is where it is, and what each machine says to it',
    examples: ['mariposa unit explain web.service', 'mariposa unit explain web@3 --json'],
    load: async ([name = '']) => {
      const { explainUnit } = await import('./look.js')
      return (shell) => explainUnit(shell, name)
    },
  })
  addVerb<LogFlags>(unit, {
    name: 'journal',
    args: '<unit>',
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
