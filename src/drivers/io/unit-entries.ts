// A directory with an entry for each unit, which is there while there are any.
import { rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { namesIn } from '../../lib/io/names-in.js'

/** Removes the entries of all other units; what cannot be removed stays. */
export function keepEntriesOf(names: ReadonlySet<string>, dir: string): void {
  const left = namesIn(dir).filter((name) => !names.has(name))
  for (const name of left) {
    try {
      rmSync(join(dir, name), { recursive: true, force: true })
    } catch {
      // It harms nobody, and is tried again by whoever opens the directory next.
    }
  }
  if (left.length > 0) removeIfEmpty(dir)
}

export function removeIfEmpty(dir: string): void {
  try {
    rmdirSync(dir)
  } catch {
    // It holds the files of others, or there never was one.
  }
}
