// What is said of a text that is not well-formed: where the mistake is, rather than where the parser could not go on,
// and what to write instead.
import type { YAMLError } from 'yaml'
import type { Notes, Source, Span } from '../notes.js'
import { hintAt } from './hints.js'

/** Of each document. */
const errorsShown = 10

/** A problem in words. */
interface Problem extends Span {
  readonly message: string
  readonly hint?: string
}

/**
 * Reports what is wrong with a document, each mistake once.
 * @param quotes where quoted values that are never closed, or on a later line only, begin
 */
export function reportSyntax(
  errors: readonly YAMLError[],
  quotes: readonly Span[],
  source: Source,
  notes: Notes,
): void {
  const told = new Set<number>()
  for (const error of withoutRemains(errors, source.text).slice(0, errorsShown)) {
    const [start, end] = error.pos
    if (isTemplateAt(source.text, start) && unquotedTemplateBefore(source.text, start + 2) === undefined) {
      reportUnquoted({ start, end: start + 2 }, notes, 'within [ ] and { } a {{ begins a map to YAML')
      continue
    }
    const template = unquotedTemplateBefore(source.text, start)
    const cause =
      template === undefined
        ? (quoteBehind(error, quotes, source) ??
          missingCommaBehind(error, source.text) ??
          mistakeAt(start, source.text))
        : { start: template, end: template + 2 }
    if (cause !== undefined && told.has(cause.start)) continue
    if (cause !== undefined) told.add(cause.start)
    if (template !== undefined) reportUnquoted({ start: template, end: template + 2 }, notes)
    else report(cause && 'message' in cause ? cause : { start, end, ...wordsOf(error, source.text) }, notes)
    // What follows from a quote that swallows the lines behind it is no mistake of its own.
    if (cause !== undefined && quotes.some((quote) => quote.start === cause.start)) return
  }
}

function report({ start, end, message, hint }: Problem, notes: Notes): void {
  notes.report('manifest/syntax', { start, end }, message, hint)
}

/** Without what comes from a template in a list or map on one line: behind it the parser is out of step. */
function withoutRemains(errors: readonly YAMLError[], text: string): readonly YAMLError[] {
  const first = errors.find(({ pos: [at] }) => isTemplateAt(text, at))
  if (first === undefined) return errors
  return errors.filter(
    ({ pos: [at], message }) =>
      at <= first.pos[0] || isTemplateAt(text, at) || !/^unexpected /i.test(message),
  )
}

function isTemplateAt(text: string, at: number): boolean {
  return text.startsWith('{{', at) && text[at - 1] !== '{'
}

/** Where a `{{` begins a value on the line of an error: what the parser says of it would not help anyone. */
function unquotedTemplateBefore(text: string, offset: number): number | undefined {
  const { start, line } = lineAt(text, offset)
  const match = /(?:^|[:,[-])\s+(\{\{)/.exec(line)
  return match ? start + match.index + match[0].length - 2 : undefined
}

/** Reports two values of JSON that YAML reads as one text, as no comma is between them; returns where the first one ends. */
export function reportJoined({ start, end }: Span, { text }: Source, notes: Notes): number {
  const joined = joinedValues.exec(text.slice(start, end))
  if (joined === null || !isMeantAsJson(text)) return end
  const [both, first = ''] = joined
  report({ start: start + both.length, end: start + both.length + 1, ...missingComma }, notes)
  return start + first.length
}

const joinedValues = /^(true|false|null|-?\d+(?:\.\d+)?)\s+(?=["\d-]|true\b|false\b|null\b)/

/** Reports a template in a value that has no quotes. */
export function reportUnquoted(
  span: Span,
  notes: Notes,
  message = 'a value that begins with {{ is a map to YAML',
): void {
  notes.report('manifest/unquoted-template', span, message, 'put the value in quotes: "{{ … }}"')
}

/** The quote that an error comes from: one that is never closed, or one that ends on the error's line and not on its own. */
function quoteBehind(
  { message, pos: [at] }: YAMLError,
  quotes: readonly Span[],
  { text }: Source,
): Problem | undefined {
  const isMissing = /^Missing closing ['"]quote/.test(message)
  const quote = quotes.findLast(({ start, end }) =>
    isMissing ? start < at : end <= at && !text.slice(end, at).includes('\n'),
  )
  if (quote === undefined) return undefined
  const mark = text.charAt(quote.start)
  const place = { start: quote.start, end: quote.start + 1 }
  if (isMissing) return { ...place, message: 'this quote is never closed', hint: `close it with ${mark}` }
  const line = text.slice(0, quote.end).split('\n').length
  return {
    ...place,
    message: `this quote is closed on line ${line} only`,
    hint: `close it with ${mark} where its value ends`,
  }
}

/** What is said of two entries of a list or map with nothing between them. */
const missingComma = {
  message: 'a comma is missing before this',
  hint: 'put a comma after the previous entry',
} as const

/** A text that is JSON, or is meant to be: its commas are not to be guessed from what YAML makes of it. */
function isMeantAsJson(text: string): boolean {
  return /^\s*(?:\{\s*"|\[\s*[{"])/.test(text)
}

/** The comma that an error comes from in JSON on one line, where YAML takes the entries on both sides for something else. */
function missingCommaBehind({ message, pos: [at] }: YAMLError, text: string): Problem | undefined {
  const start = isMeantAsJson(text) ? entryBehindComma(message, at, text) : undefined
  return start === undefined ? undefined : { start, end: start + 1, ...missingComma }
}

const asMapWithoutBraces =
  /^(?:Block collections are not allowed within flow|Implicit keys need to be on a single line)/

function entryBehindComma(message: string, at: number, text: string): number | undefined {
  // `"a" "b": …` and `1 "b": …`: both are a map without braces.
  if (asMapWithoutBraces.test(message)) {
    const value = new RegExp(/(?:"(?:[^"\\]|\\.)*"|[-\w.]+)\s+(?=")/, 'y')
    value.lastIndex = at
    return value.test(text) ? value.lastIndex : undefined
  }
  // `[…] "b": …`: the text is one thing too many, and its colon stands alone.
  if (message.startsWith('Unexpected ') && text[at] === '"') return at
  if (missingCommaOfParser.test(message) && text[at] === ':') {
    const end = text.lastIndexOf('"', at - 1)
    return end > 0 ? text.lastIndexOf('"', end - 1) : undefined
  }
  return undefined
}

/** A mistake that the parser words by its consequences: a list whose items stand in different columns. */
function mistakeAt(offset: number, text: string): Problem | undefined {
  const { start, line } = lineAt(text, offset)
  const indent = indentOfItem(line)
  if (indent === undefined) return undefined
  for (const above of text.slice(0, start).split('\n').slice(0, -1).reverse()) {
    if (above.trim() === '') continue
    const item = indentOfItem(above)
    if (item === indent) return undefined
    if (item === undefined && indentOf(above) > indent) continue
    if (item === undefined) return undefined
    const place = { start: start + indent, end: start + indent + 1 }
    const message = `this list item begins in column ${indent + 1}, the one before it in column ${item + 1}`
    return { ...place, message, hint: 'begin all items of a list in the same column' }
  }
  return undefined
}

function indentOfItem(line: string): number | undefined {
  return /^ *- /.test(line) ? indentOf(line) : undefined
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

function wordsOf(error: YAMLError, text: string): { readonly message: string; readonly hint?: string } {
  const hint = hintFor(error, text)
  return { message: describeSyntax(error), ...(hint !== undefined && { hint }) }
}

/** The library's own words, for what has no better ones. */
export function describeSyntax(error: YAMLError): string {
  if (error.code === 'TAB_AS_INDENT') return 'a tab where YAML wants spaces'
  if (missingCommaOfParser.test(error.message)) return missingComma.message
  const message = error.message.split('\n')[0] ?? error.message
  return message.charAt(0).toLowerCase() + message.slice(1)
}

const missingCommaOfParser = /^Missing , (?:or : )?between flow/

function hintFor(error: YAMLError, text: string): string | undefined {
  if (error.code === 'TAB_AS_INDENT') return 'indent with spaces'
  if (missingCommaOfParser.test(error.message)) return missingComma.hint
  const hint = hintAt(text, error.pos[0])
  if (hint !== undefined) return hint
  switch (error.code) {
    case 'BLOCK_AS_IMPLICIT_KEY':
    case 'MULTILINE_IMPLICIT_KEY':
      return 'check the indentation of this line; a value that contains ": " needs quotes'
    default:
      return undefined
  }
}

function lineAt(text: string, offset: number): { readonly start: number; readonly line: string } {
  const start = text.lastIndexOf('\n', Math.max(0, offset - 1)) + 1
  const end = text.indexOf('\n', offset)
  return { start, line: text.slice(start, end === -1 ? undefined : end) }
}
