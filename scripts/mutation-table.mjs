// The table of docs/simulation.md: each fault that is put into the product on purpose, and when the simulation found it.

const heading = '| NAME | fault | seeds | time of a core | on |'

/** What a row begins with. */
export function startOf({ name, about, args = [] }) {
  const how = args.length === 0 ? '' : ` (\`${args.join(' ')}\`)`
  return `| \`${name}\` | ${about}${how} |`
}

/** A row: `seeds` and `seconds` until it was found, and the day. */
export function rowOf(mutation, { seeds, seconds, on }) {
  return `${startOf(mutation)} ${seeds} | ${seconds} s | ${on} |`
}

/** The rows of a text, by the names of their faults. */
export function rowsIn(text) {
  const lines = text.split('\n')
  const from = lines.indexOf(heading) + 2
  if (from < 2) throw new Error(`there is no table "${heading}"`)
  const after = lines.findIndex((line, n) => n >= from && !line.startsWith('|'))
  const rows = lines.slice(from, after).map((line) => [/^\| `([^`]+)` /.exec(line)?.[1] ?? line, line])
  return { before: lines.slice(0, from), rows: new Map(rows), after: lines.slice(after) }
}

/** The same text with that row instead of the one of the same fault, or in the end. */
export function withRow(text, name, row) {
  const { before, rows, after } = rowsIn(text)
  return [...before, ...rows.set(name, row).values(), ...after].join('\n')
}
