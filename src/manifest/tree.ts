// Text to a positioned tree. YAML 1.2 and JSON (which is YAML 1.2) are read by the same parser. Nothing beyond this
// file knows of the yaml package, and no scalar is guessed to be a number or a boolean here: a scalar is its text as
// written, and each key of the manifest says what the text means. So `0755`, `1.10`, `no` and `22:22` are no traps.
import {
  type Alias,
  Composer,
  type CST,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  Lexer,
  Parser,
  type YAMLError,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import type { Notes, Source, Span } from './notes.js'

/** A node of the document, with its place in the source text. */
export type Tree = MapNode | ListNode | ScalarNode

export interface MapNode extends Span {
  readonly kind: 'map'
  readonly entries: readonly Entry[]
  /** Keys that were given but could not be read; what is wrong with them has been said. */
  readonly dropped?: readonly string[]
}

export interface Entry {
  readonly key: ScalarNode
  readonly value: Tree
}

export interface ListNode extends Span {
  readonly kind: 'list'
  readonly items: readonly Tree[]
}

/** `value` is text as the user meant it: the source text of a plain scalar, the content of a quoted or block one. */
export interface ScalarNode extends Span {
  readonly kind: 'scalar'
  readonly value: string | number
  readonly style: ScalarStyle
}

export type ScalarStyle = 'plain' | 'quoted' | 'folded' | 'literal'

/** One document of a source. `start` and `end` bound its text, comments included. */
export interface TreeDocument extends Span {
  readonly root: Tree
}

/** What guards the parser against hostile or accidental input. */
export const limits = {
  bytes: 256 * 1024,
  depth: 64,
  /** Words and marks of the text; a quarter of a megabyte of `[,,,,` is no manifest. */
  tokens: 60_000,
  /** Nodes after all aliases are followed. */
  nodes: 20_000,
} as const

const syntaxErrorsShown = 10

/**
 * Reads every document of a source; empty ones are left out. Problems are reported to `notes`. A document that is
 * not well-formed is not returned, since what follows from a guess at its structure would only confuse.
 */
export function readTree(source: Source, notes: Notes): TreeDocument[] {
  if (isTooLarge(source.text)) {
    notes.report(
      'manifest/too-large',
      { start: 0, end: 0 },
      `the file is larger than ${limits.bytes / 1024} KiB`,
    )
    return []
  }
  const tokens = tokensOf(source.text, notes)
  if (!tokens) return []
  const composer = new Composer({ schema: 'failsafe', uniqueKeys: false, prettyErrors: false })
  const documents: TreeDocument[] = []
  for (const document of composer.compose(tokens, false, source.text.length)) {
    const read = readDocument(document, source, notes)
    if (read) documents.push(read)
  }
  return documents
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
  const wanted = value.slice(offset, offset + length)
  const whole = { start: node.start, end: node.end }
  if (wanted === '') return whole
  const raw = source.text.slice(node.start, node.end)
  const header = node.style === 'literal' || node.style === 'folded' ? raw.indexOf('\n') : 0
  let at = raw.indexOf(wanted, header)
  for (
    let before = value.indexOf(wanted);
    before !== offset && before !== -1;
    before = value.indexOf(wanted, before + 1)
  ) {
    at = raw.indexOf(wanted, at + 1)
    if (at === -1) break
  }
  return at === -1 ? whole : { start: node.start + at, end: node.start + at + wanted.length }
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
  const children: { step: string; from: number; value: Tree }[] =
    node.kind === 'map'
      ? node.entries.map(({ key, value }) => ({ step: String(key.value), from: key.start, value }))
      : node.items.map((value, index) => ({ step: String(index), from: value.start, value }))
  const child = children.find(
    ({ from, value }) => from <= span.start && span.end <= Math.max(from, value.end),
  )
  return child ? [child.step, ...stepsTo(child.value, span)] : []
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

function isTooLarge(text: string): boolean {
  return text.length > limits.bytes || new TextEncoder().encode(text).length > limits.bytes
}

/** Lexes and parses with a bound on depth and amount, so that composing (which recurses) is safe afterwards. */
function tokensOf(text: string, notes: Notes): CST.Token[] | undefined {
  const parser = new Parser()
  const tokens: CST.Token[] = []
  let count = 0
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token)
    const here = { start: parser.offset, end: parser.offset }
    if (parser.stack.length > limits.depth) {
      notes.report('manifest/too-deep', here, `nested deeper than ${limits.depth} levels`)
      return undefined
    }
    if (++count > limits.tokens) {
      notes.report('manifest/too-large', here, `more than ${limits.tokens} words and marks`)
      return undefined
    }
  }
  for (const token of parser.end()) tokens.push(token)
  return tokens
}

function readDocument(document: Document.Parsed, source: Source, notes: Notes): TreeDocument | undefined {
  if (document.errors.length > 0) {
    reportSyntax(document.errors, source, notes)
    return undefined
  }
  for (const warning of document.warnings) reportWarning(warning, notes)
  if (document.contents === null) return undefined
  const reading: Reading = { source, notes, anchors: new Map(), left: limits.nodes }
  const root = convert(document.contents, reading)
  if (reading.left < 0) {
    notes.report(
      'manifest/too-many-nodes',
      root,
      `more than ${limits.nodes} values once aliases are followed`,
    )
    return undefined
  }
  const [start, , end] = document.range
  return isEmpty(root) ? undefined : { root, start, end }
}

function reportSyntax(errors: readonly YAMLError[], source: Source, notes: Notes): void {
  const templates = new Set<number>()
  for (const error of errors.slice(0, syntaxErrorsShown)) {
    const [start, end] = error.pos
    const template = unquotedTemplateBefore(source.text, start)
    if (template === undefined) {
      notes.report('manifest/syntax', { start, end }, describeSyntax(error), hintFor(error))
    } else if (!templates.has(template)) {
      templates.add(template)
      reportUnquoted({ start: template, end: template + 2 }, notes)
    }
  }
}

/** Where a `{{` begins a value on the line of an error: what the parser says of it would not help anyone. */
function unquotedTemplateBefore(text: string, offset: number): number | undefined {
  const lineStart = text.lastIndexOf('\n', Math.max(0, offset - 1)) + 1
  const lineEnd = text.indexOf('\n', offset)
  const line = text.slice(lineStart, lineEnd === -1 ? undefined : lineEnd)
  const match = /(?:^|[:,[-])\s+(\{\{)/.exec(line)
  return match ? lineStart + match.index + match[0].length - 2 : undefined
}

function reportUnquoted(span: Span, notes: Notes): void {
  notes.report(
    'manifest/unquoted-template',
    span,
    'a value that begins with {{ is a map to YAML',
    'put the value in quotes: "{{ … }}"',
  )
}

function describeSyntax(error: YAMLError): string {
  if (error.code === 'TAB_AS_INDENT') return 'a tab where YAML wants spaces'
  const message = error.message.split('\n')[0] ?? error.message
  return message.charAt(0).toLowerCase() + message.slice(1)
}

function hintFor(error: YAMLError): string | undefined {
  switch (error.code) {
    case 'TAB_AS_INDENT':
      return 'indent with spaces'
    case 'BLOCK_AS_IMPLICIT_KEY':
    case 'MULTILINE_IMPLICIT_KEY':
      return 'check the indentation of this line; a value that contains ": " needs quotes'
    default:
      return undefined
  }
}

function reportWarning(warning: YAMLError, notes: Notes): void {
  const [start, end] = warning.pos
  if (warning.code === 'TAG_RESOLVE_FAILED') {
    notes.report(
      'manifest/unknown-tag',
      { start, end },
      'tags are not used in manifests',
      'leave the tag out, or quote the value',
    )
  } else {
    notes.report('manifest/syntax', { start, end }, describeSyntax(warning))
  }
}

interface Reading {
  readonly source: Source
  readonly notes: Notes
  readonly anchors: Map<string, { readonly tree: Tree; readonly nodes: number }>
  /** How many more nodes this document may have. */
  left: number
}

function convert(node: unknown, reading: Reading): Tree {
  if (isAlias(node)) return followAlias(node, reading)
  const before = reading.left
  reading.left -= 1
  const tree = convertOwn(node, reading)
  if ((isScalar(node) || isCollection(node)) && node.anchor) {
    reading.anchors.set(node.anchor, { tree, nodes: before - reading.left })
  }
  return tree
}

function convertOwn(node: unknown, reading: Reading): Tree {
  if (isScalar(node)) return scalarOf(node, reading.source)
  if (isMap(node)) return convertMap(node, reading)
  if (isCollection(node)) return convertList(node, reading)
  return { kind: 'scalar', value: '', style: 'plain', start: 0, end: 0 }
}

type Ranged = { readonly range?: readonly [number, number, number] | null }

function spanOf(node: Ranged): Span {
  return { start: node.range?.[0] ?? 0, end: node.range?.[1] ?? 0 }
}

type YamlScalar = Ranged & { readonly value: unknown; readonly source?: string; readonly type?: string }

const styles: Readonly<Record<string, ScalarStyle>> = {
  PLAIN: 'plain',
  QUOTE_DOUBLE: 'quoted',
  QUOTE_SINGLE: 'quoted',
  BLOCK_FOLDED: 'folded',
  BLOCK_LITERAL: 'literal',
}

function scalarOf(node: YamlScalar, source: Source): ScalarNode {
  const style = styles[node.type ?? 'PLAIN'] ?? 'plain'
  const span = spanOf(node)
  const end = style === 'quoted' ? span.end : trimmedEnd(source.text, span)
  return { kind: 'scalar', value: String(node.value ?? ''), style, start: span.start, end }
}

/** Block scalars end behind their last line break; a caret should not. */
function trimmedEnd(text: string, { start, end }: Span): number {
  let trimmed = end
  while (trimmed > start && /\s/.test(text[trimmed - 1] ?? '')) trimmed -= 1
  return trimmed
}

function followAlias(alias: Alias, reading: Reading): Tree {
  const anchor = reading.anchors.get(alias.source)
  if (!anchor) {
    reading.notes.report(
      'manifest/syntax',
      spanOf(alias),
      `no anchor &${alias.source} stands before this alias`,
    )
    return { kind: 'scalar', value: '', style: 'plain', ...spanOf(alias) }
  }
  reading.left -= anchor.nodes
  return anchor.tree
}

function convertList(node: YAMLSeq, reading: Reading): ListNode {
  return { kind: 'list', items: node.items.map((item) => convert(item, reading)), ...spanOf(node) }
}

function convertMap(node: YAMLMap, reading: Reading): MapNode | ScalarNode {
  const span = spanOf(node)
  if (reading.source.text.startsWith('{{', span.start)) {
    reportUnquoted({ start: span.start, end: span.start + 2 }, reading.notes)
    // Read on as if it had been quoted, so that the rest of the file is still checked.
    return {
      kind: 'scalar',
      value: reading.source.text.slice(span.start, span.end),
      style: 'quoted',
      ...span,
    }
  }
  const entries: Entry[] = []
  const merged: Entry[] = []
  const seen = new Set<string>()
  for (const pair of node.items) {
    const entry = convertPair(pair, reading)
    if (!entry) continue
    if (isMerge(entry)) merged.push(...mergedEntries(entry, reading))
    else if (isNew(entry, seen, reading)) entries.push(entry)
  }
  const inherited = merged.filter(({ key }) => addOnce(seen, String(key.value)))
  return { kind: 'map', entries: [...entries, ...inherited], ...span }
}

function convertPair(pair: unknown, reading: Reading): Entry | undefined {
  if (!isPair(pair)) return undefined
  const { key, value } = pair
  const name = convert(key, reading)
  if (name.kind !== 'scalar' || isEmpty(name)) {
    reading.notes.report('manifest/bad-key', name, 'a key must be plain text')
    return undefined
  }
  if (value !== null && value !== undefined) return { key: name, value: convert(value, reading) }
  return { key: name, value: { kind: 'scalar', value: '', style: 'plain', start: name.end, end: name.end } }
}

/** YAML 1.1's `<<`, which people use with anchors: keys of the map itself win. */
function isMerge({ key }: Entry): boolean {
  return key.value === '<<' && key.style === 'plain'
}

function mergedEntries({ value }: Entry, reading: Reading): readonly Entry[] {
  const sources = value.kind === 'list' ? value.items : [value]
  return sources.flatMap((source) => {
    if (source.kind === 'map') return source.entries
    reading.notes.report('manifest/bad-value', source, '<< merges maps only')
    return []
  })
}

function isNew({ key }: Entry, seen: Set<string>, reading: Reading): boolean {
  const fresh = addOnce(seen, String(key.value))
  if (!fresh) {
    reading.notes.report(
      'manifest/duplicate-key',
      key,
      `the key ${JSON.stringify(key.value)} is already given in this map`,
      'keep one of them',
    )
  }
  return fresh
}

function addOnce(seen: Set<string>, name: string): boolean {
  if (seen.has(name)) return false
  seen.add(name)
  return true
}
