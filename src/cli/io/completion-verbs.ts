// `mariposa completion …`
import { type Command, Option } from 'commander'
import { shells } from '../completion-scripts.js'
import { addNoun, codeOf, duration, giveAllOptions, type Verb, verb } from './program.js'

const completion = codeOf(() => import('./completion.js'))

const examples = {
  bash: 'source <(mariposa completion bash)',
  zsh: 'source <(mariposa completion zsh)',
  fish: 'mariposa completion fish | source',
} as const

export function addCompletionVerbs(program: Command): void {
  addNoun(program, 'completion', [], 'complete command lines in bash, zsh and fish', completionVerbs(program))
}

const completionVerbs = (program: Command): readonly Verb<never>[] => [
  ...shells.map((name) =>
    verb({
      name,
      summary: `print the completion script for ${name}`,
      examples: [examples[name]],
      load: completion(({ printScript }, shell) => printScript(shell, name)),
    }),
  ),
  verb<{ readonly within: number }>({
    name: 'words',
    args: '[words...]',
    mayBeEmpty: 'all',
    summary: 'print the possible next words, for the scripts; the last word is the one being typed',
    options: [
      new Option('--within <duration>', 'time limit for asking the daemon for names')
        .argParser(duration)
        .default(1000, '1s'),
    ],
    examples: ['mariposa completion words -- service sc', "mariposa completion words -- service scale ''"],
    load: async (words, { within }) => {
      const { printWords } = await import('./completion.js')
      giveAllOptions(program)
      return (shell) => printWords(shell, program, words, within)
    },
  }),
]
