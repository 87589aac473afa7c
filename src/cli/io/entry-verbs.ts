// `mariposa entry …`
import type { Command } from 'commander'
import type { ListFlags } from './lists.js'
import { addNoun, addVerb, allProjects } from './program.js'

export function addEntryVerbs(program: Command): void {
  const entry = addNoun(program, 'entry', [], 'what the world reaches of services, and who serves it')
  addVerb<ListFlags>(entry, {
    name: 'list',
    aliases: ['ls'],
    summary: 'list hosts and paths with their certificates, who serves them, and why an instance does not',
    view: ['columns', 'long', 'quiet'],
    options: [allProjects],
    examples: ['mariposa entry list', 'mariposa entry ls --all-projects --json'],
    load: async (_args, flags) => {
      const { listEntry } = await import('./entry.js')
      return (shell) => listEntry(shell, flags)
    },
  })
}
