// The lines that the proxy writes for each request.

/** A request that was answered. */
export interface Access {
  /** In lower case, without a port, and without the dot that a host may end in. */
  readonly host: string
  /** In lower case and without detours, as the proxy compares it with those of routes. */
  readonly path: string
  readonly isSecure: boolean
  /** Of the answer; 499 where the client did not wait for one. */
  readonly status: number
  /** From the first byte of the request to the last of the answer. */
  readonly seconds: number
}

/** The status of a request that nobody waits for any more. */
const clientGone = 499

/** What a line tells; null for what is no such line. */
export function readAccess(line: string): Access | null {
  const told = parsed(line)
  const request = told?.['request'] as Record<string, unknown> | null | undefined
  const { host, uri, tls } = request ?? {}
  const [status, seconds] = [told?.['status'], told?.['duration']]
  if (typeof host !== 'string' || typeof uri !== 'string') return null
  if (typeof status !== 'number' || typeof seconds !== 'number') return null
  return {
    host: hostOf(host),
    path: pathOf(uri),
    isSecure: tls !== undefined,
    status: status === 0 ? clientGone : status,
    seconds,
  }
}

function parsed(line: string): Readonly<Record<string, unknown>> | null {
  // An exception for each line of a log that holds something else would keep the daemon busy for minutes.
  if (!line.startsWith('{')) return null
  try {
    const found: unknown = JSON.parse(line)
    return typeof found === 'object' ? (found as Readonly<Record<string, unknown>> | null) : null
  } catch {
    return null
  }
}

/** Of what stands behind a colon the proxy takes anything for a port, and an address may stand in brackets. */
function hostOf(host: string): string {
  const [, inBrackets, plain] = /^(?:\[([^[\]]*)\]|([^:]*))(?::[^:]*)?$/.exec(host) ?? []
  return (inBrackets ?? plain ?? host).toLowerCase().replace(/(?<=.)\.$/, '')
}

/** The proxy takes escapes, dots and double slashes out of a path before it compares it, and dots and blanks off its end first. */
function pathOf(uri: string): string {
  const [written = ''] = uri.replace(wholeAddress, '').split('?', 1)
  const segments: string[] = []
  for (const one of withoutTail(unescaped(written)).toLowerCase().split('/')) {
    if (one === '..') segments.pop()
    else if (one !== '' && one !== '.') segments.push(one)
  }
  return `/${segments.join('/')}`
}

/** A request may name all of what it wants, as to a proxy that goes anywhere. */
const wholeAddress = /^[a-z][a-z\d+.-]*:\/\/[^/?]*/i

/** Without a regular expression: one takes as long as the square of what is there. */
function withoutTail(path: string): string {
  let end = path.length
  while (end > 0 && '. '.includes(path.charAt(end - 1))) end--
  return path.slice(0, end)
}

/** What is no text becomes a sign that no route has. Without exceptions: a client may send a quarter of a million such escapes. */
function unescaped(path: string): string {
  if (!path.includes('%')) return path
  const bytes = utf8.encode(path)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const escaped = bytes[at] === percent ? 16 * digitOf(bytes[at + 1]) + digitOf(bytes[at + 2]) : Number.NaN
    if (!Number.isNaN(escaped)) at += 2
    bytes[length++] = Number.isNaN(escaped) ? (bytes[at] ?? 0) : escaped
  }
  return text.decode(bytes.subarray(0, length))
}

const percent = 0x25
const utf8 = new TextEncoder()
const text = new TextDecoder('utf-8', { ignoreBOM: true })

/** Of a hexadecimal digit; NaN for what is none. */
function digitOf(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN
}
