// The daemon's package list: a YAML or JSON file to packages.
import { uuidOf } from '../lib/hash.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { hasErrors } from '../model/diagnostic.js'
import type { Package } from '../model/package.js'
import { named } from './loose.js'
import { type Notes, openNotes, type Source } from './notes.js'
import { parseSizeMb } from './quantities.js'
import { readTree } from './read-tree.js'
import type { PackageList } from './schema-packages.js'
import { fields, listOf, number, parsed, type Scope, text } from './shapes.js'
import { standIns } from './stand-ins.js'
import { childOf, isEmpty, type MapNode, pathAt, plainOf, type Tree, type TreeDocument } from './tree.js'
import { validatePackages } from './validate.js'

interface ReadPackages {
  /** In the order of the file; empty where a diagnostic is an error. */
  readonly packages: readonly Package[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads a package list: a list of packages, a map of them by name, or either under `packages:`. */
export function parsePackageList(source: Source): ReadPackages {
  const documents: TreeDocument[] = []
  const notes = openNotes(source, (span) => pathAt(documents, span))
  documents.push(...readTree(source, notes))
  const packages = hasErrors(notes.diagnostics) ? [] : readPackages(documents, source, notes)
  return { packages: hasErrors(notes.diagnostics) ? [] : packages, diagnostics: notes.diagnostics }
}

function readPackages(documents: readonly TreeDocument[], source: Source, notes: Notes): readonly Package[] {
  const [document, another] = documents
  if (!document || another) {
    notes.report('manifest/empty', another?.root ?? null, 'expected one document with a list of packages')
    return []
  }
  const tree = normaliseList(document.root, { source, notes, ...noTemplates })
  if (!tree) return []
  const list = { packages: [], ...(plainOf(tree) as object) }
  reportRepeated(tree, notes)
  return validatePackages(list, tree, notes) ? list.packages.map(withUuid) : []
}

/** A list of packages has nothing to fill in. */
const noTemplates = {
  variables: standIns(''),
  askedMeta: new Set<string>(),
  askedByService: new Set<string>(),
  followedMeta: new Set<string>(),
  restartOn: new Map<string, number>(),
  computeType: '',
}

const sizeMb = parsed('a size such as 512, 512M or 1.5GiB', parseSizeMb, 'none')
const packageTable = {
  uuid: text('a uuid', 'none'),
  name: text('a name', 'none'),
  family: text('a name', 'none'),
  ram: sizeMb,
  disk: sizeMb,
  cpu: number('hundredths of a core', 'none'),
}
const packageFields = fields(packageTable, 'a map with name, family, ram, disk and cpu')
const packages = listOf(packageFields)
const listFields = fields(
  { packages: (node, scope) => packages(named(node, Object.keys(packageTable)), scope) },
  'a list of packages',
)

function normaliseList(root: Tree, scope: Scope): MapNode | undefined {
  const wrapped = childOf(root, 'packages') ? root : wrap(root)
  const tree = listFields(wrapped, scope)
  if (tree?.kind !== 'map') return undefined
  return { ...tree, entries: tree.entries.map((entry) => ({ ...entry, value: withFamilies(entry.value) })) }
}

function wrap(root: Tree): Tree {
  if (root.kind === 'scalar') return root
  const key = {
    kind: 'scalar',
    style: 'plain',
    value: 'packages',
    start: root.start,
    end: root.start,
  } as const
  return { kind: 'map', start: root.start, end: root.end, entries: [{ key, value: root }] }
}

/** As node-triton does, where a package names no family: the name up to its first dash. */
function withFamilies(list: Tree): Tree {
  if (list.kind !== 'list') return list
  return { ...list, items: list.items.map(withFamily) }
}

function withFamily(one: Tree): Tree {
  const name = childOf(one, 'name')
  const family = childOf(one, 'family')
  if (one.kind !== 'map' || name?.kind !== 'scalar' || (family && !isEmpty(family))) return one
  const key = { ...name, value: 'family' }
  const value = { ...name, value: String(name.value).replace(/-.*$/, '') }
  return { ...one, entries: [...one.entries, { key, value }] }
}

function reportRepeated(tree: MapNode, notes: Notes): void {
  const list = childOf(tree, 'packages')
  for (const key of ['name', 'uuid']) {
    const seen = new Set<unknown>()
    for (const item of list?.kind === 'list' ? list.items : []) {
      const value = childOf(item, key)
      if (value?.kind !== 'scalar') continue
      if (seen.has(value.value))
        notes.report('manifest/duplicate-package', value, `there is already a package with this ${key}`)
      seen.add(value.value)
    }
  }
}

function withUuid(one: PackageList['packages'][number]): Package {
  return { ...one, uuid: one.uuid ?? uuidOf('package', one.name) }
}
