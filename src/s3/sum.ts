// The checksum beside a backup, as `sha256sum` writes and reads it, with a comment that says which object it is of.

/** What stands beside a backup. */
interface Sum {
  /** 64 hexadecimal digits. */
  readonly sha256: string
  /** Of the object that it is of, without quotes; null where it does not say. */
  readonly etag: string | null
}

/** No file with a checksum has more bytes. */
export const sumAtMost = 64 * 1024

const plain = /^\\?([0-9a-f]{64})(?:\s|$)/i
/** As the BSDs write it. */
const tagged = /^SHA256 \(.*\) = ([0-9a-f]{64})\s*$/im

/** Reads the first checksum of a text; null where there is none. */
export function parseSum(text: string): Sum | null {
  const sha256 = (plain.exec(text) ?? tagged.exec(text))?.[1]?.toLowerCase()
  if (sha256 === undefined) return null
  return { sha256, etag: /^# ETag (\S+)$/m.exec(text)?.[1] ?? null }
}

/** The text for a file or object of this name. */
export function printSum({ sha256, etag }: Sum, name: string): string {
  return `${sha256}  ${name}\n${etag === null ? '' : `# ETag ${etag}\n`}`
}

/** An ETag as it is compared: without quotes, which stores leave out here and there. */
export function bareEtag(etag: string): string {
  return etag.replace(/^W\//, '').replaceAll('"', '').trim()
}
