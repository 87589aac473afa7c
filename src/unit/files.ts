// [X-Mariposa] File=: files that a unit finds when it starts. A line holds words: the path, then `mode=`, `owner=`,
// `secret`, `on-change=`, and last `text=`, with what is filled in late (`deferred-pieces.ts`), or `base64=`.
import {
  type ChangeSignal,
  changeSignals,
  fileModePattern,
  fileOwnerPattern,
  filePathAtMost,
  filePathPattern,
  isInside,
} from '../model/arriving-file.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { type DeferredPiece, isSealed, printDeferredPieces, readDeferredPieces } from './deferred-pieces.js'
import type { UnitFile, UnitOption } from './parse.js'
import { problemOf } from './problem.js'
import { expandSpecifiers, type SpecifierContext } from './specifiers.js'
import { lastOf, optionsOf } from './values.js'
import { escapePercent, quoteWord, splitWords } from './words.js'

/** A file that a unit finds when it starts. */
export interface ArrivingFile {
  readonly path: string
  /** Permissions in octal, such as `0440`; null for what fits the rest. */
  readonly mode: string | null
  /** `user[:group]`; null for whom the unit runs as. */
  readonly owner: string | null
  /** Whether it is told to be a secret; what is filled in from secrets is one anyway. */
  readonly secret: boolean
  /** It is written anew when what it reads of the metadata changes, and the program is sent this; null: it stays as it is. */
  readonly onChange: ChangeSignal | null
  readonly text: readonly DeferredPiece[]
  /** What it holds in place of a text, in base64; null for none. */
  readonly data: string | null
}

const section = 'X-Mariposa'
const option = 'File'
const pathPattern = new RegExp(filePathPattern, 'u')
const modePattern = new RegExp(fileModePattern)
const base64Pattern = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const ownerPattern = new RegExp(fileOwnerPattern)

/** The files of a unit. Code: `unit/bad-file`. */
export function filesOf(
  file: UnitFile,
  context: SpecifierContext,
): { readonly files: readonly ArrivingFile[]; readonly diagnostics: readonly Diagnostic[] } {
  const lines = optionsOf(file, section, option)
  const files: ArrivingFile[] = []
  const diagnostics: Diagnostic[] = []
  for (const line of lines) {
    const read = readLine(line, context)
    const problems = [...read.problems, ...clashOf(read.file, files)]
    if (read.file !== null && problems.length === 0) files.push(read.file)
    diagnostics.push(...problems.map((problem) => problemOf(line, 'unit/bad-file', problem)))
  }
  const [first] = lines
  if (first !== undefined && lastOf(file, section, 'Project') === null && files.some(isFromStore))
    diagnostics.push(problemOf(first, 'unit/bad-file', 'Project= has to say whose metadata is meant'))
  return { files, diagnostics }
}

/** Whether a file is filled in with what is sealed in the store, which is how units get secrets. */
export function isFromStore({ text }: ArrivingFile): boolean {
  return text.some(isSealed)
}

function readLine(
  line: UnitOption,
  context: SpecifierContext,
): { readonly file: ArrivingFile | null; readonly problems: readonly string[] } {
  const { words, problem, unknownEscapes } = splitWords(line.value)
  const problems = [
    ...(problem === null ? [] : [problem]),
    ...unknownEscapes.map((text) => `${text} is not an escape (write \\\\ for a backslash)`),
  ]
  const [first = '', ...rest] = words
  const { text: path, problems: bad } = expandSpecifiers(first, context)
  problems.push(...bad)
  if (!pathPattern.test(path) || path.length > filePathAtMost) problems.push(`"${path}" is not a file path`)
  const said = new Map<string, string>()
  for (const word of rest) {
    const equals = word.indexOf('=')
    const name = equals === -1 ? word : word.slice(0, equals)
    const value = word.slice(name.length + 1)
    if (!isSaidWell(name, value, equals !== -1)) problems.push(`"${name}" is not one of ${known}`)
    else if (said.has(name)) problems.push(`${name} is given twice`)
    else said.set(name, value)
  }
  const text = said.get('text')
  const data = said.get('base64')
  if ((text === undefined) === (data === undefined)) problems.push('it needs one of text= and base64=')
  const pieces = readDeferredPieces(text ?? '', context, problems)
  const onChange = changeSignals.find((one) => one === said.get('on-change')) ?? null
  if (onChange !== null && pieces.every(({ kind }) => kind !== 'meta'))
    problems.push('on-change= is for a text that reads the metadata')
  if (problems.length > 0) return { file: null, problems }
  const [mode = null, owner = null] = [said.get('mode'), said.get('owner')]
  return {
    file: { path, mode, owner, secret: said.has('secret'), onChange, text: pieces, data: data ?? null },
    problems,
  }
}

const known = 'mode=0440, owner=USER[:GROUP], secret, on-change=SIGHUP, text= and base64='

function isSaidWell(name: string, value: string, hasValue: boolean): boolean {
  if (name === 'secret') return !hasValue
  if (name === 'text') return hasValue
  if (name === 'base64') return hasValue && base64Pattern.test(value)
  if (name === 'on-change') return changeSignals.some((one) => one === value)
  if (name === 'mode') return modePattern.test(value)
  return name === 'owner' && ownerPattern.test(value)
}

function clashOf(file: ArrivingFile | null, before: readonly ArrivingFile[]): readonly string[] {
  const other = before.find(
    ({ path }) => file !== null && (isInside(path, file.path) || isInside(file.path, path)),
  )
  if (file === null || other === undefined) return []
  if (other.path === file.path) return [`there is already a file at ${file.path}`]
  return [`${file.path} and ${other.path} cannot both be files`]
}

/** The value of a line; `escapeText` as for other options of the section. */
export function printFile(
  { path, mode, owner, secret, onChange, text, data }: ArrivingFile,
  escapeText: (text: string) => string = escapePercent,
): string {
  return [
    quoteWord(escapePercent(path)),
    ...(mode === null ? [] : [`mode=${mode}`]),
    ...(owner === null ? [] : [`owner=${owner}`]),
    ...(secret ? ['secret'] : []),
    ...(onChange === null ? [] : [`on-change=${onChange}`]),
    data === null ? quoteWord(`text=${printDeferredPieces(text, escapeText)}`) : `base64=${data}`,
  ].join(' ')
}
