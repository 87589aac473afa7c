import type { Instant } from '../lib/time.js'

/** One key of a project's metadata, for templates (contract §1). Written by the API alone. */
export interface Meta {
  readonly project: string
  readonly key: string
  /** Of a secret what `SecretBox` made of it: no reader of the store learns more. */
  readonly value: string
  /** Changes with each write: who names it changes only what they have seen. */
  readonly casId: string
  /** Of a secret that was written again with the same value: the CAS id that it had with the first of those writes. */
  readonly valueId?: string
  readonly secret: boolean
  readonly updatedAt: Instant
}

/** The longest value, in UTF-16 units. */
const metaValueAtMost = 64 * 1024

/** Why a text cannot be a key, which has to fit into `{{ .meta.KEY }}`; null when it can. */
export function metaKeyProblem(key: string): string | null {
  if (key.length > 100) return 'a key has 100 characters at most'
  // No JSON reader that guards itself takes an object with this key.
  if (key === '__proto__') return 'this key cannot be sent'
  return /^[A-Za-z0-9_][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*$/.test(key)
    ? null
    : 'a key has letters, digits, "_" and "-", in parts joined by dots'
}

/** Why a text cannot be a value; null when it can. */
export function metaValueProblem(value: string): string | null {
  if (value.length > metaValueAtMost) return `a value has ${metaValueAtMost} characters at most`
  return unusable.test(value)
    ? 'a value cannot hold NUL, lone surrogates, U+E000 or U+E001, which no program could be given'
    : null
}

/** With the `u` flag a surrogate matches only where it has no partner. */
const unusable = /[\0\uD800-\uDFFF\uE000\uE001]/u
