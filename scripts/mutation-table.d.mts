import type { Mutation } from '../test/simulation/mutations.mjs'

export declare function startOf(mutation: Mutation): string
export declare function rowsIn(text: string): { readonly rows: ReadonlyMap<string, string> }
