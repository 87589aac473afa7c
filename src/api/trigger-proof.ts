// What a caller of a trigger URL shows to prove that it knows the secret: the secret itself in a header, or a signature
// of the call, as Standard Webhooks makes it, which cannot be used a second time (docs/triggers.md).
import { hmacSha256, isSameSecret, keyOfText } from '../lib/hash.js'
import type { Instant } from '../lib/time.js'

/** What of a call counts. */
export interface TriggerCall {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Uint8Array
}

/** The name that a call gave itself, or null where it has none; or why it is not let in. */
type Proof = { readonly id: string | null } | { readonly refused: 'secret' | 'time' | 'id' }

/** How far the clock of a caller that signs may be off. */
const clockSkewMs = 5 * 60_000

/** Checks a call against the secret of its trigger. */
export function checkProof(call: TriggerCall, secret: string, now: Instant): Proof {
  const header = (name: string): string | null => {
    const value = call.headers[name]
    return typeof value === 'string' ? value : null
  }
  const signature = header('webhook-signature')
  const id = header('webhook-id') ?? header('idempotency-key')
  if (signature === null) {
    const shown = secretIn(header('authorization') ?? '')
    if (shown === null || !isSameSecret(shown, secret)) return { refused: 'secret' }
    return id === null || isId(id) ? { id } : { refused: 'id' }
  }
  const timestamp = header('webhook-timestamp') ?? ''
  const expected = `v1,${hmacSha256(keyOf(secret), `${id ?? ''}.${timestamp}.`, call.body)}`
  if (!signature.split(' ').some((one) => isSameSecret(one, expected))) return { refused: 'secret' }
  // Said only to who knows the secret.
  if (id === null || !isId(id)) return { refused: 'id' }
  return /^\d{1,12}$/.test(timestamp) && Math.abs(Number(timestamp) * 1000 - now) <= clockSkewMs
    ? { id }
    : { refused: 'time' }
}

/** What a body is known again by: who does not know the secret cannot guess the one from the other. */
export function printOfBody(body: Uint8Array, secret: string): string {
  return hmacSha256(keyOf(secret), 'body.', body).slice(0, 16)
}

/** `Bearer SECRET`, or the password of `Basic`: what stands in `https://any:SECRET@host/…` is sent so. */
function secretIn(authorization: string): string | null {
  const [, scheme = '', shown = ''] = /^(Bearer|Basic) +(\S+)$/i.exec(authorization) ?? []
  if (scheme.toLowerCase() === 'bearer') return shown
  if (scheme === '') return null
  try {
    const pair = atob(shown)
    return pair.includes(':') ? pair.slice(pair.indexOf(':') + 1) : null
  } catch {
    return null
  }
}

/** The key of signatures: what `whsec_` holds, or the bytes of any other secret. */
function keyOf(secret: string): string {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1]
  return encoded ?? keyOfText(secret)
}

function isId(id: string): boolean {
  return id.length > 0 && id.length <= 256
}
