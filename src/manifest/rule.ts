import type { Package } from '../model/package.js'
import { type Notes, placeOf, type Source, type Span } from './notes.js'
import type { ServiceManifest } from './schema.js'
import { childOf, type MapNode, type Tree } from './tree.js'

/** What rules between keys look at. */
export interface RuleInput {
  /** Canonical; types are right, ranges not yet checked. */
  readonly manifest: ServiceManifest
  /** For places, and for what was given. */
  readonly tree: MapNode
  readonly source: Source
  /** The package that the service gets; null for none. */
  readonly package: Package | null
  readonly notes: Notes
}

/** Reports each way in which a manifest breaks a rule. */
export type Rule = (input: RuleInput) => void

/** Whether the author wrote a key, be it readable or not. */
export function isGiven(tree: MapNode, key: string): boolean {
  return childOf(tree, key) !== undefined || (tree.dropped ?? []).includes(key)
}

/** The node of a list's entry, or what stands around it. */
export function itemOf(tree: MapNode, key: string, index: number): Tree {
  const list = childOf(tree, key)
  return (list?.kind === 'list' ? list.items[index] : undefined) ?? list ?? tree
}

/** Where something is missing: at the key that makes it necessary, or at the first of all. */
export function placeFor(tree: MapNode, key: string): Span {
  return childOf(tree, key) ?? tree.entries[0]?.key ?? tree
}

/** `line 4`, for a second place that a message speaks of. */
export function lineOf(source: Source, span: Span): string {
  return `line ${placeOf(source.text, span).line}`
}

/** The words of the program and of the steps before it, and its variables, as far as they are written where they belong. */
export function textsOfProgram(tree: Tree): readonly Tree[] {
  const steps = childOf(tree, 'init_steps')
  const commands = (steps?.kind === 'list' ? steps.items : []).map((step) => childOf(step, 'command'))
  const program = ['command', 'entrypoint', 'environment'].map((key) => childOf(tree, key))
  return [...program, ...commands].flatMap((node) => {
    if (node?.kind === 'map') return node.entries.map(({ value }) => value)
    return node?.kind === 'list' ? node.items : []
  })
}
