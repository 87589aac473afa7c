// Limits and rights of a Compose service beside its memory.
import { childOf, isEmpty, type Tree } from '../manifest/tree.js'
import { placeholderStart } from '../manifest/variables.js'
import type { ComposeService, Entry, Translate } from './compose-service.js'
import { type DraftItem, listPair, mapPair, pair, type Remark, remark } from './draft.js'
import { bytesOf } from './sizes.js'
import { excerpt, leftOut, quoted, readFlag, readPairs, readText, readTexts, unknownKeys } from './texts.js'

/** A key that is true or false; false is what there is without it. */
export function flagKey(key: string): Translate {
  return (node) => {
    const { flag, remarks } = readFlag(node, key)
    return flag === null || flag === false ? remarks : [...remarks, pair(key, node, flag)]
  }
}

/** A key with pairs of texts. */
export function pairsKey(key: string): Translate {
  return (node) => mapPair(key, node, pairsOf(node, key))
}

function pairsOf(node: Tree, key: string): readonly Entry[] {
  return readPairs(node, key).map((one) =>
    one.kind === 'given' ? pair(one.key, one.at, one.text ?? '') : one,
  )
}

/** A map of addresses, or lines of `name:address` and `name=address`. */
export function translateExtraHosts(node: Tree): readonly Entry[] {
  if (node.kind !== 'map') return listPair('extra_hosts', node, readTexts(node, 'extra_hosts'))
  const items = readPairs(node, 'extra_hosts').map((one): DraftItem | Remark =>
    one.kind === 'given' ? { kind: 'item', at: one.at, value: `${one.key}:${one.text ?? ''}` } : one,
  )
  return listPair('extra_hosts', node, items)
}

export function translateUlimits(node: Tree): readonly Entry[] {
  if (node.kind !== 'map') return [leftOut(node, `ulimits (${excerpt(node)})`, 'expected a map')]
  const entries = node.entries.flatMap(({ key, value }): readonly Entry[] => {
    const name = String(key.value)
    if (isEmpty(value)) return []
    if (value.kind === 'map') return mapPair(name, value, pairsOf(value, `ulimits ${name}`).map(withNumber))
    const { text, remarks } = readText(value, `ulimits ${name}`)
    return text === null ? remarks : [...remarks, withNumber(pair(name, value, text))]
  })
  return mapPair('ulimits', node, entries)
}

/** A text of digits as the number that it is. */
function withNumber(entry: Entry): Entry {
  if (entry.kind === 'remark' || typeof entry.value !== 'string') return entry
  return /^-?(0|[1-9]\d{0,14})$/.test(entry.value) ? { ...entry, value: Number(entry.value) } : entry
}

const deviceKeys = ['source', 'target', 'permissions']

/** A line, or a map with `source`, `target` and `permissions`. */
export function translateDevices(node: Tree): readonly Entry[] {
  const items = (node.kind === 'list' ? node.items : [node]).flatMap(
    (item): readonly (DraftItem | Remark)[] => {
      if (item.kind !== 'map') return readTexts(item, 'devices')
      const remarks = [...unknownKeys(item, deviceKeys, 'a device')]
      const part = (key: string): string => {
        const found = childOf(item, key)
        if (!found || isEmpty(found)) return ''
        const read = readText(found, `${key} of a device`)
        remarks.push(...read.remarks)
        return read.text ?? ''
      }
      const words = [part('source'), part('target'), part('permissions')].filter((one) => one !== '')
      return [...remarks, { kind: 'item', at: item, value: words.join(':') }]
    },
  )
  return listPair('devices', node, items)
}

/** Without a limit: Compose says so with 0 and -1. */
export function translatePids(node: Tree, label = 'pids_limit'): readonly Entry[] {
  const { text, remarks } = readText(node, label)
  return text === null || text === '0' || text === '-1'
    ? remarks
    : [...remarks, withNumber(pair('pids', node, text))]
}

export function translateCpus(node: Tree, label = 'cpus'): readonly Entry[] {
  const { text, remarks } = readText(node, label)
  if (text === null) return remarks
  if (text.includes(placeholderStart)) return [...remarks, pair('cpu', node, text)]
  if (!/^(\d{1,6}(\.\d{0,12})?|\.\d{1,12})$/.test(text))
    return [leftOut(node, `${label} (${quoted(text)})`, 'expected a number of cores such as 1.5')]
  const cores = Math.ceil(Number(text) * 100 - 1e-9) / 100
  if (cores === 0) return remarks
  const rounded =
    cores === Number(text)
      ? []
      : [remark(node, `${label} ${quoted(text)} was rounded up to hundredths of a core`)]
  return [...remarks, ...rounded, pair('cpu', node, cores)]
}

/** Memory and swap together, as here. */
export function translateSwap(node: Tree): readonly Entry[] {
  const label = 'memswap_limit'
  const { text, remarks } = readText(node, label)
  if (text === null || text === '0') return remarks
  if (text === '-1' || text.includes(placeholderStart)) return [...remarks, pair('memory_swap', node, text)]
  return [...remarks, ...sizeOf(node, 'memory_swap', label, text)]
}

/** Of what Docker takes, one has a key. */
export function translateSecurity(node: Tree): readonly Entry[] {
  return readTexts(node, 'security_opt').flatMap((one): readonly Entry[] => {
    if (one.kind === 'remark') return [one]
    const { at, value } = one
    if (/^no-new-privileges([:=]true)?$/.test(String(value))) return [pair('no_new_privileges', at, true)]
    if (/^no-new-privileges[:=]false$/.test(String(value))) return []
    return [leftOut(at, `security_opt (${quoted(String(value))})`, 'only no-new-privileges can be said')]
  })
}

export function translateShmSize(node: Tree): readonly Entry[] {
  const { text, remarks } = readText(node, 'shm_size')
  if (text === null) return remarks
  if (text.includes(placeholderStart)) return [...remarks, pair('shm_size', node, text)]
  return [...remarks, ...sizeOf(node, 'shm_size', 'shm_size', text)]
}

function sizeOf(node: Tree, key: string, label: string, text: string): readonly Entry[] {
  const bytes = bytesOf(text)
  if (bytes === undefined)
    return [leftOut(node, `${label} (${quoted(text)})`, 'expected a size such as 512m')]
  const mb = Math.ceil(bytes / 1024 ** 2)
  if (mb === 0) return []
  const rounded =
    mb * 1024 ** 2 === bytes ? [] : [remark(node, `${label} ${quoted(text)} was rounded up to whole MiB`)]
  return [...rounded, pair(key, node, `${mb}M`)]
}

/** `all`, or a list of what is wanted, of which one can be carried over. */
export function translateGpus(node: Tree, label = 'gpus'): readonly Entry[] {
  if (node.kind === 'scalar') {
    const { text, remarks } = readText(node, label)
    return text === null ? remarks : [...remarks, pair('gpus', node, text)]
  }
  const [wanted, ...others] = node.kind === 'list' ? node.items : [node]
  if (wanted === undefined) return []
  const more = [
    ...others.map((one) => leftOut(one, `${label} (${excerpt(one)})`, 'one request for GPUs can be made')),
    ...unsaidOfGpu(wanted, label),
  ]
  const ids = childOf(wanted, 'device_ids')
  if (ids?.kind === 'list' && ids.items.length > 0)
    return [...more, pair('gpus', wanted, `device=${ids.items.map(excerpt).join(',')}`)]
  const count = childOf(wanted, 'count')
  const many = count && !isEmpty(count) && excerpt(count) !== '-1' ? excerpt(count) : 'all'
  return [...more, pair('gpus', wanted, many)]
}

/** A GPU is asked for by number or by name; those of nvidia are the ones that there are. */
function unsaidOfGpu(wanted: Tree, label: string): readonly Remark[] {
  const entries = wanted.kind === 'map' ? wanted.entries : []
  const named = entries.flatMap(({ key, value }) => {
    const isUsual = ['', 'nvidia', 'gpu'].includes(excerpt(value))
    const isOther = ['driver', 'capabilities', 'options'].includes(String(key.value)) && !isUsual
    const advice = 'how many are wanted, or which, is what can be said of them'
    return isOther ? [leftOut(key, `${String(key.value)} of ${label} (${excerpt(value)})`, advice)] : []
  })
  return [...named, ...unknownKeys(wanted, gpuKeys, label)]
}

const gpuKeys = ['driver', 'capabilities', 'options', 'device_ids', 'count']

/** Devices that are reserved are GPUs, or nothing that Docker knows by itself. */
export function translateReservedDevices(node: Tree): readonly Entry[] {
  const label = 'devices of deploy.resources.reservations'
  const items = node.kind === 'list' ? node.items : [node]
  const isGpu = (item: Tree): boolean => {
    const capabilities = childOf(item, 'capabilities')
    return capabilities?.kind === 'list' && capabilities.items.some((one) => excerpt(one) === 'gpu')
  }
  const others = items.filter((item) => !isGpu(item))
  const left = others.map((one) =>
    leftOut(one, `${label} (${excerpt(one)})`, 'GPUs alone can be asked for so'),
  )
  const asked = items.filter(isGpu)
  return asked.length === 0
    ? left
    : [...left, ...translateGpus({ ...node, kind: 'list', items: asked }, label)]
}

export function translateLogging(node: Tree): readonly Entry[] {
  if (node.kind !== 'map') return [leftOut(node, `logging (${excerpt(node)})`, 'expected a map')]
  const entries = node.entries.flatMap(({ key, value }): readonly Entry[] => {
    const name = String(key.value)
    if (isEmpty(value)) return []
    if (name === 'options') return mapPair('options', value, pairsOf(value, 'options of logging'))
    if (name !== 'driver') return [leftOut(key, `${name} of logging`, 'Compose knows no such key')]
    const { text, remarks } = readText(value, 'driver of logging')
    return text === null || text === '' ? remarks : [...remarks, pair('driver', value, text)]
  })
  return mapPair('log', node, entries)
}

/** The same limit below `deploy` wins, as in Compose. */
export function unlessUnderDeploy(key: string, translate: (node: Tree) => readonly Entry[]): Translate {
  return (node, service: ComposeService) => {
    const within = ['deploy', 'resources', 'limits', key]
    const under = within.reduce<Tree | undefined>((one, step) => one && childOf(one, step), service.node)
    if (under === undefined || isEmpty(under)) return translate(node)
    return [leftOut(node, `${key} (${excerpt(node)})`, 'the limit under deploy takes its place')]
  }
}
