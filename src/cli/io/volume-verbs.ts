// `mariposa volume …`
import { type Command, Option } from 'commander'
import { addNoun, addVerb, allProjects } from './program.js'
import type { ListVolumesFlags } from './volumes.js'

export function addVolumeVerbs(program: Command): void {
  const volume = addNoun(
    program,
    'volume',
    ['volumes', 'vol'],
    'data of services that outlives their instances',
  )
  addVerb<ListVolumesFlags>(volume, {
    name: 'list',
    aliases: ['ls'],
    summary:
      'list named volumes with the machine that keeps each, and what has it; also those of deleted services',
    view: ['columns', 'long', 'quiet'],
    options: [
      new Option('--service <name>', 'only of this service, which may be gone'),
      new Option('--machine <machine>', 'only on this machine (id, the beginning of one, or hostname)'),
      allProjects,
    ],
    examples: ['mariposa volume list', 'mariposa volumes ls --all-projects --machine north-1 --json'],
    load: async (_args, flags) => {
      const { listVolumes } = await import('./volumes.js')
      return (shell) => listVolumes(shell, flags)
    },
  })
  addVerb(volume, {
    name: 'show',
    aliases: ['get'],
    args: '<volume>',
    summary: 'show a volume: by name, SERVICE.NAME, uuid or the beginning of one',
    view: ['long'],
    examples: ['mariposa volume show db.data', 'mariposa volume show 1f6e7a4c --json'],
    load: async ([word = '']) => {
      const { showVolume } = await import('./volumes.js')
      return (shell) => showVolume(shell, word)
    },
  })
  addVerb<{ readonly force?: boolean }>(volume, {
    name: 'rm',
    aliases: ['delete', 'remove'],
    args: '<volume>',
    summary: 'delete a volume that is unused, with its data, for good',
    view: ['quiet'],
    options: [new Option('--force', 'its data are to go: without this nothing is deleted')],
    examples: ['mariposa volume rm db.data --force', 'mariposa volume rm 1f6e7a4c --force --json'],
    load: async ([word = ''], { force = false }) => {
      const { removeVolume } = await import('./volumes.js')
      return (shell) => removeVolume(shell, word, force)
    },
  })
}
