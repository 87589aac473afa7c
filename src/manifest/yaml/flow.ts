// The plain sort of YAML in brackets and braces: JSON, and what people write on one line or a few.
import type { Entry, ScalarNode, Tree } from '../tree.js'
import { entriesOf, isMerge, readAlias, withMerged } from './anchors.js'
import { type Cursor, isBlank, lineEnd, opensPlain, readQuoted, scalar, skipBlanks } from './cursor.js'

/** What lines inside must be indented further than; the last bracket may stand exactly there, in a list's item it may not. */
export interface Fence {
  readonly column: number
  readonly outer: boolean
}

/**
 * The list or map that begins at the cursor, inside a block that is indented to the fence. Undefined where this reader
 * is not sure of what it says.
 */
export function readFlow(cursor: Cursor, fence: Fence, depth: number): Tree | undefined {
  const { text, at: start } = cursor
  const isMap = text[start] === '{'
  if (depth === 0 || text.startsWith('{{', start)) return undefined
  cursor.left -= 1
  const entries: FlowEntries = { own: new Map(), merged: [] }
  const items: Tree[] = []
  cursor.at += 1
  const close = isMap ? '}' : ']'
  for (;;) {
    if (!skipSpace(cursor, fence)) return undefined
    if (text[cursor.at] === close) break
    const read = isMap ? readEntry(cursor, fence, depth, entries) : readItem(cursor, fence, depth, items)
    if (!read || !skipSpace(cursor, fence)) return undefined
    if (text[cursor.at] === ',') cursor.at += 1
    else if (text[cursor.at] !== close) return undefined
  }
  cursor.at += 1
  cursor.end = cursor.at
  const span = { start, end: cursor.at }
  return isMap
    ? { kind: 'map', entries: withMerged([...entries.own.values()], entries.merged), ...span }
    : { kind: 'list', items, ...span }
}

interface FlowEntries {
  readonly own: Map<ScalarNode['value'], Entry>
  readonly merged: Entry[]
}

function readItem(cursor: Cursor, fence: Fence, depth: number, items: Tree[]): boolean {
  const item = readNode(cursor, fence, depth)
  if (item) items.push(item)
  return item !== undefined
}

/** A key, its colon and its value. The colon may touch the value where the key is quoted, as in JSON. */
function readEntry(cursor: Cursor, fence: Fence, depth: number, entries: FlowEntries): boolean {
  const key = readScalar(cursor)
  const { text } = cursor
  if (!key || isNull(key) || text[cursor.at] !== ':') return false
  if (key.style === 'plain' && !isBlank(text[cursor.at + 1])) return false
  if (entries.own.has(key.value)) return false
  cursor.at += 1
  const value = skipSpace(cursor, fence) ? readNode(cursor, fence, depth) : undefined
  const brought = value && isMerge(key) ? entriesOf(value) : []
  if (!value || !brought) return false
  if (isMerge(key)) for (const one of brought) entries.merged.push(one)
  else entries.own.set(key.value, { key, value })
  return true
}

function isNull({ value, style }: ScalarNode): boolean {
  return style === 'plain' && (value === 'null' || value === '~')
}

function readNode(cursor: Cursor, fence: Fence, depth: number): Tree | undefined {
  const letter = cursor.text[cursor.at]
  if (letter === '*') return readAlias(cursor)
  return letter === '[' || letter === '{'
    ? readFlow(cursor, { ...fence, outer: false }, depth - 1)
    : readScalar(cursor)
}

function readScalar(cursor: Cursor): ScalarNode | undefined {
  const letter = cursor.text[cursor.at]
  return letter === '"' || letter === "'" ? readQuoted(cursor) : readPlainScalar(cursor)
}

const word = /(?:[^,[\]{}:# \n]|:(?![ \n,[\]{}]|$)|(?<! )#| +(?![#, \n[\]{}:]))+/y

/** Words on one line, as far as no sign of the collection stands between them. */
function readPlainScalar(cursor: Cursor): ScalarNode | undefined {
  const { text, at: start } = cursor
  if (!opensPlain(cursor)) return undefined
  word.lastIndex = start
  if (!word.test(text)) return undefined
  cursor.at = word.lastIndex
  return scalar(cursor, text.slice(start, cursor.at), 'plain', start)
}

/** Over blanks, line breaks and comments; false where a line is not indented far enough. */
function skipSpace(cursor: Cursor, { column, outer }: Fence): boolean {
  const { text } = cursor
  for (;;) {
    skipBlanks(cursor)
    if (text[cursor.at] === '#' && isBlank(text[cursor.at - 1])) cursor.at = lineEnd(text, cursor.at)
    if (text[cursor.at] !== '\n') return cursor.left >= 0
    cursor.at += 1
    const start = cursor.at
    skipBlanks(cursor)
    const indent = cursor.at - start
    const letter = text[cursor.at]
    const mayStand = indent > column || (outer && indent === column && (letter === ']' || letter === '}'))
    if (!mayStand && letter !== '\n' && letter !== '#') return false
  }
}
