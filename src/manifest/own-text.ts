// The part of a submitted text that is one service's own: what is kept of it, and whose SHA-1 tells whether it changed.
import type { Source, Span } from './notes.js'
import { type Entry, isEmpty, type Tree } from './tree.js'

/** The text of one service: its entry in `services:`, and the same with the project's defaults merged in. */
type OwnText = (entry: Entry, merged: Tree) => string

/**
 * Tells the services of a project apart; `services` is that key itself, `common` what stands beside it for all of them.
 *
 * A block map stands on lines of its own, which are a manifest by themselves: comments and indentation stay as they
 * were submitted. Where the project says something for all services, its lines come along, so that the text is a
 * project manifest of this one service, and changes when they do. Where the text is written in braces, or shares nodes
 * by aliases, the service is told as JSON with everything merged in.
 */
export function openOwnText(services: Entry, common: readonly Entry[], source: Source): OwnText {
  if (common.length === 0) return (entry, merged) => linesBelow(entry, source) ?? told(merged)
  // Asked once: a project may have thousands of services.
  const heading = headingOf(services, common, source)
  return (entry, merged) => {
    const isOwn = isEmpty(entry.value) || linesBelow(entry, source) !== undefined
    return heading !== undefined && isOwn ? `${heading}${linesOf(entry, source)}` : told(merged)
  }
}

/** The lines of what stands for all services, and the line that begins them; undefined where they share lines. */
function headingOf(services: Entry, common: readonly Entry[], source: Source): string | undefined {
  if (![services, ...common].every((one) => standsAlone(one, source))) return undefined
  const line = source.text.slice(lineStart(services.key.start, source), lineEnd(services.key.end, source))
  return `${common.map((one) => linesOf(one, source)).join('')}${line}`
}

function told(merged: Tree): string {
  return `${jsonOf(merged, '')}\n`
}

/** The lines under a key, where they are its own. */
function linesBelow({ key, value }: Entry, source: Source): string | undefined {
  const nextLine = source.text.indexOf('\n', key.end) + 1
  const ownLines = value.kind === 'map' && nextLine > 0 && nextLine <= value.start
  const inBraces = source.text[value.start] === '{'
  if (!ownLines || inBraces || !holds(value, value)) return undefined
  return source.text.slice(nextLine, lineEnd(value.end - 1, source))
}

/** A key and what is behind it, from the beginning of its line to the end of its last. */
function linesOf({ key, value }: Entry, source: Source): string {
  const text = source.text.slice(
    lineStart(key.start, source),
    lineEnd(Math.max(key.end, value.end - 1), source),
  )
  return text.endsWith('\n') ? text : `${text}\n`
}

/** Whether an entry begins its line, and everything in it stands behind its key. */
function standsAlone({ key, value }: Entry, source: Source): boolean {
  const before = source.text.slice(lineStart(key.start, source), key.start).replace(/^\uFEFF/, '')
  const nested = value.kind === 'scalar' ? value.start >= key.end : holds(value, value)
  return before === '' && nested && value.start >= key.end
}

function lineStart(offset: number, { text }: Source): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
}

function lineEnd(offset: number, { text }: Source): number {
  const newline = text.indexOf('\n', offset)
  return newline === -1 ? text.length : newline + 1
}

function holds(span: Span, node: Tree): boolean {
  if (node.start < span.start || node.end > span.end) return false
  if (node.kind === 'list') return node.items.every((item) => holds(span, item))
  return (
    node.kind === 'scalar' || node.entries.every(({ key, value }) => holds(span, key) && holds(span, value))
  )
}

/** The tree as JSON that reads back as the same tree. Plain nothings (`~`, `null`) stay as they are written. */
function jsonOf(node: Tree, indent: string): string {
  if (node.kind === 'scalar') return isEmpty(node) ? String(node.value) : JSON.stringify(node.value)
  const inner = `${indent}  `
  const [open, close] = node.kind === 'list' ? '[]' : '{}'
  const parts =
    node.kind === 'list'
      ? node.items.map((item) => jsonOf(item, inner))
      : node.entries.map(({ key, value }) => `${JSON.stringify(key.value)}: ${jsonOf(value, inner)}`)
  return parts.length === 0
    ? `${open}${close}`
    : `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`
}
