// Text to positioned trees, one per document. YAML 1.2 and JSON (which is YAML 1.2) are read alike.
import { type Steps, toEnd } from '../lib/sliced-work.js'
import type { Notes, Source } from './notes.js'
import type { TreeDocument } from './tree.js'
import { limits } from './yaml/limits.js'
import { readYaml } from './yaml/read-yaml.js'

/** What `treesInSteps` reads, in one go: for texts that are small, or where nobody waits. */
export function readTree(source: Source, notes: Notes): TreeDocument[] {
  return toEnd(treesInSteps(source, notes))
}

/**
 * Reads every document of a source; empty ones are left out. Problems are reported to `notes`. A document that is
 * not well-formed is not returned, since what follows from a guess at its structure would only confuse.
 */
export function* treesInSteps(source: Source, notes: Notes): Steps<TreeDocument[]> {
  if (!isLonger(source.text, limits.bytes)) return yield* readYaml(source, notes)
  const message = `the file is larger than ${limits.bytes / 1024} KiB`
  notes.report('manifest/too-large', { start: 0, end: 0 }, message)
  return []
}

function isLonger(text: string, bytes: number): boolean {
  if (text.length > bytes) return true
  // A UTF-16 unit takes three bytes at most, so that few texts have to be measured.
  return text.length * 3 > bytes && new TextEncoder().encode(text).length > bytes
}
