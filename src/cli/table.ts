import type { Instant } from '../lib/time.js'

/** One column of a table of `Row`s. */
export interface Column<Row> {
  /** What `-o` calls it; in capitals, its header. */
  readonly key: string
  readonly text: (row: Row, view: CellView) => string
  /** Only with `-l`, or when asked for by name. */
  readonly extra?: true
  readonly right?: true
  /** Text of any length: cut where the table would be wider than the terminal. */
  readonly cut?: true
}

/** What the text of a cell depends on besides its row. */
export interface CellView {
  readonly now: Instant
  /** Whole identifiers instead of their first eight characters. */
  readonly full: boolean
}

export interface TableOptions {
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

/** Rows as aligned text without borders, one line each. */
export function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  options: { readonly header: boolean; readonly view: CellView; readonly width?: number | null },
): string {
  const cells = rows.map((row) => columns.map((column) => printable(column.text(row, options.view)) || '-'))
  const lines = options.header ? [columns.map((column) => column.key.toUpperCase()), ...cells] : cells
  const whole = columns.map((_, at) => Math.max(0, ...lines.map((line) => line[at]?.length ?? 0)))
  const widths = options.width == null ? whole : fitted(columns, whole, options.width)
  const pad = (cell: string, at: number) => {
    const width = widths[at] ?? 0
    const text = cell.length > width ? `${cell.slice(0, width - 1)}…` : cell
    return columns[at]?.right ? text.padStart(width) : text.padEnd(width)
  }
  return lines.map((line) => `${line.map(pad).join('  ').trimEnd()}\n`).join('')
}

/** What is left at least of a column that is cut. */
const leastWidth = 12

/** The widest of the columns that may be cut are, until all fit or nothing more can be cut. */
function fitted<Row>(
  columns: readonly Column<Row>[],
  whole: readonly number[],
  width: number,
): readonly number[] {
  const widths = [...whole]
  const between = 2 * (columns.length - 1)
  for (;;) {
    const over = widths.reduce((sum, one) => sum + one, between) - width
    const open = columns.flatMap((column, at) => (column.cut && (widths[at] ?? 0) > leastWidth ? [at] : []))
    if (over <= 0 || open.length === 0) return widths
    const widest = open.reduce((a, b) => ((widths[b] ?? 0) > (widths[a] ?? 0) ? b : a))
    widths[widest] = (widths[widest] ?? 0) - 1
  }
}

/** Text that cannot move the cursor or break the line: control characters become spaces. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
}
