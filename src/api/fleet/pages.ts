// Pages of fleet's lists, and the tokens that lead from one to the next: base64 of two 16-bit numbers, the size of a
// page and its number.

/** How many entries a page has; fleet takes no other size. */
export const pageSize = 100

export interface Page<T> {
  readonly items: readonly T[]
  /** Leads to the next page. A page that is exactly full has one too, as in fleet. */
  readonly next: string | null
}

/** The page that the values of `nextPageToken` ask for, or what is wrong with them: in fleet's words, where those say it. */
export function readPageToken(
  values: readonly string[],
): { readonly page: number } | { readonly problem: string } {
  if (values.length > 1) return { problem: 'too many values for page token' }
  const [token] = values
  if (token === undefined) return { page: 1 }
  const decoded = decodeBase64(token)
  if (typeof decoded === 'string') return { problem: unreadable(decoded) }
  const [a, b, c, d] = decoded
  if (a === undefined) return { problem: unreadable('EOF') }
  if (b === undefined || c === undefined || d === undefined) return { problem: unreadable('unexpected EOF') }
  const page = c + d * 256
  if (a + b * 256 !== pageSize) return { problem: `token limit must be ${pageSize}` }
  return page === 0 ? { problem: 'token page must be greater than zero' } : { page }
}

/** fleet has Go's complaint alone, which says of nothing what it is about. */
function unreadable(complaint: string): string {
  return `nextPageToken cannot be read: ${complaint}; take it from the page before, or leave it out`
}

/** The token of a page. */
export function printPageToken(page: number): string {
  const bytes = [pageSize % 256, Math.floor(pageSize / 256), page % 256, Math.floor(page / 256)]
  return encodeBase64(bytes)
}

/** One page of a list. */
export function pageOf<T>(all: readonly T[], page: number): Page<T> {
  const start = (page - 1) * pageSize
  const stop = page * pageSize
  const more = start < all.length && stop <= all.length && page < largestPage
  return { items: all.slice(start, stop), next: more ? printPageToken(page + 1) : null }
}

/** A token holds no larger number. */
const largestPage = 0xffff

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

function encodeBase64(bytes: readonly number[]): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.slice(at, at + 3)
    const sextets = [a >> 2, ((a & 3) << 4) | (b >> 4), ((b & 15) << 2) | (c >> 6), c & 63]
    const used = Math.min(bytes.length - at, 3) + 1
    text += sextets.map((sextet, n) => (n < used ? alphabet.charAt(sextet) : '=')).join('')
  }
  return text
}

/** The bytes, or Go's complaint. Padding has to be there. */
function decodeBase64(text: string): readonly number[] | string {
  const bytes: number[] = []
  for (let at = 0; at < text.length; at += 4) {
    const group = text.slice(at, at + 4)
    const padding =
      at + 4 >= text.length ? (/^..(==|.=)$/.exec(group)?.[1]?.replace(/^[^=]/, '').length ?? 0) : 0
    const sextets = [...group.slice(0, 4 - padding)].map((char) => alphabet.indexOf(char))
    const wrong = sextets.indexOf(-1)
    if (wrong !== -1) return `illegal base64 data at input byte ${at + wrong}`
    if (group.length < 4) return `illegal base64 data at input byte ${at}`
    const [a = 0, b = 0, c = 0, d = 0] = sextets
    bytes.push(...[(a << 2) | (b >> 4), ((b & 15) << 4) | (c >> 2), ((c & 3) << 6) | d].slice(0, 3 - padding))
  }
  return bytes
}
