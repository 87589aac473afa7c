// The error that ends a backup which could not be sent completely, in place of its checksum.
import type { ErrorBody } from './contract.js'

/** The trailer of an incomplete backup: the `error` of an answer as JSON, percent-encoded. */
export const failureHeader = 'x-mariposa-failure'

type Failure = Pick<ErrorBody['error'], 'code' | 'message' | 'hint'>

/** A failure as the value of the trailer. */
export function encodeFailure({ code, message, hint }: Failure): string {
  return encodeURIComponent(JSON.stringify({ code, message, hint }))
}

/** The failure in a trailer; null for an absent or malformed trailer. */
export function decodeFailure(value: string | undefined): Failure | null {
  try {
    const { code, message, hint } = JSON.parse(decodeURIComponent(value ?? '')) as Record<string, unknown>
    if (typeof code !== 'string' || typeof message !== 'string') return null
    return { code, message: plain(message), ...(typeof hint === 'string' && { hint: plain(hint) }) }
  } catch {
    return null
  }
}

/** Without control characters: the text comes from elsewhere and is shown on a terminal. */
function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ')
}
