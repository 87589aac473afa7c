// Steps before the program in every form to a list of `{command}`; `init`, which is a flag of containers, may hold them too.
import { stepForms } from './forms.js'
import { entryOf, fields, type Normaliser, refuse, text, words } from './shapes.js'
import type { MapNode, Tree } from './tree.js'

const command = words('a list of words, or one line of text that is split into words', 'command')

const image = text('the name of an image, such as migrations:1.4', 'deploy')

const stepFields = fields({ command, image }, stepForms)

/** A list, or one step that stands for a list of itself. */
export const normaliseInitSteps: Normaliser = (node, scope) => {
  const given = node.kind === 'list' ? node.items : [node]
  const items = given.flatMap((item) => readStep(item, scope) ?? [])
  return { kind: 'list', start: node.start, end: node.end, items }
}

const readStep: Normaliser = (node, scope): Tree | undefined => {
  if (node.kind === 'list') return refuse(node, stepForms, scope, 'write {command: […]}')
  if (node.kind === 'map') return stepFields(node, scope)
  const read = command(node, scope)
  if (read === undefined) return undefined
  const entry = entryOf('command', '', node)
  return { kind: 'map', start: node.start, end: node.end, entries: [{ ...entry, value: read }] }
}

/** `init` with steps in it stands for `init_steps`. */
export function withStepsOfInit(tree: MapNode): MapNode {
  if (tree.entries.some(({ key }) => key.value === 'init_steps')) return tree
  return {
    ...tree,
    entries: tree.entries.map((entry) =>
      entry.key.value === 'init' && entry.value.kind === 'list'
        ? { ...entry, key: { ...entry.key, value: 'init_steps' } }
        : entry,
    ),
  }
}

/** A flag, or steps. */
export function flagOrSteps(flag: Normaliser): Normaliser {
  return (node, scope) => (node.kind === 'scalar' ? flag(node, scope) : normaliseInitSteps(node, scope))
}
