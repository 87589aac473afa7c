// Who asks for a change, from what the request says of itself.
import type { Actor } from '../model/actor.js'

/** What of a request's headers names the caller. */
interface CallerHeaders {
  readonly [name: string]: string | readonly string[] | undefined
}

/** The header in which the command line says who runs it. */
const userHeader = 'x-mariposa-user'

/** Reads the caller from headers; what cannot be shown in one line is left out. */
export function describeActor(
  headers: CallerHeaders,
  address: string | null,
  certificate: string | null = null,
): Actor {
  return {
    user: wordOf(headers[userHeader]),
    client: wordOf(headers['user-agent']),
    address,
    ...(certificate !== null && { certificate }),
  }
}

function wordOf(value: string | readonly string[] | undefined): string | null {
  const text = typeof value === 'string' ? value : value?.[0]
  const shown =
    text
      ?.replace(/[^\x20-\x7e]/g, '?')
      .trim()
      .slice(0, 200) ?? ''
  return shown === '' ? null : shown
}
