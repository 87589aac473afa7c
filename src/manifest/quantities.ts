const unitMb: Readonly<Record<string, number>> = {
  k: 1 / 1024,
  m: 1,
  g: 1024,
  t: 1024 * 1024,
}

/** What `parseSizeMb` reads, as part of a sentence: "expected …". */
export const sizeForms = 'a whole number of MiB, or a size such as 512M or 1.5GiB'

/**
 * Reads an amount of memory as MiB: `512` (MiB, as in Triton packages), `512M`, `512MB`, `1.5GiB`. Units count in
 * 1024s, as Docker's do, whether they are written `M`, `MB` or `MiB`. Parts of a MiB are rounded up, so that nobody
 * gets less than was asked for. Undefined when the text is none of these.
 */
export function parseSizeMb(text: string): number | undefined {
  const mb = readMb(text)
  return mb === undefined ? undefined : withinReason(Math.ceil(mb))
}

/** What `parseWholeMb` reads. */
export const wholeSizeForms = 'a size of whole MiB such as 10M, from 1M to 1T'

/** The same, where nobody is to get more than was asked for either: parts of a MiB are refused. */
export function parseWholeMb(text: string): number | undefined {
  const mb = readMb(text)
  return mb === undefined ? undefined : withinReason(mb)
}

function readMb(text: string): number | undefined {
  const trimmed = text.trim()
  if (/^\d+$/.test(trimmed)) return Number(trimmed)
  const match = /^(\d+(?:\.\d+)?)\s*([kmgt])(?:i?b)?$/i.exec(trimmed)
  if (!match) return undefined
  return Number(match[1]) * (unitMb[(match[2] ?? '').toLowerCase()] ?? 1)
}

function withinReason(mb: number): number | undefined {
  return Number.isSafeInteger(mb) ? mb : undefined
}
