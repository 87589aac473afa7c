// Builds a section line by line. A text that cannot be said leaves its line out and a problem behind.
import type { Diagnostic } from '../model/diagnostic.js'
import type { UnitOption } from '../unit/parse.js'
import { quoteWord } from '../unit/words.js'
import { problemAt } from './problem.js'
import { commandText, optionText, plainTextProblem, textProblem } from './text.js'

/** A section's options, and what of the manifest they cannot say. */
export interface SectionPart {
  readonly options: readonly UnitOption[]
  readonly problems: readonly Diagnostic[]
}

/** What a builder needs to know of each text: where the manifest says it, and the text. */
export interface Said {
  readonly path: string
  readonly text: string
}

export interface Section extends SectionPart {
  /** A value of ours, written as it is. */
  value(name: string, value: string): void
  /** A text that stands for itself without quotes. */
  plain(name: string, said: Said): void
  /** A text as one quoted word. */
  word(name: string, said: Said): void
  /** Words of a command, `$` and `%` standing for themselves. */
  words(name: string, said: readonly Said[]): void
  refuse(problem: Diagnostic): void
}

export function openSection(section: string, service: string): Section {
  const options: UnitOption[] = []
  const problems: Diagnostic[] = []
  const value = (name: string, text: string): void => {
    options.push({ section, name, value: text, line: 0 })
  }
  const judged = ({ path, text }: Said, judge: (text: string) => string | null): boolean => {
    const problem = judge(text)
    if (problem !== null) problems.push(badText(path, problem))
    return problem === null
  }
  return {
    value,
    plain: (name, said) => {
      if (judged(said, plainTextProblem)) value(name, optionText(said.text, service))
    },
    word: (name, said) => {
      if (judged(said, textProblem)) value(name, quoteWord(optionText(said.text, service)))
    },
    words: (name, said) => {
      const fine = said.filter((word) => judged(word, textProblem))
      value(name, fine.map(({ text }) => quoteWord(commandText(text, service))).join(' '))
    },
    refuse: (problem) => {
      problems.push(problem)
    },
    options,
    problems,
  }
}

export function badText(path: string, problem: string): Diagnostic {
  return problemAt(path, 'compile/bad-text', `this text cannot be passed on: ${problem}`)
}
