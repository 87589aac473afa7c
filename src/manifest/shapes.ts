// The shapes that values of a manifest come in. Each is a normaliser: it takes a node in any form that an author may
// write, and gives the node in canonical form, at the same place; undefined when it has reported what is wrong.
import { abridged, quotedBriefly } from '../lib/abridge.js'
import { durationForms, parseDurationMs } from '../lib/duration.js'
import { nearest } from '../lib/nearest.js'
import type { Notes, Source, Span } from './notes.js'
import { splitPair } from './pair-map.js'
import { renderText } from './template.js'
import { type Entry, isEmpty, type ListNode, locate, plainOf, type ScalarNode, type Tree } from './tree.js'
import { type DeployVariables, placeholderEnd, placeholderStart, type Stage } from './variables.js'
import { splitWords } from './words.js'

/** What the normalisers of one service share. */
export interface Scope {
  readonly source: Source
  readonly notes: Notes
  readonly variables: DeployVariables
  /** Keys of the project's metadata that its templates ask for. */
  readonly askedMeta: Set<string>
  /** Those of them that the service itself asks for, beside what its instances run. */
  readonly askedByService: Set<string>
  /** Those that files follow while an instance runs, so that it has not to be made anew for them. */
  readonly followedMeta: Set<string>
  /** Those whose change restarts instances, each with how many of them at a time. */
  readonly restartOn: Map<string, number>
  /** Where the keys go that a file asks for which follows them; absent in any other place. */
  readonly followed?: Set<string>
  /** Some keys mean something else for another compute type. */
  readonly computeType: string
}

export type Normaliser = (node: Tree, scope: Scope) => Tree | undefined

/** What a map may hold: how to read a key, or whose other name it is. */
type FieldTable = Readonly<Record<string, Normaliser | AliasOf>>
interface AliasOf {
  readonly aliasOf: string
}

/**
 * A text, with its templates filled in. Where nobody knows yet what a template will bring, `sample` stands for the
 * whole, so that a value with a form of its own is not refused for it.
 */
export function text(expected: string, stage: Stage, sample?: string): Normaliser {
  return (node, scope) => {
    if (node.kind !== 'scalar') return refuse(node, expected, scope)
    const rendered = render(node, stage, scope)
    return rendered?.standIn && sample !== undefined ? { ...rendered, value: sample } : rendered
  }
}

/** A text as it is: what looks like a template is none. */
export function verbatim(expected: string): Normaliser {
  return (node, scope) => {
    if (node.kind !== 'scalar') return refuse(node, expected, scope)
    const value = String(node.value)
    return hasBadCharacter(value) ? refuseCharacter(node, scope.notes) : { ...node, value }
  }
}

/** A text that is turned into another value; undefined from `parse` says that it is none. */
export function parsed(
  expected: string,
  parse: (text: string) => string | number | undefined,
  stage: Stage = 'deploy',
): Normaliser {
  return (node, scope) => {
    const rendered = text(expected, stage)(node, scope)
    if (rendered?.kind !== 'scalar') return undefined
    const value = parse(String(rendered.value))
    if (value !== undefined) return { ...rendered, value }
    return rendered.standIn ? undefined : refuse(rendered, expected, scope)
  }
}

/** A number in digits, without leading zeros: `010` means eight to some and ten to others. */
export function number(expected: string, stage?: Stage): Normaliser {
  const parse = (digits: string) => (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(digits) ? Number(digits) : undefined)
  return parsed(expected, parse, stage)
}

/** Seconds, or a duration with units, as seconds. */
export function seconds(): Normaliser {
  return parsed(durationForms, (written) => {
    const ms = parseDurationMs(written)
    return ms === undefined ? undefined : ms / 1_000
  })
}

/** `true` or `false`, also as text. */
export function flag(): Normaliser {
  return choice('true or false', { true: true, false: false })
}

/** One of a few words, each of which stands for a value. What is none of them is left for the schema to refuse. */
export function choice(
  expected: string,
  meanings: Readonly<Record<string, string | boolean>>,
  stage: Stage = 'deploy',
): Normaliser {
  return (node, scope) => {
    const given = text(expected, stage)(node, scope)
    if (given?.kind !== 'scalar') return undefined
    const word = String(given.value)
    return { ...given, value: Object.hasOwn(meanings, word) ? (meanings[word] ?? word) : word }
  }
}

/** An argument vector: a list of words, or a line that is split into words before templates are filled in. */
export function words(expected: string, stage: Stage = 'placement'): Normaliser {
  return (node, scope) => {
    if (node.kind === 'map') return refuse(node, expected, scope)
    const items = node.kind === 'list' ? node.items : wordsOf(node, scope)
    if (!items) return undefined
    return collect({ ...node, kind: 'list', items }, text('a word', stage), scope)
  }
}

/** Keys with text values: a map, a list of `key=value`, or a list of maps. */
export function pairs(expected: string, stage: Stage): Normaliser {
  return (node, scope) => {
    const given = pairsOf(node, expected, scope)
    if (!given) return undefined
    const seen = new Set<string>()
    const entries = given.flatMap((entry) => normalisePair(entry, seen, stage, scope))
    return { kind: 'map', start: node.start, end: node.end, entries }
  }
}

/** A list, or one item that stands for a list of itself. */
export function listOf(item: Normaliser): Normaliser {
  return (node, scope) => {
    const items = node.kind === 'list' ? node.items : [node]
    return collect({ kind: 'list', start: node.start, end: node.end, items }, item, scope)
  }
}

/** A map with known keys. Unknown ones are reported with what to write for them, or the nearest known name; empty ones count as not given. */
export function fields(
  table: FieldTable,
  expected: string,
  adviceOn?: (key: string) => string | undefined,
): Normaliser {
  return (node, scope) => {
    if (node.kind !== 'map') return refuse(node, expected, scope)
    const entries: Entry[] = []
    const dropped: string[] = []
    const seen = new Set<string>()
    for (const entry of node.entries) {
      const { name, normalise } = fieldFor(entry, table, scope, adviceOn)
      if (!normalise || isRepeated(name, entry, seen, scope) || isEmpty(entry.value)) continue
      const value = normalise(entry.value, scope)
      if (value) entries.push({ key: { ...entry.key, value: name }, value })
      else dropped.push(name)
    }
    return { ...node, entries, dropped }
  }
}

/** Reports that a node is not what was expected. */
export function refuse(node: Tree, expected: string, { notes }: Scope, hint?: string): undefined {
  notes.report('manifest/bad-value', node, `expected ${expected}, got ${describeNode(node)}`, hint)
  return undefined
}

/** A key and a value that an author did not write so, at the place that they come from. */
export function entryOf(key: string, value: ScalarNode['value'], { start, end }: Span): Entry {
  const scalar = (content: ScalarNode['value']): ScalarNode => ({
    kind: 'scalar',
    style: 'quoted',
    value: content,
    start,
    end,
  })
  return { key: scalar(key), value: scalar(value) }
}

/** A node in a few words, for the end of a sentence. */
export function describeNode(node: Tree): string {
  if (isEmpty(node)) return 'nothing'
  if (node.kind !== 'scalar') return node.kind === 'map' ? 'a map' : 'a list'
  return quotedBriefly(JSON.stringify(plainOf(node)))
}

/** Fills in the templates of a scalar, and refuses characters that no program could receive. */
export function render(node: ScalarNode, stage: Stage, scope: Scope): ScalarNode | undefined {
  const { source, notes, variables, askedMeta } = scope
  if (hasBadCharacter(String(node.value))) return refuseCharacter(node, notes)
  const { text: value, problems, standIns, meta } = renderText(String(node.value), variables, stage)
  for (const key of meta) askedMeta.add(key)
  for (const { code, offset, length, message, hint } of [...problems, ...standIns]) {
    notes.report(code, locate(source, node, offset, length), message, hint)
  }
  if (problems.length > 0) return undefined
  return { ...node, value, ...(standIns.length > 0 && { standIn: true as const }) }
}

function refuseCharacter(node: Tree, notes: Notes): undefined {
  const hint = 'NUL, lone surrogates, U+E000 and U+E001 are not allowed in a value'
  notes.report('manifest/bad-character', node, 'this text holds a character that cannot be passed on', hint)
  return undefined
}

/** With the `u` flag a surrogate matches only where it has no partner. */
const loneSurrogate = /[\uD800-\uDFFF]/u

function hasBadCharacter(value: string): boolean {
  return (
    value.includes('\0') ||
    value.includes(placeholderStart) ||
    value.includes(placeholderEnd) ||
    loneSurrogate.test(value)
  )
}

function collect(list: ListNode, item: Normaliser, scope: Scope): ListNode {
  return { ...list, items: list.items.map((node) => item(node, scope)).filter((node) => node !== undefined) }
}

function wordsOf(node: ScalarNode, scope: Scope): readonly Tree[] | undefined {
  const { source, notes } = scope
  const line = unfold(node, source)
  const { words: found, unclosed, shellSyntax } = splitWords(line)
  if (unclosed !== null) {
    notes.report('manifest/bad-value', locate(source, node, unclosed, 1), 'this quote is never closed')
    return undefined
  }
  for (const { text: syntax, start } of shellSyntax) {
    notes.report(
      'manifest/shell-syntax',
      locate(source, node, start, syntax.length),
      `no shell is used, so the program gets ${JSON.stringify(syntax)} unchanged`,
      'write ["sh", "-c", "…"] for a shell, or quote it if it is meant',
    )
  }
  return found.map((word) => ({
    kind: 'scalar' as const,
    value: word.text,
    style: 'quoted' as const,
    ...locate(source, node, word.start, word.end - word.start),
  }))
}

/** Lines joined by `\` in a plain or folded scalar: folding has made a space of the line break that `\` should take. */
function unfold(node: ScalarNode, source: Source): string {
  const value = String(node.value)
  const folded = node.style === 'plain' || node.style === 'folded'
  const continued = folded && /\\[ \t]*\r?\n/.test(source.text.slice(node.start, node.end))
  return continued ? value.replace(/\\ /g, '\\\n') : value
}

/** Lines of `key=value` below a key are one text to YAML. */
function dashHint({ value }: ScalarNode): string | undefined {
  const [, key] = /^([^\s=]+)=/.exec(String(value)) ?? []
  return key === undefined ? undefined : `write each pair after a dash: - ${abridged(key, 60)}=…`
}

function pairsOf(node: Tree, expected: string, scope: Scope): readonly Entry[] | undefined {
  if (node.kind === 'map') return node.entries
  if (node.kind === 'scalar') return refuse(node, expected, scope, dashHint(node))
  return node.items.flatMap((item) => {
    if (item.kind === 'map') return item.entries
    return (
      (item.kind === 'scalar' ? splitPair(item, scope.source) : undefined) ??
      refuse(item, 'key=value', scope) ??
      []
    )
  })
}

function normalisePair(entry: Entry, seen: Set<string>, stage: Stage, scope: Scope): Entry[] {
  const { notes } = scope
  const name = String(entry.key.value)
  if (hasBadCharacter(name)) refuseCharacter(entry.key, notes)
  else if (name.includes('{{')) notes.report('template/not-allowed', entry.key, 'a key cannot be a template')
  else if (!/^[^\s=]+$/.test(name)) refuse(entry.key, 'a key without white space and =', scope)
  else if (!isRepeated(name, entry, seen, scope)) {
    const value = text('text', stage)(entry.value, scope)
    return value ? [{ key: entry.key, value }] : []
  }
  return []
}

interface Field {
  readonly name: string
  readonly normalise: Normaliser | undefined
}

function fieldFor(
  entry: Entry,
  table: FieldTable,
  { notes }: Scope,
  adviceOn: (key: string) => string | undefined = () => undefined,
): Field {
  const name = String(entry.key.value)
  const field = Object.hasOwn(table, name) ? table[name] : undefined
  if (typeof field === 'function') return { name, normalise: field }
  if (field === undefined) {
    const hint = () => adviceOn(name) ?? nearestOf(name, Object.keys(table))
    notes.report('manifest/unknown-key', entry.key, `there is no key ${JSON.stringify(name)} here`, hint)
  } else {
    const target = table[field.aliasOf]
    return { name: field.aliasOf, normalise: typeof target === 'function' ? target : undefined }
  }
  return { name, normalise: undefined }
}

function nearestOf(name: string, known: readonly string[]): string {
  const near = nearest(name, known)
  if (near !== undefined) return `did you mean ${near}?`
  return known.length > mostListed
    ? 'mariposa manifest schema shows all keys'
    : `known keys are ${known.join(', ')}`
}

/** Nobody reads more keys than these in a hint. */
const mostListed = 20

function isRepeated(name: string, { key }: Entry, seen: Set<string>, { notes }: Scope): boolean {
  if (!seen.has(name)) {
    seen.add(name)
    return false
  }
  if (key.value === name)
    notes.report('manifest/duplicate-key', key, `${name} is already given`, 'keep one of them')
  else
    notes.report(
      'manifest/conflict',
      key,
      `${key.value} is another name of ${name}, which is already given`,
      'keep one of them',
    )
  return true
}
