// A manifest's text as a tree: every node with its place, every scalar as the author meant it.
import type { Source, Span } from './notes.js'

/** A node of the document, with its place in the source text. */
export type Tree = MapNode | ListNode | ScalarNode

/** A map in a text. */
export interface MapNode extends Span {
  readonly kind: 'map'
  readonly entries: readonly Entry[]
  /** Keys that were given but could not be read; what is wrong with them has been said. */
  readonly dropped?: readonly string[]
}

/** A key with its value, and where both are in the text. */
export interface Entry {
  readonly key: ScalarNode
  readonly value: Tree
}

/** A list in a text. */
export interface ListNode extends Span {
  readonly kind: 'list'
  readonly items: readonly Tree[]
}

/** `value` is text as the user meant it: the source text of a plain scalar, the content of a quoted or block one. */
export interface ScalarNode extends Span {
  readonly kind: 'scalar'
  readonly value: string | number | boolean
  readonly style: ScalarStyle
  /** Its text only stands for one that nobody knows yet. */
  readonly standIn?: true
}

export type ScalarStyle = 'plain' | 'quoted' | 'folded' | 'literal'

/** One document of a source. `start` and `end` bound its text, comments included. */
export interface TreeDocument extends Span {
  readonly root: Tree
}

/** Whether nothing, `~` or `null` stands where a value could. */
export function isEmpty(node: Tree): boolean {
  return node.kind === 'scalar' && node.style === 'plain' && ['', '~', 'null'].includes(String(node.value))
}

/** The value of a key of a map, if it is there. */
export function childOf(node: Tree, key: string): Tree | undefined {
  if (node.kind !== 'map') return undefined
  return node.entries.find((entry) => entry.key.value === key)?.value
}

/**
 * The place in the source of `length` characters at `offset` of a scalar's value. Exact where the source says the
 * same characters; the whole scalar where escapes or folding hide them.
 */
export function locate(source: Source, node: ScalarNode, offset: number, length: number): Span {
  const value = String(node.value)
  const opening = node.style === 'quoted' && isInQuotes(source.text, node) ? 1 : 0
  // Escapes and folding only ever make a value shorter than its source: as long as that, it is the same, letter by letter.
  const isVerbatim = value.length === node.end - node.start - 2 * opening
  const start = isVerbatim ? node.start + opening + offset : searched(source, node, value, offset, length)
  return start === undefined || length === 0
    ? { start: node.start, end: node.end }
    : { start, end: start + Math.min(length, value.length - offset) }
}

function isInQuotes(text: string, { start, end }: Span): boolean {
  const quote = text[start]
  return (quote === '"' || quote === "'") && end - start > 1 && text[end - 1] === quote
}

/** Looking for what is said many times takes long, and many times over. */
const occurrencesCounted = 100

/** Where the source says what the value says at `offset`: as many occurrences in as in the value. */
function searched(
  source: Source,
  node: ScalarNode,
  value: string,
  offset: number,
  length: number,
): number | undefined {
  const wanted = value.slice(offset, offset + length)
  const raw = source.text.slice(node.start, node.end)
  const header = node.style === 'literal' || node.style === 'folded' ? raw.indexOf('\n') : 0
  let at = raw.indexOf(wanted, header)
  let before = value.indexOf(wanted)
  for (let count = 0; before !== offset && before !== -1 && at !== -1; count++) {
    if (count === occurrencesCounted) return undefined
    at = raw.indexOf(wanted, at + 1)
    before = value.indexOf(wanted, before + 1)
  }
  return at === -1 || wanted === '' ? undefined : node.start + at
}

/** The JSON pointer of what begins at a place, or of the innermost node around it; undefined for a whole document. */
export function pathAt(documents: readonly TreeDocument[], span: Span): string | undefined {
  const document = documents.find(({ start, end }) => start <= span.start && span.start <= end)
  const path = document ? stepsTo(document.root, span) : []
  if (path.length === 0) return undefined
  return path.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

function stepsTo(node: Tree, span: Span): string[] {
  if (node.kind === 'scalar' || (node.start === span.start && node.end === span.end)) return []
  const child = node.kind === 'map' ? entryAt(node, span) : itemAt(node, span)
  return child ? [child.step, ...stepsTo(child.value, span)] : []
}

interface Step {
  readonly step: string
  readonly value: Tree
}

function entryAt({ entries }: MapNode, span: Span): Step | undefined {
  const entry = entries.find(({ key, value }) => isWithin(span, key.start, value))
  return entry && { step: String(entry.key.value), value: entry.value }
}

function itemAt({ items }: ListNode, span: Span): Step | undefined {
  const index = items.findIndex((item) => isWithin(span, item.start, item))
  const value = items[index]
  return value && { step: String(index), value }
}

function isWithin(span: Span, from: number, { end }: Span): boolean {
  return from <= span.start && span.end <= Math.max(from, end)
}

/** The tree as plain data. Safe for every key, `__proto__` too. */
export function plainOf(node: Tree): unknown {
  switch (node.kind) {
    case 'scalar':
      return node.value
    case 'list':
      return node.items.map(plainOf)
    case 'map':
      return Object.fromEntries(node.entries.map(({ key, value }) => [String(key.value), plainOf(value)]))
  }
}
