// The nodes of the yaml package to trees. No scalar is guessed to be a number or a boolean here: a scalar is its text as
// written, and each key of the manifest says what the text means. So `0755`, `1.10`, `no` and `22:22` are no traps.
import {
  type Alias,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import type { Steps } from '../../lib/sliced-work.js'
import type { Notes, Source, Span } from '../notes.js'
import {
  type Entry,
  isEmpty,
  type ListNode,
  type MapNode,
  type ScalarNode,
  type ScalarStyle,
  type Tree,
} from '../tree.js'
import { isMerge, withMerged } from './merge.js'
import { reportJoined, reportUnquoted } from './syntax.js'

/** What the conversion of a document has seen so far. */
export interface Reading {
  readonly source: Source
  readonly notes: Notes
  readonly anchors: Map<string, { readonly tree: Tree; readonly nodes: number }>
  /** How many more nodes this document may have. */
  left: number
  /** The node that was one too many. */
  excess?: Span
}

/** Some tenths of a millisecond. */
const nodesInStep = 100

/** A node of the package with all below it as a tree. Stops where too many nodes are read: `left` is below zero then. */
export function* convert(node: unknown, reading: Reading): Steps<Tree> {
  // Of what is too much nothing more is read: a few aliases can stand for millions.
  if (reading.left < 0) return { kind: 'scalar', value: '', style: 'plain', start: 0, end: 0 }
  if (isAlias(node)) return followAlias(node, reading)
  const before = reading.left
  count(node as Ranged, 1, reading)
  if (before % nodesInStep === 0) yield
  const tree = yield* convertOwn(node, reading)
  if ((isScalar(node) || isCollection(node)) && node.anchor) {
    reading.anchors.set(node.anchor, { tree, nodes: before - reading.left })
  }
  return tree
}

function count(node: Ranged | null, nodes: number, reading: Reading): void {
  reading.left -= nodes
  if (reading.left < 0) reading.excess ??= spanOf(node ?? {})
}

function* convertOwn(node: unknown, reading: Reading): Steps<Tree> {
  if (isScalar(node)) return withoutNext(scalarOf(node), reading)
  if (isMap(node)) return yield* convertMap(node, reading)
  if (isCollection(node)) return yield* convertList(node, reading)
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

/** The first one where a comma is missing behind it: what is wrong with both as one text is no mistake of its own. */
function withoutNext(scalar: ScalarNode, { source, notes }: Reading): ScalarNode {
  if (scalar.style !== 'plain') return scalar
  const end = reportJoined(scalar, source, notes)
  return end === scalar.end ? scalar : { ...scalar, value: source.text.slice(scalar.start, end), end }
}

function followAlias(alias: Alias, reading: Reading): Tree {
  const anchor = reading.anchors.get(alias.source)
  if (!anchor) {
    reading.notes.report(
      'manifest/syntax',
      spanOf(alias),
      `there is no anchor &${alias.source} before this alias`,
    )
    return { kind: 'scalar', value: '', style: 'plain', ...spanOf(alias) }
  }
  count(alias, anchor.nodes, reading)
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

function* convertList(node: YAMLSeq, reading: Reading): Steps<ListNode> {
  const items: Tree[] = []
  for (const item of node.items) {
    const tree = yield* convert(item, reading)
    if (tree.kind === 'scalar' && tree.style === 'plain') warnOfSwallowed(tree, reading)
    items.push(tree)
  }
  return { kind: 'list', items, ...extentOf(node) }
}

function* convertMap(node: YAMLMap, reading: Reading): Steps<MapNode | ScalarNode> {
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
    const entry = yield* convertPair(pair, reading)
    if (!entry) continue
    if (isMerge(entry.key)) for (const one of mergedEntries(entry, reading)) merged.push(one)
    else if (isNew(entry, seen, reading)) entries.push(entry)
  }
  return { kind: 'map', entries: withMerged(entries, merged), ...span }
}

function* convertPair(pair: unknown, reading: Reading): Steps<Entry | undefined> {
  if (!isPair(pair)) return undefined
  const { key, value } = pair
  const name = yield* convert(key, reading)
  if (reading.left < 0) return undefined
  if (name.kind !== 'scalar' || isEmpty(name)) {
    reading.notes.report('manifest/bad-key', name, 'a key must be plain text')
    return undefined
  }
  if (value !== null && value !== undefined) return { key: name, value: yield* convert(value, reading) }
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
