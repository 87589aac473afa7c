/** What guards the reader against hostile or accidental input. A project of two thousand services is within it. */
export const limits = {
  bytes: 1024 * 1024,
  depth: 64,
  /** Nodes after all aliases are followed. */
  nodes: 50_000,
  /** Words and marks, of which a node has four or five. Composing all of them is the longest step of reading. */
  tokens: 250_000,
  documents: 1_000,
  /** Empty ones too. */
  lines: 50_000,
} as const

/** The problem of a text with more nodes. */
export const tooManyNodes = `more than ${limits.nodes} values once aliases are followed`
