import { isAddress } from '../lib/address.js'
import { greatestPort } from '../lib/port.js'
import type { Span } from './notes.js'
import type { Scope } from './shapes.js'
import { fields, number, parsed, refuse, render, text } from './shapes.js'
import type { Entry, ListNode, MapNode, Tree } from './tree.js'

const expected = 'a port such as 8080, "80:8080", "127.0.0.1:80:8080", "53/udp" or "8000-8003"'

/** One more than the schema allows in all, so that a slip such as `1-65535` is told, not expanded. */
const longestRange = 1_001

const portFields = fields(
  {
    ip: parsed('an IPv4 or IPv6 address', (ip) => (isAddress(ip) ? ip : undefined)),
    host: number('a port number from 0 to 65535'),
    container: number('a port number from 1 to 65535'),
    protocol: text('tcp or udp', 'deploy'),
  },
  expected,
)

/** Ports in every form, to `{ip, host, container, protocol}`: ranges become one entry per port. */
export function normalisePorts(node: Tree, scope: Scope): ListNode {
  const given = node.kind === 'list' ? node.items : [node]
  const ports: Port[] = []
  for (const item of given) if (ports.length < longestRange) ports.push(...readPorts(item, scope))
  const items = ports.slice(0, longestRange).flatMap((port) => settle(port, scope))
  return { kind: 'list', start: node.start, end: node.end, items }
}

/** One port as read. `host` is null where none was given. */
interface Port {
  readonly at: Span
  readonly ip: string | null
  readonly host: number | null
  readonly container: number
  readonly protocol: string
}

function readPorts(node: Tree, scope: Scope): Port[] {
  if (node.kind === 'map') return readPortMap(node, scope)
  const rendered = node.kind === 'scalar' ? render(node, 'deploy', scope) : refuse(node, expected, scope)
  if (!rendered) return []
  const ports = parsePorts(String(rendered.value), rendered)
  if (typeof ports !== 'string') return ports
  scope.notes.report('manifest/bad-value', node, ports, `write ${expected}`)
  return []
}

function readPortMap(node: MapNode, scope: Scope): Port[] {
  const map = portFields(node, scope)
  if (map?.kind !== 'map') return []
  const value = (key: string) => map.entries.find((entry) => entry.key.value === key)?.value
  const scalar = (key: string) => {
    const found = value(key)
    return found?.kind === 'scalar' ? found.value : null
  }
  const container = scalar('container')
  if (container === null) {
    if (!map.dropped?.includes('container'))
      scope.notes.report(
        'manifest/missing',
        node,
        'container is missing',
        'name the port that the program listens on',
      )
    return []
  }
  const [ip, host, protocol] = [scalar('ip'), scalar('host'), scalar('protocol')]
  return [
    {
      at: node,
      ip: ip === null ? null : String(ip),
      host: host === null ? null : Number(host),
      container: Number(container),
      protocol: protocol === null ? 'tcp' : String(protocol),
    },
  ]
}

const shape = /^(?:(?:\[([^\]]*)\]|([^[\]:]*)):(?=.*:))?(?:([\d-]*):)?([\d-]+)(?:\/([A-Za-z]+))?$/

/** Docker's short form: `[[ip:][host]:]container[/protocol]`, both ports may be ranges. A text says what is wrong. */
function parsePorts(written: string, at: Span): Port[] | string {
  const match = shape.exec(written)
  if (!match) return `${JSON.stringify(written)} is not a port`
  const [, v6, v4, hostText, containerText = '', protocol = 'tcp'] = match
  const ip = v6 ?? v4
  if (ip !== undefined && !isAddress(ip)) return `${JSON.stringify(ip)} is not an IP address`
  const containers = parseRange(containerText, 1)
  if (typeof containers === 'string') return containers
  const hosts = hostText === undefined || hostText === '' ? null : parseRange(hostText, 0)
  if (typeof hosts === 'string') return hosts
  if (hosts && hosts.length !== containers.length)
    return `${hosts.length} of the host cannot be forwarded to ${containers.length} of the program`
  return containers.map((container, i) => ({
    at,
    ip: ip ?? null,
    host: hosts?.[i] ?? null,
    container,
    protocol: protocol.toLowerCase(),
  }))
}

function parseRange(written: string, least: number): number[] | string {
  const match = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(written)
  const first = Number(match?.[1] ?? Number.NaN)
  const last = match?.[2] === undefined ? first : Number(match[2])
  if (!(first >= least && first <= greatestPort) || last > greatestPort)
    return `${written} is not a port number from ${least} to 65535`
  if (/^0\d/.test(written)) return `${written} begins with a zero`
  if (last < first) return `the range ${written} runs backwards`
  if (first === 0 && last > 0) return 'a range cannot begin at 0'
  return Array.from({ length: Math.min(last - first + 1, longestRange) }, (_, i) => first + i)
}

/** Settles what an absent host port means, which depends on the compute type. */
function settle(port: Port, scope: Scope): Tree[] {
  if (scope.computeType !== 'process') return [portNode(port, port.host === 0 ? null : port.host)]
  if (port.ip !== null) {
    scope.notes.report(
      'manifest/bad-value',
      port.at,
      'a process opens its port itself, on the address that it chooses',
      'leave the address out',
    )
    return []
  }
  if (port.host !== null && port.host !== 0 && port.host !== port.container) {
    scope.notes.report(
      'manifest/bad-value',
      port.at,
      `a process listens on the host itself, so port ${port.host} cannot be forwarded to ${port.container}`,
      `write ${port.container} if the program listens there, or "0:${port.container}" to have a port chosen and passed in PORT`,
    )
    return []
  }
  return [portNode(port, port.host ?? port.container)]
}

function portNode({ at, ip, container, protocol }: Port, host: number | null): MapNode {
  const scalar = (value: string | number): Tree => ({
    kind: 'scalar',
    style: 'plain',
    value,
    start: at.start,
    end: at.end,
  })
  const entry = (key: string, value: string | number): Entry => ({
    key: { kind: 'scalar', style: 'plain', value: key, start: at.start, end: at.end },
    value: scalar(value),
  })
  const entries = [
    ...(ip === null ? [] : [entry('ip', ip)]),
    ...(host === null ? [] : [entry('host', host)]),
    entry('container', container),
    entry('protocol', protocol),
  ]
  return { kind: 'map', start: at.start, end: at.end, entries }
}
