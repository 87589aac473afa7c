// Which IP addresses lead to anybody on the Internet, and which to this machine or a network of its own (the special
// registries of RFC 6890).

/** Whether a literal IP address is a public one; null where the text is no address. */
export function isPublicAddress(text: string): boolean | null {
  const bare = text.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '')
  const four = parseV4(bare)
  if (four !== null) return isPublicV4(four)
  const six = parseV6(bare)
  return six === null ? null : isPublicV6(six)
}

/** Whether a text is a literal IPv4 or IPv6 address. */
export function isAddress(text: string): boolean {
  return parseV4(text) !== null || parseV6(text) !== null
}

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'

/**
 * Stands at the beginning of a pattern for hosts, or matches alone: a host that ends in a number has to be an IPv4 address. Resolvers
 * read others as addresses, too, each in its way: 010 is eight to some, and 1.2.3 is 1.2.0.3.
 */
export const addressIfNumeric = `(?=${octet}(?:\\.${octet}){3}$|(?!(?:[^:]*\\.)?(?:\\d+|0[xX][0-9a-fA-F]*)\\.?$))`

const fineHost = new RegExp(`^${addressIfNumeric}`)

/** Whether a host would be taken for an IPv4 address, and is none. */
export function isMisspeltAddress(host: string): boolean {
  return !fineHost.test(host)
}

/** An address in the one form that stands for it alone, to be compared; null where the text is no address. */
export function plainAddress(text: string): string | null {
  if (parseV4(text) !== null) return text
  const groups = parseV6(text)
  return groups === null ? null : groups.map((group) => group.toString(16)).join(':')
}

/** Whether a host of a URL can only be this machine, whatever resolves it (RFC 6761). */
export function isLocalName(host: string): boolean {
  return /(^|\.)localhost\.?$/i.test(host)
}

/** `[network, prefix length]` of what is not public. */
const specialV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

const networksV4 = specialV4.map(([network, length]) => ({
  network: (parseV4(network) ?? 0) / 2 ** (32 - length),
  size: 2 ** (32 - length),
}))

function isPublicV4(address: number): boolean {
  return !networksV4.some(({ network, size }) => Math.floor(address / size) === network)
}

/** A v6 address that carries a v4 one is as public as that one. Only 2000::/3 is given out to anybody. */
function isPublicV6(groups: readonly number[]): boolean {
  const [a = 0, b = 0, c = 0] = groups
  const lastTwo = (groups[6] ?? 0) * 65_536 + (groups[7] ?? 0)
  const leading = (count: number): boolean => groups.slice(0, count).every((group) => group === 0)
  if (leading(5) && groups[5] === 0xffff) return isPublicV4(lastTwo)
  if (a === 0x64 && b === 0xff9b && groups.slice(2, 6).every((group) => group === 0))
    return isPublicV4(lastTwo)
  if (a === 0x2002) return isPublicV4(b * 65_536 + c)
  if (a >> 13 !== 1) return false
  const isSpecial = a === 0x2001 && (b < 0x200 || b === 0xdb8)
  return !isSpecial && !(a === 0x3fff && b < 0x1000)
}

function parseV4(text: string): number | null {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256))
    return null
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0)
}

function parseV6(text: string): readonly number[] | null {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text)
  const four = dotted === null ? null : parseV4(dotted[2] ?? '')
  if (dotted !== null && four === null) return null
  const plain =
    four === null
      ? text
      : `${dotted?.[1] ?? ''}${Math.floor(four / 65_536).toString(16)}:${(four % 65_536).toString(16)}`
  const [head = '', tail, ...more] = plain.split('::')
  if (more.length > 0) return null
  const before = groupsOf(head)
  const after = tail === undefined ? [] : groupsOf(tail)
  if (before === null || after === null) return null
  const missing = 8 - before.length - after.length
  if (tail === undefined ? missing !== 0 : missing < 1) return null
  return [...before, ...Array.from({ length: missing }, () => 0), ...after]
}

function groupsOf(text: string): readonly number[] | null {
  if (text === '') return []
  const groups = text.split(':')
  return groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : null
}
