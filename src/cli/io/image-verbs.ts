// `mariposa image …`
import { type Command, Option } from 'commander'
import type { PrefetchFlags } from './prefetch.js'
import { addNoun, codeOf, duration, type Verb, verb } from './program.js'

const prefetch = codeOf(() => import('./prefetch.js'))

export function addImageVerbs(program: Command): void {
  addNoun(program, 'image', ['images'], 'images on the machines', imageVerbs)
}

const imageVerbs: readonly Verb<never>[] = [
  verb<PrefetchFlags>({
    name: 'prefetch',
    args: '<targets...>',
    summary:
      'make the machines pull the images of a service, or of a deploy of FILE, and wait until they have',
    view: ['quiet'],
    options: [
      new Option('--deadline <duration>', 'time limit per machine and image; default 10m').argParser(
        duration,
      ),
    ],
    examples: [
      'mariposa image prefetch web',
      'mariposa image prefetch web.yml',
      'mariposa image prefetch ./web.yml db.yml --deadline 30m',
    ],
    load: prefetch(({ prefetchImages }, shell, targets, flags) => prefetchImages(shell, targets, flags)),
  }),
]
