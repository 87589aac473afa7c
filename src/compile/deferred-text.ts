// Texts that are used by the daemon itself, with the secrets of the project's metadata left out until then.
import { markEnd, markStart, readMark } from '../manifest/variables.js'
import type { LateText } from '../model/deferred-text.js'

const anyMark = new RegExp(`(${markStart}[^${markEnd}]*${markEnd})`)

/** The pieces of a text; or the name of a variable in it that only an instance or its machine has. */
export function lateTextOf(text: string): LateText | { readonly variable: string } {
  const parts = text.split(anyMark).filter((part) => part !== '')
  const names = parts.map((part) => (part.startsWith(markStart) ? readMark(part.slice(1, -1)).name : null))
  const variable = names.find((name) => name !== null && !name.startsWith('meta.'))
  if (variable !== undefined && variable !== null) return { variable }
  return parts.map((part, index) => {
    const name = names[index]
    return name == null ? { text: part } : { meta: name.slice('meta.'.length) }
  })
}
