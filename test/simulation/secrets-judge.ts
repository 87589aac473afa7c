// What nobody may read: the secrets of the metadata, of webhooks and of trigger URLs, as they are and in base64, in a line of a log
// or a field of it, an event, another record, a webhook, or the answer to an operator.
import { decodeEvents, kindOfKey } from '../../src/store/records.js'
import type { Change } from '../../src/store/store.js'

/** What each begins with; an encoding for addresses leaves it as it is. */
const beginnings = ['whsec_', 'whisper-'] as const
const encoded = beginnings.flatMap((beginning) => [0, 1, 2].map((shift) => inBase64(beginning, shift)))

/** A secret of the metadata that no other text looks like. */
export function secretOf(n: string): string {
  return `${beginnings[1]}${n}/+ &${n}`
}

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

  look(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.type === 'delete') continue
      const { key, entry } = change
      if (kindOfKey(key) === 'event')
        for (const event of decodeEvents(entry)) this.seen(`the event ${event.id}`, JSON.stringify(event))
      // What is sealed here is in base64.
      else if (beginnings.some((beginning) => entry.value.includes(beginning)))
        this.#broke(`the record ${key} has a secret in plain text: ${entry.value.slice(0, 400)}`)
    }
  }
}

/** What is in base64 of any text that has this so many bytes behind a multiple of three. */
function inBase64(text: string, shift: number): string {
  const all = Buffer.from(`${' '.repeat(shift)}${text}`)
    .toString('base64')
    .replace(/=+$/, '')
  const bits = (shift + text.length) * 8
  return all.slice(Math.ceil((shift * 8) / 6), Math.floor(bits / 6))
}
