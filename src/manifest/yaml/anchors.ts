// What is said once and meant in several places: `&name` before a value, `*name` in its stead, and `<<` among the keys
// of a map, as the reader of plain YAML understands them.
import type { Entry, ScalarNode, Tree } from '../tree.js'
import { type Cursor, skipBlanks } from './cursor.js'

/** Names that nothing else on a line can be taken for. */
const anchor = /&([A-Za-z0-9_-]{1,100})(?=[ \n])/y
const alias = /\*([A-Za-z0-9_-]{1,100})(?=[ \n,\]}]|$)/y

/** The name before a value, and the blanks behind it. Undefined where the cursor stands before no such name. */
export function readAnchor(cursor: Cursor): string | undefined {
  const name = readName(cursor, anchor)
  if (name !== undefined) skipBlanks(cursor)
  return name
}

/** The value that the name at the cursor stands for. Undefined for one that was not given before. */
export function readAlias(cursor: Cursor): Tree | undefined {
  const name = readName(cursor, alias)
  const anchored = name === undefined ? undefined : cursor.anchors.get(name)
  if (anchored === undefined) return undefined
  cursor.left -= anchored.nodes
  cursor.end = cursor.at
  return anchored.tree
}

function readName(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at
  const [whole = '', name] = pattern.exec(cursor.text) ?? []
  cursor.at += whole.length
  return name
}

/** Whether a key brings in the keys of other maps: YAML 1.1's `<<`, which people use with anchors. */
export function isMerge({ value, style }: ScalarNode): boolean {
  return value === '<<' && style === 'plain'
}

/** The entries that a value of `<<` brings in: those of a map, or of each map of a list. Undefined for anything else. */
export function entriesOf(value: Tree): readonly Entry[] | undefined {
  if (value.kind === 'scalar') return undefined
  if (value.kind === 'map') return value.entries
  const maps = value.items.flatMap((item) => (item.kind === 'map' ? [item] : []))
  return maps.length === value.items.length ? maps.flatMap(({ entries }) => entries) : undefined
}

/** A map's own entries, and of those that it brings in the first of each key that it does not have. */
export function withMerged(own: readonly Entry[], merged: readonly Entry[]): readonly Entry[] {
  if (merged.length === 0) return own
  const entries = new Map(own.map((entry) => [String(entry.key.value), entry]))
  for (const entry of merged) {
    const name = String(entry.key.value)
    if (!entries.has(name)) entries.set(name, entry)
  }
  return [...entries.values()]
}
