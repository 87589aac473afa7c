import { durationForms, parseDurationMs } from '../lib/duration.js'
import { fields, listOf, number, parsed, type Scope, text, words } from './shapes.js'
import type { Entry, MapNode, Tree } from './tree.js'

const seconds = parsed(durationForms, (written) => {
  const ms = parseDurationMs(written)
  return ms === undefined ? undefined : ms / 1_000
})

const checkFields = fields(
  {
    type: text('http, https or command', 'deploy'),
    port: number('a port number from 1 to 65535'),
    path: text('a path that begins with /', 'placement'),
    command: words('a list of words, or one line of text'),
    user: text('a user name or id', 'deploy'),
    poll: seconds,
    timeout: seconds,
    retries: number('a whole number from 1 to 1000'),
    network: 'later',
  },
  'a map with type http, https or command',
)

const checks = listOf(checkFields)

/** Health checks: a list of maps, one map, or single-key maps in a row. */
export function normaliseChecks(node: Tree, scope: Scope): Tree | undefined {
  return checks(node.kind === 'list' ? { ...node, items: regrouped(node.items) } : node, scope)
}

/** Single-key maps in a row are one check; a key that comes again begins the next. */
function regrouped(items: readonly Tree[]): readonly Tree[] {
  const singles = items.filter((item): item is MapNode => item.kind === 'map' && item.entries.length === 1)
  if (singles.length < items.length) return items
  const groups: Entry[][] = []
  for (const entry of singles.flatMap((single) => single.entries)) {
    const group = groups.at(-1)
    if (!group || group.some(({ key }) => key.value === entry.key.value)) groups.push([entry])
    else group.push(entry)
  }
  return groups.map((entries) => ({
    kind: 'map',
    entries,
    start: entries[0]?.key.start ?? 0,
    end: entries.at(-1)?.value.end ?? 0,
  }))
}
