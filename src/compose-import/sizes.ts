// Sizes as Compose writes them.

const byteUnits = ['b', 'k', 'm', 'g', 't']

/** Bytes of a size as Compose reads it; undefined for a text that is none. */
export function bytesOf(text: string): number | undefined {
  const match = /^(\d{1,15}(?:\.\d{1,15})?) ?(?:([kmgt])(?:i?b)?|b)?$/i.exec(text.trim())
  if (!match) return undefined
  return Math.ceil(Number(match[1]) * 1024 ** Math.max(0, byteUnits.indexOf((match[2] ?? 'b').toLowerCase())))
}
