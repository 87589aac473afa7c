// What the value of an option may be, for completing it. Commander would also refuse every other value, and print them all in
// the help: ours are judged where they are read, together with all else.
import type { Option } from 'commander'

interface Choices {
  readonly words: readonly string[]
  /** A value is several of them, between commas. */
  readonly several: boolean
}

const known = new WeakMap<Option, Choices>()

/** The option, with what its value may be. */
export function withChoices(option: Option, words: readonly string[], several = false): Option {
  known.set(option, { words, several })
  return option
}

/** What the value of an option may be; nothing where it may be anything. */
export function choicesOf(option: Option): Choices {
  return known.get(option) ?? { words: option.argChoices ?? [], several: false }
}
