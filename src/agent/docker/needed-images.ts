// Which images the cluster speaks of.
import type { ClusterView } from '../../store/view.js'
import { parseUnit } from '../../unit/parse.js'
import { lastOf } from '../../unit/values.js'

/** Of every version that is kept, since `revert` goes back to any of them, and of every unit, wherever it is placed. */
export function neededImages({
  versions,
  files,
}: Pick<ClusterView, 'versions' | 'files'>): readonly string[] {
  const names = new Set<string>()
  for (const { pinned } of versions.values()) if (pinned !== undefined) names.add(pinned)
  for (const text of new Set(files.values())) {
    if (!text.includes('[Container]')) continue
    const image = lastOf(parseUnit(text).file, 'Container', 'Image')
    if (image !== null) names.add(image.replaceAll('%%', '%'))
  }
  return [...names].toSorted()
}
