// Dependencies in every form to a list of `{service, condition}`.
import { afterForms } from './forms.js'
import { entryOf, fields, type Normaliser, refuse, text } from './shapes.js'
import { childOf, type Tree } from './tree.js'

const nameOf = text('the name of a service', 'none')

const dependencyFields = fields(
  { service: nameOf, condition: text('started, healthy or completed', 'none') },
  afterForms,
)

/** A list, or one service that stands for a list of itself. */
export const normaliseAfter: Normaliser = (node, scope) => {
  const given = node.kind === 'list' ? node.items : [node]
  const items = given.flatMap((item) => readDependency(item, scope) ?? [])
  return { kind: 'list', start: node.start, end: node.end, items }
}

const readDependency: Normaliser = (node, scope): Tree | undefined => {
  if (node.kind === 'list') return refuse(node, afterForms, scope)
  if (node.kind === 'map') {
    const read = dependencyFields(node, scope)
    if (read?.kind !== 'map') return undefined
    const preset = childOf(read, 'condition') === undefined && !read.dropped?.includes('condition')
    return preset ? { ...read, entries: [...read.entries, entryOf('condition', 'started', read)] } : read
  }
  const name = nameOf(node, scope)
  if (name === undefined) return undefined
  const entries = [
    entryOf('service', String(name.kind === 'scalar' ? name.value : ''), node),
    entryOf('condition', 'started', node),
  ]
  return { kind: 'map', start: node.start, end: node.end, entries }
}
