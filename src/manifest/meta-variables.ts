import type { Meta } from '../model/meta.js'
import type { MetaVariables } from './variables.js'

/** A project's metadata by key, as templates see it. */
export function metaVariables(meta: ReadonlyMap<string, Meta>): MetaVariables {
  const values = new Map([...meta].map(([key, one]) => [key, one.secret ? null : one.value]))
  return { values, complete: true }
}
