// Port options: [Container] PublishPort= as Quadlet has it, and [X-Mariposa] Port= of process units.
import { isAddress } from '../lib/address.js'
import { greatestPort } from '../lib/port.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { UnitName } from '../model/unit.js'
import type { UnitFile } from './parse.js'
import { problemOf } from './problem.js'
import { expandSpecifiers } from './specifiers.js'
import { optionsOf, parseCount } from './values.js'

/** A port that a unit publishes. */
export interface PortNeed {
  readonly ip: string | null
  /** A fixed host port is a resource (contract §4); null: the engine chooses one. */
  readonly host: number | null
  readonly container: number
  readonly protocol: 'tcp' | 'udp'
}

/**
 * The ports of a unit: those of `[Container] PublishPort=`, then those of `[X-Mariposa] Port=`. A range counts as that
 * many ports. Code: `unit/bad-port`.
 */
export function portsOf(
  file: UnitFile,
  name: UnitName,
): { readonly ports: readonly PortNeed[]; readonly diagnostics: readonly Diagnostic[] } {
  const lines = [
    ...optionsOf(file, 'Container', 'PublishPort').map((option) => ({ option, alone: 'chosen' as const })),
    ...optionsOf(file, 'X-Mariposa', 'Port').map((option) => ({ option, alone: 'fixed' as const })),
  ]
  const ports: PortNeed[] = []
  const diagnostics: Diagnostic[] = []
  for (const { option, alone } of lines) {
    const result = readLine(option.value, alone, name)
    if (typeof result === 'string') diagnostics.push(problemOf(option, 'unit/bad-port', result))
    else if (ports.length + result.length > maxPorts) {
      diagnostics.push(problemOf(option, 'unit/bad-port', `a unit has at most ${maxPorts} ports`))
      break
    } else {
      const twice = result.find((port) => port.host !== null && ports.some((held) => portsMeet(port, held)))
      if (twice === undefined) ports.push(...result)
      else diagnostics.push(problemOf(option, 'unit/bad-port', sayTwice(twice)))
    }
  }
  return { ports, diagnostics }
}

function sayTwice({ host, protocol }: PortNeed): string {
  return `host port ${host}/${protocol} is already requested by another line`
}

/** Whether two claims to a host port meet: the same port, on addresses that overlap. */
export function portsMeet(
  a: Pick<PortNeed, 'ip' | 'host' | 'protocol'>,
  b: Pick<PortNeed, 'ip' | 'host' | 'protocol'>,
): boolean {
  return a.host === b.host && a.protocol === b.protocol && (a.ip === null || b.ip === null || a.ip === b.ip)
}

/** More than a unit has use for; ranges would otherwise make millions of a few lines. */
const maxPorts = 1000

function readLine(value: string, alone: 'chosen' | 'fixed', name: UnitName): readonly PortNeed[] | string {
  const { text, problems } = expandSpecifiers(value, { name, machine: null })
  return problems[0] ?? parsePorts(text, alone)
}

/**
 * Parses `[[ip:]host:]container[/protocol]`, where host and container may be ranges of one length. Without a host part
 * the host port is `chosen` by the engine, or `fixed` to the same number; a host part of 0 or nothing is chosen too.
 * Gives the reason as text when it is no such thing.
 */
export function parsePorts(text: string, alone: 'chosen' | 'fixed'): readonly PortNeed[] | string {
  const match = portForm.exec(text)
  if (match === null) return `"${text}" is not a port: write 80, 8080:80, 127.0.0.1:8080:80 or 53/udp`
  const [, bracketed, plain, hostText, containerText = '', protocol = 'tcp'] = match
  const container = parseRange(containerText)
  const chosen = hostText === undefined ? alone === 'chosen' : hostText === '' || hostText === '0'
  const host = chosen ? null : parseRange(hostText ?? containerText)
  if (container === null || (!chosen && host === null))
    return `"${text}" has a port outside of 1…65535, or a range that ends before it begins or is too long`
  if (host !== null && host.length !== container.length) return `"${text}" has ranges of different lengths`
  const ip = bracketed ?? (plain || null)
  if (ip !== null && !isAddress(ip)) return `"${text}" has "${ip}", which is not an IP address`
  return container.map((port, index) => ({
    ip,
    host: host?.[index] ?? null,
    container: port,
    protocol: protocol === 'udp' ? 'udp' : 'tcp',
  }))
}

const portForm =
  /^(?:(?:\[([0-9a-fA-F:.]+)\]|([0-9.]*)):(?=[^:]*:))?(?:([0-9-]*):)?([0-9-]+)(?:\/(tcp|udp))?$/

function parseRange(text: string): readonly number[] | null {
  const [, first, last = first] = /^([0-9]{1,5})(?:-([0-9]{1,5}))?$/.exec(text) ?? []
  const from = parseCount(first ?? '', greatestPort)
  const to = parseCount(last ?? '', greatestPort)
  if (from === null || to === null || from === 0 || to < from || to - from >= maxPorts) return null
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** A port as its option says it; `alone` as in `parsePorts`. */
export function printPort({ ip, host, container, protocol }: PortNeed, alone: 'chosen' | 'fixed'): string {
  const suffix = protocol === 'udp' || alone === 'fixed' ? `/${protocol}` : ''
  const address = ip === null ? '' : `${ip.includes(':') ? `[${ip}]` : ip}:`
  const chosen = alone === 'fixed' ? '0:' : ip === null ? '' : ':'
  const hostPart = host === null ? chosen : `${host}:`
  const same = alone === 'fixed' && ip === null && host === container
  return `${address}${same ? '' : hostPart}${container}${suffix}`
}
