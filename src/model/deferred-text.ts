// Texts whose secrets stay where they are kept until the moment of use.

/** Pieces in order: plain text, and keys of the project's metadata. */
export type LateText = readonly ({ readonly text: string } | { readonly meta: string })[]
