// systemd's words: how the value of an option such as ExecStart= or Environment= is cut up and unquoted
// (extract-word.c and escape.c of systemd 252, flags EXTRACT_UNQUOTE | EXTRACT_CUNESCAPE).

import { isBlank } from './parse.js'

interface WordList {
  readonly words: readonly string[]
  /** What could not be read; `words` holds those before it. */
  readonly problem: string | null
  /** Escapes that systemd does not know and keeps as they are, with a warning. */
  readonly unknownEscapes: readonly string[]
}

/** Splits a value into words, with quotes and C escapes undone. */
export function splitWords(value: string): WordList {
  const words: string[] = []
  const unknownEscapes: string[] = []
  let at = 0
  for (;;) {
    const read = nextWord(value, at)
    if (read.kind === 'end') return { words, problem: null, unknownEscapes }
    if (read.kind === 'problem') return { words, problem: read.problem, unknownEscapes }
    words.push(read.word)
    unknownEscapes.push(...read.unknownEscapes)
    at = read.next
  }
}

type NextWord =
  | {
      readonly kind: 'word'
      readonly word: string
      /** Where the following word begins, or the end. */
      readonly next: number
      readonly unknownEscapes: readonly string[]
    }
  | { readonly kind: 'end' }
  | { readonly kind: 'problem'; readonly problem: string }

/** Reads the word that begins at or after `from`. */
export function nextWord(value: string, from: number): NextWord {
  let at = skipBlanks(value, from)
  if (at >= value.length) return { kind: 'end' }
  const pieces: Piece[] = []
  const unknownEscapes: string[] = []
  let quote: string | null = null
  for (; at < value.length; at++) {
    const char = value.charAt(at)
    if (char === '\\') {
      const found = readEscape(value, at + 1)
      if (found === null) unknownEscapes.push(value.slice(at, at + 2))
      pieces.push(found?.piece ?? value.slice(at, at + 2))
      at += found?.length ?? 1
    } else if (quote !== null) {
      if (char === quote) quote = null
      else pieces.push(char)
    } else if (char === '"' || char === "'") quote = char
    else if (isBlank(char)) break
    else pieces.push(char)
  }
  if (quote !== null) return { kind: 'problem', problem: `a quote (${quote}) is opened and never closed` }
  const word = joinPieces(pieces)
  if (word === null) return { kind: 'problem', problem: 'byte escapes do not make up UTF-8 text' }
  return { kind: 'word', word, next: skipBlanks(value, at), unknownEscapes }
}

/** A stretch of text, or bytes of UTF-8 as `\xNN` and `\NNN` write them. */
type Piece = string | readonly number[]

export function skipBlanks(value: string, from: number): number {
  let at = from
  while (at < value.length && isBlank(value.charAt(at))) at++
  return at
}

/** Reads the escape whose letter is at `at`; null where systemd knows none such. */
function readEscape(value: string, at: number): { piece: Piece; length: number } | null {
  const letter = value.charAt(at)
  const plain = plainEscapes[letter]
  if (plain !== undefined) return { piece: plain, length: 1 }
  const digits = numericEscapes.find(({ lead }) => lead.test(letter))
  if (digits === undefined) return null
  digits.form.lastIndex = at
  const text = digits.form.exec(value)?.[0]
  if (text === undefined) return null
  const code = Number.parseInt(digits.base === 16 ? text.slice(1) : text, digits.base)
  if (code === 0 || code > digits.max || (letter === 'U' && !isCharacter(code))) return null
  if (digits.byte) return { piece: [code], length: text.length }
  return { piece: isSurrogate(code) ? half : String.fromCodePoint(code), length: text.length }
}

/** Half a character is no UTF-8, and neither is this byte alone. */
const half: Piece = [0xed]

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff
}

const plainEscapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
  s: ' ',
}

const numericEscapes = [
  { lead: /x/, form: /x[0-9a-fA-F]{2}/y, base: 16, byte: true, max: 0xff },
  { lead: /u/, form: /u[0-9a-fA-F]{4}/y, base: 16, byte: false, max: 0xffff },
  { lead: /U/, form: /U[0-9a-fA-F]{8}/y, base: 16, byte: false, max: 0x10ffff },
  { lead: /[0-7]/, form: /[0-7]{3}/y, base: 8, byte: true, max: 0xff },
] as const

/** systemd takes no surrogates and no noncharacters for text. */
function isCharacter(code: number): boolean {
  if (code > 0x10ffff || isSurrogate(code)) return false
  return !((code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) === 0xfffe)
}

function joinPieces(pieces: readonly Piece[]): string | null {
  if (pieces.every((piece) => typeof piece === 'string')) return pieces.join('')
  const encoder = new TextEncoder()
  const bytes: number[] = []
  let text = ''
  for (const piece of [...pieces, []]) {
    if (typeof piece === 'string') text += piece
    else {
      // Text is encoded in one go: a character may be two pieces long.
      for (const byte of encoder.encode(text)) bytes.push(byte)
      bytes.push(...piece)
      text = ''
    }
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes))
  } catch {
    return null
  }
}

/** Quotes a word, where it must be, so that `splitWords` gives it back as it is. */
export function quoteWord(word: string): string {
  if (plainWord.test(word)) return word
  if (plainText.test(word)) return `"${word}"`
  return bareWord.test(word) ? word : `"${word.replace(mustEscape, escapeCharacter)}"`
}

/** What the two expressions below say, of the texts that are common. */
const plainWord = /^[A-Za-z0-9_./:,@+=!?*^~%$-]+$/
const plainText = /^[ !#-[\]-~]*$/
const bareWord = /^[\p{L}\p{N}_./:,@+=!?*^~%$-]+$/u
/** What would end the word, and what nobody sees, but for the plain blank. */
const mustEscape = /["\\]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cn}]|(?! )\p{Zs}/gu
const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

function escapeCharacter(char: string): string {
  const short = shortEscapes[char]
  if (short !== undefined) return short
  const code = char.codePointAt(0) ?? 0
  if (!isCharacter(code) || code < 0x80) {
    return [...new TextEncoder().encode(char)].map((byte) => `\\x${hex(byte, 2)}`).join('')
  }
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}

/** Doubles percent signs, so that no specifier is read into the text. */
export function escapePercent(text: string): string {
  return text.includes('%') ? text.replaceAll('%', '%%') : text
}

/** Doubles dollar signs, so that no variable is read into a word of an Exec line. */
export function escapeDollar(text: string): string {
  return text.includes('$') ? text.replaceAll('$', '$$$$') : text
}
