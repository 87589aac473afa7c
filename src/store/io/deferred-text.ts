// Fills in deferred texts with the project's metadata, secrets included.
import type { DeferredText } from '../../model/deferred-text.js'
import type { ClusterView } from '../view.js'
import type { SecretBox } from './secret-box.js'

/** A text names a key of the metadata that is not there. */
export class MissingMetaError extends Error {
  override readonly name = 'MissingMetaError'
}

/** The text with the values of the project's metadata. Throws MissingMetaError and SecretError. */
export function resolveDeferred(
  text: DeferredText,
  view: ClusterView,
  project: string,
  secrets: SecretBox,
): string {
  return text
    .map((piece) => {
      if ('text' in piece) return piece.text
      const meta = view.metaOf(project).get(piece.meta)
      if (meta === undefined) throw new MissingMetaError(`the project has no meta key ${piece.meta}`)
      return meta.secret ? secrets.open(meta.value, `${project}/${piece.meta}`) : meta.value
    })
    .join('')
}
