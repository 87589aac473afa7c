// JSON that somebody else has written.

/** The value that a text stands for; undefined for one that is no JSON. */
export function parseJsonOrNone(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
