// Which files of the directory that it is in a manifest takes, each with its place: whoever reads the manifest sends them along.
import { openNotes, type Place, placeOf, type Source } from './notes.js'
import { readTree } from './read-tree.js'
import { childOf, type Tree } from './tree.js'

export interface SourcePath {
  readonly path: string
  readonly place: Place
}

/** The paths, each once. What is wrong in the text is told when it is read. */
export function sourcePathsOf(source: Source): readonly SourcePath[] {
  if (!source.text.includes('source')) return []
  const found = new Map<string, SourcePath>()
  for (const { root } of readTree(source, openNotes(source))) collect(root, source, found)
  return [...found.values()]
}

function collect(node: Tree, source: Source, found: Map<string, SourcePath>): void {
  if (node.kind === 'scalar') return
  const [path, from] = [childOf(node, 'path'), childOf(node, 'source')]
  if (path !== undefined && from?.kind === 'scalar' && typeof from.value === 'string' && from.value !== '') {
    const plain = from.value.replace(/^(?:\.\/)+/, '')
    if (!found.has(plain)) found.set(plain, { path: plain, place: placeOf(source.text, from) })
  }
  const below = node.kind === 'map' ? node.entries.map(({ value }) => value) : node.items
  for (const one of below) collect(one, source, found)
}
