// What of a project's metadata something was made of: prints that tell one value from another, and say none.
import { sha1 } from '../lib/hash.js'
import type { Meta } from './meta.js'

/** Keys of the project's metadata, each with the print of the value that was taken. */
export type MadeOf = Readonly<Record<string, string>>

/** The prints of what some keys are now. */
export function madeOf(keys: readonly string[], meta: ReadonlyMap<string, Meta>): MadeOf {
  return Object.fromEntries(keys.map((key) => [key, printOf(meta.get(key))]))
}

/** The keys whose values are others by now, sorted. */
export function otherByNow(made: MadeOf, meta: ReadonlyMap<string, Meta>): readonly string[] {
  return Object.keys(made)
    .filter((key) => made[key] !== printOf(meta.get(key)))
    .sort()
}

/** Which write gave a secret the value that it has: a write of the same value once more is not it. */
export function valueIdOf({ valueId, casId }: Meta): string {
  return valueId ?? casId
}

/**
 * Plain values are compared as they are, so that one that is set back is the same again. Of a secret even a hash would help
 * to guess it: its print is the write that it came with.
 */
function printOf(meta: Meta | undefined): string {
  if (meta === undefined) return ''
  const known = prints.get(meta)
  if (known !== undefined) return known
  const print = meta.secret ? valueIdOf(meta) : sha1(meta.value).slice(0, 16)
  prints.set(meta, print)
  return print
}

/** Of records, which never change: thousands of instances may be compared with one value. */
const prints = new WeakMap<Meta, string>()
