// JSON pointers (RFC 6901) into a tree: where in the text stands what a pointer names.
import type { Span } from './notes.js'
import type { Tree } from './tree.js'

/** The steps of a pointer. */
export function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The node at a path, or the last one on the way where a default was filled in. */
export function nodeAt(
  tree: Tree,
  steps: readonly string[],
): { readonly node: Tree; readonly rest: readonly string[] } {
  const [step, ...rest] = steps
  if (step === undefined) return { node: tree, rest: [] }
  const next = childAt(tree, step)?.value
  return next ? nodeAt(next, rest) : { node: tree, rest: steps }
}

/** What to point at for a path: the value where it is a single one, else the key in front of it; null where it is not there. */
function spanAt(tree: Tree, steps: readonly string[]): Span | null {
  const { node: parent, rest } = nodeAt(tree, steps.slice(0, -1))
  const child = rest.length > 0 ? undefined : childAt(parent, steps.at(-1) ?? '')
  if (child === undefined) return null
  return child.value.kind === 'scalar' ? child.value : (child.key ?? child.value)
}

/** The same of the longest part of a path that is there: of a key that is missing, what it would be in. */
export function nearestSpanAt(tree: Tree, steps: readonly string[]): Span {
  if (steps.length === 0) return tree
  return spanAt(tree, steps) ?? nearestSpanAt(tree, steps.slice(0, -1))
}

function childAt(tree: Tree, step: string): { readonly key?: Tree; readonly value: Tree } | undefined {
  if (tree.kind === 'map') return tree.entries.find(({ key }) => key.value === step)
  const item = tree.kind === 'list' ? tree.items[Number(step)] : undefined
  return item && { value: item }
}
