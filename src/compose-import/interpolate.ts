// Compose's `${VARIABLE}` in a text. Nobody's environment is at hand, so a default is taken where there is one, and
// what has none is left open: a mark for the project's meta.
import { mark } from './draft.js'

export interface Interpolated {
  /** With a mark for every open variable. */
  readonly text: string
  readonly open: readonly OpenVariable[]
  readonly assumed: readonly AssumedVariable[]
}

/** A variable without a default; `demand` is the message of `${NAME:?message}`. */
interface OpenVariable {
  readonly name: string
  readonly demand: string
}

/** A variable whose default was taken; `unused` is the text of `${NAME:+text}`, which counts only where NAME is set. */
interface AssumedVariable {
  readonly name: string
  readonly value: string
  readonly unused?: string
}

/** What a variable is known to hold; undefined where it is not set, as far as is known. */
type LookUp = (name: string) => string | undefined

const nothingKnown: LookUp = () => undefined

/** Fills in the variables of a text; undefined when a `${` is none that Compose reads. */
export function interpolate(text: string, known: LookUp = nothingKnown): Interpolated | undefined {
  return text.includes('$') ? read(text, 0, null, known)?.found : { text, open: [], assumed: [] }
}

/** Nested defaults are followed this deep; nobody writes more. */
const deepest = 20

interface Read {
  readonly found: Interpolated
  readonly end: number
}

/** Reads up to the end of the text or, inside braces, up to the closing one. `depth` is null outside. */
function read(text: string, start: number, depth: number | null, known: LookUp): Read | undefined {
  const open: OpenVariable[] = []
  const assumed: AssumedVariable[] = []
  let result = ''
  let at = start
  while (at < text.length && !(depth !== null && text[at] === '}')) {
    const piece =
      text[at] === '$' ? readDollar(text, at, depth ?? 0, known) : readPlain(text, at, depth !== null)
    if (!piece) return undefined
    result += piece.found.text
    // Of a long text there are more of them than a call takes arguments.
    for (const one of piece.found.open) open.push(one)
    for (const one of piece.found.assumed) assumed.push(one)
    at = piece.end
  }
  return { found: { text: result, open, assumed }, end: at }
}

function readPlain(text: string, at: number, inBraces: boolean): Read {
  const stop = /[$}]/g
  stop.lastIndex = at
  let end = stop.exec(text)?.index ?? text.length
  if (!inBraces && text[end] === '}') end += 1
  return plain(text.slice(at, end), end)
}

function plain(text: string, end: number): Read {
  return { found: { text, open: [], assumed: [] }, end }
}

const variable = /\$(?:(\$)|([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(:?[-?+]|\}))/y

/** A `$` that begins nothing stays as it is; a `${` must begin a variable. */
function readDollar(text: string, at: number, depth: number, known: LookUp): Read | undefined {
  variable.lastIndex = at
  const match = variable.exec(text)
  if (!match) return text[at + 1] === '{' ? undefined : plain('$', at + 1)
  const [whole, dollar, bare, braced = '', operator = ''] = match
  const end = at + whole.length
  if (dollar !== undefined) return plain('$', end)
  if (bare !== undefined) return knownVariable(known(bare), end) ?? openVariable(bare, '', end)
  const value = known(braced)
  if (operator === '}') return knownVariable(value, end) ?? openVariable(braced, '', end)
  const operand = depth < deepest ? read(text, end, depth + 1, known) : undefined
  if (!operand || text[operand.end] !== '}') return undefined
  // With a colon, what is empty counts as not set.
  if (value === undefined || (value === '' && operator.startsWith(':')))
    return withOperator(braced, operator, operand)
  return operator.endsWith('+') ? { ...operand, end: operand.end + 1 } : plain(value, operand.end + 1)
}

function knownVariable(value: string | undefined, end: number): Read | null {
  return value === undefined ? null : plain(value, end)
}

function openVariable(name: string, demand: string, end: number): Read {
  return { found: { text: mark(`meta.${name}`), open: [{ name, demand }], assumed: [] }, end }
}

function withOperator(name: string, operator: string, { found, end }: Read): Read {
  if (operator.endsWith('?')) return openVariable(name, found.text, end + 1)
  if (operator.endsWith('+')) {
    const assumed = [{ name, value: '', unused: found.text }]
    return { found: { text: '', open: [], assumed }, end: end + 1 }
  }
  const assumed = [{ name, value: found.text }, ...found.assumed]
  return { found: { ...found, assumed }, end: end + 1 }
}
