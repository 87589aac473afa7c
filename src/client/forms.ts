// What an answer must look like at least to be taken for one of our daemon: all versions of it have sent that.

/** An object that has a key, which all versions of the daemon have sent. */
export function by<Key extends string>(key: Key): { readonly key: Key } {
  return { key }
}

/** A list of such. */
export function each<Key extends string>(key: Key): { readonly each: Key } {
  return { each: key }
}

export const anything = { key: null } as const
