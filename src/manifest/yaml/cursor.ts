// Where the reader of plain YAML stands in its text, and the steps that its parts share. Each step moves on and says
// whether it could: nothing is reported here, what cannot be read is left to the library.
import type { ScalarNode, Tree } from '../tree.js'

/** A value that has a name, and how many nodes each mention of it counts as. */
export interface Anchored {
  readonly tree: Tree
  readonly nodes: number
}

/** `at` is the next character to read. */
export interface Cursor {
  readonly text: string
  at: number
  /** Of the line that `at` begins, how far it is indented; -1 behind the last line. Kept by `endLine` alone. */
  column: number
  /** How many more nodes there may be. */
  left: number
  /** Where the value ended that was read last; of an alias the place where it is mentioned. */
  end: number
  /** The values that have a name so far. */
  readonly anchors: Map<string, Anchored>
}

/** Ends the current line: nothing but a comment may follow on it, and there must be nodes left. Goes on to the first character of the next line that says something. */
export function endLine(cursor: Cursor): boolean {
  const { text } = cursor
  skipBlanks(cursor)
  if (text[cursor.at] === '#' && isBlank(text[cursor.at - 1])) cursor.at = lineEnd(text, cursor.at)
  if (cursor.left < 0 || (cursor.at < text.length && text[cursor.at] !== '\n')) return false
  cursor.at += 1
  startLine(cursor)
  return true
}

/** From the beginning of a line to the first character of a line that says something. */
export function startLine(cursor: Cursor): void {
  const { text } = cursor
  while (cursor.at < text.length) {
    const start = cursor.at
    skipBlanks(cursor)
    const letter = text[cursor.at]
    if (letter !== '\n' && letter !== '#' && letter !== undefined) {
      cursor.column = cursor.at - start
      return
    }
    cursor.at = lineEnd(text, cursor.at) + 1
  }
  cursor.column = -1
}

export function skipBlanks(cursor: Cursor): void {
  while (cursor.text.charCodeAt(cursor.at) === 0x20) cursor.at += 1
}

/** The line break that ends the line, or the end of the text. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

/** Whether a character, or the lack of one, sets a `:` or `-` apart. */
export function isBlank(letter: string | undefined): boolean {
  return letter === undefined || letter === ' ' || letter === '\n'
}

/** Whether a plain scalar may begin here. */
export function opensPlain({ text, at }: Cursor): boolean {
  const letter = text[at]
  if (letter === '-' || letter === '?' || letter === ':') return !isBlank(text[at + 1])
  return letter !== undefined && !' \n,[]{}#&*!|>\'"%@`'.includes(letter)
}

const single = /'(?:[^'\n]|'')*'/y
const double = /"(?:[^"\\\n]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"/y

/** A text in quotes, on one line, with no escapes but JSON's. */
export function readQuoted(cursor: Cursor): ScalarNode | undefined {
  const { text, at: start } = cursor
  const pattern = text[start] === "'" ? single : double
  pattern.lastIndex = start
  if (!pattern.test(text)) return undefined
  cursor.at = pattern.lastIndex
  const inner = text.slice(start + 1, cursor.at - 1)
  const value = pattern === single ? inner.replaceAll("''", "'") : unescaped(inner)
  return scalar(cursor, value, 'quoted', start)
}

function unescaped(inner: string): string {
  return inner.includes('\\') ? (JSON.parse(`"${inner}"`) as string) : inner
}

/** A scalar from `start` to where the cursor stands. */
export function scalar(cursor: Cursor, value: string, style: ScalarNode['style'], start: number): ScalarNode {
  cursor.left -= 1
  cursor.end = cursor.at
  return { kind: 'scalar', value, style, start, end: cursor.at }
}
