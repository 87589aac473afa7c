// Volumes in every form to `{name|host|tmpfs, path, readonly, scope, size, backup}`.
import { volumeForms } from '../model/volume.js'
import { normaliseBackupSchedule } from './normalise-schedule.js'
import { parseSizeMb, sizeForms } from './quantities.js'
import {
  entryOf,
  fields,
  flag,
  type Normaliser,
  number,
  parsed,
  refuse,
  render,
  type Scope,
  seconds,
  text,
  words,
} from './shapes.js'
import { childOf, type Entry, type ListNode, type MapNode, type Tree } from './tree.js'

/** A path as it is written; slashes at its end say nothing. */
function placeText(expected: string): Normaliser {
  const normalise = text(expected, 'deploy', '/stand-in')
  return (node, scope) => {
    const given = normalise(node, scope)
    return given?.kind === 'scalar' ? { ...given, value: trimmed(String(given.value)) } : undefined
  }
}

const pathText = placeText('an absolute path')
const backupPlace = placeText('an absolute path, or s3://BUCKET/PREFIX')

/** What is no part of its instances: these are not made anew for it. */
function ofService(normalise: Normaliser): Normaliser {
  return (node, scope) => normalise(node, { ...scope, askedMeta: scope.askedByService })
}

const backupFields = fields(
  {
    before_backup: words('a list of words, or one line of text that is split into words', 'none'),
    before_backup_timeout: seconds(),
    schedule: ofService(normaliseBackupSchedule),
    to: ofService(backupPlace),
    credentials: text('a key of the metadata', 'none'),
    keep: number('a number from 1 to 100'),
    consistency: text('live or stopped', 'none'),
  },
  'a map with schedule and to, or with before_backup',
)

const volumeFields = fields(
  {
    name: text('a name', 'none'),
    host: pathText,
    tmpfs: flag(),
    path: pathText,
    readonly: flag(),
    read_only: { aliasOf: 'readonly' },
    scope: text('instance or service', 'none'),
    size: parsed(sizeForms, parseSizeMb),
    on_lost: text('wait or fresh', 'none'),
    backup: backupFields,
  },
  volumeForms,
)

/** A list, or one volume that stands for a list of itself. */
export function normaliseVolumes(node: Tree, scope: Scope): ListNode {
  const given = node.kind === 'list' ? node.items : [node]
  const items = given.flatMap((item) => readVolume(item, scope) ?? [])
  return { kind: 'list', start: node.start, end: node.end, items }
}

/** `/PATH` and `/PATH:size=64M`, as volumes in memory. */
export function normaliseTmpfs(node: Tree, scope: Scope): ListNode {
  const given = node.kind === 'list' ? node.items : [node]
  const items = given.flatMap((item) => readTmpfs(item, scope) ?? [])
  return { kind: 'list', start: node.start, end: node.end, items }
}

const tmpfsForms = '/PATH or /PATH:size=SIZE'

function readTmpfs(node: Tree, scope: Scope): MapNode | undefined {
  const rendered = node.kind === 'scalar' ? render(node, 'deploy', scope) : refuse(node, tmpfsForms, scope)
  if (!rendered) return undefined
  const [, path, size] = /^(\/[^:]*)(?::size=([^,:]+))?$/.exec(String(rendered.value)) ?? []
  if (path === undefined) {
    if (rendered.standIn !== true) refuse(rendered, tmpfsForms, scope)
    return undefined
  }
  const mb = size === undefined ? undefined : parseSizeMb(size)
  if (size !== undefined && mb === undefined) return refuse(rendered, tmpfsForms, scope)
  const entries: Entry[] = [
    entryOf('tmpfs', true, rendered),
    entryOf('path', trimmed(path), rendered),
    entryOf('readonly', false, rendered),
    ...(mb === undefined ? [] : [entryOf('size', mb, rendered)]),
  ]
  return { kind: 'map', start: node.start, end: node.end, entries }
}

function readVolume(node: Tree, scope: Scope): MapNode | undefined {
  if (node.kind === 'list') return refuse(node, volumeForms, scope)
  const volume = node.kind === 'map' ? volumeFields(node, scope) : readLine(node, scope)
  if (volume?.kind !== 'map') return undefined
  const isNamed = childOf(volume, 'name') !== undefined
  const preset = [
    ...(childOf(volume, 'readonly') ? [] : [entryOf('readonly', false, volume)]),
    ...(isNamed && !childOf(volume, 'scope') ? [entryOf('scope', 'instance', volume)] : []),
  ]
  return { ...volume, entries: [...volume.entries, ...preset] }
}

/** `NAME:PATH`, `/HOST:PATH`, either of them with `:ro` or `:rw`. */
function readLine(node: Tree, scope: Scope): MapNode | undefined {
  const rendered = node.kind === 'scalar' ? render(node, 'deploy', scope) : undefined
  if (!rendered) return undefined
  const [source = '', path = '', options, ...more] = String(rendered.value).split(':')
  const isHost = source.startsWith('/')
  if (source === '' || path === '' || more.length > 0) return refuse(rendered, volumeForms, scope)
  if (options !== undefined && options !== 'ro' && options !== 'rw') {
    const message = `${JSON.stringify(options)} is not an option of a volume`
    scope.notes.report('manifest/bad-value', node, message, 'ro makes it read-only')
    return undefined
  }
  const entries: Entry[] = [
    entryOf(isHost ? 'host' : 'name', isHost ? trimmed(source) : source, rendered),
    entryOf('path', trimmed(path), rendered),
    entryOf('readonly', options === 'ro', rendered),
  ]
  return { kind: 'map', start: node.start, end: node.end, entries }
}

function trimmed(path: string): string {
  return path.replace(/(?<=.)\/+$/, '')
}
