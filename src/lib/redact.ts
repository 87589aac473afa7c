// Secrets are kept out of logs: those that are known by their value, others by the form in which they are sent.

/** What stands in a line where a secret was. */
export const redacted = '[redacted]'

/** A shorter secret is a word that may stand anywhere, and to hide it would say what it is. */
const shortest = 6

/** How much is kept in memory: so many secrets, with so many characters in all. */
interface Bounds {
  readonly secrets: number
  readonly characters: number
}

const usualBounds: Bounds = { secrets: 20_000, characters: 8 * 2 ** 20 }

/**
 * The secrets that a program has read, opened or made. What it costs to search a text grows with the text, not with how
 * many secrets there are: of each form of a secret the hash of its first six characters is looked up at each place.
 */
export class KnownSecrets {
  readonly #bounds: Bounds
  /** What may stand in a text, by the secret. The one that was met last comes last. */
  readonly #forms = new Map<string, readonly string[]>()
  /** Of how many secrets something is a form. */
  readonly #known = new Map<string, number>()
  /** By the hash of how they begin: how long forms are, and how many of them are so long. */
  readonly #lengths = new Map<number, Map<number, number>>()
  #characters = 0

  constructor(bounds: Bounds = usualBounds) {
    this.#bounds = bounds
  }

  /**
   * Hides a secret from now on. What is shorter than six characters is not hidden. Beyond the bounds, the secret that has
   * not been added for the longest time is forgotten.
   */
  add(secret: string): void {
    const text = secret.trim()
    if (text.length < shortest || text.length > this.#bounds.characters) return
    const known = this.#forms.get(text)
    this.#forms.delete(text)
    this.#forms.set(text, known ?? this.#learn(text))
    for (const oldest of this.#forms.keys()) {
      if (this.#forms.size <= this.#bounds.secrets && this.#characters <= this.#bounds.characters) return
      this.#forget(oldest)
    }
  }

  /** A text without these secrets, and without what has the form of one. */
  redact(text: string): string {
    return withoutCredentials(this.#withoutKnown(text))
  }

  #learn(secret: string): readonly string[] {
    const forms = formsOf(secret)
    for (const form of forms) this.#count(form, 1)
    return forms
  }

  #forget(secret: string): void {
    for (const form of this.#forms.get(secret) ?? []) this.#count(form, -1)
    this.#forms.delete(secret)
  }

  #count(form: string, by: 1 | -1): void {
    const start = hashOf(form)
    const lengths = this.#lengths.get(start) ?? new Map<number, number>()
    addTo(lengths, form.length, by)
    if (lengths.size > 0) this.#lengths.set(start, lengths)
    else this.#lengths.delete(start)
    addTo(this.#known, form, by)
    this.#characters += by * form.length
  }

  #withoutKnown(text: string): string {
    if (this.#forms.size === 0) return text
    let rest = ''
    let copied = 0
    /** Secrets may overlap: nothing is left of either. */
    let [from, to] = [0, 0]
    let hash = 0
    for (let next = 0; next < text.length; next += 1) {
      hash = rolled(hash, text, next)
      const at = next - shortest + 1
      const lengths = at < 0 ? undefined : this.#lengths.get(hash)
      if (lengths === undefined) continue
      const end = at + this.#longestAt(text, at, lengths)
      if (end === at) continue
      if (at >= to) {
        if (to > from) rest += text.slice(copied, from) + redacted
        copied = to
        from = at
      }
      to = Math.max(to, end)
    }
    return to > from ? rest + text.slice(copied, from) + redacted + text.slice(to) : text
  }

  /** How long the longest form is that stands at a place; 0 for none. */
  #longestAt(text: string, at: number, lengths: ReadonlyMap<number, number>): number {
    let longest = 0
    for (const length of lengths.keys())
      if (length > longest && this.#known.has(text.slice(at, at + length))) longest = length
    return longest
  }
}

function addTo<K>(counts: Map<K, number>, key: K, by: number): void {
  const count = (counts.get(key) ?? 0) + by
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}

const base = 31
const leaving = base ** shortest

/** The hash of the last six characters up to a place, from that of the place before. */
function rolled(hash: number, text: string, at: number): number {
  const gone = at < shortest ? 0 : Math.imul(text.charCodeAt(at - shortest), leaving)
  return (Math.imul(hash, base) + text.charCodeAt(at) - gone) | 0
}

/** The hash of the first six characters. */
function hashOf(text: string): number {
  let hash = 0
  for (let at = 0; at < shortest; at += 1) hash = rolled(hash, text, at)
  return hash
}

/** A secret as it is, and as addresses and JSON have it. */
function formsOf(secret: string): readonly string[] {
  const quoted = JSON.stringify(secret).slice(1, -1)
  return [...new Set([secret, encoded(secret), quoted])]
}

function encoded(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    // Half of a pair of surrogates stands in no address.
    return text
  }
}

/** Few lines have any of these, so that one expression looks for all of them first. */
const maybe = /authorization|bearer|basic|registry-auth|:\/\/|(?:token|secret|password|signature)["']?[=:]/i
const forms: readonly (readonly [RegExp, string])[] = [
  [
    /((?:authorization|x-registry-auth)["']?\s*[:=]\s*["']?)(?:[A-Za-z][\w-]*\s+)?[^\s"',;]+/gi,
    `$1${redacted}`,
  ],
  [/\b(bearer|basic)\s+[\w.~+/=-]{16,}/gi, `$1 ${redacted}`],
  // A password may have an at sign in it: the last one ends it.
  [/(:\/\/[^\s/:@]*:)[^\s/]+@/g, `$1${redacted}@`],
  // A long name with no password is a token.
  [/(:\/\/)[^\s/:@]{16,}@/g, `$1${redacted}@`],
  [/([?&][\w-]*(?:token|secret|password|signature)=)[^\s&#"']+/gi, `$1${redacted}`],
  [/("\w*(?:token|secret|password)"\s*:\s*")(?:[^"\\]|\\.)+/gi, `$1${redacted}`],
]

function withoutCredentials(text: string): string {
  if (!maybe.test(text)) return text
  return forms.reduce((rest, [form, instead]) => rest.replace(form, instead), text)
}

/** Whether a field is a secret by its name. */
export function isSecretName(name: string): boolean {
  return /^(?:authorization|password|secret|token)$/i.test(name)
}
