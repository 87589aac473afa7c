import type { Diagnostic } from '../model/diagnostic.js'

/** One option line of a unit file, in file order. `line` is 1-based; 0 for an option that came without a file. */
export interface UnitOption {
  readonly section: string
  readonly name: string
  readonly value: string
  readonly line: number
}

/** A parsed unit file: its options in order. Later lines of one name add up; an empty value resets the list. */
export interface UnitFile {
  readonly options: readonly UnitOption[]
}

export interface ParsedUnit {
  readonly file: UnitFile
  readonly diagnostics: readonly Diagnostic[]
}
