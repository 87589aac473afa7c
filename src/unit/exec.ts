// Command lines: ExecStart= and its kin, as systemd 252 reads them (load-fragment.c) and fills in variables
// (env-util.c), and the words of [Container] Exec= and Entrypoint=.
import { isBlank } from './parse.js'
import { expandSpecifiers, type SpecifierContext } from './specifiers.js'
import { nextWord, skipBlanks, splitWords } from './words.js'

/** A command line of a unit. */
export interface ExecCommand {
  /** The program: an absolute path, or a name to be looked up in PATH. Variables are not filled in here. */
  readonly path: string
  /** argv[0] included; specifiers are filled in, variables are not (see `expandArgv`). */
  readonly argv: readonly string[]
  /** Prefix `-`: a failure counts as success. */
  readonly ignoreFailure: boolean
  /** False with prefix `:`, where dollar signs stand for themselves. */
  readonly expandVariables: boolean
  /** Prefixes `+`, `!` and `!!`. */
  readonly privileges: 'normal' | 'full' | 'no-setuid' | 'ambient'
}

interface ParsedExec {
  readonly commands: readonly ExecCommand[]
  /** Why it cannot be run, one sentence each. */
  readonly problems: readonly string[]
  /** What systemd would only warn about. */
  readonly warnings: readonly string[]
}

/** Parses one Exec line. A `;` that stands alone separates commands. */
export function parseExec(value: string, context: SpecifierContext): ParsedExec {
  const { groups, problem, unknownEscapes } = splitCommands(value)
  const warnings = unknownEscapes.map((text) => `${text} is not an escape and is kept as it is`)
  if (problem !== null) return { commands: [], problems: [problem], warnings }
  const read = groups.map((words) => readCommand(words, context))
  return {
    commands: read.flatMap(({ command }) => (command === null ? [] : [command])),
    problems: read.flatMap(({ problems }) => problems),
    warnings,
  }
}

interface CommandWords {
  readonly groups: readonly (readonly string[])[]
  readonly problem: string | null
  readonly unknownEscapes: readonly string[]
}

/** The words of each command. Only a bare `;` separates; `\;` and `";"` are words. */
function splitCommands(value: string): CommandWords {
  const groups: string[][] = []
  const unknownEscapes: string[] = []
  let words: string[] = []
  for (let at = skipBlanks(value, 0); at < value.length; ) {
    const separator = /^\\?;(?=[ \t\n\r]|$)/.exec(value.slice(at, at + 3))?.[0]
    if (separator === ';') {
      if (words.length > 0) groups.push(words)
      words = []
    }
    if (separator !== undefined) {
      if (separator === '\\;') words.push(';')
      at = skipBlanks(value, at + separator.length)
      continue
    }
    const read = nextWord(value, at)
    if (read.kind === 'problem') return { groups: [], problem: read.problem, unknownEscapes }
    if (read.kind === 'end') break
    words.push(read.word)
    unknownEscapes.push(...read.unknownEscapes)
    at = read.next
  }
  if (words.length > 0) groups.push(words)
  return { groups, problem: null, unknownEscapes }
}

function readCommand(
  words: readonly string[],
  context: SpecifierContext,
): { command: ExecCommand | null; problems: string[] } {
  const { prefixes, rest } = readPrefixes(words[0] ?? '')
  const expanded = [rest, ...words.slice(1)].map((word) => expandSpecifiers(word, context))
  const [path = '', ...others] = expanded.map(({ text }) => text)
  const argv = prefixes.includes('@') ? others : [path, ...others]
  const problems = expanded.flatMap((word) => word.problems)
  const wrong = pathProblem(path)
  if (wrong !== null) problems.push(wrong)
  else if (argv[0] === undefined || argv[0] === '')
    problems.push('prefix @ needs the name of the program after its path')
  if (problems.length > 0) return { command: null, problems }
  const command: ExecCommand = {
    path,
    argv,
    ignoreFailure: prefixes.includes('-'),
    expandVariables: !prefixes.includes(':'),
    privileges: privilegesOf(prefixes),
  }
  return { command, problems }
}

/** Each prefix counts once; a second one belongs to the path. */
function readPrefixes(word: string): { prefixes: string[]; rest: string } {
  const prefixes: string[] = []
  let at = 0
  for (; '-@:+!'.includes(word.charAt(at)) && at < word.length; at++) {
    const prefix = word.charAt(at)
    if (!mayFollow(prefix, prefixes)) break
    prefixes.push(prefix)
  }
  return { prefixes, rest: word.slice(at) }
}

function mayFollow(prefix: string, before: readonly string[]): boolean {
  const bangs = before.filter((other) => other === '!').length
  if (prefix === '!') return bangs < 2 && !before.includes('+')
  if (prefix === '+') return bangs === 0 && !before.includes('+')
  return !before.includes(prefix)
}

function privilegesOf(prefixes: readonly string[]): ExecCommand['privileges'] {
  if (prefixes.includes('+')) return 'full'
  const bangs = prefixes.filter((prefix) => prefix === '!').length
  return bangs === 2 ? 'ambient' : bangs === 1 ? 'no-setuid' : 'normal'
}

/** Why systemd would not take this as the program of a command line; null when it would. */
export function pathProblem(path: string): string | null {
  if (path === '') return 'there is no program in the command line'
  if (/[\x01-\x1f\x7f"'\\]/.test(path))
    return 'the program has a quote, a backslash or a control character in its name'
  if (path.endsWith('/')) return `${path} is a directory`
  if (path.startsWith('/')) return null
  if (path.includes('/')) return `${path} is neither an absolute path nor the plain name of a program`
  return path === '.' || path === '..' || path.length > 255 ? `${path} is not a program name` : null
}

/**
 * Fills variables into the words of a command: `${NAME}` within a word as it is, `$NAME` as a word of its own split
 * at white space, `$$` for a dollar sign. A variable that is not set is empty.
 */
export function expandArgv(
  command: ExecCommand,
  environment: Readonly<Record<string, string>>,
): readonly string[] {
  if (!command.expandVariables) return command.argv
  const lookUp = (name: string): string => (Object.hasOwn(environment, name) ? (environment[name] ?? '') : '')
  return command.argv.flatMap((word) => {
    if (/^\$(?![{$])/.test(word)) return splitLoosely(lookUp(word.slice(1)))
    return [
      word.replace(reference, (text, name?: string, end?: string) =>
        text === '$$' ? '$' : end === '}' ? lookUp(name ?? '') : text,
      ),
    ]
  })
}

/** `$$` or `${NAME}`; what is opened and never closed, or has a colon in it, stays as it is. */
const reference = /\$(?:\$|\{([^}:]*)([}:]|$))/g

/** Splits a variable's value: quotes hold words together, a backslash takes the next character as it is. */
function splitLoosely(value: string): readonly string[] {
  const words: string[] = []
  let word: string | null = null
  let quote = ''
  for (let at = 0; at < value.length; at++) {
    const char = value.charAt(at)
    if (char === '\\') word = (word ?? '') + value.charAt(++at)
    else if (quote !== '' && char === quote) quote = ''
    else if (quote === '' && (char === '"' || char === "'")) {
      quote = char
      word ??= ''
    } else if (quote === '' && isBlank(char)) {
      if (word !== null) words.push(word)
      word = null
    } else word = (word ?? '') + char
  }
  return word === null ? words : [...words, word]
}

/**
 * The words of `[Container] Exec=` or `Entrypoint=`. `$$` is a dollar sign; variables are a problem, for nothing fills
 * them in: a shell inside the container does, when it is given `$$NAME`.
 */
export function containerWords(
  value: string,
  context: SpecifierContext,
): { words: readonly string[]; problems: readonly string[] } {
  const { words, problem } = splitWords(value)
  const expanded = words.map((word) => expandSpecifiers(word, context))
  const problems = [...(problem === null ? [] : [problem]), ...expanded.flatMap((word) => word.problems)]
  const dollars = words.flatMap((word) => word.replaceAll('$$', '').match(/\$(?:\{[^}]*\}|\w+)/g) ?? [])
  problems.push(
    ...dollars.map((variable) => `${variable} is not filled in here (write $$ for a dollar sign)`),
  )
  return { words: expanded.map(({ text }) => text.replaceAll('$$', '$')), problems }
}
