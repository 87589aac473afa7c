/** What guards the readers against hostile or accidental input. */
export const limits = {
  bytes: 256 * 1024,
  depth: 64,
  /** Words and marks of the text, for the library's reader; a quarter of a megabyte of `[,,,,` is no manifest. */
  tokens: 60_000,
  /** Nodes after all aliases are followed. */
  nodes: 20_000,
} as const
