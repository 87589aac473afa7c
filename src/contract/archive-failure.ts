// Why a backup that is sent could not be sent to its end: what follows it in place of its checksum.
import type { ErrorBody } from './contract.js'

/** The trailer, of what is not whole: the `error` of an answer as JSON, percent-encoded. */
export const failureHeader = 'x-mariposa-failure'

type Failure = Pick<ErrorBody['error'], 'code' | 'message' | 'hint'>

/** A failure as the value of the trailer. */
export function encodeFailure({ code, message, hint }: Failure): string {
  return encodeURIComponent(JSON.stringify({ code, message, hint }))
}

/** What a trailer says; null for none, and for what no daemon sends. */
export function decodeFailure(value: string | undefined): Failure | null {
  try {
    const { code, message, hint } = JSON.parse(decodeURIComponent(value ?? '')) as Record<string, unknown>
    if (typeof code !== 'string' || typeof message !== 'string') return null
    return { code, message: plain(message), ...(typeof hint === 'string' && { hint: plain(hint) }) }
  } catch {
    return null
  }
}

/** What another sends is shown on a terminal. */
function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ')
}
