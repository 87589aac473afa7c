// [X-Mariposa] HealthCheck=: one check as words, `key=value` and, behind `--`, the words of a command.
import type { HealthCheck } from '../model/health-check.js'
import { expandSpecifiers, type SpecifierContext } from './specifiers.js'
import { parseCount, parseTimeSpan, printTimeSpan } from './values.js'
import { quoteWord, splitWords } from './words.js'

/** Reads a check, or says why it is none. */
export function parseHealthCheck(
  text: string,
  context: SpecifierContext,
): { value: HealthCheck } | { problem: string } {
  const { words, problem, unknownEscapes } = splitWords(text)
  if (problem !== null) return { problem }
  if (unknownEscapes[0] !== undefined) return { problem: `${unknownEscapes[0]} is no escape` }
  const expanded = words.map((word) => expandSpecifiers(word, context))
  const unfilled = expanded.flatMap((word) => word.problems)[0]
  if (unfilled !== undefined) return { problem: unfilled }
  const plain = expanded.map((word) => word.text)
  const end = plain.indexOf('--')
  const fields = readFields(end === -1 ? plain : plain.slice(0, end))
  return typeof fields === 'string'
    ? { problem: fields }
    : readCheck(fields, end === -1 ? null : plain.slice(end + 1))
}

function readFields(words: readonly string[]): ReadonlyMap<string, string> | string {
  const fields = new Map<string, string>()
  for (const word of words) {
    const [, key, value] = /^([a-z]+)=(.*)$/s.exec(word) ?? []
    if (key === undefined || value === undefined) return `"${word}" is not of the form key=value`
    if (fields.has(key)) return `${key} is given twice`
    fields.set(key, value)
  }
  return fields
}

const timingKeys = ['type', 'poll', 'timeout', 'retries']
const keysOf: Readonly<Record<string, readonly string[]>> = {
  http: [...timingKeys, 'port', 'path'],
  https: [...timingKeys, 'port', 'path'],
  command: [...timingKeys, 'user'],
}

function readCheck(
  fields: ReadonlyMap<string, string>,
  argv: readonly string[] | null,
): { value: HealthCheck } | { problem: string } {
  const type = fields.get('type') ?? ''
  const known = keysOf[type]
  if (known === undefined) return { problem: `"type=${type}" is not http, https or command` }
  const unknown = [...fields.keys()].find((key) => !known.includes(key))
  if (unknown !== undefined) return { problem: `a check of type ${type} knows no ${unknown}` }
  const pollMs = spanOf(fields.get('poll') ?? '30s')
  const timeoutMs = spanOf(fields.get('timeout') ?? '10s')
  const retries = parseCount(fields.get('retries') ?? '3')
  if (pollMs === null || timeoutMs === null) return { problem: 'poll and timeout are time spans such as 30s' }
  if (!retries) return { problem: 'retries is a whole number from 1' }
  const timing = { pollMs, timeoutMs, retries }
  if (type === 'command') {
    if (argv === null || argv.length === 0) return { problem: 'a command stands behind -- in the line' }
    return { value: { type, argv, user: fields.get('user') ?? null, ...timing } }
  }
  if (argv !== null) return { problem: `a check of type ${type} has no command` }
  const port = parseCount(fields.get('port') ?? '', 65535)
  const path = fields.get('path') ?? '/'
  if (!port) return { problem: 'port is a number from 1 to 65535' }
  if (!path.startsWith('/')) return { problem: 'path begins with /' }
  return { value: { type: type === 'https' ? 'https' : 'http', port, path, ...timing } }
}

function spanOf(text: string): number | null {
  const ms = parseTimeSpan(text)
  return ms !== null && ms > 0 && Number.isFinite(ms) ? ms : null
}

/** A check as the option's value. `escape` makes specifiers' percent signs of the texts. */
export function printHealthCheck(check: HealthCheck, escapeText: (text: string) => string): string {
  const { pollMs, timeoutMs, retries } = check
  const timing = [
    `poll=${printTimeSpan(pollMs)}`,
    `timeout=${printTimeSpan(timeoutMs)}`,
    `retries=${retries}`,
  ]
  const words =
    check.type === 'command'
      ? [
          'type=command',
          ...(check.user === null ? [] : [`user=${escapeText(check.user)}`]),
          ...timing,
          '--',
          ...check.argv.map(escapeText),
        ]
      : [`type=${check.type}`, `port=${check.port}`, `path=${escapeText(check.path)}`, ...timing]
  return words.map(quoteWord).join(' ')
}
