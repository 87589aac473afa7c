/** What guards the readers against hostile or accidental input. A project of a thousand services is within it. */
export const limits = {
  bytes: 1024 * 1024,
  nodes: 50_000,
} as const

/**
 * Of a text that the library must read, which takes many times as long: no text within these takes longer than a tenth
 * of a second.
 */
export const libraryLimits = {
  bytes: 256 * 1024,
  depth: 64,
  /** Nodes after all aliases are followed. */
  nodes: 20_000,
  /** Words and marks; a quarter of a megabyte of `[,,,,` is no manifest. */
  tokens: 20_000,
  documents: 1_000,
  /** Empty ones too. */
  lines: 15_000,
} as const
