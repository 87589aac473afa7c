// A text as the tokens of the yaml package, within the limits.
import { CST, Lexer, Parser } from 'yaml'
import type { Steps } from '../../lib/sliced-work.js'
import type { ManifestCode, Notes, Span } from '../notes.js'
import { limits, tooManyNodes } from './limits.js'

/** Of a text. */
export const syntaxErrorsRead = 100

/** About a third of a millisecond. */
const lexemesInStep = 200

/** The tokens of a text's top level. */
interface Tokens {
  readonly tokens: readonly CST.Token[]
  /** Where quoted values stand that do not end on the line where they begin. */
  readonly quotes: readonly Span[]
}

/**
 * Lexes and parses with a bound on depth and amount, so that composing (which recurses) is safe afterwards. Undefined for a
 * text beyond the limits, which is reported.
 */
export function* tokensOf(text: string, notes: Notes): Steps<Tokens | undefined> {
  if (hasTooManyLines(text)) return refuse(notes, 'manifest/too-large', 0, `more than ${limits.lines} lines`)
  const parser = new Parser()
  const tokens: CST.Token[] = []
  const quotes: Span[] = []
  const seen: Seen = { lexemes: 0, scalars: 0, documents: 0, errors: 0 }
  for (const lexeme of new Lexer().lex(text)) {
    const start = parser.offset
    for (const token of parser.next(lexeme)) keep(token, tokens, seen)
    seen.lexemes += 1
    if (isScalar(lexeme)) seen.scalars += 1
    if (isLongQuote(lexeme)) quotes.push({ start, end: start + lexeme.length })
    const [code, problem] = excess(parser.stack.length, seen) ?? []
    if (code !== undefined) return refuse(notes, code, parser.offset, problem ?? '')
    if (seen.lexemes % lexemesInStep === 0) yield
  }
  for (const token of parser.end()) keep(token, tokens, seen)
  return { tokens, quotes }
}

interface Seen {
  lexemes: number
  scalars: number
  documents: number
  errors: number
}

/** Which limit is passed, if any. */
function excess(
  depth: number,
  { lexemes, scalars, documents }: Seen,
): readonly [code: ManifestCode, problem: string] | undefined {
  if (depth > limits.depth) return ['manifest/too-deep', `nested deeper than ${limits.depth} levels`]
  if (scalars > limits.nodes) return ['manifest/too-many-nodes', tooManyNodes]
  if (lexemes > limits.tokens) return ['manifest/too-large', `more than ${limits.tokens} words and marks`]
  if (documents > limits.documents) return ['manifest/too-large', `more than ${limits.documents} documents`]
  return undefined
}

function refuse(notes: Notes, code: ManifestCode, at: number, problem: string): undefined {
  notes.report(code, { start: at, end: at }, problem)
}

/** A plain or block scalar has a lexeme of its own before it. */
function isScalar(lexeme: string): boolean {
  return lexeme === CST.SCALAR || lexeme.startsWith('"') || lexeme.startsWith("'")
}

/** A quoted value over several lines, or without an end. */
function isLongQuote(lexeme: string): boolean {
  const mark = lexeme.charAt(0)
  return (
    (mark === '"' || mark === "'") && (lexeme.includes('\n') || !lexeme.endsWith(mark) || lexeme === mark)
  )
}

/** Keeps a token of the top level, of those that only say what is wrong the first. */
function keep(token: CST.Token, tokens: CST.Token[], seen: Seen): void {
  if (token.type === 'document') seen.documents += 1
  if (token.type === 'error') seen.errors += 1
  if (token.type !== 'error' || seen.errors <= syntaxErrorsRead) tokens.push(token)
}

function hasTooManyLines(text: string): boolean {
  let lines = 0
  for (let at = text.indexOf('\n'); at !== -1 && lines <= limits.lines; at = text.indexOf('\n', at + 1))
    lines += 1
  return lines > limits.lines
}
