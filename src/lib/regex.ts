// Regular expressions from users, matched in linear time: an expression such as (a+)+$ cannot hold the engine up.
// The subset: characters, `.`, sets, \d \w \s and their opposites, groups, `|`, `* + ?`, `^` and `$`.

/** Says whether a text contains a match; the expression is not anchored. */
export type Matcher = (text: string) => boolean

/** Longer than any that a person writes; with it a match costs at most this times the text's length. */
const longestExpression = 256

/** Compiles an expression, or says in words why it is none that is known here. */
export function compileRegex(expression: string): Matcher | { readonly problem: string } {
  if (expression.length > longestExpression)
    return { problem: `a regular expression has at most ${longestExpression} characters` }
  const cursor: Cursor = { chars: [...expression], at: 0, problem: null, depth: 0 }
  const program = readAlternatives(cursor)
  if (cursor.problem === null && cursor.at < cursor.chars.length) cursor.problem = 'a ) closes no group'
  if (cursor.problem !== null) return { problem: cursor.problem }
  const steps: readonly Step[] = [...program, { do: 'match' }]
  return (text) => run(steps, [...text])
}

/** One step of a program; `to` counts from the step itself. */
type Step =
  | { readonly do: 'read'; readonly test: (char: string) => boolean }
  | { readonly do: 'jump'; readonly to: readonly number[] }
  | { readonly do: 'at-start' }
  | { readonly do: 'at-end' }
  | { readonly do: 'match' }

interface Cursor {
  readonly chars: readonly string[]
  at: number
  /** The first thing that is wrong. */
  problem: string | null
  depth: number
}

const deepestGroup = 50

function readAlternatives(cursor: Cursor): readonly Step[] {
  let steps = readSequence(cursor)
  while (cursor.chars[cursor.at] === '|') {
    cursor.at++
    const other = readSequence(cursor)
    steps = [jump(1, steps.length + 2), ...steps, jump(other.length + 1), ...other]
  }
  return steps
}

function readSequence(cursor: Cursor): readonly Step[] {
  const steps: Step[] = []
  for (;;) {
    const char = cursor.chars[cursor.at]
    if (char === undefined || char === '|' || char === ')' || cursor.problem !== null) return steps
    steps.push(...readRepetition(cursor, readAtom(cursor, char)))
  }
}

function readRepetition(cursor: Cursor, atom: readonly Step[]): readonly Step[] {
  const sign = cursor.chars[cursor.at]
  if (sign === undefined || !'*+?'.includes(sign)) return atom
  cursor.at++
  // Lazy or not makes no difference to whether there is a match.
  if (cursor.chars[cursor.at] === '?') cursor.at++
  const next = cursor.chars[cursor.at]
  if (next !== undefined && '*+?'.includes(next)) cursor.problem ??= `${sign}${next} repeats a repetition`
  if (sign === '?') return [jump(1, atom.length + 1), ...atom]
  if (sign === '+') return [...atom, jump(-atom.length, 1)]
  return [jump(1, atom.length + 2), ...atom, jump(-atom.length - 1)]
}

function readAtom(cursor: Cursor, char: string): readonly Step[] {
  cursor.at++
  switch (char) {
    case '(':
      return readGroup(cursor)
    case '[':
      return [{ do: 'read', test: readSet(cursor) }]
    case '.':
      return [{ do: 'read', test: (one) => one !== '\n' }]
    case '^':
      return [{ do: 'at-start' }]
    case '$':
      return [{ do: 'at-end' }]
    case '\\':
      return [{ do: 'read', test: readEscape(cursor) }]
    case '*':
    case '+':
    case '?':
      cursor.problem ??= `${char} has nothing to repeat`
      return []
    case '{':
    case '}':
      cursor.problem ??= 'counted repetitions ({…}) are not known here'
      return []
    default:
      return [{ do: 'read', test: (one) => one === char }]
  }
}

function readGroup(cursor: Cursor): readonly Step[] {
  if (cursor.chars[cursor.at] === '?') {
    if (cursor.chars[cursor.at + 1] !== ':') cursor.problem ??= 'of the (?…) groups only (?:…) is known here'
    cursor.at += 2
  }
  cursor.depth++
  if (cursor.depth > deepestGroup) cursor.problem ??= `groups are nested more than ${deepestGroup} deep`
  const steps = cursor.problem === null ? readAlternatives(cursor) : []
  cursor.depth--
  if (cursor.chars[cursor.at] !== ')') cursor.problem ??= 'a ( is never closed'
  cursor.at++
  return steps
}

function readSet(cursor: Cursor): (char: string) => boolean {
  const negated = cursor.chars[cursor.at] === '^'
  if (negated) cursor.at++
  const tests: ((char: string) => boolean)[] = []
  for (let first = true; first || cursor.chars[cursor.at] !== ']'; first = false) {
    const low = cursor.chars[cursor.at]
    if (low === undefined) {
      cursor.problem ??= 'a [ is never closed'
      return never
    }
    cursor.at++
    if (low === '\\') {
      tests.push(readEscape(cursor))
      continue
    }
    const high = cursor.chars[cursor.at + 1]
    const isRange = cursor.chars[cursor.at] === '-' && high !== undefined && high !== ']' && high !== '\\'
    if (isRange) cursor.at += 2
    const last = isRange ? high : low
    if (last < low) cursor.problem ??= `the range ${low}-${last} ends before it begins`
    tests.push((char) => low <= char && char <= last)
  }
  cursor.at++
  return (char) => tests.some((test) => test(char)) !== negated
}

function readEscape(cursor: Cursor): (char: string) => boolean {
  const letter = cursor.chars[cursor.at]
  cursor.at++
  if (letter === undefined) {
    cursor.problem ??= 'it ends in a backslash'
    return never
  }
  const known = classes[letter]
  if (known !== undefined) return known
  if (/[A-Za-z0-9]/.test(letter)) cursor.problem ??= `\\${letter} is not known here`
  return (char) => char === letter
}

const never = (): boolean => false
const classes: Readonly<Record<string, (char: string) => boolean>> = {
  d: (char) => /^[0-9]$/.test(char),
  D: (char) => !/^[0-9]$/.test(char),
  w: (char) => /^[A-Za-z0-9_]$/.test(char),
  W: (char) => !/^[A-Za-z0-9_]$/.test(char),
  s: (char) => /^\s$/.test(char),
  S: (char) => !/^\s$/.test(char),
}

function jump(...to: readonly number[]): Step {
  return { do: 'jump', to }
}

/** Runs all ways through the program side by side, so that no character is looked at more than once by a step. */
function run(steps: readonly Step[], chars: readonly string[]): boolean {
  let reached = new Set<number>()
  for (let at = 0; at <= chars.length; at++) {
    if (follow(steps, 0, reached, at, chars.length)) return true
    const char = chars[at]
    if (char === undefined) return false
    const next = new Set<number>()
    for (const index of reached) {
      const step = steps[index]
      if (step?.do === 'read' && step.test(char) && follow(steps, index + 1, next, at + 1, chars.length))
        return true
    }
    reached = next
  }
  return false
}

/** Adds the steps that can be reached without reading; true when the end is among them. */
function follow(
  steps: readonly Step[],
  from: number,
  reached: Set<number>,
  at: number,
  end: number,
): boolean {
  const open = [from]
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const step = steps[index]
    if (step === undefined || reached.has(index)) continue
    reached.add(index)
    if (step.do === 'match') return true
    if (step.do === 'jump') for (const to of step.to) open.push(index + to)
    else if ((step.do === 'at-start' && at === 0) || (step.do === 'at-end' && at === end))
      open.push(index + 1)
  }
  return false
}
