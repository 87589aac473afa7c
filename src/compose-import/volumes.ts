// Volumes of a Compose service. A volume that services share, or that is made elsewhere, has no counterpart.
import type { Span } from '../manifest/notes.js'
import { childOf, isEmpty, type MapNode, type Tree } from '../manifest/tree.js'
import { placeholderStart } from '../manifest/variables.js'
import type { ComposeService, Entry, ForeignVolumes } from './compose-service.js'
import { type DraftItem, type DraftPair, listPair, pair, type Remark, remark } from './draft.js'
import { excerpt, leftOut, quoted, readFixedFlag, readText, readTexts, unknownKeys } from './texts.js'

/** The volumes of a file that cannot be carried over: those that are more than a name, and those of several services. */
export function foreignVolumes(services: MapNode, volumes: Tree | undefined): ForeignVolumes {
  const declared = volumes?.kind === 'map' ? volumes.entries : []
  const special = declared.flatMap(({ key, value }) => {
    const keys = ['external', 'driver', 'driver_opts', 'name'].filter((one) => {
      const found = childOf(value, one)
      return (
        found !== undefined && !isEmpty(found) && excerpt(found) !== 'local' && excerpt(found) !== 'false'
      )
    })
    const advice = `${keys.join(' and ')} of it cannot be said here: a unit of your own can say Volume=`
    return keys.length === 0 ? [] : [[String(key.value), advice] as const]
  })
  const used = services.entries.flatMap(({ value }) => [...new Set(namesIn(childOf(value, 'volumes')))])
  const shared = used
    .filter((name, index) => used.indexOf(name) !== index)
    .map((name) => [name, 'several services share it, and a volume here belongs to one service'] as const)
  return new Map([...shared, ...special])
}

/** What is said of declared volumes that no service is told. */
export function unsaidOfVolumes(volumes: MapNode): readonly Remark[] {
  return volumes.entries.flatMap(({ key, value }) => {
    const label = `volume ${quoted(String(key.value))}`
    if (value.kind !== 'map' && !isEmpty(value))
      return [leftOut(key, `${label} (${excerpt(value)})`, 'expected a map')]
    return unknownKeys(value, ['driver', 'driver_opts', 'external', 'name'], label, ['labels'])
  })
}

function namesIn(node: Tree | undefined): readonly string[] {
  const items = node?.kind === 'list' ? node.items : []
  return items.flatMap((item) => {
    const source = item.kind === 'map' ? childOf(item, 'source') : item
    if (source?.kind !== 'scalar') return []
    return item.kind === 'map' ? String(source.value) : (String(source.value).split(':')[0] ?? [])
  })
}

/** `volumes` and `tmpfs` of a service in one list. */
export function translateVolumes(node: Tree, service: ComposeService): readonly Entry[] {
  const tmpfs = childOf(service.node, 'tmpfs')
  const items = [
    ...(node.kind === 'list' ? node.items : [node]).flatMap((item) => translateVolume(item, service)),
    ...(tmpfs && !isEmpty(tmpfs) ? tmpfsItems(tmpfs) : []),
  ]
  const named = items.some(
    (item) =>
      item.kind === 'item' && item.value.entries.some((one) => one.kind === 'pair' && one.key === 'name'),
  )
  const note = remark(
    node,
    'each machine has volumes of its own: where there are several, affinity says on which one the service stays',
  )
  return [...(named ? [note] : []), ...listPair('volumes', node, items)]
}

/** `tmpfs` where there are no `volumes`, which would bring it along. */
export function translateTmpfs(node: Tree, service: ComposeService): readonly Entry[] {
  const volumes = childOf(service.node, 'volumes')
  return volumes && !isEmpty(volumes) ? [] : listPair('volumes', node, tmpfsItems(node))
}

type Item = DraftItem<{ readonly kind: 'map'; readonly entries: readonly (DraftPair | Remark)[] }> | Remark

function tmpfsItems(node: Tree): readonly Item[] {
  return readTexts(node, 'tmpfs').flatMap((one): readonly Item[] => {
    if (one.kind === 'remark') return [one]
    const [path = '', options = ''] = one.value.split(':')
    const given = options.split(',').filter((option) => option !== '' && option !== 'rw')
    const size = given.find((option) => option.startsWith('size='))?.slice('size='.length)
    const others = given.filter((option) => !option.startsWith('size='))
    const left = others.map((option) =>
      leftOut(one.at, `${quoted(option)} of tmpfs`, 'memory is mounted with nosuid, nodev and noexec'),
    )
    return [...left, tmpfsItem(one.at, path, size)]
  })
}

function tmpfsItem(at: Span, path: string, size: string | undefined): Item {
  return itemOf(at, [
    pair('tmpfs', at, true),
    pair('path', at, path),
    ...(size === undefined ? [] : [pair('size', at, mebibytes(size))]),
  ])
}

/** Compose counts in bytes where no unit is given. */
function mebibytes(size: string): string | number {
  return /^\d+$/.test(size) ? Math.max(1, Math.ceil(Number(size) / 1024 ** 2)) : size
}

function itemOf(at: Span, entries: readonly DraftPair[]): Item {
  return { kind: 'item', at, value: { kind: 'map', entries } }
}

interface Wanted {
  readonly at: Span
  readonly source: string
  readonly target: string
  readonly readonly: boolean
}

function translateVolume(node: Tree, service: ComposeService): readonly Item[] {
  if (node.kind === 'map') return translateLong(node, service)
  const { text, remarks } = readText(node, 'volumes')
  if (text === null) return remarks
  const [source = '', target, options = ''] = text.split(':')
  if (target === undefined) return [...remarks, withoutName(node, text)]
  const given = options.split(',').filter((option) => option !== '')
  const others = given.filter((option) => !['ro', 'rw', 'cached', 'delegated', 'consistent'].includes(option))
  const left = others.map((option) =>
    leftOut(node, `${quoted(option)} of a volume`, 'a unit of your own can say Volume='),
  )
  const wanted = { at: node, source, target, readonly: given.includes('ro') }
  return [...remarks, ...left, ...mount(wanted, service)]
}

const longKeys = ['type', 'source', 'target', 'read_only', 'tmpfs', 'consistency', 'bind', 'volume']

function translateLong(node: MapNode, service: ComposeService): readonly Item[] {
  const remarks: Remark[] = []
  const textOf = (key: string, within: Tree = node): string => {
    const found = childOf(within, key)
    if (!found || isEmpty(found)) return ''
    const read = readText(found, `${key} of a volume`)
    remarks.push(...read.remarks)
    return read.text ?? ''
  }
  const [type, source, target] = [textOf('type'), textOf('source'), textOf('target')]
  for (const { key, value } of node.entries) {
    const isUnsaid = ['bind', 'volume'].includes(String(key.value)) || !longKeys.includes(String(key.value))
    if (isUnsaid && !isEmpty(value) && excerpt(value) !== 'create_host_path')
      remarks.push(
        leftOut(key, `${String(key.value)} of a volume (${excerpt(value)})`, 'it has no counterpart'),
      )
  }
  if (type === 'tmpfs') {
    const tmpfs = childOf(node, 'tmpfs')
    const size = tmpfs === undefined ? '' : textOf('size', tmpfs)
    if (tmpfs !== undefined) remarks.push(...unsaidOfTmpfs(tmpfs))
    return [...remarks, tmpfsItem(node, target, size === '' ? undefined : size)]
  }
  if (type !== 'volume' && type !== 'bind')
    return [...remarks, leftOut(node, `a volume of type ${quoted(type)}`, 'known are volume, bind and tmpfs')]
  if (source === '') return [...remarks, withoutName(node, target)]
  const readonly = readFixedFlag(childOf(node, 'read_only'), 'read_only of a volume')
  const wanted = { at: node, source, target, readonly: readonly.flag === true }
  return [...remarks, ...readonly.remarks, ...mount(wanted, service)]
}

function unsaidOfTmpfs(tmpfs: Tree): readonly Remark[] {
  if (isEmpty(tmpfs)) return []
  if (tmpfs.kind !== 'map') return [leftOut(tmpfs, `tmpfs of a volume (${excerpt(tmpfs)})`, 'expected a map')]
  return unknownKeys(tmpfs, ['size'], 'tmpfs', ['mode'])
}

function mount({ at, source, target, readonly }: Wanted, { foreign }: ComposeService): readonly Item[] {
  const label = `volume ${quoted(source)}`
  if (source.includes(placeholderStart))
    return [
      leftOut(at, label, 'what is mounted cannot be a variable: name the volume, or the path of the machine'),
    ]
  const rest = [pair('path', at, target), ...(readonly ? [pair('readonly', at, true)] : [])]
  if (source.startsWith('/')) return [itemOf(at, [pair('host', at, source), ...rest])]
  if (/^[.~]/.test(source)) {
    const advice =
      'the machines have no directory of yours: put the files into the image, or give a path of the machines'
    return [leftOut(at, label, advice)]
  }
  const why = foreign.get(source)
  if (why !== undefined) return [leftOut(at, label, why)]
  return [itemOf(at, [pair('name', at, source), ...rest, pair('scope', at, 'service')])]
}

function withoutName(at: Span, path: string): Remark {
  return leftOut(at, `volume ${quoted(path)}`, 'a volume without a name goes with its container: give it one')
}
