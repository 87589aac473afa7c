// A line of text to an argument vector, by a shell's rules of quoting. No shell runs: nothing is expanded.
import { openingAt, templateEnd } from './template.js'

/** A word, and where it stands in the line, quotes included. */
interface Word {
  readonly text: string
  readonly start: number
  readonly end: number
}

interface SplitLine {
  readonly words: readonly Word[]
  /** Where a quote opens that is never closed. */
  readonly unclosed: number | null
  /** Bare characters that only a shell would act on; the program would get them as they are. */
  readonly shellSyntax: readonly { readonly text: string; readonly start: number }[]
}

/**
 * Splits at white space outside quotes. A backslash takes the next character as it is and, at the end of a line,
 * joins the lines; in double quotes it does so only before `" \ $` and a backtick. Templates pass whole.
 */
export function splitWords(line: string): SplitLine {
  const state: State = { line, at: 0, plainUntil: 0, words: [], word: null, unclosed: null, shellSyntax: [] }
  while (state.at < line.length && state.unclosed === null) step(state)
  endWord(state)
  return state
}

interface State {
  readonly line: string
  at: number
  /** Up to here there are backslashes that open no template. */
  plainUntil: number
  readonly words: Word[]
  word: { text: string; readonly start: number } | null
  unclosed: number | null
  readonly shellSyntax: { text: string; start: number }[]
}

function step(state: State): void {
  const { line, at } = state
  const letter = line[at] ?? ''
  if (takeTemplate(state)) return
  if (/\s/.test(letter)) {
    endWord(state)
    state.at += 1
  } else if (letter === "'" || letter === '"') {
    takeQuoted(state, letter)
  } else if (letter === '\\') {
    takeEscape(state)
  } else {
    noteShellSyntax(state)
    take(state, letter, 1)
  }
}

/** Templates go through untouched: their quotes, spaces and leading backslashes are not the line's. */
function takeTemplate(state: State): boolean {
  const { line, at } = state
  if (at < state.plainUntil || (line[at] !== '\\' && line[at] !== '{')) return false
  const open = openingAt(line, at)
  if (!open) {
    // A long run is looked through once, and not from each of its backslashes.
    while (line[state.plainUntil] === '\\' || state.plainUntil < at) state.plainUntil += 1
    return false
  }
  const end = open.escaped ? open.braces + 2 : (templateEnd(line, open.braces) ?? line.length)
  take(state, line.slice(at, end), end - at)
  return true
}

function takeQuoted(state: State, quote: string): void {
  const open = state.at
  take(state, '', 1)
  while (state.at < state.line.length) {
    const letter = state.line[state.at] ?? ''
    const next = state.line[state.at + 1] ?? ''
    if (letter === quote) {
      take(state, '', 1)
      return
    }
    if (takeTemplate(state)) continue
    if (quote === '"' && letter === '\\' && next === '\n') take(state, '', 2)
    else if (quote === '"' && letter === '\\' && '"\\$`'.includes(next) && next !== '') take(state, next, 2)
    else take(state, letter, 1)
  }
  state.unclosed = open
}

function takeEscape(state: State): void {
  const next = /^\\(\r?\n|[\s\S])?/u.exec(state.line.slice(state.at))?.[1] ?? ''
  if (next === '') state.unclosed = state.at
  else if (next.endsWith('\n')) state.at += 1 + next.length
  else take(state, next, 1 + next.length)
}

const operators = /^(\|\|?|&&?|;|>>?|<<?|`|\$\(|\$\{\w+\}|\$[A-Za-z_]\w*)/

/** Operators count where they are bare: `a|b` inside a word may well be meant. */
function noteShellSyntax(state: State): void {
  const match = operators.exec(state.line.slice(state.at, state.at + 40))
  const operator = match?.[0] ?? ''
  const expands = operator.startsWith('$') || operator === '`'
  const alone =
    state.word === null &&
    (/^[<>]/.test(operator) || /^(\s|$)/.test(state.line.slice(state.at + operator.length)))
  const ends = operator === ';' && /^;(\s|$)/.test(state.line.slice(state.at))
  if (operator !== '' && (expands || alone || ends))
    state.shellSyntax.push({ text: operator, start: state.at })
}

function take(state: State, text: string, length: number): void {
  state.word ??= { text: '', start: state.at }
  state.word.text += text
  state.at += length
}

function endWord(state: State): void {
  if (state.word) state.words.push({ ...state.word, end: state.at })
  state.word = null
}
