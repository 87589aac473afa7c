// Deferred texts: secrets in them are filled in at the moment of use.

/** Pieces in order: plain text, and keys of the project's metadata. */
export type DeferredText = readonly ({ readonly text: string } | { readonly meta: string })[]
