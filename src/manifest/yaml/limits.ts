/** What guards the readers against hostile or accidental input: no text within them takes longer than a tenth of a second. */
export const limits = {
  bytes: 256 * 1024,
  depth: 64,
  /** Nodes after all aliases are followed. */
  nodes: 20_000,
  /** Words and marks of a text that the library must read; a quarter of a megabyte of `[,,,,` is no manifest. */
  tokens: 20_000,
  /** Of a text that the library must read. */
  documents: 1_000,
  /** Of a text that the library must read, empty ones too. */
  lines: 15_000,
} as const
