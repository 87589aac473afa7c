import type { Instant } from '../lib/time.js'

/** One column of a table of `Row`s. */
export interface Column<Row> {
  /** What `-o` calls it; in capitals, its header. */
  readonly key: string
  readonly text: (row: Row, view: CellView) => string
  /** Only with `-l`, or when asked for by name. */
  readonly extra?: true
  readonly right?: true
  /** Text of any length: cut where the table would be wider than the terminal, or put under its row. */
  readonly cut?: true
}

/** What the text of a cell depends on besides its row. */
export interface CellView {
  readonly now: Instant
  /** Whole identifiers instead of their first eight characters. */
  readonly full: boolean
  /** How wide lines may be; null or absent: as wide as they are. */
  readonly width?: number | null
}

interface TableOptions {
  readonly columns: readonly string[] | null
  readonly header: boolean
  readonly long: boolean
}

/** The columns that `options` ask for, or the names that no column has. */
export function chooseColumns<Row>(
  columns: readonly Column<Row>[],
  options: Pick<TableOptions, 'columns' | 'long'>,
): { readonly chosen: readonly Column<Row>[]; readonly unknown: readonly string[] } {
  if (options.columns === null)
    return { chosen: columns.filter((column) => options.long || !column.extra), unknown: [] }
  const find = (name: string) => columns.find((column) => column.key.toLowerCase() === name.toLowerCase())
  return {
    chosen: options.columns.flatMap((name) => find(name) ?? []),
    unknown: options.columns.filter((name) => find(name) === undefined),
  }
}

/**
 * Rows as aligned text without borders. One line each; where that is too wide for the terminal although what may be cut is,
 * texts of any length come under their rows.
 */
export function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  options: { readonly header: boolean; readonly view: CellView },
): string {
  const { header, view } = options
  const cells = rows.map((row) => columns.map((column) => printable(column.text(row, view)) || '-'))
  const lines = header ? [columns.map(({ key }) => key.toUpperCase()), ...cells] : cells
  const layout = layoutOf(columns, lines, view.width ?? null)
  return lines
    .map(
      (line, n) =>
        `${inColumns(line, columns, layout)}\n${n === 0 && header ? '' : under(line, columns, layout)}`,
    )
    .join('')
}

interface Layout {
  /** Of each column; null for one that comes under its row. */
  readonly widths: readonly (number | null)[]
  readonly width: number | null
}

function inColumns<Row>(
  line: readonly string[],
  columns: readonly Column<Row>[],
  { widths }: Layout,
): string {
  const cells = line.flatMap((cell, at) => {
    const width = widths[at] ?? null
    if (width === null) return []
    const text = cell.length > width ? `${cell.slice(0, width - 1)}…` : cell
    return [columns[at]?.right ? text.padStart(width) : text.padEnd(width)]
  })
  return cells.join('  ').trimEnd()
}

/** So many lines of one text are shown at most: `-l` has all of it. */
const linesUnder = 3
/** No terminal that is narrower is worth a word in each line. */
const leastUnder = 20

function under<Row>(
  line: readonly string[],
  columns: readonly Column<Row>[],
  { widths, width }: Layout,
): string {
  return line
    .flatMap((cell, at) =>
      widths[at] === null && cell !== '-' ? [`${columns[at]?.key ?? ''}: ${cell}`] : [],
    )
    .flatMap((text) => wrapped(text, Math.max(leastUnder, (width ?? 0) - 4)))
    .map((text) => `    ${text}\n`)
    .join('')
}

/** A text in lines that fit, broken at blanks where there are any; the last one is cut. */
function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let left = text
  while (left.length > width && lines.length < linesUnder - 1) {
    const blank = left.lastIndexOf(' ', width)
    const end = blank > 0 ? blank : width
    lines.push(left.slice(0, end))
    left = left.slice(end).trimStart()
  }
  return [...lines, left.length > width ? `${left.slice(0, width - 1)}…` : left]
}

/** What is left at least of a text of any length that is cut, and of what is cut only where nothing else helps. */
const leastWidth = 12
const leastOfAll = 8

function layoutOf<Row>(
  columns: readonly Column<Row>[],
  lines: readonly (readonly string[])[],
  width: number | null,
): Layout {
  const whole = columns.map((_, at) => Math.max(0, ...lines.map((line) => line[at]?.length ?? 0)))
  if (width === null) return { widths: whole, width }
  const cuttable = columns.flatMap(({ cut }, at) => (cut ? [at] : []))
  let widths: readonly (number | null)[] = fitted(whole, cuttable, leastWidth, width)
  // The last is the one that is the least of a key: a reason.
  for (const at of [...cuttable].reverse()) {
    if (widthOf(widths) <= width) return { widths, width }
    const rest = widths.map((one, n) => (n === at || one === null ? null : (whole[n] ?? 0)))
    widths = fitted(rest, cuttable, leastWidth, width)
  }
  const squeezable = columns.flatMap(({ right }, at) => (right ? [] : [at]))
  return { widths: fitted(widths, squeezable, leastOfAll, width), width }
}

function widthOf(widths: readonly (number | null)[]): number {
  const shown = widths.filter((one) => one !== null)
  return shown.reduce((sum, one) => sum + one, 2 * Math.max(0, shown.length - 1))
}

/** The widest of some columns are cut, until all fit or nothing more can be cut. */
function fitted(
  whole: readonly (number | null)[],
  cuttable: readonly number[],
  least: number,
  width: number,
): readonly (number | null)[] {
  const widths = [...whole]
  const of = (at: number): number => widths[at] ?? 0
  for (let over = widthOf(widths) - width; over > 0; over--) {
    const open = cuttable.filter((at) => of(at) > least)
    if (open.length === 0) break
    const widest = open.reduce((a, b) => (of(b) > of(a) ? b : a))
    widths[widest] = of(widest) - 1
  }
  return widths
}

/** Text that cannot move the cursor or break the line: control characters become spaces. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
}

/** Text of several lines that cannot move the cursor elsewhere: control characters become spaces, one each. */
export function printableLines(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, ' ')
}
