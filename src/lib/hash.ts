// The one Node built-in that pure code may use: hashing is a function of its input.
import { createHash, createHmac, createSecretKey, hash, timingSafeEqual } from 'node:crypto'

/** Lower-case hex SHA-1 of UTF-8 text: fleet's hash of a unit, and the hash of a submitted manifest. */
export function sha1(text: string): string {
  // A third of what an object of crypto's costs.
  return hash('sha1', text, 'hex')
}

/** The SHA-1 of a long text that comes in parts. */
export function openSha1(): { add(part: string): void; hex(): string } {
  const sum = createHash('sha1')
  return { add: (part) => void sum.update(part, 'utf8'), hex: () => sum.digest('hex') }
}

/** A UUID that derives from its parts alone (RFC 9562, version 5 layout), so that no randomness is needed. */
export function uuidOf(...parts: readonly string[]): string {
  const hex = sha1(parts.map((part) => `${part.length}:${part}`).join(''))
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `${variant}${hex.slice(18, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

/** A UUID that no two callers get: `random` gives numbers from 0 to 1. Not for what has to be secret. */
export function uuidByChance(random: () => number, ...parts: readonly string[]): string {
  return uuidOf(...parts, ...Array.from({ length: 4 }, () => `${random()}`))
}

/** So many characters at least are taken for the beginning of a uuid: what tables show. */
const shortest = 8

/** Whether a word may be the beginning of a uuid. */
export function mayBeUuid(word: string): boolean {
  return word.length >= shortest && /^[0-9a-f-]+$/.test(word)
}

/** A number in [0, bound) that derives from text; spreads names over a range. */
export function spread(text: string, bound: number): number {
  return Number.parseInt(sha1(text).slice(0, 8), 16) % bound
}

/**
 * HMAC-SHA256 of bytes and UTF-8 texts, one after the other, under a key in base64, as base64: the signature of Standard
 * Webhooks.
 */
export function hmacSha256(keyBase64: string, ...parts: readonly (string | Uint8Array)[]): string {
  const hmac = createHmac('sha256', createSecretKey(keyBase64, 'base64'))
  for (const part of parts) hmac.update(part)
  return hmac.digest('base64')
}

/** The bytes of a text in UTF-8 as a key for `hmacSha256`; none of an empty text. */
export function keyOfText(text: string): string {
  return createSecretKey(text, 'utf8').export().toString('base64')
}

/** Whether two texts are equal, in a time that tells nothing of where they differ nor of how long they are. */
export function isSameSecret(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text, 'utf8').digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}
