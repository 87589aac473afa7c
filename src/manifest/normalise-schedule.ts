import { mergedMaps } from './loose.js'
import { entryOf, fields, type Normaliser, refuse, type Scope, seconds, text } from './shapes.js'
import { childOf, type Entry, type MapNode, type Tree } from './tree.js'

const expected = 'an ISO 8601 repeating interval such as R/2026-01-01T00:00:00Z/PT1H, a cron line, or a map'
const expression = text('an interval or a cron line', 'deploy')

const parts = {
  kind: text('interval or cron', 'deploy'),
  expression,
  interval: { aliasOf: 'expression' },
  cron: { aliasOf: 'expression' },
  epsilon: seconds(),
  timezone: text('a time zone such as Europe/Berlin', 'deploy'),
}
const scheduleFields = fields({ ...parts, overlap: text('skip, allow or replace', 'deploy') }, expected)
const backupScheduleFields = fields(parts, expected)

/** A text, or a map whose `interval` or `cron` says which of the two its text is. */
export function normaliseSchedule(node: Tree, scope: Scope): Tree | undefined {
  return normalised(node, scope, scheduleFields)
}

/** The same of backups, which have no instances that overlap. */
export function normaliseBackupSchedule(node: Tree, scope: Scope): Tree | undefined {
  return normalised(node, scope, backupScheduleFields)
}

function normalised(node: Tree, scope: Scope, read: Normaliser): Tree | undefined {
  if (node.kind === 'scalar') {
    const value = expression(node, scope)
    if (value?.kind !== 'scalar') return undefined
    const key = { ...node, value: 'expression' }
    return withKind(
      { kind: 'map', start: node.start, end: node.end, entries: [{ key, value }] },
      undefined,
      scope,
    )
  }
  const merged = mergedMaps(node)
  if (merged.kind !== 'map') return refuse(node, expected, scope)
  const alias = merged.entries.find(({ key }) => key.value === 'interval' || key.value === 'cron')
  const map = read(merged, scope)
  return map?.kind === 'map' ? withKind(map, alias, scope) : undefined
}

function withKind(map: MapNode, alias: Entry | undefined, { notes }: Scope): MapNode {
  const text = childOf(map, 'expression')
  const said = childOf(map, 'kind')
  if (said?.kind === 'scalar') {
    if (alias && alias.key.value !== said.value)
      notes.report(
        'manifest/conflict',
        said,
        `kind is ${said.value}, but ${alias.key.value} is given`,
        'leave kind out',
      )
    return map
  }
  if (text?.kind !== 'scalar') return map
  const kind = alias ? String(alias.key.value) : kindOf(String(text.value))
  return { ...map, entries: [entryOf('kind', kind, text), ...map.entries] }
}

/** Every interval begins with R or has its period behind a slash; no cron line does. */
function kindOf(written: string): 'interval' | 'cron' {
  return /^R\d*\/|\/P/.test(written) ? 'interval' : 'cron'
}
