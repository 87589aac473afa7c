// What a caller has already, as conditional requests say it.

/** A tag with or without a mark that it is weak; what it holds may have commas in it (RFC 9110, 8.8.3). */
const tags = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g

/**
 * Whether `If-None-Match` names what there is: one tag of a list, or `*` for any. Tags are compared weakly (RFC 9110,
 * 13.1.2): whether one is marked as weak makes no difference.
 */
export function namesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  const opaque = tag.replace(/^W\//, '')
  return [...header.matchAll(tags)].some(([, named]) => named === opaque)
}
