// [X-Mariposa] Environment=: variables of a program that are known only where and when it is started. As in [Service], a
// line holds assignments as words; `{{ meta.KEY }}`, `{{ instance.uuid }}`, `{{ machine.ip }}`,
// `{{ machine.metadata.KEY }}` and `{{ volume.NAME.path }}` are filled in by the agent, and `{{ "{{" }}` is a plain `{{`,
// `{{ "{" }}` a plain `{`.
import type { Diagnostic } from '../model/diagnostic.js'
import { volumeOfTemplate } from '../model/volume.js'
import { isVariableName } from './environment.js'
import type { UnitFile, UnitOption } from './parse.js'
import { problemOf } from './problem.js'
import { expandSpecifiers, type SpecifierContext } from './specifiers.js'
import { hasSection, lastOf, optionsOf } from './values.js'
import { escapePercent, quoteWord, splitWords } from './words.js'

/** Part of a value: text as it is, or what the agent fills in. */
export type DeferredPiece =
  | { readonly kind: 'text'; readonly text: string }
  /** A key of the project's metadata: what its value is, no unit file says. */
  | { readonly kind: 'meta'; readonly key: string }
  | { readonly kind: 'instance-uuid' }
  | { readonly kind: 'machine-ip' }
  /** Where the program finds a volume of the unit. */
  | { readonly kind: 'volume-path'; readonly volume: string }
  /** `fallback` is taken where the machine has no such key. */
  | { readonly kind: 'machine-metadata'; readonly key: string; readonly fallback: string | null }

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
    diagnostics.push(problemOf(first, 'unit/bad-environment', 'Project= has to say whose metadata is meant'))
  }
  return { variables: [...variables.values()], diagnostics }
}

/** Whether any of them is filled in from the metadata, which is how units get secrets. */
export function isGivenSecrets(variables: readonly DeferredVariable[]): boolean {
  return variables.some(({ pieces }) => pieces.some(({ kind }) => kind === 'meta'))
}

function readLine(
  line: UnitOption,
  anyName: boolean,
  context: SpecifierContext,
): { variables: DeferredVariable[]; diagnostics: Diagnostic[] } {
  const { words, problem, unknownEscapes } = splitWords(line.value)
  const problems = [
    ...(problem === null ? [] : [problem]),
    ...unknownEscapes.map((text) => `${text} is no escape (write \\\\ for a backslash)`),
  ]
  const variables = words.flatMap((word) => {
    const equals = word.indexOf('=')
    const name = word.slice(0, Math.max(0, equals))
    const named = anyName ? name !== '' : isVariableName(name)
    if (!named) problems.push(`"${word}" is no assignment NAME=value`)
    return named ? [{ name, pieces: piecesOf(word.slice(equals + 1), context, problems) }] : []
  })
  return {
    variables,
    diagnostics: problems.map((message) => problemOf(line, 'unit/bad-environment', message)),
  }
}

/** What stands for braces that begin nothing. */
const braces: ReadonlyMap<string, string> = new Map([
  ['{{ "{{" }}', '{{'],
  ['{{ "{" }}', '{'],
])
const placeholder =
  /\{\{ (?:"\{\{?"|(?:default )?[a-z]+(?:\.[A-Za-z0-9_-]+)+(?: "(?:[^"\\]|\\.)*")?) \}\}|\{\{/g

/** Cut up before specifiers are filled in, so that nothing they bring is taken for a placeholder. */
function piecesOf(text: string, context: SpecifierContext, problems: string[]): readonly DeferredPiece[] {
  const pieces: DeferredPiece[] = []
  const add = (text: string): void => {
    const last = pieces.at(-1)
    if (last?.kind === 'text') pieces.splice(-1, 1, { kind: 'text', text: last.text + text })
    else if (text !== '') pieces.push({ kind: 'text', text })
  }
  const plain = (part: string): string => {
    const expanded = expandSpecifiers(part, context)
    problems.push(...expanded.problems)
    return expanded.text
  }
  let done = 0
  for (const { 0: found, index } of text.matchAll(placeholder)) {
    add(plain(text.slice(done, index)))
    done = index + found.length
    const brace = braces.get(found)
    const piece = brace === undefined ? readPlaceholder(found, plain) : null
    if (brace !== undefined) add(brace)
    else if (piece !== null) pieces.push(piece)
    else problems.push(`${found} cannot be filled in (write {{ "{{" }} for a plain {{)`)
  }
  add(plain(text.slice(done)))
  return pieces
}

function readPlaceholder(text: string, plain: (text: string) => string): DeferredPiece | null {
  const shape = /^\{\{ (default )?([^ ]+)(?: (".*"))? \}\}$/s
  const [, word, name = '', quoted] = shape.exec(text) ?? []
  if ((word === undefined) !== (quoted === undefined)) return null
  const [, key] = /^(?:meta|machine\.metadata)\.(.+)$/.exec(name) ?? []
  if (key !== undefined && name.startsWith('machine.')) {
    const fallback = quoted === undefined ? null : unquote(quoted)
    if (fallback === undefined) return null
    return { kind: 'machine-metadata', key, fallback: fallback === null ? null : plain(fallback) }
  }
  if (quoted !== undefined) return null
  if (key !== undefined) return { kind: 'meta', key }
  if (name === 'instance.uuid') return { kind: 'instance-uuid' }
  const volume = volumeOfTemplate(name)
  if (volume !== null) return { kind: 'volume-path', volume }
  return name === 'machine.ip' ? { kind: 'machine-ip' } : null
}

function unquote(quoted: string): string | undefined {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return undefined
  }
}

/** The value of a line that sets one variable; `escapeText` as for other options of the section. */
export function printDeferredVariable(
  { name, pieces }: DeferredVariable,
  escapeText: (text: string) => string = escapePercent,
): string {
  return quoteWord(`${name}=${pieces.map((piece) => printPiece(piece, escapeText)).join('')}`)
}

function printPiece(piece: DeferredPiece, escapeText: (text: string) => string): string {
  switch (piece.kind) {
    case 'text':
      return escapeBraces(escapeText(piece.text))
    case 'meta':
      return `{{ meta.${piece.key} }}`
    case 'instance-uuid':
      return '{{ instance.uuid }}'
    case 'machine-ip':
      return '{{ machine.ip }}'
    case 'volume-path':
      return `{{ volume.${piece.volume}.path }}`
    case 'machine-metadata': {
      const name = `machine.metadata.${piece.key}`
      return piece.fallback === null
        ? `{{ ${name} }}`
        : `{{ default ${name} ${JSON.stringify(escapePercent(piece.fallback))} }}`
    }
  }
}

/** A brace at the end would belong to the placeholder that may follow. */
function escapeBraces(text: string): string {
  return text.replaceAll('{{', '{{ "{{" }}').replace(/\{$/, '{{ "{" }}')
}
