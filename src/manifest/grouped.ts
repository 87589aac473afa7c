// Later drafts of the manifest gather some keys in groups. What stands in a group is what stands beside it.
import { mergedMaps } from './loose.js'
import { type Entry, isEmpty, type MapNode, type Tree } from './tree.js'

export interface Group {
  readonly keys: readonly string[]
  /** The key that the group itself means where it is no map of its keys; null for none. */
  readonly plain: string | null
}

export const groups: ReadonlyMap<string, Group> = new Map<string, Group>([
  ['resources', { keys: ['package', 'memory'], plain: null }],
  ['placement', { keys: ['affinity', 'spread'], plain: 'affinity' }],
])

/** A service's map with what its groups hold in their place. What is no group stays, for `fields` to refuse. */
export function ungrouped(node: Tree): Tree {
  if (node.kind !== 'map' || !node.entries.some(({ key }) => groups.has(String(key.value)))) return node
  return { ...node, entries: node.entries.flatMap((entry) => entriesOf(entry)) } satisfies MapNode
}

function entriesOf(entry: Entry): readonly Entry[] {
  const group = groups.get(String(entry.key.value))
  if (group === undefined) return [entry]
  const held = mergedMaps(entry.value)
  // As everywhere, a key with nothing behind it is not given.
  if (isEmpty(held) || (held.kind === 'map' && held.entries.length === 0)) return []
  const isPlain = held.kind !== 'map' || (group.plain !== null && held.entries.some(isOfRule))
  if (!isPlain) return held.entries
  return group.plain === null ? [entry] : [{ key: { ...entry.key, value: group.plain }, value: entry.value }]
}

/** Whether a key is one of a rule of affinity, which may be written as a map. */
function isOfRule({ key }: Entry): boolean {
  return ruleKeys.includes(String(key.value))
}

const ruleKeys = ['rule', 'key', 'operator', 'value', 'by']
