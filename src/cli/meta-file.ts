// Files of metadata to import: a map in YAML or JSON, or lines `KEY=VALUE`.
import { type Notes, openNotes, type Source } from '../manifest/notes.js'
import { readTree } from '../manifest/read-tree.js'
import { describeNode } from '../manifest/shapes.js'
import { type Entry, isEmpty, type Tree } from '../manifest/tree.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { metaKeyProblem, metaValueProblem } from '../model/meta.js'

export interface MetaFile {
  readonly values: Readonly<Record<string, string>>
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads a file by its form; all that is wrong comes at once. In lines a value is taken as it stands, quotes and all. */
export function parseMetaFile(source: Source): MetaFile {
  const notes = openNotes(source)
  const values = new Map<string, string>()
  const add = (key: string, value: string, at: { key: Span; value: Span }): void => {
    const badKey = metaKeyProblem(key)
    const badValue = metaValueProblem(value)
    if (badKey !== null) notes.report('manifest/bad-key', at.key, `${JSON.stringify(key)}: ${badKey}`)
    else if (badValue !== null) notes.report('manifest/bad-value', at.value, badValue)
    else if (values.has(key))
      notes.report('manifest/duplicate-key', at.key, `${key} is given twice`, 'keep one')
    else values.set(key, value)
  }
  if (hasLines(source)) readLines(source, notes, add)
  else readMap(source, notes, add)
  return { values: Object.fromEntries(values), diagnostics: notes.diagnostics }
}

interface Span {
  readonly start: number
  readonly end: number
}
type Add = (key: string, value: string, at: { readonly key: Span; readonly value: Span }) => void

/** A file that its name does not tell apart has the form of its first line. */
function hasLines({ file, text }: Source): boolean {
  if (/\.(ya?ml|json)$/i.test(file)) return false
  return /\.env$/i.test(file) || /^(?:\s*(?:#.*)?\n)*\s*(?:export\s+)?[A-Za-z0-9_.-]+=/.test(text)
}

function readLines({ text }: Source, notes: Notes, add: Add): void {
  for (const match of text.matchAll(/[^\r\n]+/g)) {
    const [line] = match
    if (/^\s*(#|$)/.test(line)) continue
    const end = match.index + line.length
    const [, before = '', key = ''] = /^(\s*(?:export\s+)?)([^=]*)=/.exec(line) ?? []
    const start = match.index + before.length
    if (key === '') notes.report('manifest/bad-value', { start: match.index, end }, 'expected KEY=VALUE')
    else {
      const equals = start + key.length
      add(key.trimEnd(), text.slice(equals + 1, end), {
        key: { start, end: equals },
        value: { start: equals + 1, end },
      })
    }
  }
}

function readMap(source: Source, notes: Notes, add: Add): void {
  const documents = readTree(source, notes)
  for (const { root } of documents) {
    if (root.kind === 'map') for (const entry of root.entries) readEntry(entry, notes, add)
    else notes.report('manifest/bad-value', root, `expected a map of keys, got ${describeNode(root)}`)
  }
  if (documents.length === 0 && notes.diagnostics.length === 0) {
    notes.report('manifest/empty', null, 'there is nothing in it', 'write KEY: value, or KEY=value')
  }
}

function readEntry({ key, value }: Entry, notes: Notes, add: Add): void {
  if (value.kind === 'scalar') add(String(key.value), textOf(value), { key, value })
  else notes.report('manifest/bad-value', value, `expected a text, got ${describeNode(value)}`)
}

/** A number is the text that it was written as; `null` and nothing are an empty text. */
function textOf(value: Tree & { readonly kind: 'scalar' }): string {
  return isEmpty(value) ? '' : String(value.value)
}
