// `depends_on` as `after`.
import { childOf, isEmpty, type ScalarNode, type Tree } from '../manifest/tree.js'
import type { ComposeService, Entry } from './compose-service.js'
import { type DraftItem, listPair, pair, type Remark } from './draft.js'
import { excerpt, leftOut, readFixedFlag, readTexts, shown, unknownKeys } from './texts.js'

/** A service that another one depends on. */
interface Dependency {
  readonly at: ScalarNode | Tree
  readonly name: string
  /** In Compose's words. */
  readonly condition: string
  readonly restart: Tree | undefined
}

const conditions: Readonly<Record<string, string>> = {
  service_started: 'started',
  service_healthy: 'healthy',
  service_completed_successfully: 'completed',
}

/** The services that a service comes up after; a remark for each that cannot be waited for. */
export function translateDependencies(node: Tree, service: ComposeService): readonly Entry[] {
  const items = dependenciesIn(node).flatMap((one) => ('kind' in one ? [one] : translateOne(one, service)))
  return listPair('after', node, items)
}

const known = ['condition', 'restart', 'required']

function dependenciesIn(node: Tree): readonly (Dependency | Remark)[] {
  if (node.kind === 'map') {
    return node.entries.flatMap(({ key, value }) => {
      const name = String(key.value)
      const label = `depends_on (${shown(name)})`
      if (value.kind !== 'map' && !isEmpty(value))
        return [leftOut(key, `depends_on (${shown(name)} ${excerpt(value)})`, 'expected a map')]
      const given = childOf(value, 'condition')
      const condition = given === undefined ? 'service_started' : excerpt(given)
      const restart = childOf(value, 'restart')
      return [...unknownKeys(value, known, label), { at: key, name, condition, restart }]
    })
  }
  return readTexts(node, 'depends_on').map((item) =>
    item.kind === 'item'
      ? { at: node, name: item.value, condition: 'service_started', restart: undefined }
      : item,
  )
}

function translateOne(one: Dependency, { names, others }: ComposeService): readonly (DraftItem | Remark)[] {
  const { at, name, restart } = one
  const known = Object.hasOwn(conditions, one.condition) ? conditions[one.condition] : undefined
  const what = `depends_on (${shown(name)}${one.condition === 'service_started' ? '' : ` ${one.condition}`})`
  if (!others.imported.has(name))
    return [
      leftOut(at, what, 'this file has no such service with an image: name it in after once it is there'),
    ]
  if (known === undefined) return [leftOut(at, what, 'Compose knows no such condition')]
  if (known === 'healthy' && others.jobs.has(name))
    return [leftOut(at, what, 'it is a job, which has no health: condition: completed waits for its end')]
  const item: DraftItem = {
    kind: 'item',
    at,
    value: {
      kind: 'map',
      entries: [pair('service', at, names.get(name) ?? name), pair('condition', at, known)],
    },
  }
  const restarts = readFixedFlag(restart, `restart (${shown(name)})`)
  return restart !== undefined && restarts.flag === true
    ? [leftOut(restart, `restart (${shown(name)})`, 'it is not replaced when the other one is'), item]
    : [...restarts.remarks, item]
}
