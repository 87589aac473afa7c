// Text to positioned trees, one per document. YAML 1.2 and JSON (which is YAML 1.2) are read alike.
import type { Notes, Source } from './notes.js'
import type { TreeDocument } from './tree.js'
import { readWithLibrary } from './yaml/library.js'
import { libraryLimits, limits } from './yaml/limits.js'
import { readPlain } from './yaml/plain.js'

/**
 * Reads every document of a source; empty ones are left out. Problems are reported to `notes`. A document that is
 * not well-formed is not returned, since what follows from a guess at its structure would only confuse.
 */
export function readTree(source: Source, notes: Notes): TreeDocument[] {
  if (isLonger(source.text, limits.bytes)) {
    notes.report('manifest/too-large', { start: 0, end: 0 }, `the file is larger than ${inKb(limits.bytes)}`)
    return []
  }
  const reading = readPlain(source.text)
  if (reading.kind === 'document') return [reading.document]
  const { kind, at } = reading
  if (kind === 'unsure' && !isLonger(source.text, libraryLimits.bytes)) return readWithLibrary(source, notes)
  if (kind === 'unsure') reportNotPlain(at, notes)
  else
    notes.report(
      'manifest/too-many-nodes',
      { start: at, end: at },
      `more than ${limits.nodes} values once aliases are followed`,
    )
  return []
}

/** Where a large text says something that the fast reader does not read; what is wrong with it, nobody has looked. */
function reportNotPlain(at: number, notes: Notes): void {
  const message = `the file is larger than ${inKb(libraryLimits.bytes)}, and here it is either wrong or more than plain YAML`
  const hint = `write it without tags, tabs and \`---\`, or split the file`
  notes.report('manifest/too-large', { start: at, end: at }, message, hint)
}

function inKb(bytes: number): string {
  return `${bytes / 1024} KiB`
}

function isLonger(text: string, bytes: number): boolean {
  if (text.length > bytes) return true
  // A UTF-16 unit takes three bytes at most, so that few texts have to be measured.
  return text.length * 3 > bytes && new TextEncoder().encode(text).length > bytes
}
