// The text of a manifest without the secrets in it. They are found by where they stand and not by how they are written: an
// escape in a text hides nothing.
import { hasErrors } from '../model/diagnostic.js'
import { openNotes } from './notes.js'
import { readTree } from './read-tree.js'
import type { Entry, ScalarNode, Tree } from './tree.js'

/** What stands for a secret in a text that is shown. No secret has a blank, so it is refused when it comes back. */
export const hiddenValue = 'not shown'

/** What a value is by the keys above it: of a trigger or webhook, or the secret part of one. */
type Within = 'service' | 'trigger' | 'webhook' | 'secret' | 'header'

interface Found {
  readonly node: ScalarNode
  readonly within: 'secret' | 'header'
}

/**
 * The text with `not shown` in place of every secret of a trigger or webhook and of every header of a webhook; templates
 * stay, but for the texts in them. Null where the text cannot be read.
 */
export function hideSecrets(text: string): string | null {
  const source = { file: '', text }
  const notes = openNotes(source)
  const documents = readTree(source, notes)
  if (documents.length === 0 || hasErrors(notes.diagnostics)) return null
  // What is mentioned several times stands in one place.
  const found = new Map<number, Found>()
  for (const { root } of documents) collect(root, 'service', found)
  return [...found.values()]
    .sort((a, b) => b.node.start - a.node.start)
    .reduce((shown, one) => replaced(shown, one), text)
}

function collect(node: Tree, within: Within, found: Map<number, Found>): void {
  if (node.kind === 'map') for (const entry of node.entries) collect(entry.value, below(entry, within), found)
  if (node.kind === 'list') for (const item of node.items) collect(item, within, found)
  if (node.kind === 'scalar' && (within === 'secret' || within === 'header'))
    found.set(node.start, { node, within })
}

function below({ key, value }: Entry, within: Within): Within {
  if (within === 'service') return tables.get(String(key.value)) ?? within
  // A trigger may have the name `secret`.
  if (key.value === 'secret' && value.kind === 'scalar') return within === 'header' ? within : 'secret'
  return key.value === 'headers' && within === 'webhook' ? 'header' : within
}

const tables: ReadonlyMap<string, Within> = new Map([
  ['triggers', 'trigger'],
  ['webhooks', 'webhook'],
])

function replaced(text: string, { node, within }: Found): string {
  const raw = text.slice(node.start, node.end)
  if (raw.trim() === '') return text
  return text.slice(0, node.start) + hiddenForm(raw, within, isJson(text)) + text.slice(node.end)
}

function isJson(text: string): boolean {
  return /^\s*[{[]/.test(text)
}

/** What stands for a scalar as it is written: in its quotes, and a pair `key=value` with its key. */
function hiddenForm(raw: string, within: Found['within'], quoted: boolean): string {
  const quote = /^["']/.exec(raw)?.[0] ?? ''
  const isBlock = /^[|>]/.test(raw)
  if (isBlock) return `"${hiddenValue}"${raw.endsWith('\n') ? '\n' : ''}`
  const inner = quote === '' ? raw : raw.slice(1, -1)
  const shown = hiddenInner(inner, within)
  return quote === '' && quoted ? `"${shown}"` : `${quote}${shown}${quote}`
}

function hiddenInner(inner: string, within: Found['within']): string {
  // Behind other escapes than that of a quote there may be anything.
  if (!inner.includes('{{') || /\\[^"]/.test(inner)) return hiddenValue
  return inner
    .split(/(\{\{[\s\S]*?\}\})/)
    .map((piece, at) => (at % 2 === 1 ? hiddenInTemplate(piece) : hiddenBeside(piece, within)))
    .join('')
}

function hiddenBeside(text: string, within: Found['within']): string {
  const isScheme = within === 'header' && /^(Bearer|Basic|Token)\s+$/i.test(text)
  return isScheme || text.trim() === '' ? text : hiddenValue
}

/** From its first quote on, which may be escaped: what follows is a text, or several. */
function hiddenInTemplate(piece: string): string {
  const [, before, quote] = /^([^"'`\\]*)(\\?["'`]+)/.exec(piece) ?? []
  if (before === undefined || quote === undefined) return piece
  return `${before}${quote}${hiddenValue}${quote} }}`
}
