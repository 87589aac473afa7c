// Which services a document holds: itself, or each entry of its `services:` with what its project says for all.
import { nearest } from '../lib/nearest.js'
import { ungrouped } from './grouped.js'
import { mergedMaps } from './loose.js'
import { mergeDefaults } from './merge-defaults.js'
import { type Notes, openNotes, type Source, type Span } from './notes.js'
import { openOwnText } from './own-text.js'
import { pairMap } from './pair-map.js'
import { readTree } from './read-tree.js'
import { childOf, type Entry, isEmpty, type MapNode, type Tree, type TreeDocument } from './tree.js'

export interface FoundService {
  readonly name: string
  /** Where the name stands in the text; null when it comes from elsewhere. */
  readonly place: Span | null
  readonly node: Tree
  /** The service's own part of the text. */
  readonly text: string
  /** The `name:` of a project manifest: which project it is meant for. */
  readonly project?: Tree
}

const projectKeys = ['services', 'defaults', 'tags', 'labels', 'name']

/**
 * The services of a document, named by the contract's rule: `name:` in it, else the key in `services:`, else the
 * given name, else the file's base name.
 */
export function findServices(
  document: TreeDocument,
  documents: number,
  source: Source & { readonly name?: string },
  notes: Notes,
): FoundService[] {
  // The seed writes its examples as a list of keys.
  const root = mergedMaps(document.root)
  const services = root.kind === 'map' ? root.entries.find(({ key }) => key.value === 'services') : undefined
  if (services && root.kind === 'map') return servicesOf(root, services, source, notes)
  const text = documents === 1 ? source.text : source.text.slice(document.start, document.end)
  return [
    {
      ...nameOf(root, { name: source.name ?? baseName(source.file), place: null }),
      node: ungrouped(root),
      text,
    },
  ]
}

/** The project that a text says it is for; null where it says none, or cannot be read. */
export function projectNamedIn(source: Source): string | null {
  for (const { root } of readTree(source, openNotes(source))) {
    const read = mergedMaps(root)
    const name = childOf(read, 'services') === undefined ? undefined : childOf(read, 'name')
    if (name?.kind === 'scalar' && !isEmpty(name)) return String(name.value)
  }
  return null
}

/** The tags of a project manifest, as it writes them; null for a document that is none. */
export function projectTagsOf(
  document: TreeDocument,
  source: Source,
): Readonly<Record<string, string>> | null {
  const root = mergedMaps(document.root)
  if (childOf(root, 'services') === undefined) return null
  const given = childOf(root, 'tags') ?? childOf(root, 'labels')
  const pairs = given === undefined ? undefined : pairMap(given, source)
  const entries = pairs?.entries ?? []
  return Object.fromEntries(
    entries.flatMap(({ key, value }) =>
      value.kind === 'scalar' ? [[String(key.value), String(value.value)]] : [],
    ),
  )
}

function servicesOf(root: MapNode, services: Entry, source: Source, notes: Notes): FoundService[] {
  for (const { key } of root.entries) reportUnknown(String(key.value), key, notes)
  const found = services.value
  if (found.kind !== 'map' || found.entries.length === 0) {
    notes.report('manifest/bad-value', found, 'expected a map of services by name')
    return []
  }
  const common = root.entries.filter(({ key }) => ['defaults', 'tags', 'labels'].includes(String(key.value)))
  const defaults = commonDefaults(common, source, notes)
  const project = childOf(root, 'name')
  const ownText = openOwnText(services, common, source)
  return found.entries.map((entry) => {
    const merged = mergeDefaults(ownMap(entry), defaults, source)
    return {
      ...nameOf(merged, { name: String(entry.key.value), place: entry.key }),
      node: merged,
      text: ownText(entry, merged),
      ...(project && !isEmpty(project) && { project }),
    }
  })
}

function ownMap({ key, value }: Entry): Tree {
  if (isEmpty(value)) return { kind: 'map', entries: [], start: key.start, end: key.end }
  return ungrouped(mergedMaps(value))
}

/** `defaults`, with the project's `tags` below its own `labels`. */
function commonDefaults(common: readonly Entry[], source: Source, notes: Notes): MapNode {
  const nothing: MapNode = { kind: 'map', entries: [], start: 0, end: 0 }
  const labels = common.filter(({ key, value }) => key.value !== 'defaults' && !isEmpty(value))
  const [first, second] = labels
  if (first && second) {
    const message = `${second.key.value} is another name of ${first.key.value}, which is already given`
    notes.report('manifest/conflict', second.key, message, 'keep one of them')
  }
  const given = common.find(({ key }) => key.value === 'defaults')?.value
  const tagged = { ...nothing, entries: first ? [first] : [] }
  if (!given || isEmpty(given)) return tagged
  const defaults = ungrouped(mergedMaps(given))
  if (defaults.kind !== 'map') {
    notes.report('manifest/bad-value', given, 'expected a map of manifest keys')
    return tagged
  }
  const name = defaults.entries.find(({ key }) => key.value === 'name')
  if (name) notes.report('manifest/conflict', name.key, 'services cannot share a name', 'leave it out')
  const entries = defaults.entries.filter((entry) => entry !== name)
  const merged = mergeDefaults({ ...defaults, entries }, tagged, source)
  return merged.kind === 'map' ? merged : tagged
}

function reportUnknown(name: string, key: Span, notes: Notes): void {
  if (projectKeys.includes(name)) return
  const near = nearest(name, projectKeys)
  const hint = near ? `did you mean ${near}?` : 'keys of a service belong under its name in services'
  notes.report('manifest/unknown-key', key, `there is no key ${JSON.stringify(name)} beside services`, hint)
}

function nameOf(
  node: Tree,
  otherwise: { name: string; place: Span | null },
): { name: string; place: Span | null } {
  const named = childOf(node, 'name')
  return named?.kind === 'scalar' && !isEmpty(named) ? { name: String(named.value), place: named } : otherwise
}

function baseName(file: string): string {
  const base = file.split(/[/\\]/).at(-1) ?? file
  return base.replace(/(?<=.)\.(ya?ml|json)$/i, '')
}
