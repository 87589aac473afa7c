// `env_file` of a Compose service: its variables become those of `environment`, whose own count before them.

import { childOf, isEmpty, type Tree } from '../manifest/tree.js'
import { placeholderEnd, placeholderStart } from '../manifest/variables.js'
import type { ComposeService, Entry } from './compose-service.js'
import { type DraftPair, mapPair, mark, pair, type Remark, remark } from './draft.js'
import { interpolate } from './interpolate.js'
import { transdeferredEnvironment } from './program.js'
import { excerpt, leftOut, quoted, readText } from './texts.js'

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
    environment === undefined || isEmpty(environment) ? [] : transdeferredEnvironment(environment, service)
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
  return files !== undefined && !isEmpty(files) ? [] : transdeferredEnvironment(node, service)
}

interface ReadFile {
  readonly values: ReadonlyMap<string, string>
  readonly remarks: readonly Remark[]
}

function readFile(node: Tree, { readBeside }: ComposeService, before: ReadonlyMap<string, string>): ReadFile {
  const path = readText(node.kind === 'map' ? (childOf(node, 'path') ?? node) : node, 'env_file')
  const none = (...remarks: readonly Remark[]): ReadFile => ({
    values: new Map(),
    remarks: [...path.remarks, ...remarks],
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
  const text = path.text.includes(placeholderStart) ? null : readBeside(path.text)
  if (text === null) {
    if (required === 'false') return none(remark(node, `${label} is not there, and need not be`))
    const advice = 'it cannot be read here: put its lines under environment'
    return none(leftOut(node, label, advice))
  }
  if (text.includes(placeholderStart) || text.includes(placeholderEnd))
    return none(leftOut(node, label, 'U+E000 and U+E001 cannot be part of a value'))
  const read = format === 'raw' ? readRaw(text) : readDotenv(text, before)
  const told = remark(
    node,
    `the variables of ${quoted(path.text)} were written here as they are: of secrets, mariposa meta set KEY --secret, and {{ .meta.KEY }} here`,
  )
  const left = read.bad.map((line) => leftOut(node, `line ${line} of ${label}`, 'it is no KEY=VALUE'))
  const open = read.open.map((name) =>
    remark(node, `\${${name}} in ${label}: mariposa meta set ${name} VALUE`),
  )
  return { values: read.values, remarks: [...path.remarks, told, ...left, ...open] }
}

interface Variables {
  readonly values: ReadonlyMap<string, string>
  /** Numbers of lines that are none. */
  readonly bad: readonly number[]
  /** Variables that nobody has set. */
  readonly open: readonly string[]
}

/** Each line as it is. */
function readRaw(text: string): Variables {
  const values = new Map<string, string>()
  const bad: number[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue
    const [, name, value] = /^\s*([^=\s]+)=(.*)$/s.exec(line) ?? []
    if (name === undefined || value === undefined) bad.push(index + 1)
    else values.set(name, value)
  }
  return { values, bad, open: [] }
}

const beginning = /[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*[=:]/y
const inQuotes = /[ \t]*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")[ \t]*(?:#[^\n]*)?(?:\n|$)/sy

/** Compose's own format: quotes, comments, and variables of the lines before. */
function readDotenv(given: string, before: ReadonlyMap<string, string>): Variables {
  const text = given.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  const values = new Map<string, string>()
  const [bad, open]: [number[], Set<string>] = [[], new Set()]
  for (let at = 0; at < text.length; ) {
    const { name, value, end } = readAssignment(text, at)
    const isBlank = /^[ \t]*(?:#|\n|$)/.test(text.slice(at, end))
    const filled = value?.literal ?? (value && fill(value.open, [before, values], open)) ?? null
    if (name !== null && filled !== null) values.set(name, filled)
    else if (!isBlank) bad.push(text.slice(0, at).split('\n').length)
    at = end
  }
  return { values, bad, open: [...open] }
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

function fill(text: string, known: readonly ReadonlyMap<string, string>[], open: Set<string>): string | null {
  const lookUp = (name: string): string | undefined => known.findLast((one) => one.has(name))?.get(name)
  const found = interpolate(text, lookUp)
  if (found === undefined) return null
  for (const { name } of found.open) if (found.text.includes(mark(`meta.${name}`))) open.add(name)
  return found.text
}
