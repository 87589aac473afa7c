// Words of a line for a shell.

/** A text as one word, whatever is in it. */
export function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
