// Reads the plain sort of YAML that nearly all manifests are written in, many times as fast as the library: block maps
// and lists, scalars on one line, `|` and `>`, JSON, anchors. Whatever is unusual (tags, tabs, several documents) or
// wrong is left to the library, which also words what is wrong. Where both can read a text, both give the same tree;
// test/manifest/plain-yaml.test.ts holds them to it (docs/decisions/0007-two-readers.md).
import {
  type Entry,
  isEmpty,
  type ListNode,
  type MapNode,
  type ScalarNode,
  type Tree,
  type TreeDocument,
} from '../tree.js'
import { entriesOf, isMerge, readAlias, readAnchor, withMerged } from './anchors.js'
import {
  type Cursor,
  endLine,
  isBlank,
  lineEnd,
  opensPlain,
  readQuoted,
  scalar,
  skipBlanks,
  startLine,
} from './cursor.js'
import { type Fence, readFlow } from './flow.js'
import { limits } from './limits.js'

/** The document of a text; or where this reader stopped, since it is not sure of what the text says, or since it is too much. */
export type PlainReading =
  | { readonly kind: 'document'; readonly document: TreeDocument }
  | { readonly kind: 'unsure' | 'too-many-nodes'; readonly at: number }

/** Reads a text of one document. */
export function readPlain(text: string): PlainReading {
  const strange = unusual.exec(text)
  if (strange !== null) return { kind: 'unsure', at: strange.index }
  const cursor: Cursor = { text, at: 0, column: -1, left: limits.nodes, end: 0, anchors: new Map() }
  startLine(cursor)
  const root = cursor.column === -1 ? undefined : readRoot(cursor)
  if (cursor.left < 0) return { kind: 'too-many-nodes', at: cursor.at }
  if (root === undefined || cursor.column !== -1) return { kind: 'unsure', at: cursor.at }
  return { kind: 'document', document: { root, start: 0, end: text.length } }
}

/** Control characters, a byte order mark, and lines that may bound a document or direct the parser. */
const unusual = /[\0-\x09\x0b-\x1f\ufeff]|^(?:---|\.\.\.|%)/m

/** Fewer than the limit for any text: what is deeper is for the library to judge. */
const deepest = 32

function readRoot(cursor: Cursor): Tree | undefined {
  const letter = cursor.text[cursor.at]
  if (letter !== '{' && letter !== '[') return readBlock(cursor, deepest)
  const root = readFlow(cursor, { column: -1, outer: true }, deepest)
  return root && endLine(cursor) ? root : undefined
}

/** The map or list that begins at the cursor and is indented as far as it. */
function readBlock(cursor: Cursor, depth: number): Tree | undefined {
  if (depth === 0) return undefined
  cursor.left -= 1
  return isDash(cursor) ? readList(cursor, cursor.column, depth) : readMap(cursor, cursor.column, depth)
}

function readMap(cursor: Cursor, column: number, depth: number): MapNode | undefined {
  const start = cursor.at
  const entries: Entry[] = []
  const merged: Entry[] = []
  const names = new Set<ScalarNode['value']>()
  do {
    const key = readKey(cursor)
    if (!key || names.has(key.value)) return undefined
    const value = readBehind(cursor, column, depth, true)
    const brought = value && isMerge(key) ? entriesOf(value) : []
    if (!value || !brought) return undefined
    if (isMerge(key)) for (const one of brought) merged.push(one)
    else {
      names.add(key.value)
      entries.push({ key, value })
    }
  } while (cursor.column === column)
  const { end } = cursor
  return cursor.column > column
    ? undefined
    : { kind: 'map', entries: withMerged(entries, merged), start, end }
}

function readList(cursor: Cursor, column: number, depth: number): ListNode | undefined {
  const start = cursor.at
  const items: Tree[] = []
  do {
    const item = readItem(cursor, column, depth)
    if (!item) return undefined
    items.push(item)
  } while (cursor.column === column && isDash(cursor))
  const { end } = cursor
  return cursor.column > column ? undefined : { kind: 'list', items, start, end }
}

function isDash({ text, at }: Cursor): boolean {
  return text[at] === '-' && isBlank(text[at + 1])
}

const plainKey = /(?:[A-Za-z0-9_./][A-Za-z0-9_./-]{0,200}|<<)(?=:(?:[ \n]|$))/y

/** A key and its colon. Keys with blanks or signs in them are read where they are quoted. */
function readKey(cursor: Cursor): ScalarNode | undefined {
  const { text, at: start } = cursor
  const key = text[start] === '"' || text[start] === "'" ? readQuoted(cursor) : readPlainKey(cursor)
  if (!key || text[cursor.at] !== ':' || !isBlank(text[cursor.at + 1]) || cursor.at - start > longestKey)
    return undefined
  cursor.at += 1
  return key
}

/** YAML lets a key be 1024 characters long. */
const longestKey = 1_000

function readPlainKey(cursor: Cursor): ScalarNode | undefined {
  const { text, at: start } = cursor
  plainKey.lastIndex = start
  if (!plainKey.test(text)) return undefined
  cursor.at = plainKey.lastIndex
  const name = text.slice(start, cursor.at)
  return name === 'null' ? undefined : scalar(cursor, name, 'plain', start)
}

/** An item, whose dash is at the cursor. A map may begin on the same line. */
function readItem(cursor: Cursor, column: number, depth: number): Tree | undefined {
  const dash = cursor.at
  cursor.at += 1
  skipBlanks(cursor)
  const start = cursor.at
  const { left } = cursor
  if (readKey(cursor)) {
    Object.assign(cursor, { at: start, left: left - 1 })
    return depth === 1 ? undefined : readMap(cursor, column + start - dash, depth - 1)
  }
  Object.assign(cursor, { at: start, left })
  return readBehind(cursor, column, depth, false)
}

/** The value behind a colon or dash of a collection at `column`, which may have a name. */
function readBehind(cursor: Cursor, column: number, depth: number, isMap: boolean): Tree | undefined {
  skipBlanks(cursor)
  if (cursor.text[cursor.at] !== '&') return readValue(cursor, column, depth, isMap)
  const name = readAnchor(cursor)
  const { left } = cursor
  // What is the name of another has no second one.
  if (name === undefined || cursor.text[cursor.at] === '*') return undefined
  const tree = readValue(cursor, column, depth, false)
  if (!tree || isEmpty(tree)) return undefined
  cursor.anchors.set(name, { tree, nodes: left - cursor.left })
  return tree
}

/** On the same line, or on deeper ones. */
function readValue(cursor: Cursor, column: number, depth: number, isMap: boolean): Tree | undefined {
  const { text, at } = cursor
  if (text[at] !== undefined && text[at] !== '\n' && text[at] !== '#')
    return readInline(cursor, { column, outer: isMap }, depth)
  const empty = scalar(cursor, '', 'plain', at)
  if (!endLine(cursor)) return undefined
  const deeper = cursor.column > column || (isMap && cursor.column === column && isDash(cursor))
  if (!deeper) return empty
  cursor.left += 1
  return readBlock(cursor, depth - 1)
}

function readInline(cursor: Cursor, fence: Fence, depth: number): Tree | undefined {
  const letter = cursor.text[cursor.at]
  if (letter === '|' || letter === '>') return readBlockScalar(cursor, fence.column)
  const value = readOnLine(cursor, fence, depth)
  return value && endLine(cursor) ? value : undefined
}

function readOnLine(cursor: Cursor, fence: Fence, depth: number): Tree | undefined {
  const letter = cursor.text[cursor.at]
  if (letter === '[' || letter === '{') return readFlow(cursor, fence, depth)
  if (letter === '*') return readAlias(cursor)
  return letter === '"' || letter === "'" ? readQuoted(cursor) : readPlainScalar(cursor)
}

/** To the end of the line or a comment. A `: ` within would make a key of it. */
function readPlainScalar(cursor: Cursor): ScalarNode | undefined {
  if (!opensPlain(cursor)) return undefined
  const { text, at: start } = cursor
  const line = text.slice(start, lineEnd(text, start))
  const comment = line.indexOf(' #')
  const value = withoutBlanksBehind(comment === -1 ? line : line.slice(0, comment))
  if (value.endsWith(':') || value.includes(': ')) return undefined
  cursor.at = start + value.length
  return scalar(cursor, value, 'plain', start)
}

function withoutBlanksBehind(line: string): string {
  let end = line.length
  while (line[end - 1] === ' ') end -= 1
  return line.slice(0, end)
}

const blockHeader = /([|>])(-?) *\n( *)(?=[^ \n])/y

/** A text of several lines that are indented alike, or in a literal one at least as far as its first. */
function readBlockScalar(cursor: Cursor, column: number): ScalarNode | undefined {
  const { text, at: start } = cursor
  blockHeader.lastIndex = start
  const [, mark, chomp, indent = ''] = blockHeader.exec(text) ?? []
  if (mark === undefined || indent.length <= column) return undefined
  const lines = blockLines(cursor, blockHeader.lastIndex - indent.length, indent)
  const value = mark === '|' ? lines?.join('\n') : lines && folded(lines)
  if (value === undefined) return undefined
  const end = cursor.at
  const node = scalar(
    cursor,
    chomp === '-' ? value : `${value}\n`,
    mark === '|' ? 'literal' : 'folded',
    start,
  )
  startLine(cursor)
  return cursor.column > column ? undefined : { ...node, end }
}

/** The lines from `at` on, without their indentation; leaves the cursor behind the last one that says something. */
function blockLines(cursor: Cursor, at: number, indent: string): string[] | undefined {
  const { text } = cursor
  const lines: string[] = []
  let said = 0
  for (let start = at; start < text.length; ) {
    const end = lineEnd(text, start)
    const line = text.slice(start, end)
    const isIndented = line.startsWith(indent)
    if (isIndented && line.length > indent.length) {
      if (line.trim() === '') return undefined
      lines.push(line.slice(indent.length))
      said = lines.length
      cursor.at = Math.min(end + 1, text.length)
    } else if (/^ *$/.test(line)) lines.push('')
    else break
    start = end + 1
  }
  return lines.slice(0, said)
}

/** Line breaks become spaces, empty lines line breaks. Lines that are indented further keep theirs: left to the library. */
function folded(lines: readonly string[]): string | undefined {
  if (lines.some((line) => line.startsWith(' '))) return undefined
  let value = ''
  let gap = ''
  for (const line of lines) {
    if (line === '') gap = gap.startsWith('\n') ? `${gap}\n` : '\n'
    else {
      value += gap + line
      gap = ' '
    }
  }
  return value
}
