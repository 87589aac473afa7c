// What a project says for all of its services, merged into each: maps merge, lists and scalars replace. Done on the
// tree, so that a problem in a default is told at the place of the default.
import { mergedMaps } from './loose.js'
import type { Source } from './notes.js'
import { pairMap } from './pair-map.js'
import { type Entry, isEmpty, type MapNode, type Tree } from './tree.js'

/** Keys that are the same under another name. */
const aliases: Readonly<Record<string, string>> = { tags: 'labels', dns_search: 'dns-search' }

/** A service's own map over what its project says for all; the service's keys win. */
export function mergeDefaults(own: Tree, defaults: MapNode, source: Source): Tree {
  if (own.kind !== 'map') return own
  const given = new Map(defaults.entries.map((entry) => [nameOf(entry), entry]))
  const used = new Set<string>()
  const entries = own.entries.map((entry): Entry => {
    const name = nameOf(entry)
    const preset = given.get(name)
    if (!preset || used.has(name)) return entry
    used.add(name)
    return { key: entry.key, value: mergeValue(name, entry.value, preset.value, source) }
  })
  const inherited = defaults.entries.filter((entry) => !used.has(nameOf(entry)))
  return { ...own, entries: [...entries, ...inherited] }
}

function nameOf({ key }: Entry): string {
  const name = String(key.value)
  return Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name
}

function mergeValue(name: string, own: Tree, preset: Tree, source: Source): Tree {
  if (isEmpty(own)) return preset
  const [over, under] = [asMap(name, own, source), asMap(name, preset, source)]
  if (over.kind !== 'map' || under.kind !== 'map') return own
  return isPairs(name) ? mergePairs(over, under) : mergeDefaults(over, under, source)
}

/** In pairs a key with nothing behind it is the empty text, and any name is a name of its own. */
function mergePairs(own: MapNode, defaults: MapNode): MapNode {
  const names = new Set(own.entries.map(({ key }) => String(key.value)))
  const inherited = defaults.entries.filter(({ key }) => !names.has(String(key.value)))
  return { ...own, entries: [...own.entries, ...inherited] }
}

/** Loose forms of maps as maps: lists of `key=value`, lists of single-key maps. */
function asMap(name: string, node: Tree, source: Source): Tree {
  if (isPairs(name)) return pairMap(node, source) ?? node
  return ['stop', 'autoscale', 'containerpilot', 'schedule'].includes(name) ? mergedMaps(node) : node
}

function isPairs(name: string): boolean {
  return ['environment', 'labels', 'sysctls', 'ulimits'].includes(name)
}
