// [X-Mariposa] HealthCheck=: one check as words, `key=value` and, behind `--`, the words of a command.

import { isMisspeltAddress } from '../lib/address.js'
import { assertNever } from '../lib/invariant.js'
import { ownOf } from '../lib/own-property.js'
import { greatestPort } from '../lib/port.js'
import type { HealthCheck, HttpCheck, TcpCheck, TelemetryCheck } from '../model/health-check.js'
import { networkName, publicNetwork } from '../model/network.js'
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
  if (unknownEscapes[0] !== undefined) return { problem: `${unknownEscapes[0]} is not an escape` }
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
    const [, key, value] = /^([a-z_]+)=(.*)$/s.exec(word) ?? []
    if (key === undefined || value === undefined) return `"${word}" is not of the form key=value`
    if (fields.has(key)) return `${key} is given twice`
    fields.set(key, value)
  }
  return fields
}

const timingKeys = ['type', 'poll', 'timeout', 'retries', 'start_period', 'start_interval']
const keysOf: Readonly<Record<string, readonly string[]>> = {
  http: [...timingKeys, 'port', 'network', 'path', 'redirects', 'host'],
  https: [...timingKeys, 'port', 'network', 'path', 'redirects', 'host', 'verify'],
  tcp: [...timingKeys, 'port', 'network'],
  command: [...timingKeys, 'user'],
  containerpilot: [...timingKeys, 'port', 'network'],
}

function readCheck(
  fields: ReadonlyMap<string, string>,
  argv: readonly string[] | null,
): { value: HealthCheck } | { problem: string } {
  const type = fields.get('type') ?? ''
  const known = ownOf(keysOf, type)
  if (known === undefined)
    return { problem: `"type=${type}" is not http, https, tcp, command or containerpilot` }
  const unknown = [...fields.keys()].find((key) => !known.includes(key))
  if (unknown !== undefined) return { problem: `a check of type ${type} knows no ${unknown}` }
  const pollMs = spanOf(fields.get('poll') ?? '30s')
  const timeoutMs = spanOf(fields.get('timeout') ?? '10s')
  const retries = parseCount(fields.get('retries') ?? '3')
  if (pollMs === null || timeoutMs === null) return { problem: 'poll and timeout are time spans such as 30s' }
  if (!retries) return { problem: 'retries is a whole number from 1' }
  const start = readStart(fields)
  if (start === null) return { problem: 'start_period and start_interval are time spans such as 40s' }
  const timing = { pollMs, timeoutMs, retries, ...start }
  if (type === 'command') {
    if (argv === null || argv.length === 0) return { problem: 'write the command after -- in the line' }
    return { value: { type, argv, user: fields.get('user') ?? null, ...timing } }
  }
  if (argv !== null) return { problem: `a check of type ${type} has no command` }
  const port = parseCount(fields.get('port') ?? '', greatestPort)
  if (!port) return { problem: 'port is a number from 1 to 65535' }
  const network = fields.get('network') ?? publicNetwork
  if (!networkName.test(network)) return { problem: `"${network}" is not a network name` }
  const basis = { port, ...timing, ...(network !== publicNetwork && { network }) }
  return type === 'containerpilot' || type === 'tcp'
    ? { value: { type, ...basis } }
    : readHttpCheck(fields, { type: type === 'https' ? 'https' : 'http', ...basis })
}

/** Null where one of them is no time span. */
function readStart(
  fields: ReadonlyMap<string, string>,
): Pick<HealthCheck, 'startPeriodMs' | 'startIntervalMs'> | null {
  const [period, interval] = [fields.get('start_period'), fields.get('start_interval')]
  const startPeriodMs = period === undefined ? undefined : parseTimeSpan(period)
  const startIntervalMs = interval === undefined ? undefined : spanOf(interval)
  if (startPeriodMs === null || startIntervalMs === null) return null
  if (startPeriodMs !== undefined && !(startPeriodMs >= 0 && Number.isFinite(startPeriodMs))) return null
  return {
    ...(startPeriodMs !== undefined && { startPeriodMs }),
    ...(startIntervalMs !== undefined && { startIntervalMs }),
  }
}

function readHttpCheck(
  fields: ReadonlyMap<string, string>,
  basis: Omit<HttpCheck, 'path'>,
): { value: HttpCheck } | { problem: string } {
  const path = fields.get('path') ?? '/'
  const redirects = parseCount(fields.get('redirects') ?? '0', redirectsAtMost)
  const verify = fields.get('verify') ?? 'no'
  const serverName = fields.get('host')
  if (!path.startsWith('/')) return { problem: 'path begins with /' }
  if (redirects === null) return { problem: `redirects is a number from 0 to ${redirectsAtMost}` }
  if (verify !== 'yes' && verify !== 'no') return { problem: 'verify is yes or no' }
  if (serverName !== undefined && (!hostShape.test(serverName) || isMisspeltAddress(serverName)))
    return { problem: 'host is the name of a host' }
  return {
    value: {
      ...basis,
      path,
      ...(redirects > 0 && { redirects }),
      ...(verify === 'yes' && { verify: true }),
      ...(serverName !== undefined && { serverName }),
    },
  }
}

/** More in a row are a circle. */
const redirectsAtMost = 10
const hostShape = /^(?!.*\.\.)[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$/

function spanOf(text: string): number | null {
  const ms = parseTimeSpan(text)
  return ms !== null && ms > 0 && Number.isFinite(ms) ? ms : null
}

/** A check as the option's value. `escape` makes specifiers' percent signs of the texts. */
export function printHealthCheck(check: HealthCheck, escapeText: (text: string) => string): string {
  const { pollMs, timeoutMs, retries, startPeriodMs, startIntervalMs } = check
  const timing = [
    `poll=${printTimeSpan(pollMs)}`,
    `timeout=${printTimeSpan(timeoutMs)}`,
    `retries=${retries}`,
    ...(startPeriodMs === undefined ? [] : [`start_period=${printTimeSpan(startPeriodMs)}`]),
    ...(startIntervalMs === undefined ? [] : [`start_interval=${printTimeSpan(startIntervalMs)}`]),
  ]
  return [`type=${check.type}`, ...wordsOf(check, timing, escapeText)].map(quoteWord).join(' ')
}

function wordsOf(
  check: HealthCheck,
  timing: readonly string[],
  escapeText: (text: string) => string,
): readonly string[] {
  switch (check.type) {
    case 'command': {
      const user = check.user === null ? [] : [`user=${escapeText(check.user)}`]
      return [...user, ...timing, '--', ...check.argv.map(escapeText)]
    }
    case 'containerpilot':
    case 'tcp':
      return [...placeOf(check), ...timing]
    case 'http':
    case 'https': {
      const { redirects, verify, serverName } = check
      return [
        ...placeOf(check),
        `path=${escapeText(check.path)}`,
        ...timing,
        ...(redirects === undefined ? [] : [`redirects=${redirects}`]),
        ...(verify === undefined ? [] : ['verify=yes']),
        ...(serverName === undefined ? [] : [`host=${serverName}`]),
      ]
    }
    default:
      return assertNever(check)
  }
}

function placeOf({ port, network }: HttpCheck | TcpCheck | TelemetryCheck): readonly string[] {
  return [`port=${port}`, ...(network === undefined ? [] : [`network=${network}`])]
}
