// Reads the keys of [Container] with their specifiers filled in, and gathers what is wrong with them.
import type { Diagnostic } from '../../model/diagnostic.js'
import { containerWords } from '../../unit/exec.js'
import type { UnitFile, UnitOption } from '../../unit/parse.js'
import { problemOf } from '../../unit/problem.js'
import { expandSpecifiers, type SpecifierContext } from '../../unit/specifiers.js'
import { optionsOf } from '../../unit/values.js'
import { splitWords } from '../../unit/words.js'
import type { Check, KeyValues } from './keys.js'

/** The section that makes a unit a container. */
export const containerSection = 'Container'

/** Whether a key is set to nothing at last. */
function isReset(file: UnitFile, key: string): boolean {
  return file.options.some((option) => option.section === containerSection && option.name === key)
}

export interface ContainerReader {
  values(key: string): KeyValues
  /** Adds a problem of the key's last line, or of the unit where the key is not set. */
  report(key: string, code: string, message: string): void
  /** What was found wrong so far. */
  problems(): readonly Diagnostic[]
}

/** A reader of one unit's keys. Code: `docker/bad-value`. */
export function readContainer(file: UnitFile, context: SpecifierContext): ContainerReader {
  const problems: Diagnostic[] = []
  const report = (option: UnitOption | undefined, message: string, code = 'docker/bad-value'): void => {
    problems.push(
      option === undefined ? { code, severity: 'error', message } : problemOf(option, code, message),
    )
  }
  const expand = (option: UnitOption, text: string, check: Check): string => {
    const expanded = expandSpecifiers(text, context)
    const wrong = expanded.problems[0] ?? check(expanded.text)
    if (wrong !== null) report(option, wrong)
    return expanded.text
  }
  const wordsOf = (option: UnitOption, check: Check): readonly string[] => {
    const { words, problem } = splitWords(option.value)
    if (problem !== null) report(option, problem)
    return words.map((word) => expand(option, word, check))
  }
  const commandOf = (option: UnitOption): readonly string[] => {
    const { words, problems: wrong } = containerWords(option.value, context)
    for (const problem of wrong) report(option, problem)
    return words
  }
  const values = (key: string): KeyValues => {
    const options = optionsOf(file, containerSection, key)
    const last = options.at(-1)
    return {
      lines: (check) => options.map((option) => expand(option, option.value, check)),
      words: (check) => options.flatMap((option) => wordsOf(option, check)),
      last: (check) => (last === undefined ? null : expand(last, last.value, check)),
      commands: () => options.map(commandOf),
      command: () => (last === undefined ? (isReset(file, key) ? [] : null) : commandOf(last)),
    }
  }
  return {
    values,
    report: (key, code, message) => report(optionsOf(file, containerSection, key).at(-1), message, code),
    problems: () => problems,
  }
}
