// Texts that the daemon itself uses; keys of the project's metadata are filled in at the moment of use.
import { placeholderEnd, placeholderStart, readPlaceholder } from '../manifest/variables.js'
import type { DeferredText } from '../model/deferred-text.js'

const anyPlaceholder = new RegExp(`(${placeholderStart}[^${placeholderEnd}]*${placeholderEnd})`)

/** The pieces of a text; or the name of a variable in it that only an instance or its machine has. */
export function deferredTextOf(text: string): DeferredText | { readonly variable: string } {
  const parts = text.split(anyPlaceholder).filter((part) => part !== '')
  const names = parts.map((part) =>
    part.startsWith(placeholderStart) ? readPlaceholder(part.slice(1, -1)).name : null,
  )
  const variable = names.find((name) => name !== null && !name.startsWith('meta.'))
  if (variable !== undefined && variable !== null) return { variable }
  return parts.map((part, index) => {
    const name = names[index]
    return name == null ? { text: part } : { meta: name.slice('meta.'.length) }
  })
}
