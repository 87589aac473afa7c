// Which images the cluster speaks of.

import type { ClusterView } from '../store/view.js'
import { readInitImage } from '../unit/init-image.js'
import { parseUnit } from '../unit/parse.js'
import { lastOf, optionsOf } from '../unit/values.js'

/** The images that versions and units name. */
export class NeededImages {
  /** Of unit files, by hash: each is read once, however often is asked. */
  #imagesOf = new Map<string, readonly string[]>()

  /** Of every version that is kept, since `revert` goes back to any of them, and of every unit, wherever it is placed. */
  of({ versions, files }: Pick<ClusterView, 'versions' | 'files'>): readonly string[] {
    const names = new Set<string>()
    for (const { pinned } of versions.values()) if (pinned !== undefined) names.add(pinned)
    const before = this.#imagesOf
    this.#imagesOf = new Map([...files].map(([hash, text]) => [hash, before.get(hash) ?? imagesIn(text)]))
    for (const image of [...this.#imagesOf.values()].flat()) names.add(image)
    return [...names].toSorted()
  }
}

/** The images that the text of a unit names: its own first, then those of its init steps; none where it is no container. */
export function imagesIn(text: string): readonly string[] {
  if (!text.includes('[Container]')) return []
  const { file } = parseUnit(text)
  const own = lastOf(file, 'Container', 'Image')
  const ofSteps = optionsOf(file, 'Container', 'InitImage').flatMap(
    ({ value }) => readInitImage(value)?.image ?? [],
  )
  return [...(own === null ? [] : [own]), ...ofSteps].map((image) => image.replaceAll('%%', '%'))
}
