// Reads unit files as systemd 252 does (conf-parser.c), but reports every line that systemd would only warn about.
import { abridged } from '../lib/abridge.js'
import type { Diagnostic } from '../model/diagnostic.js'

/** One option line of a unit file, in file order. `line` is 1-based; 0 for an option that came without a file. */
export interface UnitOption {
  readonly section: string
  readonly name: string
  readonly value: string
  readonly line: number
}

/** A parsed unit file: its options in order. Later lines of one name add up; an empty value resets the list. */
export interface UnitFile {
  readonly options: readonly UnitOption[]
}

interface ParsedUnit {
  readonly file: UnitFile
  readonly diagnostics: readonly Diagnostic[]
}

/** A unit file may be this large; systemd's own limit for one line. */
export const maxUnitBytes = 1024 * 1024

/**
 * Parses a unit file. Continued lines are joined with one blank in place of the backslash; comments within them are
 * skipped. Codes: `unit/too-large`, `unit/nul`, `unit/bad-section`, `unit/option-outside-section`,
 * `unit/missing-equals`, `unit/missing-name`, `unit/bad-option-name`, `unit/open-continuation`, `unit/too-many-problems`.
 */
export function parseUnit(text: string, fileName?: string): ParsedUnit {
  return readUnit(text, fileName, (line) => line.joined)
}

/** Parses a unit file as fleet does, which keeps continued lines as they stand: `\`, line break and all. */
export function parseUnitAsFleet(text: string, fileName?: string): ParsedUnit {
  return readUnit(text, fileName, (line) => line.verbatim)
}

/** A line once continued lines are put together. */
interface LogicalLine {
  /** 1-based line and column where it begins. */
  readonly line: number
  readonly column: number
  readonly joined: string
  readonly verbatim: string
}

function readUnit(
  text: string,
  fileName: string | undefined,
  form: (line: LogicalLine) => string,
): ParsedUnit {
  const refusal = refuseWhole(text)
  if (refusal !== null) return { file: { options: [] }, diagnostics: [inFile(fileName, refusal)] }
  const options: UnitOption[] = []
  const problems: Diagnostic[] = []
  let section: Section = { kind: 'none' }
  for (const line of logicalLines(text)) {
    const read = readLine(line, form(line), section)
    if (read.section !== undefined) section = read.section
    if (read.option !== undefined) options.push(read.option)
    if (read.problem !== undefined) problems.push(read.problem)
    if (problems.length === maxProblems) {
      problems.push(tooMany(line))
      break
    }
  }
  return { file: { options }, diagnostics: problems.map((problem) => inFile(fileName, problem)) }
}

const maxProblems = 50

function inFile(file: string | undefined, problem: Diagnostic): Diagnostic {
  return file === undefined ? problem : { ...problem, file }
}

function refuseWhole(text: string): Diagnostic | null {
  if (text.length > maxUnitBytes || new TextEncoder().encode(text).length > maxUnitBytes) {
    return {
      code: 'unit/too-large',
      severity: 'error',
      message: 'the unit file is larger than 1 MiB',
      hint: 'keep large data in files that the unit refers to',
    }
  }
  const nul = text.indexOf('\0')
  if (nul === -1) return null
  const before = text.slice(0, nul).split(lineBreak)
  const column = (before.at(-1)?.length ?? 0) + 1
  return {
    code: 'unit/nul',
    severity: 'error',
    message: 'a unit file cannot hold a NUL character',
    line: before.length,
    column,
    length: 1,
  }
}

/** systemd takes any of these, pairs included, as one line break. */
const lineBreak = /\r\n|\n\r|\r|\n/

function* logicalLines(text: string): Generator<LogicalLine> {
  let pending: OpenLine | null = null
  const lines = text.replace(/^\uFEFF/, '').split(lineBreak)
  for (const [index, line] of lines.entries()) {
    const comment = /^[ \t]*[#;]/.test(line)
    if (comment && pending === null) continue
    const current: OpenLine = pending ?? {
      line: index + 1,
      column: line.search(/[^ \t]|$/) + 1,
      joined: [],
      verbatim: [],
    }
    current.verbatim.push(line)
    const continued = !comment && endsInBackslash(line)
    if (!comment) current.joined.push(continued ? `${line.slice(0, -1)} ` : line)
    pending = comment || continued ? current : null
    if (pending === null) yield finish(current)
  }
  if (pending !== null) yield finish(pending)
}

/** A logical line of which more may follow. */
interface OpenLine {
  readonly line: number
  readonly column: number
  readonly joined: string[]
  readonly verbatim: string[]
}

function finish(line: OpenLine): LogicalLine {
  return { ...line, joined: line.joined.join(''), verbatim: line.verbatim.join('\n') }
}

/** Whether the last character is a backslash that no other backslash escapes. */
export function endsInBackslash(line: string): boolean {
  let run = 0
  while (line.charAt(line.length - 1 - run) === '\\') run++
  return run % 2 === 1
}

/** Where the reader is: what follows a broken header belongs to nobody, and complaining of it would bury the cause. */
type Section =
  | { readonly kind: 'none' }
  | { readonly kind: 'broken' }
  | { readonly kind: 'named'; readonly name: string }

/** What one line brings; nothing at all for a blank one. */
interface LineRead {
  readonly section?: Section
  readonly option?: UnitOption
  readonly problem?: Diagnostic
}

function readLine(line: LogicalLine, raw: string, section: Section): LineRead {
  const text = trimBlanks(raw)
  if (text === '') return {}
  if (text.startsWith('[')) return readHeader(line, text)
  const equals = text.indexOf('=')
  if (section.kind === 'broken') return {}
  if (equals === -1) {
    const message = `"${excerpt(text)}" is not an option: it has no "="`
    return { problem: problemAt(line, 'unit/missing-equals', message, text) }
  }
  const name = trimBlanks(text.slice(0, equals))
  if (name === '') {
    return {
      problem: problemAt(line, 'unit/missing-name', `"${excerpt(text)}" has no name before "="`, text),
    }
  }
  if (isMistakable(name)) {
    const message = `the name "${excerpt(name)}" begins or ends with a blank that is none to systemd`
    return { problem: problemAt(line, 'unit/bad-option-name', message, text) }
  }
  if (section.kind === 'none') {
    const problem = problemAt(
      line,
      'unit/option-outside-section',
      `"${excerpt(name)}" comes before the first section`,
      text,
    )
    return { problem: { ...problem, hint: 'put it below a header such as [Service]' } }
  }
  const option = { section: section.name, name, value: trimBlanks(text.slice(equals + 1)), line: line.line }
  if (!endsInBackslash(trimBlanks(line.verbatim))) return { option }
  // systemd reads past it, but written down again the value would take the next line with it.
  const message = `the value of "${excerpt(name)}" ends in a backslash, but no line follows`
  return { option, problem: problemAt(line, 'unit/open-continuation', message, text) }
}

/** Whether a name, written at the beginning of a line, would be read as something else by one reader or another. */
export function isMistakable(name: string): boolean {
  return name === '' || /^[[#;\s\uFEFF]|[=\0\r\n]|[\s\uFEFF]$/.test(name)
}

function readHeader(line: LogicalLine, text: string): LineRead {
  const name = text.slice(1, -1)
  if (text.endsWith(']') && name !== '' && !/[[\]"'\\\x00-\x1f\x7f]/.test(name))
    return { section: { kind: 'named', name } }
  const problem = problemAt(line, 'unit/bad-section', `"${excerpt(text)}" is not a section header`, text)
  return { section: { kind: 'broken' }, problem: { ...problem, hint: 'write [Name] alone on the line' } }
}

function problemAt(line: LogicalLine, code: string, message: string, text: string): Diagnostic {
  const length = text.split('\n')[0]?.length ?? text.length
  return { code, severity: 'error', message, line: line.line, column: line.column, length }
}

function tooMany(line: LogicalLine): Diagnostic {
  return {
    code: 'unit/too-many-problems',
    severity: 'error',
    message: `more than ${maxProblems} problems; the rest of the file was not checked`,
    line: line.line,
    column: line.column,
  }
}

/** systemd's white space: blanks, tabs and line breaks, no more. Loops, for a pattern could take quadratic time. */
export function trimBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charAt(start))) start++
  while (end > start && isBlank(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

export function isBlank(char: string): boolean {
  return char === ' ' || char === '\t' || char === '\n' || char === '\r'
}

function excerpt(text: string): string {
  return abridged(text.split('\n')[0] ?? '', 41)
}
