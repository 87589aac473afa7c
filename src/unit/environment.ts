// Environment= lines: assignments as words, `$` standing for itself (load-fragment.c, env-util.c of systemd 252).
import type { Diagnostic } from '../model/diagnostic.js'
import type { UnitFile, UnitOption } from './parse.js'
import { problemOf } from './problem.js'
import { expandSpecifiers, type SpecifierContext } from './specifiers.js'
import { optionsOf } from './values.js'
import { escapePercent, quoteWord, splitWords } from './words.js'

/** The variables that a section's `Environment=` lines set; a later assignment wins. Code: `unit/bad-environment`. */
export function environmentOf(
  file: UnitFile,
  section: string,
  context: SpecifierContext,
): { readonly environment: Readonly<Record<string, string>>; readonly diagnostics: readonly Diagnostic[] } {
  const read = optionsOf(file, section, 'Environment').map((option) => readAssignments(option, context))
  return {
    environment: Object.fromEntries(read.flatMap(({ pairs }) => pairs)),
    diagnostics: read.flatMap(({ diagnostics }) => diagnostics),
  }
}

function readAssignments(
  option: UnitOption,
  context: SpecifierContext,
): { pairs: [string, string][]; diagnostics: Diagnostic[] } {
  const { words, problem, unknownEscapes } = splitWords(option.value)
  const expanded = words.map((word) => expandSpecifiers(word, context))
  const problems = [...(problem === null ? [] : [problem]), ...expanded.flatMap((word) => word.problems)]
  problems.push(...unknownEscapes.map((text) => `${text} is not an escape (write \\\\ for a backslash)`))
  const pairs: [string, string][] = []
  for (const { text } of expanded) {
    const equals = text.indexOf('=')
    const name = text.slice(0, Math.max(0, equals))
    if (mayName(option.section, name)) pairs.push([name, text.slice(equals + 1)])
    else problems.push(`"${text}" is not an assignment NAME=value`)
  }
  return { pairs, diagnostics: problems.map((message) => problemOf(option, 'unit/bad-environment', message)) }
}

/** Docker hands on any name (`xpack.security.enabled`); systemd takes only those that a shell could use. */
function mayName(section: string, name: string): boolean {
  return section === 'Container' ? name !== '' : isVariableName(name)
}

/** Whether text can name a variable of a service. */
export function isVariableName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text)
}

/** The value of an `Environment=` line that sets one variable. */
export function quoteAssignment(name: string, value: string): string {
  return quoteWord(escapePercent(`${name}=${value}`))
}
