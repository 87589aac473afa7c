// `mariposa entry …`
import type { Command } from 'commander'
import type { ListFlags } from './lists.js'
import { addNoun, allProjects, codeOf, type Verb, verb } from './program.js'

const entry = codeOf(() => import('./entry.js'))

export function addEntryVerbs(program: Command): void {
  addNoun(
    program,
    'entry',
    [],
    'routes from outside to services, and the instances that serve them',
    entryVerbs,
  )
}

const entryVerbs: readonly Verb<never>[] = [
  verb<ListFlags>({
    name: 'list',
    aliases: ['ls'],
    summary:
      'list hosts and paths with their certificates and instances, and why an instance gets no requests',
    view: ['columns', 'long', 'quiet'],
    options: [allProjects],
    examples: ['mariposa entry list', 'mariposa entry ls --all-projects --json'],
    load: entry(({ listEntry }, shell, _, flags) => listEntry(shell, flags)),
  }),
]
