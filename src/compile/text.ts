// Texts of a manifest on their way into a unit: everything stands for itself, except the marks of variables that are
// known only at placement, which become systemd's specifiers.
import { assertNever } from '../lib/invariant.js'
import {
  type PlacementVariable,
  placeholderEnd,
  placeholderStart,
  placementVariables,
} from '../manifest/variables.js'
import { fileVariables, variableOfDirectory } from '../model/arriving-file.js'
import { volumeOfTemplate, volumeVariable } from '../model/volume.js'
import { endsInBackslash, trimBlanks } from '../unit/parse.js'
import { escapeDollar, escapePercent } from '../unit/words.js'

/** Escapes text for an option where specifiers are read and dollar signs are plain. */
export function optionText(text: string, service: string): string {
  return mapText(text, escapePercent, service)
}

/** Escapes text for a word of a command, where dollar signs would name variables too. */
export function commandText(text: string, service: string): string {
  return mapText(text, (plain) => escapeDollar(escapePercent(plain)), service)
}

function mapText(text: string, escapePlain: (text: string) => string, service: string): string {
  if (!text.includes(placeholderStart)) return escapePlain(text)
  return text
    .split(mark)
    .map((piece, index) => (index % 2 === 0 ? escapePlain(piece) : fillerOf(piece, service)))
    .join('')
}

/** Splits text into what stands between marks and, at odd places, the names in the marks. */
const mark = new RegExp(
  `${placeholderStart}(${placementVariables.map((name) => name.replace('.', '\\.')).join('|')}|volume\\.[^${placeholderEnd}]*|(?:files|secrets)\\.dir)${placeholderEnd}`,
)

/** Whether the path of a volume, or of a directory of files, is part of a text. */
export function namesDirectory(text: string): boolean {
  return ['volume.', ...fileVariables.keys()].some((name) => text.includes(`${placeholderStart}${name}`))
}

/** A specifier; for paths that words of a command alone have in them, the variable that holds it. */
function fillerOf(name: string, service: string): string {
  const directory = fileVariables.get(name)
  if (directory !== undefined) return `\${${variableOfDirectory[directory]}}`
  const volume = volumeOfTemplate(name)
  return volume === null ? specifierOf(name as PlacementVariable, service) : `\${${volumeVariable(volume)}}`
}

function specifierOf(name: PlacementVariable, service: string): string {
  switch (name) {
    case 'instance.name':
      return `${service}-%i`
    case 'instance.n':
      return '%i'
    case 'machine.id':
      return '%m'
    case 'machine.name':
      return '%H'
    default:
      return assertNever(name)
  }
}

/** The text with something harmless for each mark: what can be judged before the placement. */
export function withoutMarks(text: string): string {
  return text
    .split(mark)
    .map((piece, index) => (index % 2 === 0 ? piece : '0'))
    .join('')
}

/** Why a text cannot reach a program through a unit file; null when it can. */
export function textProblem(text: string): string | null {
  if (plainText.test(text)) return null
  const bad = impossible.exec(text)?.[0]
  if (bad === undefined) return null
  if (bad === '\0') return 'it has a NUL character, which no program can be given'
  return `it has U+${(bad.codePointAt(0) ?? 0).toString(16).toUpperCase()}, which is not a character`
}

/** Most texts, found out faster. */
const plainText = /^[ -~]*$/

/** NUL, and what systemd does not take for text (see isCharacter in unit/words.ts). */
const impossible = /\0|\p{Surrogate}|\p{Noncharacter_Code_Point}/u

/** Why a text cannot stand as the whole value of an option that takes no quotes; null when it can. */
export function plainTextProblem(text: string): string | null {
  if (/[\n\r]/.test(text)) return 'it has a line break'
  if (text !== trimBlanks(text)) return 'it begins or ends with a blank'
  return endsInBackslash(text) ? 'it ends in a backslash' : textProblem(text)
}
