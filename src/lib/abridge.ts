// Texts of others within our sentences: whole where they are short, and never longer than somebody would read.

/** How much of what a sentence quotes, or of one word in it, is shown. */
const mostQuoted = 120
/** A sentence up to here is left as it is, whatever is in it. */
const longSentence = 400
/** No line of a message is longer. */
const longestLine = 2000

/** At most so many characters of a text; what is left out shows as `…`. */
export function abridged(text: string, most: number): string {
  if (text.length <= most) return text
  // Of a character that is two units neither is left alone.
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** A text as JSON has it, in quotes, within a sentence. */
export function quotedBriefly(text: string, most = 60): string {
  return text.length <= most ? text : `${abridged(text, most - 2)}"`
}

/** A message of one or more lines, with what it quotes cut where that makes it long. */
export function abridgedMessage(message: string): string {
  if (message.length <= longSentence) return message
  return message.split('\n').map(abridgedLine).join('\n')
}

function abridgedLine(line: string): string {
  if (line.length <= longSentence) return line
  const words = line
    .replace(/"([^"]*)"/g, (_, quoted: string) => `"${abridged(quoted, mostQuoted)}"`)
    .replace(
      /(^|[\s(:])'([^']*)'/g,
      (_, before: string, quoted: string) => `${before}'${abridged(quoted, mostQuoted)}'`,
    )
    .replace(/\S+/g, (word) => abridged(word, 2 * mostQuoted))
  return abridged(words, longestLine)
}
