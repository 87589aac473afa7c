// Scalars, lists and pairs of a Compose file as texts, with its variables filled in.

import { abridged } from '../lib/abridge.js'
import { shellQuoted } from '../lib/shell-quote.js'
import type { Span } from '../manifest/notes.js'
import { asWritten } from '../manifest/print.js'
import { describeNode } from '../manifest/shapes.js'
import { isEmpty, type ScalarNode, type Tree } from '../manifest/tree.js'
import { placeholderEnd, placeholderStart } from '../manifest/variables.js'
import { type DraftItem, type Remark, remark } from './draft.js'
import { type Interpolated, interpolate } from './interpolate.js'

/** A text, null where there is none to read, and what there is to say of it. */
interface ReadText {
  readonly text: string | null
  readonly remarks: readonly Remark[]
}

/** A key with its text; null where nothing stands behind the key. */
export interface Pair {
  readonly kind: 'given'
  readonly at: Span
  readonly key: string
  readonly text: string | null
}

/** The text of a scalar, which may hold marks; `label` is how remarks call it. */
export function readText(node: Tree, label: string): ReadText {
  if (node.kind !== 'scalar') return unread(node, label, `expected a text, got ${describeNode(node)}`)
  const written = String(node.value)
  if (written.includes(placeholderStart) || written.includes(placeholderEnd))
    return unread(node, label, 'U+E000 and U+E001 cannot be part of a value')
  const found = interpolate(written)
  if (!found) return unread(node, label, `${quoted(written)} holds a \${…} that Compose does not read either`)
  return { text: found.text, remarks: remarksOn(node, found) }
}

/** The texts of a list, or of a scalar that stands for a list of itself. */
export function readTexts(node: Tree, label: string): readonly (DraftItem<string> | Remark)[] {
  const items = node.kind === 'list' ? node.items : [node]
  return items
    .filter((item) => !isEmpty(item))
    .flatMap((item): readonly (DraftItem<string> | Remark)[] => {
      const { text, remarks } = readText(item, label)
      return text === null ? remarks : [...remarks, { kind: 'item', at: item, value: text }]
    })
}

/** What a key says that is true or false: a text where a variable says it, null where it cannot be read. */
interface ReadFlag {
  readonly flag: boolean | string | null
  readonly remarks: readonly Remark[]
}

const yes = ['true', 'yes', 'on', 'y', 't', '1']
const no = ['false', 'no', 'off', 'n', 'f', '0']

/** The words that Compose takes for true and false, in any case; false where there is none. */
export function readFlag(node: Tree | undefined, label: string): ReadFlag {
  if (node === undefined || isEmpty(node)) return { flag: false, remarks: [] }
  const { text, remarks } = readText(node, label)
  if (text === null || text.includes(placeholderStart)) return { flag: text, remarks }
  const word = text.toLowerCase()
  if (yes.includes(word)) return { flag: true, remarks }
  if (no.includes(word)) return { flag: false, remarks }
  return { flag: null, remarks: [leftOut(node, `${label} (${quoted(text)})`, 'expected true or false')] }
}

/** Where a variable cannot say it. */
export function readFixedFlag(node: Tree | undefined, label: string): ReadFlag {
  const { flag, remarks } = readFlag(node, label)
  if (node === undefined || typeof flag !== 'string') return { flag, remarks }
  const advice = 'no variable can say this here: write true or false'
  return { flag: null, remarks: [...remarks, leftOut(node, `${label} (${quoted(flag)})`, advice)] }
}

/** Says of each key of a map that it is not among those that are read; Compose knows those of `unsaid`. */
export function unknownKeys(
  node: Tree,
  known: readonly string[],
  of: string,
  unsaid: readonly string[] = [],
): readonly Remark[] {
  const entries = node.kind === 'map' ? node.entries : []
  return entries
    .filter(({ key, value }) => !known.includes(String(key.value)) && !isEmpty(value))
    .map(({ key, value }) => {
      const name = String(key.value)
      const advice = unsaid.includes(name) ? 'it has no counterpart' : adviceForUnknown(name)
      return leftOut(key, `${shown(name)} of ${of} (${excerpt(value)})`, advice)
    })
}

export function adviceForUnknown(name: string): string {
  return name.startsWith('x-') ? 'it means something to other programs only' : 'Compose knows no such key'
}

/** A map, or a list of `key=value`. Of a key that comes again, the last counts, as in Compose. */
export function readPairs(node: Tree, label: string): readonly (Pair | Remark)[] {
  if (node.kind === 'scalar')
    return unread(node, label, `expected a map or a list, got ${describeNode(node)}`).remarks
  const read =
    node.kind === 'map'
      ? node.entries.flatMap(({ key, value }) => readEntry(key, value, label))
      : node.items.flatMap((item) =>
          item.kind === 'map'
            ? item.entries.flatMap(({ key, value }) => readEntry(key, value, label))
            : readLine(item, label),
        )
  const last = new Map(read.map((one) => [one.kind === 'given' ? one.key : one, one]))
  return read.filter((one) => one.kind === 'remark' || last.get(one.key) === one)
}

/** Says that something is left out, and what to do about it. */
export function leftOut(at: Span, what: string, advice: string): Remark {
  return remark(at, `not carried over: ${what}: ${advice}`)
}

/** A text as one word of a command for `sh`, marks as templates, on one line. */
export function shellWord(text: string): string {
  // A path has no more.
  const word = abridged(oneLine(String(asWritten(text))), 4096)
  return /^[\w%+,./:@=-][\w%+,./:@=#-]*$/.test(word) ? word : shellQuoted(word)
}

/** A value in a few words, to be recognised by. */
export function excerpt(node: Tree): string {
  return abridged(oneLine(wordsOf(node)), 80)
}

/** A text in quotes, marks as templates, on one line. */
export function quoted(text: string): string {
  return JSON.stringify(shown(text))
}

/** The same without quotes. */
export function shown(text: string): string {
  return abridged(oneLine(String(asWritten(text))), 80)
}

function unread(node: Tree, label: string, why: string): ReadText {
  return { text: null, remarks: [leftOut(node, label, why)] }
}

function readEntry(key: ScalarNode, node: Tree, label: string): readonly (Pair | Remark)[] {
  const name = String(key.value)
  const at = { start: key.start, end: Math.max(key.end, node.end) }
  if (isEmpty(node)) return [{ kind: 'given', at, key: name, text: null }]
  const { text, remarks } = readText(node, `${label} ${name}`)
  return text === null ? remarks : [...remarks, { kind: 'given', at, key: name, text }]
}

function readLine(node: Tree, label: string): readonly (Pair | Remark)[] {
  if (isEmpty(node)) return []
  const { text, remarks } = readText(node, label)
  if (text === null) return remarks
  const equals = text.indexOf('=')
  const key = equals === -1 ? text : text.slice(0, equals)
  if (key.includes(placeholderStart))
    return unread(node, label, `a variable in the name ${quoted(key)}`).remarks
  return [...remarks, { kind: 'given', at: node, key, text: equals === -1 ? null : text.slice(equals + 1) }]
}

/** What there is to say of the variables in a text. */
function remarksOn(at: Span, { open, assumed }: Interpolated): readonly Remark[] {
  return [
    ...open.map(({ name, demand }) => remark(at, openMessage(name, demand))),
    ...assumed.map(({ name, value, unused }) =>
      remark(
        at,
        unused === undefined
          ? `\${${name}}: its default ${quoted(value)} was taken`
          : `\${${name}}: ${quoted(unused)} counts only where it is set, and was left out`,
      ),
    ),
  ]
}

function openMessage(name: string, demand: string): string {
  const reason = demand === '' ? '' : ` (${quoted(demand)})`
  return `\${${name}}${reason} is a variable of the project: mariposa meta set ${name} VALUE`
}

function wordsOf(node: Tree): string {
  switch (node.kind) {
    case 'scalar':
      return String(node.value)
    case 'list':
      return node.items.slice(0, 20).map(summaryOf).join(', ')
    case 'map':
      return node.entries
        .slice(0, 20)
        .map(({ key }) => String(key.value))
        .join(', ')
  }
}

/** An item of a list: of a map, what most likely names it. */
function summaryOf(node: Tree): string {
  if (node.kind !== 'map') return wordsOf(node)
  const scalars = node.entries.filter(({ value }) => value.kind === 'scalar')
  const named = (key: string) => scalars.find((entry) => entry.key.value === key)?.value
  const name = named('source') ?? named('target') ?? named('name') ?? named('path')
  return name ? wordsOf(name) : wordsOf(node)
}

/** Control characters, line breaks and halves of a letter have no place in a comment. */
function oneLine(text: string): string {
  return text
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ue000\ue001]+/g, ' ')
    .replace(/[\ud800-\udfff]/gu, '\ufffd')
    .trim()
}
