// The loose forms of maps in the seed: lists of maps, lists of single-key maps, maps by name. Each becomes the plain
// form here, before the keys themselves are read.
import { type Entry, isEmpty, type MapNode, type ScalarNode, type Tree } from './tree.js'

/**
 * The maps of a list as one map. A bare word that is one of `words` counts as a key with nothing behind it, as the
 * seed writes `- port`. Anything else stays as it is, for `fields` to refuse.
 */
export function mergedMaps(node: Tree, words: readonly string[] = []): Tree {
  if (node.kind !== 'list') return node
  const entries = node.items.map((item) => (item.kind === 'map' ? item.entries : bareKey(item, words)))
  if (entries.includes(undefined)) return node
  return { kind: 'map', start: node.start, end: node.end, entries: entries.flatMap((some) => some ?? []) }
}

function bareKey(item: Tree, words: readonly string[]): Entry[] | undefined {
  if (item.kind !== 'scalar' || !words.includes(String(item.value))) return undefined
  return [{ key: item, value: nothingBehind(item) }]
}

function nothingBehind({ end }: ScalarNode): ScalarNode {
  return { kind: 'scalar', value: '', style: 'plain', start: end, end }
}

/** Single-key maps in a row as one map each; a key that comes again begins the next. Other lists stay as they are. */
export function regrouped(node: Tree): Tree {
  if (node.kind !== 'list') return node
  const singles = node.items.filter(isSingle)
  if (singles.length < node.items.length) return node
  const groups: Entry[][] = []
  for (const entry of singles.flatMap((single) => single.entries)) {
    const group = groups.at(-1)
    if (!group || group.some(({ key }) => key.value === entry.key.value)) groups.push([entry])
    else group.push(entry)
  }
  return { ...node, items: groups.map(mapOf) }
}

function isSingle(item: Tree): item is MapNode {
  return item.kind === 'map' && item.entries.length === 1
}

function mapOf(entries: readonly Entry[]): MapNode {
  return { kind: 'map', entries, start: entries[0]?.key.start ?? 0, end: entries.at(-1)?.value.end ?? 0 }
}

/**
 * Things with names, as a list of maps with a `name`: from a map by name, one map, a list of maps, a list of maps by
 * name, or single-key maps in a row. In a list, `- highram:` with the keys beside it instead of below counts too.
 */
export function named(node: Tree, keys: readonly string[]): Tree {
  if (node.kind === 'scalar') return node
  if (node.kind === 'map') {
    const items = isByName(node) ? node.entries.map(withName) : [node]
    return { kind: 'list', start: node.start, end: node.end, items: node.entries.length === 0 ? [] : items }
  }
  const flat = node.items.every((item) => isSingle(item) && !isByName(item))
  if (flat) return regrouped(node)
  return { ...node, items: node.items.flatMap((item) => namesIn(item, keys)) }
}

function namesIn(item: Tree, keys: readonly string[]): Tree[] {
  if (item.kind !== 'map') return [item]
  if (isByName(item)) return item.entries.map(withName)
  const [first, ...rest] = item.entries
  const isName = first !== undefined && isEmpty(first.value) && !keys.includes(String(first.key.value))
  return [isName && rest.length > 0 ? { ...item, entries: [nameEntry(first), ...rest] } : item]
}

/** A map by name as a list of its maps; their names are for who reads or overrides them. */
export function valuesByName(node: Tree): Tree {
  if (node.kind !== 'map' || !isByName(node)) return node
  return { kind: 'list', start: node.start, end: node.end, items: node.entries.map(({ value }) => value) }
}

/** A map of maps is one by name. */
function isByName({ entries }: MapNode): boolean {
  return entries.length > 0 && entries.every(({ value }) => value.kind === 'map')
}

/** A `name` inside wins over the key, and `fields` tells of both. */
function withName(entry: Entry): Tree {
  const { value } = entry
  if (value.kind !== 'map') return value
  return { ...value, entries: [nameEntry(entry), ...value.entries] }
}

function nameEntry({ key }: Entry): Entry {
  return { key: { ...key, value: 'name' }, value: { ...key, style: 'quoted' } }
}
