// What nobody may read: the secrets of the metadata, of webhooks and of trigger URLs, logins of registries, and tokens of the API,
// as they are and in base64, in a line of a log or a field of it, an event, another record, a webhook, the answer to an operator,
// or what is known of a program.
import { decodeEvents, kindOfKey } from '../../src/store/records.js'
import type { Change } from '../../src/store/store.js'

/** What each begins with; an encoding for addresses leaves it as it is. */
const beginnings = ['whsec_', 'whisper-'] as const
const encoded = beginnings.flatMap(encodedOf)

/** A secret of the metadata that no other text looks like. */
export function secretOf(n: string): string {
  return `${beginnings[1]}${n}/+ &${n}`
}

/** What the API is asked with. */
export const apiToken = `${beginnings[1]}token`
export const wrongToken = `${beginnings[1]}wrong-token`
/** Records that may have something sealed, which is in base64 here. */
const withSealed: ReadonlySet<string | null> = new Set([
  'meta',
  'receiver',
  'trigger',
  'callBody',
  'registryLogin',
])

export class SecretsJudge {
  readonly #broke: (what: string) => void

  constructor(broke: (what: string) => void) {
    this.#broke = broke
  }

  /** Something that others read. */
  seen(where: string, text: string): void {
    if ([...beginnings, ...encoded].some((form) => text.includes(form)))
      this.#broke(`${where} shows a secret: ${text.slice(0, 400)}`)
  }

  /** What a daemon answers to whoever may ask it: a secret that was made it may show, and what is sealed. */
  shown(where: string, text: string): void {
    const open = text.replaceAll(/sealed:[\w+/=]+/g, '')
    if ([beginnings[1], ...encodedOf(beginnings[1])].some((form) => open.includes(form)))
      this.#broke(`${where} shows a secret: ${text.slice(0, 400)}`)
  }

  look(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.type === 'delete') continue
      const { key, entry } = change
      if (kindOfKey(key) === 'event')
        for (const event of decodeEvents(entry)) this.seen(`the event ${event.id}`, JSON.stringify(event))
      else if (!withSealed.has(kindOfKey(key))) this.seen(`the record ${key}`, entry.value)
      else if (beginnings.some((beginning) => entry.value.includes(beginning)))
        this.#broke(`the record ${key} has a secret in plain text: ${entry.value.slice(0, 400)}`)
    }
  }
}

function encodedOf(beginning: string): readonly string[] {
  return [0, 1, 2].map((shift) => inBase64(beginning, shift))
}

/** What is in base64 of any text that has this so many bytes behind a multiple of three. */
function inBase64(text: string, shift: number): string {
  const all = Buffer.from(`${' '.repeat(shift)}${text}`)
    .toString('base64')
    .replace(/=+$/, '')
  const bits = (shift + text.length) * 8
  return all.slice(Math.ceil((shift * 8) / 6), Math.floor(bits / 6))
}
