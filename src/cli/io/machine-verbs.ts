// `mariposa machine …`
import { type Command, Option } from 'commander'
import type { DrainFlags } from './drain.js'
import type { AdoptFlags, MetadataFlags } from './machines.js'
import { addNoun, append, codeOf, count, type Verb, verb, waitOptions } from './program.js'

const machines = codeOf(() => import('./machines.js'))
const drain = codeOf(() => import('./drain.js'))

export function addMachineVerbs(program: Command): void {
  addNoun(program, 'machine', ['machines'], 'the machines of the cluster', machineVerbs)
}

function cordonVerb(name: 'cordon' | 'uncordon', cordoned: boolean, summary: string): Verb<never> {
  return verb({
    name,
    args: '<machines...>',
    summary,
    view: ['quiet'],
    examples: [`mariposa machine ${name} 4b7e51a2`, `mariposa machine ${name} north-1 north-2 --json`],
    load: machines(({ cordonMachines }, shell, ids) => cordonMachines(shell, ids, cordoned)),
  })
}

const machineVerbs: readonly Verb<never>[] = [
  verb({
    name: 'list',
    aliases: ['ls'],
    summary: 'list the machines',
    view: ['columns', 'long', 'quiet'],
    examples: ['mariposa machine list', 'mariposa machines ls -l'],
    load: machines(({ listMachines }, shell) => listMachines(shell)),
  }),
  verb({
    name: 'show',
    aliases: ['get'],
    args: '<machine>',
    summary: 'show a machine and its units; by id, a prefix of it, or hostname',
    view: ['long'],
    examples: ['mariposa machine show 4b7e51a2', 'mariposa machine show north-1 --json'],
    load: machines(({ showMachine }, shell, [id = '']) => showMachine(shell, id)),
  }),
  cordonVerb('cordon', true, 'place no new units on machines; running ones stay'),
  cordonVerb('uncordon', false, 'allow new units on machines again; ends a drain as well'),
  verb<AdoptFlags>({
    name: 'adopt',
    args: '<machine>',
    summary: 'show units on a machine that its cluster has no record of; --stop ends them',
    view: ['quiet'],
    options: [new Option('--stop', 'stop and remove these units')],
    examples: ['mariposa machine adopt north-1', 'mariposa machine adopt north-1 --stop'],
    load: machines(({ adoptMachine }, shell, [id = ''], flags) => adoptMachine(shell, id, flags)),
  }),
  verb({
    name: 'remove',
    aliases: ['rm'],
    args: '<machines...>',
    summary: 'remove machines that are down, with their settings',
    view: ['quiet'],
    examples: ['mariposa machine remove 4b7e51a2', 'mariposa machine rm north-1 north-2 --json'],
    load: machines(({ removeMachines }, shell, ids) => removeMachines(shell, ids)),
  }),
  verb({
    name: 'images',
    args: '<machine>',
    summary: 'list the images of the cluster on a machine: why each is kept, or when it is removed',
    view: ['columns', 'long', 'quiet'],
    examples: ['mariposa machine images north-1', 'mariposa machine images 4b7e51a2 --json'],
    load: machines(({ listImages }, shell, [id = '']) => listImages(shell, id)),
  }),
  verb<DrainFlags>({
    name: 'drain',
    args: '<machines...>',
    summary: 'move all units that other machines can run off machines, until they are uncordoned',
    view: ['quiet'],
    options: [
      new Option(
        '--rolling <n>',
        'number of instances of a service that move at a time; default 1',
      ).argParser(count(1)),
      new Option(
        '--volumes',
        'move the volumes of slots as well, each to the emptiest machine that can take its instance',
      ),
      new Option('-d, --detach', 'print the ids and do not wait'),
      ...waitOptions.filter(({ long }) => long === '--timeout'),
    ],
    examples: ['mariposa machine drain 4b7e51a2', 'mariposa machine drain north-1 --rolling 3 --timeout 30m'],
    load: drain(({ drainMachines }, shell, names, flags) => drainMachines(shell, names, flags)),
  }),
  verb<MetadataFlags>({
    name: 'metadata',
    aliases: ['meta'],
    args: '<machine> [pairs...]',
    summary: 'print the metadata of a machine; set or remove keys while it runs',
    options: [new Option('--remove <key>', 'remove a key; may be repeated').argParser(append)],
    examples: [
      'mariposa machine metadata 4b7e51a2',
      'mariposa machine metadata 4b7e51a2 region=north disk=ssd',
      'mariposa machine metadata 4b7e51a2 --remove disk',
    ],
    load: machines(({ changeMetadata }, shell, [id = '', ...pairs], flags) =>
      changeMetadata(shell, id, pairs, flags),
    ),
  }),
]
