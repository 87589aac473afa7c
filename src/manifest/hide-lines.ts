// Lines of a text in which values of keys that are, or look like, secrets cannot be read. The text may be one that cannot be
// parsed, so this goes by lines: where it is not sure, it hides more.

/** A key of which no frame shows the value. */
const secretKey = /passw|passphrase|secret|token|key|credential|authorization|cookie|^headers$/i
/** `key: value`, `"key": value` and `key=value`, wherever on a line they stand. */
const keyed =
  /(?<=^|[\s{[,"'#-])(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z_][\w.-]*))\s*(?::(?=\s|$|["'{[])|=)[ \t]*/g
/** A template without texts in it says where a secret comes from, and not which. */
const harmless = /\{\{[^"'`\\}]*\}\}/

/** What goes on from one line to the next: all lines that are indented more, or those up to a quote or bracket. */
type Open =
  | { readonly until: 'indent'; readonly indent: number; readonly isText: boolean }
  | { readonly until: 'quote'; readonly quote: string }
  | { readonly until: 'bracket'; readonly depth: number }

/** The lines, with as many stars in place of what a secret says. */
export function hideInLines(lines: readonly string[]): string[] {
  let open: Open | null = null
  const elsewhere = new Set(lines.flatMap(aliasesOfSecrets))
  return lines.map((line) => {
    const { shown, next } = hideInLine(line, open, elsewhere)
    open = next
    return shown
  })
}

/** The names of values that secrets are said to be by `*name`. */
function aliasesOfSecrets(line: string): string[] {
  if (!line.includes('*')) return []
  const values = [...line.matchAll(keyed)].map((match) => ({
    name: nameOf(match),
    alias: /^\*([A-Za-z0-9_-]+)/.exec(line.slice(match.index + match[0].length))?.[1],
  }))
  return values.flatMap(({ name, alias }) => (alias !== undefined && isSecret(name) ? [alias] : []))
}

function nameOf(match: RegExpExecArray): string {
  return match[1] ?? match[2] ?? match[3] ?? ''
}

interface Hidden {
  readonly shown: string
  readonly next: Open | null
}

function hideInLine(line: string, open: Open | null, elsewhere: ReadonlySet<string>): Hidden {
  if (open === null) return hideValues(line, 0, elsewhere)
  if (open.until === 'indent') {
    if (line.trim() !== '' && indentOf(line) <= open.indent) return hideValues(line, 0, elsewhere)
    return { shown: open.isText ? stars(line) : starredValues(line), next: open }
  }
  if (open.until === 'bracket') {
    const depth = open.depth + balance(line)
    return { shown: starredValues(line), next: depth > 0 ? { ...open, depth } : null }
  }
  const end = endOfQuote(line, 0, open.quote)
  if (end === null) return { shown: stars(line), next: open }
  const { shown, next } = hideValues(line, end, elsewhere)
  return { shown: stars(line.slice(0, end)) + shown.slice(end), next }
}

function hideValues(line: string, from: number, elsewhere: ReadonlySet<string>): Hidden {
  let shown = line.slice(0, from)
  let at = from
  for (const match of line.matchAll(keyed)) {
    const [anchor = '', anchored = ''] =
      /^&([A-Za-z0-9_-]+)\s+(?=[^#\s])/.exec(line.slice(match.index + match[0].length)) ?? []
    const begin = match.index + match[0].length + anchor.length
    if (match.index < at || !(isSecret(nameOf(match)) || elsewhere.has(anchored))) continue
    const value = valueAt(line, begin, keyColumn(line, match.index))
    shown += line.slice(at, begin) + value.shown
    at = value.end
    if (value.next !== null) return { shown: shown + line.slice(at), next: value.next }
  }
  return { shown: shown + line.slice(at), next: null }
}

/** A name with an escape in it may be any; `secrets` lists names. */
function isSecret(name: string): boolean {
  return name !== 'secrets' && (secretKey.test(name) || name.includes('\\'))
}

interface Value {
  readonly shown: string
  readonly end: number
  readonly next: Open | null
}

function valueAt(line: string, begin: number, indent: number): Value {
  const rest = line.slice(begin)
  const [first = ''] = rest
  if (/^[|>][-+\d]*\s*(#.*)?$/.test(rest))
    return { shown: rest, end: line.length, next: { until: 'indent', indent, isText: true } }
  if (/^([&!]\S*\s*)?(#.*)?$/.test(rest))
    return { shown: stars(rest), end: line.length, next: { until: 'indent', indent, isText: false } }
  if (first === '"' || first === "'") {
    const end = endOfQuote(line, begin + 1, first)
    if (end === null) return { shown: stars(rest), end: line.length, next: { until: 'quote', quote: first } }
    return { shown: stars(line.slice(begin, end)), end, next: null }
  }
  if (/^[{[](?!\{)/.test(rest)) {
    const end = endOfBracket(line, begin)
    const next: Open | null = end === null ? { until: 'bracket', depth: balance(rest) } : null
    return { shown: starredValues(line.slice(begin, end ?? undefined)), end: end ?? line.length, next }
  }
  const end = begin + plainLength(line.slice(0, begin), rest)
  // A plain value may go on below, indented more.
  const next: Open | null = end < line.length ? null : { until: 'indent', indent, isText: true }
  return { shown: stars(line.slice(begin, end)), end, next }
}

/** In `{a: b, c: d}` a plain value ends at the comma. */
function plainLength(before: string, rest: string): number {
  if (balance(before) <= 0) return rest.length
  const template = /^(?:\{\{.*?\}\}|[^,}\]])*/.exec(rest)?.[0] ?? rest
  return template.length
}

/** Where a quoted text ends, behind its quote; null where it goes on. */
function endOfQuote(line: string, from: number, quote: string): number | null {
  for (let at = from; at < line.length; at++) {
    if (quote === '"' && line[at] === '\\') at += 1
    else if (line[at] === quote && quote === "'" && line[at + 1] === quote) at += 1
    else if (line[at] === quote) return at + 1
  }
  return null
}

/** Where a bracket that opens at `from` is closed, behind it; null where it is not. */
function endOfBracket(line: string, from: number): number | null {
  let depth = 0
  for (const { 0: part, index } of line.slice(from).matchAll(/"(?:[^"\\]|\\.)*"|'[^']*'|[{}[\]]/g)) {
    if (part.length > 1) continue
    depth += part === '{' || part === '[' ? 1 : -1
    if (depth === 0) return from + index + 1
  }
  return null
}

function balance(text: string): number {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '')
  return bare.replace(/[^{[]/g, '').length - bare.replace(/[^}\]]/g, '').length
}

function indentOf(line: string): number {
  return line.search(/\S|$/)
}

/** How far a key is indented: in a list the dash belongs to what is before it. */
function keyColumn(line: string, at: number): number {
  return /^[\s-]*$/.test(line.slice(0, at)) ? at : indentOf(line)
}

/** All of a line but its keys: of each header the name may be seen. */
function starredValues(line: string): string {
  let shown = ''
  let at = 0
  for (const match of line.matchAll(keyed)) {
    // A text in base64 may end with signs that say the same.
    if (match.index < at || match[0].includes('=')) continue
    shown += stars(line.slice(at, match.index)) + match[0]
    at = match.index + match[0].length
  }
  return shown + stars(line.slice(at))
}

function stars(text: string): string {
  return text
    .split(new RegExp(`(${harmless.source})`))
    .map((piece, at) => (at % 2 === 1 ? piece : piece.replace(/[^\s"'{}[\],]/gu, '*')))
    .join('')
}
