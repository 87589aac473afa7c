// The signature of a delivery, as Standard Webhooks 1.0.0 has it.
import { hmacSha256 } from '../lib/hash.js'
import type { Instant } from '../lib/time.js'

/** What a secret begins with. */
export const secretPrefix = 'whsec_'

/** Why a text cannot be a secret to sign with, as the end of a sentence; null when it can. */
export function secretProblem(secret: string): string | null {
  const key = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : ''
  const bytes = Math.floor((key.replace(/=+$/, '').length * 3) / 4)
  return /^[A-Za-z0-9+/]+={0,2}$/.test(key) && bytes >= 24 && bytes <= 64
    ? null
    : 'is not whsec_ and the base64 of 24 to 64 bytes'
}

/** The headers that say who sent a body and when. `secret` is a `whsec_…` string. */
export function signatureHeaders(
  secret: string,
  id: string,
  body: string,
  now: Instant,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000))
  const signature = hmacSha256(secret.slice(secretPrefix.length), `${id}.${timestamp}.${body}`)
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
