// `extends:` within one file: the other service's keys, with the service's own on top.
import { childOf, type Entry, type MapNode, type Tree } from '../manifest/tree.js'

/** Services extend each other this deep at most; beyond, as in a circle, what is left of `extends` stays for a remark. */
const deepest = 10

/** The service with what it extends, where that stands in the same file; otherwise as it is. */
export function extended(node: MapNode, services: MapNode, depth = 0): MapNode {
  const other = depth < deepest ? baseOf(node, services) : undefined
  if (!other) return node
  const base = extended(other, services, depth + 1)
  const inherited = base.entries.filter(({ key }) => !neverInherited.includes(String(key.value)))
  return merge({ ...base, entries: inherited }, withoutKey(node, 'extends'))
}

/** These tie a service to others, so Compose leaves them where they are. */
const neverInherited = ['depends_on', 'links', 'volumes_from']

function baseOf(node: MapNode, services: MapNode): MapNode | undefined {
  const given = childOf(node, 'extends')
  if (!given || childOf(given, 'file')) return undefined
  const name = given.kind === 'scalar' ? given : childOf(given, 'service')
  const base = name?.kind === 'scalar' ? childOf(services, String(name.value)) : undefined
  return base?.kind === 'map' ? base : undefined
}

function withoutKey(node: MapNode, name: string): MapNode {
  return { ...node, entries: node.entries.filter(({ key }) => key.value !== name) }
}

/** Maps are merged; of anything else the service's own counts, but for the lists that Compose adds up. */
function merge(base: MapNode, own: MapNode): MapNode {
  const ownKeys = new Map(own.entries.map((entry) => [entry.key.value, entry]))
  const baseKeys = new Set(base.entries.map(({ key }) => key.value))
  const merged = base.entries.map((entry) => {
    const over = ownKeys.get(entry.key.value)
    return over ? mergeEntry(entry, over) : entry
  })
  return { ...own, entries: [...merged, ...own.entries.filter(({ key }) => !baseKeys.has(key.value))] }
}

const replacedWhole = ['command', 'entrypoint', 'test']
const pairLists = ['environment', 'labels']

function mergeEntry(base: Entry, own: Entry): Entry {
  const key = String(own.key.value)
  if (replacedWhole.includes(key)) return own
  if (key === 'env_file') return { key: own.key, value: joined(base.value, own.value) }
  const [below, above] = pairLists.includes(key)
    ? [asList(base.value), asList(own.value)]
    : [base.value, own.value]
  if (below.kind === 'map' && above.kind === 'map') return { key: own.key, value: merge(below, above) }
  if (below.kind === 'list' && above.kind === 'list')
    return { key: own.key, value: { ...above, items: [...below.items, ...above.items] } }
  return own
}

/** One after the other, as the later of two files of variables counts. */
function joined(below: Tree, above: Tree): Tree {
  const items = [below, above].flatMap((node) => (node.kind === 'list' ? node.items : [node]))
  return { kind: 'list', start: above.start, end: above.end, items }
}

/** Pairs as single maps and lines in a row, so that maps and lists of them add up. */
function asList(node: Tree): Tree {
  if (node.kind !== 'map') return node
  const items = node.entries.map((entry): MapNode => ({ ...node, entries: [entry] }))
  return { kind: 'list', start: node.start, end: node.end, items }
}
