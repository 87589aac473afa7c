// Drafts as YAML for people: remarks are comments where they belong.
import { stringify } from 'yaml'
import { asWritten } from '../print.js'
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
  if (typeof value !== 'object') return [`${name} ${scalar(asWritten(value))}`]
  return [name, ...linesOfValue(value, `${indent}  `)]
}

function linesOfValue(value: Exclude<DraftValue, string | number>, indent: string): readonly string[] {
  if (value.kind === 'map') return linesOfMap(value, indent)
  return value.items.flatMap((item) =>
    item.kind === 'remark' ? commentLines(item, indent) : linesOfItem(item, indent),
  )
}

/** The first line of a map stands behind the dash, and comments in front of it before the dash. */
function linesOfItem({ value }: DraftItem, indent: string): readonly string[] {
  if (typeof value !== 'object') return [`${indent}- ${scalar(asWritten(value))}`]
  const inner = linesOfValue(value, `${indent}  `)
  const first = inner.findIndex((line) => !line.trimStart().startsWith('#'))
  return inner.map((line, index) => (index === first ? `${indent}- ${line.slice(indent.length + 2)}` : line))
}

const widest = 100

/** A comment, its lines broken at spaces. */
function commentLines({ message }: Remark, indent: string): readonly string[] {
  const lines: string[] = []
  for (const word of message.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < widest) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(`${indent}#${lines.length === 0 ? '' : '  '} ${word}`)
  }
  return lines
}

/** One line, whatever the text: several lines are told as `\n` in quotes. What YAML 1.1 would take for something else is quoted too. */
function scalar(value: unknown): string {
  return stringify(value, { lineWidth: 0, blockQuote: false, compat: 'yaml-1.1' }).trimEnd()
}
