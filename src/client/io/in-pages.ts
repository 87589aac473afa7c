// A list that is too long to be held at once, read a page at a time.
import type { Page, PageQuery } from '../page.js'

/**
 * The entries of a list one after the other, asked for `limit` at a time:
 * `inPages((page) => client.instances('default', null, signal, page), 500)`.
 */
export async function* inPages<T>(
  ask: (page: PageQuery) => Promise<Page<T>>,
  limit: number,
): AsyncGenerator<T, void, undefined> {
  let page = await ask({ limit })
  yield* page
  while (page.next !== null) {
    page = await ask({ limit, after: page.next })
    yield* page
  }
}
