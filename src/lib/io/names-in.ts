// What lies in a directory.
import { readdirSync } from 'node:fs'

/** The names in a directory, sorted; none of what is no directory, or cannot be read. */
export function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir).sort()
  } catch {
    return []
  }
}
