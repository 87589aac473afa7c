// How a Compose service lives: restarts, stopping, memory, and what stands under `deploy`.
import { parseDurationMs } from '../lib/duration.js'
import type { Span } from '../manifest/notes.js'
import { childOf, isEmpty, type MapNode, type Tree } from '../manifest/tree.js'
import { placeholderStart } from '../manifest/variables.js'
import type { ComposeService, Entry } from './compose-service.js'
import { type DraftValue, pair, remark } from './draft.js'
import { translatePlacement } from './placement.js'
import { translateCpus, translatePids, translateReservedDevices } from './rights.js'
import { bytesOf } from './sizes.js'
import { excerpt, leftOut, quoted, readText, shown } from './texts.js'
import { uncarriedOfDeploy } from './uncarried.js'

export function translateRestart(node: Tree, service: ComposeService): readonly Entry[] {
  if (under(service, 'deploy', 'restart_policy'))
    return [leftOut(node, `restart (${excerpt(node)})`, 'the restart_policy of deploy takes its place')]
  const { text, remarks } = readText(node, 'restart')
  if (text === null) return remarks
  const policy = text === 'false' ? 'no' : text
  return [...remarks, ...restartOf(node, policy, service)]
}

export function translateStopGrace(node: Tree): readonly Entry[] {
  const { text, remarks } = readText(node, 'stop_grace_period')
  if (text === null) return remarks
  const stop = (value: DraftValue) =>
    pair('stop', node, { kind: 'map', entries: [pair('timeout', node, value)] })
  if (text.includes(placeholderStart)) return [...remarks, stop(text)]
  const ms = parseDurationMs(text)
  if (ms === undefined || ms < 0)
    return [leftOut(node, `stop_grace_period (${quoted(text)})`, 'expected a duration such as 1m30s')]
  const seconds = Math.ceil(ms / 1_000)
  const rounded =
    seconds * 1_000 === ms
      ? []
      : [remark(node, `stop_grace_period ${quoted(text)} was rounded up to whole seconds`)]
  return [...remarks, ...rounded, stop(seconds)]
}

export function translateMemory(node: Tree, service: ComposeService): readonly Entry[] {
  if (under(service, 'deploy', 'resources', 'limits', 'memory'))
    return [leftOut(node, `mem_limit (${excerpt(node)})`, 'the limit under deploy takes its place')]
  return memoryOf(node, 'mem_limit')
}

export function translateScale(node: Tree, service: ComposeService): readonly Entry[] {
  const { text, remarks } = readText(node, 'scale')
  return text === null || text === '1' ? remarks : [...remarks, scaleRemark(node, text, service)]
}

/** `deploy`, key by key. */
export function translateDeploy(node: Tree, service: ComposeService): readonly Entry[] {
  if (node.kind !== 'map') return [leftOut(node, `deploy (${excerpt(node)})`, 'expected a map')]
  return node.entries.flatMap(({ key, value }) => {
    const name = String(key.value)
    if (isEmpty(value)) return []
    const translate = Object.hasOwn(deployKeys, name) ? deployKeys[name] : undefined
    if (translate) return translate(value, service)
    const advice = Object.hasOwn(uncarriedOfDeploy, name) ? uncarriedOfDeploy[name] : undefined
    return [leftOut(key, `${name} of deploy (${excerpt(value)})`, advice ?? 'Compose knows no such key')]
  })
}

const deployKeys: Readonly<Record<string, (node: Tree, service: ComposeService) => readonly Entry[]>> = {
  mode: translateMode,
  placement: translatePlacement,
  replicas: translateScale,
  resources: translateResources,
  restart_policy: translateRestartPolicy,
}

function under(service: ComposeService, ...keys: readonly string[]): Tree | undefined {
  return keys.reduce<Tree | undefined>((node, key) => node && childOf(node, key), service.node)
}

function restartOf(node: Tree, policy: string, { runsOnce }: ComposeService): readonly Entry[] {
  const ends = policy === 'no' && !runsOnce
  const advice =
    'restart "no": an instance that ends is replaced by a new one; a program that runs once is service_type: event'
  return [...(ends ? [remark(node, advice)] : []), pair('restart', node, policy)]
}

/** Docker counts in bytes where no unit is given; a manifest counts in MiB. */
function memoryOf(node: Tree, label: string): readonly Entry[] {
  const { text, remarks } = readText(node, label)
  if (text === null) return remarks
  if (text.includes(placeholderStart)) return [...remarks, pair('memory', node, text)]
  const bytes = bytesOf(text)
  if (bytes === undefined)
    return [leftOut(node, `${label} (${quoted(text)})`, 'expected an amount of memory such as 512m')]
  if (bytes === 0) return remarks
  const mb = Math.ceil(bytes / 1024 ** 2)
  const rounded =
    mb * 1024 ** 2 === bytes ? [] : [remark(node, `${label} ${quoted(text)} was rounded up to whole MiB`)]
  return [...remarks, ...rounded, pair('memory', node, mb % 1024 === 0 ? `${mb / 1024}G` : `${mb}M`)]
}

function scaleRemark(at: Span, count: string, { newName }: ComposeService): Entry {
  return remark(
    at,
    `how many run is no part of a manifest: after the deploy, mariposa service scale ${newName} ${shown(count)}`,
  )
}

function translateMode(node: Tree, { runsOnce }: ComposeService): readonly Entry[] {
  const { text, remarks } = readText(node, 'mode of deploy')
  if (text === null || text === 'replicated' || runsOnce) return remarks
  return [
    ...remarks,
    leftOut(
      node,
      `mode of deploy (${quoted(text)})`,
      'give the number of instances with mariposa service scale',
    ),
  ]
}

function translateResources(node: Tree): readonly Entry[] {
  if (node.kind !== 'map') return [leftOut(node, `resources of deploy (${excerpt(node)})`, 'expected a map')]
  return node.entries.flatMap(({ key, value }) => {
    const kind = String(key.value)
    if (isEmpty(value)) return []
    if (!['limits', 'reservations'].includes(kind) || value.kind !== 'map') {
      const what = `${shown(kind)} of deploy.resources (${excerpt(value)})`
      return [leftOut(key, what, 'expected limits and reservations, each a map')]
    }
    return value.entries.flatMap((entry) => resourceOf(kind, String(entry.key.value), entry.value))
  })
}

function resourceOf(kind: string, resource: string, node: Tree): readonly Entry[] {
  if (isEmpty(node)) return []
  const label = `${resource} of deploy.resources.${kind}`
  if (kind === 'limits' && resource === 'memory') return memoryOf(node, label)
  if (kind === 'limits' && resource === 'cpus') return translateCpus(node, label)
  if (kind === 'limits' && resource === 'pids') return translatePids(node, label)
  if (kind === 'reservations' && resource === 'devices') return translateReservedDevices(node)
  const advice = Object.hasOwn(resourceAdvice, resource) ? resourceAdvice[resource] : undefined
  return [leftOut(node, `${label} (${excerpt(node)})`, advice ?? 'Compose knows no such key')]
}

const resourceAdvice: Readonly<Record<string, string>> = {
  cpus: 'a package says how much of the processor is reserved',
  devices: 'only reservations has devices',
  generic_resources: 'give the machines metadata and say it with affinity',
  memory: 'memory is what is reserved and the limit in one',
  pids: 'only limits has pids',
}

const conditions: Readonly<Record<string, string>> = { none: 'no', 'on-failure': 'on-failure', any: 'always' }

function translateRestartPolicy(node: Tree, service: ComposeService): readonly Entry[] {
  if (node.kind !== 'map') return [leftOut(node, `restart_policy (${excerpt(node)})`, 'expected a map')]
  const given = childOf(node, 'condition')
  const condition =
    textUnder(node, 'condition') ?? (given === undefined || isEmpty(given) ? 'any' : excerpt(given))
  const most = textUnder(node, 'max_attempts')
  const policy = Object.hasOwn(conditions, condition) ? conditions[condition] : undefined
  if (policy === undefined)
    return [
      leftOut(node, `condition of restart_policy (${quoted(condition)})`, 'expected none, on-failure or any'),
    ]
  const counted = policy === 'on-failure' && most !== null && /^[1-9]\d{0,5}$/.test(most)
  const other = node.entries.flatMap(({ key, value }) => {
    const name = String(key.value)
    if (name === 'condition' || isEmpty(value) || (name === 'max_attempts' && counted)) return []
    const advice =
      name === 'max_attempts'
        ? 'restarts are counted for on-failure alone'
        : 'pauses between restarts grow from 100 ms by themselves'
    return [leftOut(key, `${name} of restart_policy (${excerpt(value)})`, advice)]
  })
  return [...other, ...restartOf(node, counted ? `${policy}:${most}` : policy, service)]
}

function textUnder(node: MapNode, key: string): string | null {
  const found = childOf(node, key)
  return found && !isEmpty(found) ? readText(found, key).text : null
}
