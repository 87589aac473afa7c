// Diagnostics as text for people: the place, what is wrong, the lines around it with a caret, what to do.
import { abridgedDiagnostic, type Diagnostic, describePlace } from '../model/diagnostic.js'
import { hideInLines } from './hide-lines.js'

export interface DescribeOptions {
  readonly color: boolean
}

/** A text that diagnostics may point into. */
export interface DescribedSource {
  readonly file: string
  readonly text: string
}

/**
 * Diagnostics as text, one paragraph each, in the order given but those of a file together, with their number below;
 * ends with a line break unless there are none. Sources are found by name; without one the frame is left out.
 */
export function describeDiagnostics(
  diagnostics: readonly Diagnostic[],
  sources: readonly DescribedSource[],
  { color }: DescribeOptions,
): string {
  const paint = color ? painted : plain
  const texts = new Map(sources.map(({ file, text }) => [file, text]))
  const files = [...new Set(diagnostics.map(({ file }) => file))]
  const groups = files.map((file) => {
    const own = diagnostics.filter((diagnostic) => diagnostic.file === file)
    return describeFile(file, own, hideInLines(linesOf(texts.get(file ?? ''))), paint)
  })
  return groups.map((group) => `${group}\n`).join('\n')
}

function linesOf(text: string | undefined): string[] {
  return text === undefined ? [] : text.replace(/^\uFEFF/, '').split(/\r?\n/)
}

function describeFile(
  file: string | undefined,
  diagnostics: readonly Diagnostic[],
  lines: readonly string[],
  paint: Paint,
): string {
  const paragraphs = diagnostics.map((diagnostic) => describeOne(diagnostic, lines, paint))
  if (file !== undefined) paragraphs.push(paint('place', `${countOf(diagnostics)} in ${printable(file)}`))
  return paragraphs.join('\n\n')
}

/** `2 errors, 1 warning`. */
function countOf(diagnostics: readonly Diagnostic[]): string {
  const counts = (['error', 'warning'] as const).map((severity) => {
    const count = diagnostics.filter((diagnostic) => diagnostic.severity === severity).length
    return count === 0 ? [] : [`${count} ${severity}${count === 1 ? '' : 's'}`]
  })
  return counts.flat().join(', ')
}

type Paint = (style: keyof typeof styles, text: string) => string

const styles = { error: '31;1', warning: '33;1', place: '1', faint: '2', caret: '31;1', hint: '36' } as const
const painted: Paint = (style, text) => `\u001b[${styles[style]}m${text}\u001b[0m`
const plain: Paint = (_, text) => text

function describeOne(diagnostic: Diagnostic, lines: readonly string[], paint: Paint): string {
  const { severity, code, message, hint, docs } = abridgedDiagnostic(diagnostic)
  const place = printable(describePlace(diagnostic))
  const head = [
    ...(place === '' ? [] : [paint('place', place)]),
    `${paint(severity, severity)} ${printable(message)} ${paint('faint', `[${code}]`)}`,
  ].join(' ')
  const frame = frameOf(diagnostic, lines, paint)
  return [
    head,
    ...frame,
    ...(hint === undefined ? [] : [`  ${paint('hint', 'hint:')} ${printable(hint)}`]),
    ...(docs === undefined ? [] : [`  ${paint('faint', `see:  ${docs}`)}`]),
  ].join('\n')
}

/** Lines shown in front of the one that the caret points into. */
const linesBefore = 2
const widest = 100

function frameOf({ line, column, length }: Diagnostic, lines: readonly string[], paint: Paint): string[] {
  if (line === undefined || line > lines.length) return []
  const first = Math.max(1, line - linesBefore)
  const gutter = String(line).length
  const at = (column ?? 1) - 1
  const offset = at > widest - 20 ? at - 20 : 0
  const shown = Array.from({ length: line - first + 1 }, (_, i) => {
    const text = windowOf(lines[first + i - 1] ?? '', offset)
    return `  ${paint('faint', `${String(first + i).padStart(gutter)} │`)} ${text}`.trimEnd()
  })
  if (column === undefined) return shown
  const before = windowOf((lines[line - 1] ?? '').padEnd(at), offset, at - offset)
  const carets = '^'.repeat(Math.max(1, Math.min(length ?? 1, widest - (at - offset))))
  const caretLine = `  ${paint('faint', `${' '.repeat(gutter)} │`)} ${blank(before)}${paint('caret', carets)}`
  return [...shown, caretLine]
}

/** Part of a line, in characters; what a terminal would act on is made visible. */
function windowOf(line: string, offset: number, length = widest): string {
  const letters = [...line]
  const cut =
    offset > 0 ? `…${letters.slice(offset + 1, offset + length).join('')}` : letters.slice(0, length).join('')
  return printable(letters.length > offset + length && length === widest ? `${cut}…` : cut)
}

/** One column per character: tabs as a space, control characters as pictures, direction marks as a sign. */
function printable(text: string): string {
  return text
    .replace(/\t/g, ' ')
    .replace(/[\u0000-\u001f]/g, (control) => String.fromCharCode(0x2400 + control.charCodeAt(0)))
    .replace(
      /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ue000\ue001]|[\uD800-\uDFFF](?![\uDC00-\uDFFF])(?<![\uD800-\uDBFF][\uDC00-\uDFFF])/g,
      '\ufffd',
    )
}

function blank(text: string): string {
  return [...text].map(() => ' ').join('')
}
