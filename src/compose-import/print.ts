// Drafts as YAML for people: remarks are comments where they belong.
import { stringify } from 'yaml'
import { asWritten } from '../manifest/print.js'
import type { DraftItem, DraftMap, DraftPair, DraftValue, Remark } from './draft.js'

/** A service of a project. */
export interface NamedDraft {
  readonly name: string
  readonly draft: DraftMap
}

/** A project manifest. */
export function printManifests(services: readonly NamedDraft[], head: readonly Remark[] = []): string {
  const parts = services.map(({ name, draft }) =>
    [`  ${scalar(name)}:`, ...linesOfMap(draft, '    ')].join('\n'),
  )
  return `${[...head.flatMap((one) => commentLines(one, '')), 'services:', parts.join('\n\n')].join('\n')}\n`
}

/** A manifest of one service, in a file that bears its name. */
export function printManifest({ draft }: NamedDraft, head: readonly Remark[] = []): string {
  return `${[...head.flatMap((one) => commentLines(one, '')), ...linesOfMap(draft, '')].join('\n')}\n`
}

function linesOfMap({ entries }: DraftMap, indent: string): readonly string[] {
  return entries.flatMap((entry) =>
    entry.kind === 'remark' ? commentLines(entry, indent) : linesOfPair(entry, indent),
  )
}

function linesOfPair({ key, value }: DraftPair, indent: string): readonly string[] {
  const name = `${indent}${scalar(asWritten(key))}:`
  if (typeof value === 'object' && value.kind === 'list' && value.items.length === 0) return [`${name} []`]
  return typeof value === 'object'
    ? [name, ...linesOfValue(value, `${indent}  `)]
    : linesOfScalar(name, asWritten(value), `${indent}  `)
}

function linesOfValue(
  value: Exclude<DraftValue, string | number | boolean>,
  indent: string,
): readonly string[] {
  if (value.kind === 'map') return linesOfMap(value, indent)
  return value.items.flatMap((item) =>
    item.kind === 'remark' ? commentLines(item, indent) : linesOfItem(item, indent),
  )
}

/** The first line of a map stands behind the dash, and comments in front of it before the dash. */
function linesOfItem({ value }: DraftItem, indent: string): readonly string[] {
  if (typeof value !== 'object') return linesOfScalar(`${indent}-`, asWritten(value), `${indent}  `)
  const inner = linesOfValue(value, `${indent}  `)
  const first = inner.findIndex((line) => !line.trimStart().startsWith('#'))
  return inner.map((line, index) => (index === first ? `${indent}- ${line.slice(indent.length + 2)}` : line))
}

/** Scripts keep their lines; every other text stands on one. */
function linesOfScalar(start: string, value: unknown, indent: string): readonly string[] {
  if (typeof value !== 'string' || !isScript(value)) return [`${start} ${scalar(value)}`]
  const ends = value.endsWith('\n')
  const lines = (ends ? value.slice(0, -1) : value).split('\n')
  return [`${start} ${ends ? '|' : '|-'}`, ...lines.map((line) => (line === '' ? '' : `${indent}${line}`))]
}

/** Whether a block scalar can say a text of several lines without any doubt of its spaces and line breaks. */
function isScript(text: string): boolean {
  return /^[!-~]/.test(text) && /^[\n -~]+$/.test(text) && /\n./.test(text) && !/\n +(\n|$)|\n\n$/.test(text)
}

const widest = 100

/** A comment, its lines broken at spaces, but not inside a template. What it tells of a file may move a cursor, or end a line. */
function commentLines({ message }: Remark, indent: string): readonly string[] {
  const lines: string[] = []
  for (const word of message.replace(unseen, ' ').match(/\S*\{\{.*?\}\}\S*|\S+/g) ?? []) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < widest) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(`${indent}#${lines.length === 0 ? '' : '  '} ${word}`)
  }
  return lines
}

/** Line breaks and other letters that one cannot see, some of which readers drop. */
const unseen = /[\u0000-\u001f\u007f-\u00a0\u200b-\u200f\u2028-\u202e\ufeff\ufffe\uffff]/g

/** On one line; what YAML 1.1 would take for something else is quoted too. */
function scalar(value: unknown): string {
  if (typeof value === 'string' && value.search(unseen) !== -1) return escaped(value)
  return stringify(value, { lineWidth: 0, compat: 'yaml-1.1' }).replace(/\n$/, '')
}

/** As JSON, which YAML reads too. */
function escaped(text: string): string {
  const hex = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(text).replace(unseen, hex)
}
