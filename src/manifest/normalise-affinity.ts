import { parseAffinity } from './affinity.js'
import { entryOf, fields, refuse, render, type Scope, text } from './shapes.js'
import { childOf, locate, type MapNode, type ScalarNode, type Tree } from './tree.js'

const expected = 'a rule such as role!=database'

const ruleFields = fields(
  {
    rule: text(expected, 'deploy'),
    key: text('a key', 'deploy'),
    operator: text('==, !=, ==~ or !=~', 'deploy'),
    value: text('a value', 'deploy'),
    by: text('a key of machine metadata', 'deploy'),
  },
  expected,
)

/** Affinity rules: a list of rules, one rule, or a text with a rule per line; `# …` behind a rule is a comment. */
export function normaliseAffinity(node: Tree, scope: Scope): Tree {
  const items = node.kind === 'list' ? node.items : [node]
  return {
    kind: 'list',
    start: node.start,
    end: node.end,
    items: items.flatMap((item) => rulesOf(item, scope)),
  }
}

function rulesOf(item: Tree, scope: Scope): Tree[] {
  if (item.kind === 'scalar') return linesOf(item, scope).flatMap((line) => readRule(line, [], scope))
  if (item.kind === 'list') return refuse(item, expected, scope) ?? []
  const map = ruleFields(item, scope)
  if (map?.kind !== 'map') return []
  const rule = childOf(map, 'rule')
  if (rule?.kind !== 'scalar') return fromParts(map, scope)
  const by = map.entries.filter(({ key }) => key.value === 'by')
  const others = map.entries.filter(({ key }) => !['rule', 'by'].includes(String(key.value)))
  if (others[0])
    scope.notes.report('manifest/conflict', others[0].key, 'the rule already says this', 'keep one of them')
  return others[0] ? [] : readRule(rule, by, scope)
}

/** A rule in canonical form, put together again so that its parts are checked as those of any other. */
function fromParts(map: MapNode, scope: Scope): Tree[] {
  const part = (name: string) => {
    const node = childOf(map, name)
    return node?.kind === 'scalar' ? String(node.value) : undefined
  }
  const [key, operator, value] = [part('key'), part('operator'), part('value')]
  if (key === undefined || operator === undefined || value === undefined) {
    if (!map.dropped?.length)
      scope.notes.report(
        'manifest/missing',
        map,
        `${expected} is missing`,
        'write {rule: "role!=database", by: rack}',
      )
    return []
  }
  const parsed = parseAffinity(`${key}${operator}${value}`)
  const same = !('message' in parsed) && parsed.operator === operator && parsed.value === value.trim()
  if (same)
    return [
      {
        ...map,
        entries: map.entries.map((entry) =>
          entry.key.value === 'key'
            ? { ...entry, value: { ...(entry.value as ScalarNode), value: parsed.key } }
            : entry,
        ),
      },
    ]
  refuse(map, expected, scope)
  return []
}

/** Lines of a text as they stand in the source, where folding has made blanks of the line breaks. */
function linesOf(node: ScalarNode, { source }: Scope): ScalarNode[] {
  if (node.style === 'quoted' || node.style === 'literal') {
    return splitLines(String(node.value), (offset, length) => locate(source, node, offset, length), node)
  }
  const raw = source.text.slice(node.start, node.end)
  const header = node.style === 'folded' ? raw.indexOf('\n') + 1 : 0
  return splitLines(
    raw.slice(header),
    (offset, length) => ({ start: node.start + header + offset, end: node.start + header + offset + length }),
    node,
  )
}

function splitLines(
  text: string,
  placeOf: (offset: number, length: number) => { start: number; end: number },
  node: ScalarNode,
): ScalarNode[] {
  return [...text.matchAll(/[^\r\n]+/g)].flatMap(({ 0: line, index }) => {
    const rule = line.replace(/(^|\s)#.*$/, '').trim()
    if (rule === '') return []
    return [{ ...node, value: rule, ...placeOf(index + line.indexOf(rule), rule.length) }]
  })
}

function readRule(node: ScalarNode, by: MapNode['entries'], scope: Scope): Tree[] {
  const rendered = render(node, 'deploy', scope)
  if (!rendered) return []
  const rule = parseAffinity(String(rendered.value))
  if ('message' in rule) {
    const place = locate(scope.source, node, rule.offset, rule.length)
    scope.notes.report('manifest/bad-affinity', place, rule.message, rule.hint)
    return []
  }
  const { start, end } = node
  const entries = Object.entries(rule).map(([name, value]) => entryOf(name, value, node))
  return [{ kind: 'map', start, end, entries: [...entries, ...by] }]
}
