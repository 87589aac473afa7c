// Lists in pages: what is asked for, and what of the answer says that there is more.

/** Which part of a list is asked for; nothing of it for all. */
export interface PageQuery {
  /** At most so many entries. */
  readonly limit?: number | undefined
  /** What comes after a page: its `next`. */
  readonly after?: string | undefined
}

/** Where the next page begins; null where there is none, and of a list that is whole. */
export interface Next {
  readonly next: string | null
}

/** A list, or a part of one. `next` shows in no JSON of it. */
export type Page<T> = readonly T[] & Next

/** What of an address asks for a page. */
export function pageParameters({ limit, after }: PageQuery): Readonly<Record<string, string | undefined>> {
  return { limit: limit === undefined ? undefined : String(limit), after }
}

/** What was answered, with what the header `link` of the answer says of the next page. */
export function withNext<T extends object>(answered: T, link: string | undefined): T & Next {
  return Object.defineProperty(answered, 'next', { value: nextOf(link) }) as T & Next
}

function nextOf(link: string | undefined): string | null {
  const address = /<([^>]*)>;\s*rel="?next"?/.exec(link ?? '')?.[1]
  return address === undefined ? null : new URL(address, 'http://localhost').searchParams.get('after')
}
