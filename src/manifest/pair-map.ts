// `key=value` in lists, as maps.
import type { Source } from './notes.js'
import { type Entry, locate, type MapNode, type ScalarNode, type Tree } from './tree.js'

/** `key=value` as a key and a value, which begins behind the first `=`; undefined when there is none. */
export function splitPair(node: ScalarNode, source: Source): Entry | undefined {
  const pair = String(node.value)
  const equals = pair.indexOf('=')
  if (equals === -1) return undefined
  const key = { ...node, value: pair.slice(0, equals), ...locate(source, node, 0, equals) }
  const value = { ...node, value: pair.slice(equals + 1), ...locate(source, node, equals + 1, pair.length) }
  return { key, value }
}

/** A map, or a list of `key=value` and maps, as one map; undefined when something else stands in it. */
export function pairMap(node: Tree, source: Source): MapNode | undefined {
  if (node.kind === 'map') return node
  if (node.kind === 'scalar') return undefined
  const entries = node.items.map((item) => entriesOf(item, source))
  if (entries.includes(undefined)) return undefined
  return { kind: 'map', start: node.start, end: node.end, entries: entries.flatMap((some) => some ?? []) }
}

function entriesOf(item: Tree, source: Source): readonly Entry[] | undefined {
  if (item.kind === 'map') return item.entries
  const entry = item.kind === 'scalar' ? splitPair(item, source) : undefined
  return entry && [entry]
}
