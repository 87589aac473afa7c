import type { Instant } from '../lib/time.js'

/** One column of a table of `Row`s. */
export interface Column<Row> {
  /** What `-o` calls it; in capitals, its header. */
  readonly key: string
  readonly text: (row: Row, view: CellView) => string
  /** Only with `-l`, or when asked for by name. */
  readonly extra?: true
  readonly right?: true
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
  options: { readonly header: boolean; readonly view: CellView },
): string {
  const cells = rows.map((row) => columns.map((column) => printable(column.text(row, options.view)) || '-'))
  const lines = options.header ? [columns.map((column) => column.key.toUpperCase()), ...cells] : cells
  const widths = columns.map((_, at) => Math.max(0, ...lines.map((line) => line[at]?.length ?? 0)))
  const pad = (text: string, at: number) => {
    const width = widths[at] ?? 0
    return columns[at]?.right ? text.padStart(width) : text.padEnd(width)
  }
  return lines.map((line) => `${line.map(pad).join('  ').trimEnd()}\n`).join('')
}

/** Text that cannot move the cursor or break the line: control characters become spaces. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
}
