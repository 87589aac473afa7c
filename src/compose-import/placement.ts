// Swarm's rules on which nodes run a service, as rules on machines: its node labels are the metadata of machines here.
import { isEmpty, type Tree } from '../manifest/tree.js'
import type { ComposeService, Entry } from './compose-service.js'
import { type DraftItem, listPair, pair, type Remark } from './draft.js'
import { excerpt, leftOut, quoted, readText, readTexts, shown } from './texts.js'

export function translatePlacement(node: Tree, service: ComposeService): readonly Entry[] {
  if (node.kind !== 'map') return [leftOut(node, `placement of deploy (${excerpt(node)})`, 'expected a map')]
  const rules = node.entries.flatMap(({ key, value }) => rulesOf(String(key.value), value, service))
  const preferences = node.entries.find(({ key }) => key.value === 'preferences')?.value
  return [...listPair('affinity', node, rules), ...(preferences ? spreadOf(preferences) : [])]
}

function rulesOf(key: string, node: Tree, { newName }: ComposeService): readonly (DraftItem | Remark)[] {
  if (isEmpty(node) || key === 'preferences') return []
  if (key === 'constraints')
    return readTexts(node, 'constraints').map((item) => (item.kind === 'item' ? ruleOf(item) : item))
  if (key === 'max_replicas_per_node' && readText(node, key).text === '1')
    return [{ kind: 'item', at: node, value: `instance!=${newName}-*` }]
  return [leftOut(node, `${shown(key)} of placement (${excerpt(node)})`, 'say it with affinity')]
}

function ruleOf({ at, value }: DraftItem<string>): DraftItem | Remark {
  const match = /^\s*(?:node|engine)\.labels\.([A-Za-z0-9_.-]+)\s*(==|!=)\s*([^=!~].*?)\s*$/.exec(value)
  if (!match)
    return leftOut(
      at,
      `constraint ${quoted(value)}`,
      'give the machines metadata, and say machine.KEY==VALUE',
    )
  const [, key, operator, wanted] = match
  return { kind: 'item', at, value: `machine.${key}${operator}${wanted}` }
}

/** Instances are spread over one key at most. */
function spreadOf(node: Tree): readonly Entry[] {
  const items = node.kind === 'list' ? node.items : [node]
  const keys = items.flatMap((item) => (item.kind === 'map' ? item.entries : []))
  const other = items.filter((item) => item.kind !== 'map' && !isEmpty(item))
  const [first, ...more] = keys.map(({ key, value }) => ({
    at: key,
    path: String(key.value) === 'spread' ? readText(value, 'spread').text : null,
    value,
  }))
  const label = /^(?:node|engine)\.labels\.(.+)$/.exec(first?.path ?? '')?.[1]
  const unsaid = label === undefined ? [first, ...more] : more
  const left = [...unsaid.filter((one) => one !== undefined), ...other.map((at) => ({ at, value: at }))]
  const advice = 'instances are spread over one key of the metadata of machines'
  const remarks = left.map(({ at, value }) =>
    leftOut(at, `preference of placement (${excerpt(value)})`, advice),
  )
  return [...remarks, ...(first && label !== undefined ? [pair('spread', first.at, label)] : [])]
}
