// [X-Mariposa] Environment=: variables of a program that are known only where and when it is started. As in [Service], a
// line holds assignments as words, with texts of `deferred-pieces.ts`.
import type { Diagnostic } from '../model/diagnostic.js'
import { type DeferredPiece, isSealed, printDeferredPieces, readDeferredPieces } from './deferred-pieces.js'
import { isVariableName } from './environment.js'
import type { UnitFile, UnitOption } from './parse.js'
import { problemOf } from './problem.js'
import type { SpecifierContext } from './specifiers.js'
import { hasSection, lastOf, optionsOf } from './values.js'
import { escapePercent, quoteWord, splitWords } from './words.js'

/** A variable of a program that is known only when and where it starts. */
export interface DeferredVariable {
  readonly name: string
  readonly pieces: readonly DeferredPiece[]
}

const section = 'X-Mariposa'
const option = 'Environment'

/** Reads the lines; a later assignment of a name wins. Code: `unit/bad-environment`. */
export function deferredEnvironmentOf(
  file: UnitFile,
  context: SpecifierContext,
): { readonly variables: readonly DeferredVariable[]; readonly diagnostics: readonly Diagnostic[] } {
  const options = optionsOf(file, section, option)
  const read = options.map((line) => readLine(line, hasSection(file, 'Container'), context))
  const variables = new Map(read.flatMap((line) => line.variables.map((one) => [one.name, one] as const)))
  const diagnostics = read.flatMap((line) => line.diagnostics)
  const [first] = options
  if (
    first !== undefined &&
    lastOf(file, section, 'Project') === null &&
    isGivenSecrets([...variables.values()])
  ) {
    diagnostics.push(
      problemOf(
        first,
        'unit/bad-environment',
        'Project= is missing: it names the project whose metadata is meant',
      ),
    )
  }
  return { variables: [...variables.values()], diagnostics }
}

/** Whether any of them is filled in with what is sealed in the store, which is how units get secrets. */
export function isGivenSecrets(variables: readonly DeferredVariable[]): boolean {
  return variables.some(({ pieces }) => pieces.some(isSealed))
}

function readLine(
  line: UnitOption,
  anyName: boolean,
  context: SpecifierContext,
): { variables: DeferredVariable[]; diagnostics: Diagnostic[] } {
  const { words, problem, unknownEscapes } = splitWords(line.value)
  const problems = [
    ...(problem === null ? [] : [problem]),
    ...unknownEscapes.map((text) => `${text} is not an escape (write \\\\ for a backslash)`),
  ]
  const variables = words.flatMap((word) => {
    const equals = word.indexOf('=')
    const name = word.slice(0, Math.max(0, equals))
    const named = anyName ? name !== '' : isVariableName(name)
    if (!named) problems.push(`"${word}" is not an assignment NAME=value`)
    return named ? [{ name, pieces: readDeferredPieces(word.slice(equals + 1), context, problems) }] : []
  })
  return {
    variables,
    diagnostics: problems.map((message) => problemOf(line, 'unit/bad-environment', message)),
  }
}

/** The value of a line that sets one variable; `escapeText` as for other options of the section. */
export function printDeferredVariable(
  { name, pieces }: DeferredVariable,
  escapeText: (text: string) => string = escapePercent,
): string {
  return quoteWord(`${name}=${printDeferredPieces(pieces, escapeText)}`)
}
