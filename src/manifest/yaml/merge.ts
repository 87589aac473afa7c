// YAML 1.1's `<<` among the keys of a map, which people use with anchors.
import type { Entry, ScalarNode } from '../tree.js'

/** Whether a key brings in the keys of other maps. */
export function isMerge({ value, style }: ScalarNode): boolean {
  return value === '<<' && style === 'plain'
}

/** A map's own entries, and of those that it brings in the first of each key that it does not have. */
export function withMerged(own: readonly Entry[], merged: readonly Entry[]): readonly Entry[] {
  if (merged.length === 0) return own
  const entries = new Map(own.map((entry) => [String(entry.key.value), entry]))
  for (const entry of merged) {
    const name = String(entry.key.value)
    if (!entries.has(name)) entries.set(name, entry)
  }
  return [...entries.values()]
}
