// Text to positioned trees, one per document. YAML 1.2 and JSON (which is YAML 1.2) are read alike.
import type { Notes, Source } from './notes.js'
import type { TreeDocument } from './tree.js'
import { readWithLibrary } from './yaml/library.js'
import { limits } from './yaml/limits.js'
import { readPlain } from './yaml/plain.js'

/**
 * Reads every document of a source; empty ones are left out. Problems are reported to `notes`. A document that is
 * not well-formed is not returned, since what follows from a guess at its structure would only confuse.
 */
export function readTree(source: Source, notes: Notes): TreeDocument[] {
  if (isTooLarge(source.text)) {
    const message = `the file is larger than ${limits.bytes / 1024} KiB`
    notes.report('manifest/too-large', { start: 0, end: 0 }, message)
    return []
  }
  const plain = readPlain(source.text)
  return plain ? [plain] : readWithLibrary(source, notes)
}

function isTooLarge(text: string): boolean {
  return text.length > limits.bytes || new TextEncoder().encode(text).length > limits.bytes
}
