// Diagnostics about values that stand in for unknown metadata: they are no fault of the manifest.
import type { Diagnostic } from '../model/diagnostic.js'

/** Diagnostics, apart by whether a made-up value is what they are about. */
interface SeparatedDiagnostics {
  readonly sound: readonly Diagnostic[]
  /** Errors about a value, or about what it stands in, on a line of which a part is made up. */
  readonly madeUp: readonly Diagnostic[]
}

export function withoutMadeUp(diagnostics: readonly Diagnostic[]): SeparatedDiagnostics {
  const standIns = diagnostics.filter(({ code }) => code === 'template/stand-in')
  const isMadeUp = (one: Diagnostic): boolean =>
    one.severity === 'error' && one.code.startsWith('manifest/') && standIns.some((it) => isWithin(it, one))
  return {
    sound: diagnostics.filter((one) => !isMadeUp(one)),
    madeUp: diagnostics.filter(isMadeUp).map((one) => ({ ...one, hint: givenBy })),
  }
}

const givenBy = 'its value is metadata that is not known here: give --meta FILE, or ask a daemon'

/** Whether a place is part of another, which tells its first line alone. */
function isWithin(inner: Diagnostic, outer: Diagnostic): boolean {
  if (inner.file !== outer.file || inner.line !== outer.line) return false
  const [at = 0, from = 0] = [inner.column, outer.column]
  return from <= at && at < from + (outer.length ?? 1)
}
