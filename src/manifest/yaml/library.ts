// Any YAML or JSON text to trees, by the yaml package; nothing beyond this file knows of it. No scalar is guessed to be
// a number or a boolean here: a scalar is its text as written, and each key of the manifest says what the text means.
// So `0755`, `1.10`, `no` and `22:22` are no traps.
import {
  type Alias,
  Composer,
  type CST,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  Lexer,
  Parser,
  type YAMLError,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import type { ManifestCode, Notes, Source, Span } from '../notes.js'
import {
  type Entry,
  isEmpty,
  type ListNode,
  type MapNode,
  type ScalarNode,
  type ScalarStyle,
  type Tree,
  type TreeDocument,
} from '../tree.js'
import { isMerge, withMerged } from './anchors.js'
import { hintAt } from './hints.js'
import { libraryLimits as limits } from './limits.js'
import { describeSyntax, reportSyntax, reportUnquoted } from './syntax.js'

/** Of a text. */
const syntaxErrorsRead = 100

/** Reads every document of a text; empty ones, and those that are not well-formed, are left out. */
export function readWithLibrary(source: Source, notes: Notes): TreeDocument[] {
  const quotes: Span[] = []
  const tokens = tokensOf(source.text, notes, quotes)
  if (!tokens) return []
  const composer = quietComposer()
  const documents: TreeDocument[] = []
  for (const document of composer.compose(tokens, false, source.text.length)) {
    const read = readDocument(document, quotes, source, notes)
    if (read) documents.push(read)
  }
  return documents
}

/**
 * A composer that tells the first problems only. The library makes an Error of each, stack and all, and a small text can
 * hold a hundred thousand: seconds of work on what nobody would read.
 */
function quietComposer(): Composer {
  const composer = new Composer({ schema: 'failsafe', uniqueKeys: false, prettyErrors: false })
  const { onError } = composer as unknown as { onError: (...problem: unknown[]) => void }
  let left = syntaxErrorsRead
  const first = (...problem: unknown[]): void => {
    left -= 1
    if (left >= 0) onError(...problem)
  }
  return Object.assign(composer, { onError: first })
}

/**
 * Lexes and parses with a bound on depth and amount, so that composing (which recurses) is safe afterwards. Adds to
 * `quotes` where quoted values stand that do not end on the line where they begin.
 */
function tokensOf(text: string, notes: Notes, quotes: Span[]): CST.Token[] | undefined {
  const refuse = (code: ManifestCode, at: number, problem: string): undefined =>
    void notes.report(code, { start: at, end: at }, problem)
  if (hasTooManyLines(text)) return refuse('manifest/too-large', 0, `more than ${limits.lines} lines`)
  const parser = new Parser()
  const tokens: CST.Token[] = []
  const seen = { lexemes: 0, documents: 0, errors: 0 }
  for (const lexeme of new Lexer().lex(text)) {
    const start = parser.offset
    for (const token of parser.next(lexeme)) keep(token, tokens, seen)
    seen.lexemes += 1
    const at = parser.offset
    if (isLongQuote(lexeme)) quotes.push({ start, end: start + lexeme.length })
    if (parser.stack.length > limits.depth)
      return refuse('manifest/too-deep', at, `nested deeper than ${limits.depth} levels`)
    if (seen.lexemes > limits.tokens)
      return refuse('manifest/too-large', at, `more than ${limits.tokens} words and marks`)
    if (seen.documents > limits.documents)
      return refuse('manifest/too-large', at, `more than ${limits.documents} documents`)
  }
  for (const token of parser.end()) keep(token, tokens, seen)
  return tokens
}

/** A quoted value over several lines, or without an end. */
function isLongQuote(lexeme: string): boolean {
  const mark = lexeme.charAt(0)
  return (
    (mark === '"' || mark === "'") && (lexeme.includes('\n') || !lexeme.endsWith(mark) || lexeme === mark)
  )
}

/** Keeps a token of the top level, of those that only say what is wrong the first. */
function keep(token: CST.Token, tokens: CST.Token[], seen: { documents: number; errors: number }): void {
  if (token.type === 'document') seen.documents += 1
  if (token.type === 'error') seen.errors += 1
  if (token.type !== 'error' || seen.errors <= syntaxErrorsRead) tokens.push(token)
}

function hasTooManyLines(text: string): boolean {
  let lines = 0
  for (let at = text.indexOf('\n'); at !== -1 && lines <= limits.lines; at = text.indexOf('\n', at + 1))
    lines += 1
  return lines > limits.lines
}

function readDocument(
  document: Document.Parsed,
  quotes: readonly Span[],
  source: Source,
  notes: Notes,
): TreeDocument | undefined {
  if (document.errors.length > 0) {
    reportSyntax(document.errors, quotes, source, notes)
    return undefined
  }
  for (const warning of document.warnings) reportWarning(warning, source, notes)
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

function reportWarning(warning: YAMLError, { text }: Source, notes: Notes): void {
  const [start, end] = warning.pos
  if (warning.code === 'TAG_RESOLVE_FAILED') {
    const hint = hintAt(text, start) ?? 'leave the tag out, or quote the value'
    notes.report('manifest/unknown-tag', { start, end }, 'tags are not used in manifests', hint)
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
  // Of what is too much nothing more is read: a few aliases can stand for millions.
  if (reading.left < 0) return { kind: 'scalar', value: '', style: 'plain', start: 0, end: 0 }
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
  if (isScalar(node)) return scalarOf(node)
  if (isMap(node)) return convertMap(node, reading)
  if (isCollection(node)) return convertList(node, reading)
  return { kind: 'scalar', value: '', style: 'plain', start: 0, end: 0 }
}

type Ranged = { readonly range?: readonly [number, number, number] | null }

function spanOf(node: Ranged): Span {
  return { start: node.range?.[0] ?? 0, end: node.range?.[1] ?? 0 }
}

/** A collection in brackets ends with them, others with their last value: comments behind it belong to nobody. */
function extentOf(node: YAMLMap | YAMLSeq): Span {
  return { start: spanOf(node).start, end: endOf(node) }
}

function endOf(node: unknown): number {
  if (isPair(node)) return node.value === null ? endOf(node.key) : endOf(node.value)
  if (isCollection(node) && node.flow !== true && node.items.length > 0) return endOf(node.items.at(-1))
  return isNode(node) ? spanOf(node).end : 0
}

type YamlScalar = Ranged & { readonly value: unknown; readonly source?: string; readonly type?: string }

const styles: Readonly<Record<string, ScalarStyle>> = {
  PLAIN: 'plain',
  QUOTE_DOUBLE: 'quoted',
  QUOTE_SINGLE: 'quoted',
  BLOCK_FOLDED: 'folded',
  BLOCK_LITERAL: 'literal',
}

function scalarOf(node: YamlScalar): ScalarNode {
  const style = styles[node.type ?? 'PLAIN'] ?? 'plain'
  return { kind: 'scalar', value: String(node.value ?? ''), style, ...spanOf(node) }
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

/** A dash that is indented further than the items of its list begins no item: it goes on with the text of the one before. */
function warnOfSwallowed({ start, end }: Span, { source: { text }, notes }: Reading): void {
  const dash = /\n[ \t]*-[ \t]/.exec(text.slice(start, end))
  if (dash === null) return
  const at = start + dash.index + dash[0].length - 2
  const message =
    'this list item is indented further than the one before it, so that YAML reads both as one text'
  const hint = 'begin all items of a list in the same column, or quote the text if it is meant so'
  notes.report('manifest/swallowed-item', { start: at, end: at + 1 }, message, hint)
}

function convertList(node: YAMLSeq, reading: Reading): ListNode {
  const items = node.items.map((item) => {
    const tree = convert(item, reading)
    if (tree.kind === 'scalar' && tree.style === 'plain') warnOfSwallowed(tree, reading)
    return tree
  })
  return { kind: 'list', items, ...extentOf(node) }
}

function convertMap(node: YAMLMap, reading: Reading): MapNode | ScalarNode {
  const span = extentOf(node)
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
    if (isMerge(entry.key)) for (const one of mergedEntries(entry, reading)) merged.push(one)
    else if (isNew(entry, seen, reading)) entries.push(entry)
  }
  return { kind: 'map', entries: withMerged(entries, merged), ...span }
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

function mergedEntries({ value }: Entry, reading: Reading): readonly Entry[] {
  const sources = value.kind === 'list' ? value.items : [value]
  return sources.flatMap((source) => {
    if (source.kind === 'map') return source.entries
    if (reading.left >= 0) reading.notes.report('manifest/bad-value', source, '<< merges maps only')
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
