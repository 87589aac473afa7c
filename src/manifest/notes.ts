// Where the readers of a manifest leave what they find wrong. Every place is an offset in the source text while
// reading; lines and columns are worked out only for what is reported.
import type { Diagnostic } from '../model/diagnostic.js'

/** A text of the user, under the name that the user would call it. */
export interface Source {
  readonly file: string
  readonly text: string
}

/** Part of a source text: offsets in UTF-16 units, `end` is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Every code of this folder, with its severity. Listed for users in docs/errors.md. */
export const manifestCodes = {
  'manifest/too-large': 'error',
  'manifest/too-deep': 'error',
  'manifest/too-many-nodes': 'error',
  'manifest/too-many-problems': 'error',
  'manifest/empty': 'error',
  'manifest/syntax': 'error',
  'manifest/unknown-tag': 'error',
  'manifest/unquoted-template': 'error',
  'manifest/duplicate-key': 'error',
  'manifest/bad-key': 'error',
  'manifest/unknown-key': 'error',
  'manifest/bad-value': 'error',
  'manifest/bad-character': 'error',
  'manifest/missing': 'error',
  'manifest/conflict': 'error',
  'manifest/cycle': 'error',
  'manifest/unknown-service': 'error',
  'manifest/bad-name': 'error',
  'manifest/duplicate-service': 'error',
  'manifest/duplicate-port': 'error',
  'manifest/bad-affinity': 'error',
  'manifest/bad-label': 'error',
  'manifest/bad-schedule': 'error',
  'manifest/unknown-metric': 'error',
  'manifest/unknown-limit': 'error',
  'manifest/unknown-package': 'error',
  'manifest/no-package-fits': 'error',
  'manifest/wrong-project': 'error',
  'manifest/duplicate-trigger': 'error',
  'manifest/duplicate-package': 'error',
  'manifest/package-not-checked': 'warning',
  'manifest/plain-secret': 'warning',
  'manifest/shell-syntax': 'warning',
  'manifest/swallowed-item': 'warning',
  'import/not-compose': 'error',
  'import/no-services': 'error',
  'template/syntax': 'error',
  'template/not-allowed': 'error',
  'template/unknown-variable': 'error',
  'template/unknown-meta': 'error',
  'template/unknown-network': 'error',
  'template/unknown-service': 'error',
  'template/no-port': 'error',
  'template/no-package': 'error',
  'template/secret': 'error',
  'template/stand-in': 'warning',
} as const satisfies Record<string, Diagnostic['severity']>

export type ManifestCode = keyof typeof manifestCodes

/** Problems told of one source: nobody reads more, and placing them takes time. */
const most = 200

/** Collects the diagnostics of one source. */
export interface Notes {
  readonly diagnostics: readonly Diagnostic[]
  /**
   * Adds one; `span` null is about the source as a whole. The same problem at the same place counts once. A hint that
   * takes some finding is asked for only when it is told.
   */
  report(code: ManifestCode, span: Span | null, message: string, hint?: string | (() => string)): void
}

/** Opens an empty collection for a source. `pathAt` names the place in the document, where there is one. */
export function openNotes(
  source: Source,
  pathAt: (span: Span) => string | undefined = () => undefined,
): Notes {
  const diagnostics: Diagnostic[] = []
  const seen = new Set<string>()
  const told = { error: 0, warning: 0 }
  return {
    diagnostics,
    report(code, span, message, hint) {
      const severity = manifestCodes[code]
      const key = `${code} ${span?.start} ${message}`
      if (told[severity] > most || seen.has(key)) return
      seen.add(key)
      told[severity] += 1
      if (told[severity] > most) {
        diagnostics.push(tooMany(severity, source))
        return
      }
      const path = span === null ? undefined : pathAt(span)
      diagnostics.push({
        code,
        severity,
        message,
        ...(hint !== undefined && { hint: typeof hint === 'string' ? hint : hint() }),
        file: source.file,
        ...(span !== null && placeOf(source.text, span)),
        ...(path !== undefined && { path }),
      })
    },
  }
}

function tooMany(severity: Diagnostic['severity'], { file }: Source): Diagnostic {
  return {
    code: 'manifest/too-many-problems',
    severity,
    message: `there are more than ${most} ${severity}s`,
    hint: 'correct these first',
    file,
  }
}

/** Line and column, 1-based and in characters, and how many characters the span covers on its first line. */
export interface Place {
  readonly line: number
  readonly column: number
  readonly length: number
}

export function placeOf(text: string, span: Span): Place {
  const start = Math.min(span.start, text.length)
  const lineStart = start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = text.indexOf('\n', start)
  const end = Math.max(start, Math.min(span.end, lineEnd === -1 ? text.length : lineEnd))
  const before = text.slice(lineStart, start).replace(/^\uFEFF/, '')
  return {
    line: countLines(text, lineStart) + 1,
    column: characters(before) + 1,
    length: Math.max(1, characters(text.slice(start, end).trimEnd())),
  }
}

function countLines(text: string, before: number): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < before; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

function characters(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
