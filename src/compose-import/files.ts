// `configs` and `secrets` of a Compose service: files that an instance finds. What a secret holds is never carried over: a
// key of the project's metadata stands for it.
import { childOf, isEmpty, type MapNode, type Tree } from '../manifest/tree.js'
import { sourcePathPattern } from '../model/arriving-file.js'
import { metaKeyProblem } from '../model/meta.js'
import type { ComposeService, Entry, Translate } from './compose-service.js'
import {
  type DraftItem,
  type DraftMap,
  type DraftPair,
  listPair,
  pair,
  type Remark,
  remark,
} from './draft.js'
import { excerpt, leftOut, quoted, readText, shellWord, unknownKeys } from './texts.js'

type Kind = 'configs' | 'secrets'
type Item = DraftItem<DraftMap> | Remark

/** Both keys make entries of `files`; the first of them that a service has brings the other along. */
export function translateFiles(kind: Kind): Translate {
  const other: Kind = kind === 'configs' ? 'secrets' : 'configs'
  return (node, service) => {
    const beside = childOf(service.node, other)
    const both = beside !== undefined && !isEmpty(beside)
    const isFirst = !both || node.start <= beside.start
    if (!isFirst) return []
    const items = [...itemsOf(node, kind, service), ...(both ? itemsOf(beside, other, service) : [])]
    return listPair('files', node, items)
  }
}

/** The keys of metadata that the files of a service are made of. */
export function metaKeysOfFiles({ entries }: DraftMap): readonly string[] {
  const files = entries.find((entry): entry is DraftPair => entry.kind === 'pair' && entry.key === 'files')
  if (typeof files?.value !== 'object' || files.value.kind !== 'list') return []
  return files.value.items.flatMap((item) => {
    const given = item.kind === 'item' && typeof item.value === 'object' && item.value.kind === 'map'
    return given ? item.value.entries.flatMap(metaKeyIn) : []
  })
}

function metaKeyIn(entry: Entry): readonly string[] {
  return entry.kind === 'pair' && entry.key === 'meta' && typeof entry.value === 'string' ? [entry.value] : []
}

function itemsOf(node: Tree, kind: Kind, service: ComposeService): readonly Item[] {
  const given = node.kind === 'list' ? node.items : [node]
  return given.filter((item) => !isEmpty(item)).flatMap((item) => itemOf(item, kind, service))
}

interface Wanted {
  readonly at: Tree
  readonly kind: Kind
  /** Its name in the file. */
  readonly source: string
  readonly path: string
  readonly rights: readonly DraftPair[]
}

const longKeys = ['source', 'target', 'uid', 'gid', 'mode']

function itemOf(node: Tree, kind: Kind, service: ComposeService): readonly Item[] {
  const remarks: Remark[] = []
  const textOf = (key: string): string => {
    const found = node.kind === 'map' ? childOf(node, key) : key === 'source' ? node : undefined
    if (found === undefined || isEmpty(found)) return ''
    const read = readText(found, `${key} of ${kind}`)
    remarks.push(...read.remarks)
    return read.text ?? ''
  }
  const [source, target] = [textOf('source'), textOf('target')]
  const others = node.kind === 'map' ? node.entries.filter(({ key }) => !isKnown(key.value)) : []
  for (const { key, value } of others)
    remarks.push(
      leftOut(key, `${String(key.value)} of ${kind} (${excerpt(value)})`, 'Compose knows no such key'),
    )
  if (source === '') return [...remarks, leftOut(node, `an entry of ${kind}`, 'it has no source')]
  const name = target === '' ? source : target
  const path = name.startsWith('/') ? name : `${kind === 'configs' ? '' : '/run/secrets'}/${name}`
  const rights = rightsOf(node, textOf, remarks)
  return [...remarks, ...fileOf({ at: node, kind, source, path, rights }, service)]
}

function isKnown(key: unknown): boolean {
  return longKeys.includes(String(key))
}

function rightsOf(at: Tree, textOf: (key: string) => string, remarks: Remark[]): readonly DraftPair[] {
  const [uid, gid, mode] = [textOf('uid'), textOf('gid'), textOf('mode')]
  const [, bits] = /^0?o?([0-7]{3})$/.exec(mode) ?? []
  if (mode !== '' && bits === undefined)
    remarks.push(leftOut(at, `mode ${quoted(mode)}`, 'permissions are octal digits such as 0440'))
  const owner = uid === '' && gid === '' ? '' : `${uid === '' ? '0' : uid}${gid === '' ? '' : `:${gid}`}`
  return [
    ...(bits === undefined ? [] : [pair('mode', at, `0${bits}`)]),
    ...(owner === '' ? [] : [pair('owner', at, owner)]),
  ]
}

function fileOf(wanted: Wanted, { declared }: ComposeService): readonly Item[] {
  const { at, kind, source, path, rights } = wanted
  const label = `${kind === 'configs' ? 'config' : 'secret'} ${quoted(source)}`
  const all = declared[kind]
  const found = all === undefined ? undefined : childOf(all, source)
  if (found?.kind !== 'map') return [leftOut(at, label, `${kind} of this file does not say what it is`)]
  const unread = unknownKeys(found, declaredKeys, label, [
    'driver',
    'driver_opts',
    'labels',
    'template_driver',
  ])
  const held = kind === 'configs' ? heldBy(source, found, label) : secretOf(source, found, label)
  if (held.holds === null) return [...unread, ...held.remarks]
  const secret = kind === 'secrets' ? [pair('secret', at, true)] : []
  const entries = [pair('path', at, path), held.holds, ...secret, ...rights]
  return [...unread, ...held.remarks, { kind: 'item', at, value: { kind: 'map', entries } }]
}

const declaredKeys = ['file', 'content', 'environment', 'external', 'name']

/** What a file is made of, and what there is to say of it. */
interface Held {
  readonly holds: DraftPair | null
  readonly remarks: readonly Remark[]
}

const sourcePath = new RegExp(sourcePathPattern, 'u')

function heldBy(name: string, given: MapNode, label: string): Held {
  const [file, content] = [childOf(given, 'file'), childOf(given, 'content')]
  if (content !== undefined) {
    const { text, remarks } = readText(content, `content of ${label}`)
    return { holds: text === null ? null : pair('template', content, text), remarks }
  }
  if (file === undefined) return keptAsMeta(name, given, label, '')
  const { text, remarks } = readText(file, `file of ${label}`)
  const path = (text ?? '').replace(/^(?:\.\/)+/, '')
  if (text === null) return { holds: null, remarks }
  if (!sourcePath.test(path) || path.startsWith('/')) {
    const advice =
      'a file comes from below the directory of the manifest: put it there, and name it as source'
    return { holds: null, remarks: [...remarks, leftOut(file, `${label} from ${quoted(text)}`, advice)] }
  }
  const beside = remark(
    file,
    `${path} is sent with the manifest: keep it beside the manifest, under that path`,
  )
  return { holds: pair('source', file, path), remarks: [...remarks, beside] }
}

function secretOf(name: string, given: MapNode, label: string): Held {
  const file = childOf(given, 'file')
  if (file !== undefined) {
    const { text, remarks } = readText(file, `file of ${label}`)
    // Neither an option, nor standard input.
    const path = text?.startsWith('-') === true ? `./${text}` : text
    const kept = keptAsMeta(name, given, label, ` --file ${path === null ? 'FILE' : shellWord(path)}`)
    return { ...kept, remarks: [...remarks, ...kept.remarks] }
  }
  return keptAsMeta(name, given, label, '')
}

/** A key of the metadata, under the name that it has where it comes from, with how it is set. */
function keptAsMeta(name: string, given: MapNode, label: string, from: string): Held {
  const variable = childOf(given, 'environment')
  const own = childOf(given, 'name')
  const said = variable ?? (isExternal(given) ? own : undefined)
  const key = said?.kind === 'scalar' && !isEmpty(said) ? String(said.value) : name
  const isSecret = label.startsWith('secret')
  const problem = metaKeyProblem(key)
  if (problem !== null)
    return {
      holds: null,
      remarks: [leftOut(given, label, `${quoted(key)} can be no key of metadata: ${problem}`)],
    }
  const value = from === '' ? ' VALUE' : from
  const command = `mariposa meta set ${key}${value}${isSecret ? ' --secret' : ''}`
  const why = isExternal(given)
    ? `${label} is made outside of this file`
    : isSecret
      ? `what ${label} holds is not carried over`
      : `${label} comes from the environment of whoever ran Compose`
  return { holds: pair('meta', given, key), remarks: [remark(given, `${why}: ${command}`)] }
}

function isExternal(given: MapNode): boolean {
  const external = childOf(given, 'external')
  return external !== undefined && !isEmpty(external) && excerpt(external) !== 'false'
}
