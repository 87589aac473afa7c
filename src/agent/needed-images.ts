// Which images the cluster speaks of.
import type { ClusterView } from '../store/view.js'
import { parseUnit } from '../unit/parse.js'
import { lastOf } from '../unit/values.js'

/** The images that versions and units name. */
export class NeededImages {
  /** Of unit files, by hash: each is read once, however often is asked. */
  #imageOf = new Map<string, string | null>()

  /** Of every version that is kept, since `revert` goes back to any of them, and of every unit, wherever it is placed. */
  of({ versions, files }: Pick<ClusterView, 'versions' | 'files'>): readonly string[] {
    const names = new Set<string>()
    for (const { pinned } of versions.values()) if (pinned !== undefined) names.add(pinned)
    const before = this.#imageOf
    this.#imageOf = new Map(
      [...files].map(([hash, text]) => {
        const known = before.get(hash)
        return [hash, known === undefined ? imageIn(text) : known]
      }),
    )
    for (const image of this.#imageOf.values()) if (image !== null) names.add(image)
    return [...names].toSorted()
  }
}

/** The image that the text of a unit names; null where it is no container. */
export function imageIn(text: string): string | null {
  if (!text.includes('[Container]')) return null
  return lastOf(parseUnit(text).file, 'Container', 'Image')?.replaceAll('%%', '%') ?? null
}
