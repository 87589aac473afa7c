// `env_file` of a Compose service: its variables become those of `environment`, whose own count before them.

import { childOf, isEmpty, type Tree } from '../manifest/tree.js'
import { placeholderEnd, placeholderStart } from '../manifest/variables.js'
import type { ComposeService, Entry } from './compose-service.js'
import { type DraftPair, mapPair, pair, type Remark, remark, variablesOf } from './draft.js'
import { interpolate } from './interpolate.js'
import { translateOwnEnvironment } from './program.js'
import { excerpt, leftOut, quoted, readText, unknownKeys } from './texts.js'

/** Linux gives a program no longer one. */
const valueAtMost = 128 * 1024
/** All files of an import, and all that their variables hold, for each service that names them. */
const charactersAtMost = 4 * 1024 ** 2
/** What is looked up for one value may be named only to ask whether it is set. */
const takenAtMost = 16 * valueAtMost
/** Of more remarks of one kind on a file the number is told. */
const toldAtMost = 10

/** The variables of the files and those of `environment` as one map. */
export function translateEnvFile(node: Tree, service: ComposeService): readonly Entry[] {
  const files = (node.kind === 'list' ? node.items : [node]).filter((item) => !isEmpty(item))
  const variables = new Map<string, DraftPair>()
  const remarks: Remark[] = []
  for (const file of files) {
    const read = readFile(
      file,
      service,
      new Map([...variables].map(([name, one]) => [name, one.value as string])),
    )
    remarks.push(...read.remarks)
    for (const [name, value] of read.values) {
      variables.delete(name)
      variables.set(name, pair(name, file, value))
    }
  }
  const environment = childOf(service.node, 'environment')
  const own =
    environment === undefined || isEmpty(environment) ? [] : translateOwnEnvironment(environment, service)
  const [given] = own.filter((one) => one.kind === 'pair')
  const entries =
    given === undefined || typeof given.value !== 'object' || given.value.kind !== 'map'
      ? own
      : given.value.entries
  const named = new Set(entries.flatMap((one) => (one.kind === 'pair' ? [one.key] : [])))
  const others = [...variables.values()].filter(({ key }) => !named.has(key))
  return mapPair('environment', node, [...remarks, ...others, ...entries])
}

/** `environment` where there is no `env_file`, which brings it along. */
export function translateEnvironment(node: Tree, service: ComposeService): readonly Entry[] {
  const files = childOf(service.node, 'env_file')
  return files !== undefined && !isEmpty(files) ? [] : translateOwnEnvironment(node, service)
}

interface ReadFile {
  readonly values: ReadonlyMap<string, string>
  readonly remarks: readonly Remark[]
}

function readFile(
  node: Tree,
  { readBeside, envFiles }: ComposeService,
  before: ReadonlyMap<string, string>,
): ReadFile {
  const path = readText(node.kind === 'map' ? (childOf(node, 'path') ?? node) : node, 'env_file')
  const said = [...unknownKeys(node, ['path', 'required', 'format'], 'env_file'), ...path.remarks]
  const none = (...remarks: readonly Remark[]): ReadFile => ({
    values: new Map(),
    remarks: [...said, ...remarks],
  })
  if (path.text === null) return none()
  const label = `env_file ${quoted(path.text)}`
  const textOf = (key: string): string => {
    const found = childOf(node, key)
    return found === undefined || isEmpty(found) ? '' : excerpt(found)
  }
  const [format, required] = [textOf('format'), textOf('required')]
  if (format !== '' && format !== 'raw')
    return none(
      leftOut(node, label, `known is the format raw, and the one without a name, not ${quoted(format)}`),
    )
  const tooMuch = `the files of variables of an import hold ${charactersAtMost} characters at most, counted for each service that names them`
  if (envFiles.characters > charactersAtMost) return none(leftOut(node, label, tooMuch))
  const text = path.text.includes(placeholderStart) ? null : readBeside(path.text)
  if (text === null) {
    if (required === 'false') return none(remark(node, `${label} is not there, and need not be`))
    const advice = 'it cannot be read here: put its lines under environment'
    return none(leftOut(node, label, advice))
  }
  if (text.includes(placeholderStart) || text.includes(placeholderEnd))
    return none(leftOut(node, label, 'U+E000 and U+E001 cannot be part of a value'))
  const read = format === 'raw' ? readRaw(text) : readDotenv(text, before)
  envFiles.characters += text.length
  for (const [name, value] of read.values) envFiles.characters += name.length + value.length
  if (envFiles.characters > charactersAtMost) return none(leftOut(node, label, tooMuch))
  return { values: read.values, remarks: [...said, ...remarksOn(read, node, path.text)] }
}

/** What there is to say of a file that was read. */
function remarksOn({ bad, long, open }: Variables, node: Tree, path: string): readonly Remark[] {
  const label = `env_file ${quoted(path)}`
  return [
    remark(
      node,
      `the variables of ${quoted(path)} are here in plain text; for a secret use mariposa meta set KEY --secret, and {{ .meta.KEY }} here`,
    ),
    ...first(
      bad,
      (line) => leftOut(node, `line ${line} of ${label}`, 'it is not of the form KEY=VALUE'),
      (more) => leftOut(node, `${more} more lines of ${label}`, 'they are not of the form KEY=VALUE'),
    ),
    ...first(
      long,
      (name) =>
        leftOut(
          node,
          `${quoted(name)} of ${label}`,
          `it has more than ${valueAtMost} characters, itself or with what it names`,
        ),
      (more) => leftOut(node, `${more} more variables of ${label}`, 'they are too long as well'),
    ),
    ...first(
      open,
      (name) => remark(node, `\${${name}} in ${label}: mariposa meta set ${name} VALUE`),
      (more) =>
        remark(node, `${more} more variables in ${label} that nobody has set: mariposa meta set KEY VALUE`),
    ),
  ]
}

/** The first few one by one, and how many more there are. */
function first<Of>(
  all: readonly Of[],
  tell: (one: Of) => Remark,
  tellRest: (more: number) => Remark,
): readonly Remark[] {
  const told = all.slice(0, toldAtMost).map(tell)
  return all.length > toldAtMost ? [...told, tellRest(all.length - toldAtMost)] : told
}

interface Variables {
  readonly values: ReadonlyMap<string, string>
  /** Numbers of lines that are none. */
  readonly bad: readonly number[]
  /** Variables that are too long, and those that name such. */
  readonly long: readonly string[]
  /** Variables that nobody has set. */
  readonly open: readonly string[]
}

/** Each line as it is. */
function readRaw(text: string): Variables {
  const values = new Map<string, string>()
  const [bad, long]: [number[], Set<string>] = [[], new Set()]
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue
    const [, name, value] = /^\s*([^=\s]+)=(.*)$/s.exec(line) ?? []
    if (name === undefined || value === undefined) bad.push(index + 1)
    else if (value.length > valueAtMost) {
      long.add(name)
      values.delete(name)
    } else values.set(name, value)
  }
  return { values, bad, long: [...long], open: [] }
}

const beginning = /[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*[=:]/y
const inQuotes = /[ \t]*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")[ \t]*(?:#[^\n]*)?(?:\n|$)/sy

/** Compose's own format: quotes, comments, and variables of the lines before. */
function readDotenv(given: string, before: ReadonlyMap<string, string>): Variables {
  const text = given.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  const values = new Map<string, string>()
  const bad: number[] = []
  const known: Known = { maps: [before, values], long: new Set(), open: new Set() }
  let line = 1
  for (let at = 0; at < text.length; ) {
    const { name, value, end } = readAssignment(text, at)
    const filled = value && (value.literal === undefined ? fill(value.open, known) : short(value.literal))
    if (name !== null && filled === tooLong) {
      known.long.add(name)
      values.delete(name)
    } else if (name !== null && typeof filled === 'string') {
      known.long.delete(name)
      values.set(name, filled)
    } else if (!/^[ \t]*(?:#|\n|$)/.test(text.slice(at, end))) bad.push(line)
    for (let next = text.indexOf('\n', at); next !== -1 && next < end; next = text.indexOf('\n', next + 1))
      line += 1
    at = end
  }
  return { values, bad, long: [...known.long], open: [...known.open] }
}

interface Assignment {
  /** Null for a line that is none. */
  readonly name: string | null
  readonly value:
    | { readonly literal: string }
    | { readonly literal?: undefined; readonly open: string }
    | null
  /** Where the next one begins. */
  readonly end: number
}

/** A name, and a value in quotes, which may go over several lines, or up to a comment. */
function readAssignment(text: string, at: number): Assignment {
  const newline = text.indexOf('\n', at)
  const end = newline === -1 ? text.length : newline + 1
  const [begun, name] = matchAt(beginning, text, at)
  if (begun === undefined || name === undefined || at + begun.length > end)
    return { name: null, value: null, end }
  const from = at + begun.length
  const [whole, literal, open = ''] = matchAt(inQuotes, text, from)
  if (whole !== undefined)
    return {
      name,
      value: literal === undefined ? { open: unescaped(open) } : { literal },
      end: from + whole.length,
    }
  const rest = text.slice(from, end)
  const comment = rest.search(/\s#/)
  const bare = (comment === -1 ? rest : rest.slice(0, comment)).trim()
  return { name, value: /^["']/.test(bare) ? null : { open: bare }, end }
}

function matchAt(pattern: RegExp, text: string, at: number): readonly (string | undefined)[] {
  pattern.lastIndex = at
  return pattern.exec(text) ?? []
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' }

/** A dollar sign behind a backslash begins no variable. */
function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, (whole, letter: string) =>
    letter === '$' ? '$$' : (escapes[letter] ?? whole),
  )
}

const tooLong = Symbol('too long')

function short(text: string): string | typeof tooLong {
  return text.length > valueAtMost ? tooLong : text
}

/** What the lines before say. */
interface Known {
  /** Of those that have a variable the last counts. */
  readonly maps: readonly ReadonlyMap<string, string>[]
  readonly long: Set<string>
  readonly open: Set<string>
}

/** Null where it cannot be read. What it names is counted before it is put together, which no memory may be enough for. */
function fill(text: string, { maps, long, open }: Known): string | typeof tooLong | null {
  if (text.length > valueAtMost) return tooLong
  let [taken, namesLong] = [0, false]
  const lookUp = (name: string): string | undefined => {
    namesLong ||= long.has(name)
    const value = maps.findLast((one) => one.has(name))?.get(name)
    taken += value?.length ?? 0
    return taken > takenAtMost ? value?.slice(0, 1) : value
  }
  const found = interpolate(text, lookUp)
  if (found === undefined) return null
  if (namesLong || taken > takenAtMost || found.text.length > valueAtMost) return tooLong
  const left = new Set(variablesOf(found.text))
  for (const { name } of found.open) if (left.has(`meta.${name}`)) open.add(name)
  return found.text
}
