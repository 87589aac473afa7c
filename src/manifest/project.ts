// Which services a document holds: itself, or each entry of its `services:`.

import { nearest } from '../lib/nearest.js'
import type { Notes, Source, Span } from './notes.js'
import { childOf, isEmpty, type MapNode, type ScalarNode, type Tree, type TreeDocument } from './tree.js'

export interface FoundService {
  readonly name: string
  /** Where the name stands in the text; null when it comes from elsewhere. */
  readonly place: Span | null
  readonly node: Tree
  /** The service's own part of the text. */
  readonly text: string
}

const keysToCome = ['name', 'defaults', 'tags', 'labels']

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
  const services = childOf(document.root, 'services')
  if (services && document.root.kind === 'map') return servicesOf(document.root, services, source, notes)
  const text = documents === 1 ? source.text : source.text.slice(document.start, document.end)
  return [
    {
      ...nameOf(document.root, { name: source.name ?? baseName(source.file), place: null }),
      node: document.root,
      text,
    },
  ]
}

function servicesOf(root: MapNode, services: Tree, source: Source, notes: Notes): FoundService[] {
  for (const { key } of root.entries) reportProjectKey(key, notes)
  if (services.kind !== 'map') {
    notes.report('manifest/bad-value', services, 'expected a map of services by name')
    return []
  }
  return services.entries.map(({ key, value }) => ({
    ...nameOf(value, { name: String(key.value), place: key }),
    node: isEmpty(value) ? { kind: 'map', entries: [], start: key.start, end: key.end } : value,
    text: ownText(key, value, source),
  }))
}

function reportProjectKey(key: ScalarNode, notes: Notes): void {
  const name = String(key.value)
  if (name === 'services') return
  if (keysToCome.includes(name)) {
    notes.report(
      'manifest/not-supported-yet',
      key,
      `${name} beside services is not supported yet`,
      'leave it out for now',
    )
    return
  }
  const near = nearest(name, ['services', ...keysToCome])
  const hint = near ? `did you mean ${near}?` : 'keys of a service stand under its name in services'
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

/**
 * A block map stands on lines of its own, which are a manifest by themselves: comments and indentation stay as they
 * were submitted. Where the map is written in braces, or shares nodes with other services by aliases, it is told as JSON.
 */
function ownText(key: ScalarNode, node: Tree, source: Source): string {
  const nextLine = source.text.indexOf('\n', key.end) + 1
  const ownLines = node.kind === 'map' && nextLine > 0 && nextLine <= node.start
  const inBraces = source.text[node.start] === '{'
  if (!ownLines || inBraces || !holds(node, node)) return `${jsonOf(node, '')}\n`
  const lineEnd = source.text.indexOf('\n', node.end - 1) + 1
  return source.text.slice(nextLine, lineEnd === 0 ? undefined : lineEnd)
}

function holds(span: Span, node: Tree): boolean {
  if (node.start < span.start || node.end > span.end) return false
  if (node.kind === 'list') return node.items.every((item) => holds(span, item))
  return (
    node.kind === 'scalar' || node.entries.every(({ key, value }) => holds(span, key) && holds(span, value))
  )
}

/** The tree as JSON that reads back as the same tree. Plain nothings (`~`, `null`) stay as they are written. */
function jsonOf(node: Tree, indent: string): string {
  if (node.kind === 'scalar') return isEmpty(node) ? String(node.value) : JSON.stringify(node.value)
  const inner = `${indent}  `
  const [open, close] = node.kind === 'list' ? '[]' : '{}'
  const parts =
    node.kind === 'list'
      ? node.items.map((item) => jsonOf(item, inner))
      : node.entries.map(({ key, value }) => `${JSON.stringify(key.value)}: ${jsonOf(value, inner)}`)
  return parts.length === 0
    ? `${open}${close}`
    : `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`
}
