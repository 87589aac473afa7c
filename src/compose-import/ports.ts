// Ports of a Compose service. The short form means the same here, and the reader of manifests checks it.
import { isEmpty, type MapNode, type Tree } from '../manifest/tree.js'
import type { Entry } from './compose-service.js'
import { type DraftItem, listPair, type Remark } from './draft.js'
import { leftOut, readText, readTexts } from './texts.js'

export function translatePorts(node: Tree): readonly Entry[] {
  const items = node.kind === 'list' ? node.items : [node]
  const ports = items.flatMap((item) =>
    item.kind === 'map' ? translatePort(item) : readTexts(item, 'ports'),
  )
  return listPair('ports', node, ports)
}

const known = ['target', 'published', 'host_ip', 'protocol', 'mode', 'name', 'app_protocol']

/** The long form, written in the short one. */
function translatePort(node: MapNode): readonly (DraftItem<string> | Remark)[] {
  const parts = new Map<string, string>()
  const remarks: Remark[] = []
  for (const { key, value } of node.entries) {
    const name = String(key.value)
    if (isEmpty(value)) continue
    const read = readText(value, `${name} of a port`)
    remarks.push(...read.remarks)
    if (read.text !== null) parts.set(name, read.text)
    if (isUnsaid(name, read.text)) remarks.push(leftOut(key, `${name} of a port`, adviceFor(name)))
  }
  const target = parts.get('target')
  if (target === undefined) return [...remarks, leftOut(node, 'a port', 'target is missing')]
  return [...remarks, { kind: 'item', at: node, value: shortForm(parts, target) }]
}

function isUnsaid(name: string, text: string | null): boolean {
  if (name === 'mode') return text !== 'host'
  return name === 'name' || name === 'app_protocol' || !known.includes(name)
}

function adviceFor(name: string): string {
  if (name === 'mode') return 'a port is published on the machine of its instance alone'
  return known.includes(name) ? 'a port has no name here' : 'Compose knows no such key'
}

function shortForm(parts: ReadonlyMap<string, string>, target: string): string {
  const [ip, published, protocol] = [parts.get('host_ip'), parts.get('published'), parts.get('protocol')]
  const address = ip === undefined ? '' : `${ip.includes(':') ? `[${ip}]` : ip}:`
  const from = published === undefined ? (ip === undefined ? '' : ':') : `${published}:`
  return `${address}${from}${target}${protocol === undefined || protocol === 'tcp' ? '' : `/${protocol}`}`
}
