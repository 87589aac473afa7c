// `mariposa machine …`
import { type Command, Option } from 'commander'
import type { DrainFlags } from './drain.js'
import type { AdoptFlags, MetadataFlags } from './machines.js'
import { addNoun, addVerb, append, count, waitOptions } from './program.js'

export function addMachineVerbs(program: Command): void {
  const machine = addNoun(program, 'machine', ['machines'], 'the machines of the cluster')
  addLooks(machine)
  addCordons(machine)
  addAdopt(machine)
  addRemove(machine)
  addImages(machine)
  addVerb<DrainFlags>(machine, {
    name: 'drain',
    args: '<machines...>',
    summary: 'move everything that can be elsewhere off machines, and keep it off until they are uncordoned',
    view: ['quiet'],
    options: [
      new Option('--rolling <n>', 'how many instances of a service move at a time; default 1').argParser(
        count(1),
      ),
      new Option(
        '--volumes',
        'move the volumes of slots as well, each to the emptiest machine that takes its instance',
      ),
      new Option('-d, --detach', 'print the ids and do not wait'),
      ...waitOptions.filter(({ long }) => long === '--timeout'),
    ],
    examples: ['mariposa machine drain 4b7e51a2', 'mariposa machine drain north-1 --rolling 3 --timeout 30m'],
    load: async (names, flags) => {
      const { drainMachines } = await import('./drain.js')
      return (shell) => drainMachines(shell, names, flags)
    },
  })
  addVerb<MetadataFlags>(machine, {
    name: 'metadata',
    aliases: ['meta'],
    args: '<machine> [pairs...]',
    summary: 'print what units may ask of a machine; set keys, or take some away, while it runs',
    options: [new Option('--remove <key>', 'take a key away; may be repeated').argParser(append)],
    examples: [
      'mariposa machine metadata 4b7e51a2',
      'mariposa machine metadata 4b7e51a2 region=north disk=ssd',
      'mariposa machine metadata 4b7e51a2 --remove disk',
    ],
    load: async ([id = '', ...pairs], flags) => {
      const { changeMetadata } = await import('./machines.js')
      return (shell) => changeMetadata(shell, id, pairs, flags)
    },
  })
}

function addAdopt(machine: Command): void {
  addVerb<AdoptFlags>(machine, {
    name: 'adopt',
    args: '<machine>',
    summary: 'show what runs on a machine that its cluster knows nothing of, and is left as it is; end it',
    view: ['quiet'],
    options: [new Option('--stop', 'stop and remove all of it')],
    examples: ['mariposa machine adopt north-1', 'mariposa machine adopt north-1 --stop'],
    load: async ([id = ''], flags) => {
      const { adoptMachine } = await import('./machines.js')
      return (shell) => adoptMachine(shell, id, flags)
    },
  })
}

function addRemove(machine: Command): void {
  addVerb(machine, {
    name: 'remove',
    aliases: ['rm'],
    args: '<machines...>',
    summary: 'forget machines that are down, and what was ordered of them',
    view: ['quiet'],
    examples: ['mariposa machine remove 4b7e51a2', 'mariposa machine rm north-1 north-2 --json'],
    load: async (ids) => {
      const { removeMachines } = await import('./machines.js')
      return (shell) => removeMachines(shell, ids)
    },
  })
}

function addLooks(machine: Command): void {
  addVerb(machine, {
    name: 'list',
    aliases: ['ls'],
    summary: 'list the machines',
    view: ['columns', 'long', 'quiet'],
    examples: ['mariposa machine list', 'mariposa machines ls -l'],
    load: async () => (await import('./machines.js')).listMachines,
  })
  addVerb(machine, {
    name: 'show',
    aliases: ['get'],
    args: '<machine>',
    summary: 'show a machine and what is placed on it: by id, the beginning of one, or hostname',
    view: ['long'],
    examples: ['mariposa machine show 4b7e51a2', 'mariposa machine show north-1 --json'],
    load: async ([id = '']) => {
      const { showMachine } = await import('./machines.js')
      return (shell) => showMachine(shell, id)
    },
  })
}

function addImages(machine: Command): void {
  addVerb(machine, {
    name: 'images',
    args: '<machine>',
    summary: 'list the images that are kept for the cluster on a machine: why each is, or when it goes',
    view: ['columns', 'long', 'quiet'],
    examples: ['mariposa machine images north-1', 'mariposa machine images 4b7e51a2 --json'],
    load: async ([id = '']) => {
      const { listImages } = await import('./machines.js')
      return (shell) => listImages(shell, id)
    },
  })
}

function addCordons(machine: Command): void {
  const verbs = [
    ['cordon', true, 'place nothing new on machines; what runs there stays'],
    ['uncordon', false, 'let machines take new units again; ends a drain, too'],
  ] as const
  for (const [name, cordoned, summary] of verbs) {
    addVerb(machine, {
      name,
      args: '<machines...>',
      summary,
      view: ['quiet'],
      examples: [`mariposa machine ${name} 4b7e51a2`, `mariposa machine ${name} north-1 north-2 --json`],
      load: async (ids) => {
        const { cordonMachines } = await import('./machines.js')
        return (shell) => cordonMachines(shell, ids, cordoned)
      },
    })
  }
}
