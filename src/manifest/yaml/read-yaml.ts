// Any YAML or JSON text to trees, by the yaml package; nothing beyond this folder knows of it.
import { Composer, type Document, type YAMLError } from 'yaml'
import type { Steps } from '../../lib/sliced-work.js'
import type { Notes, Source, Span } from '../notes.js'
import { isEmpty, type TreeDocument } from '../tree.js'
import { hintAt } from './hints.js'
import { limits, tooManyNodes } from './limits.js'
import { convert, type Reading } from './nodes.js'
import { describeSyntax, reportSyntax } from './syntax.js'
import { syntaxErrorsRead, tokensOf } from './tokens.js'

/** Reads every document of a text; empty ones, and those that are not well-formed, are left out. */
export function* readYaml(source: Source, notes: Notes): Steps<TreeDocument[]> {
  const read = yield* tokensOf(source.text, notes)
  const documents: TreeDocument[] = []
  if (read === undefined) return documents
  for (const document of quietComposer().compose(read.tokens, false, source.text.length)) {
    yield
    const one = yield* readDocument(document, read.quotes, source, notes)
    if (one) documents.push(one)
  }
  return documents
}

/**
 * A composer that tells the first problems only. The library makes an Error of each, stack and all, and a small text can
 * hold a hundred thousand: seconds of work on what nobody would read. Without `uniqueKeys: false` it looks each key of a
 * map up among all others: 24 s for 40,000.
 */
function quietComposer(): Composer {
  const composer = new Composer({ schema: 'failsafe', uniqueKeys: false, prettyErrors: false })
  const { onError } = composer as unknown as { onError: (...problem: unknown[]) => void }
  let left = syntaxErrorsRead
  const first = (...problem: unknown[]): void => {
    left -= 1
    if (left >= 0) onError(...problem)
  }
  return Object.assign(composer, { onError: first })
}

function* readDocument(
  document: Document.Parsed,
  quotes: readonly Span[],
  source: Source,
  notes: Notes,
): Steps<TreeDocument | undefined> {
  if (document.errors.length > 0) {
    reportSyntax(document.errors, quotes, source, notes)
    return undefined
  }
  for (const warning of document.warnings) reportWarning(warning, source, notes)
  if (document.contents === null) return undefined
  const reading: Reading = { source, notes, anchors: new Map(), left: limits.nodes }
  const root = yield* convert(document.contents, reading)
  if (reading.left < 0) {
    notes.report('manifest/too-many-nodes', reading.excess ?? root, tooManyNodes)
    return undefined
  }
  const [start, , end] = document.range
  return isEmpty(root) ? undefined : { root, start, end }
}

function reportWarning(warning: YAMLError, { text }: Source, notes: Notes): void {
  const [start, end] = warning.pos
  if (warning.code === 'TAG_RESOLVE_FAILED') {
    const hint = hintAt(text, start) ?? 'leave the tag out, or quote the value'
    notes.report('manifest/unknown-tag', { start, end }, 'tags are not used in manifests', hint)
  } else {
    notes.report('manifest/syntax', { start, end }, describeSyntax(warning))
  }
}
