// How far machines are with the images that they are to have, for people.
import type { PrefetchBody } from '../contract/contract.js'
import { describePull } from '../model/pull.js'
import { printable } from './table.js'

/** One machine and image in a line. */
export function describePrefetch(body: PrefetchBody): string {
  return printable(`${body.hostname}: ${describeState(body)}`)
}

function describeState(body: PrefetchBody): string {
  const { image, state, reason } = body
  switch (state) {
    case 'pulling':
      return describePull(body)
    case 'present':
      return `has ${image}`
    case 'fetched':
      return `has fetched ${image}`
    case 'failed':
      return `has no ${image}: ${reason}`
    case 'skipped':
      return `is skipped: ${reason}`
  }
}

/** What is known of each machine and image, the last of each, in the order in which they came up. */
export class PrefetchLooks {
  readonly #last = new Map<string, PrefetchBody>()

  note(body: PrefetchBody): void {
    this.#last.set(`${body.machine} ${body.image}`, body)
  }

  get all(): readonly PrefetchBody[] {
    return [...this.#last.values()]
  }
}
