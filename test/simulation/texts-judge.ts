// Texts of units are shared by all that have the same: none goes while a unit or a version still needs it.
import { keys, kindOfKey } from '../../src/store/records.js'
import type { Change } from '../../src/store/store.js'
import type { ClusterView } from '../../src/store/view.js'

export interface TextsParts {
  readonly broke: (what: string) => void
  readonly count: (what: string) => void
}

export class TextsJudge {
  readonly #parts: TextsParts

  constructor(parts: TextsParts) {
    this.#parts = parts
  }

  /** Looks at what has changed, with the view as it is with that. */
  look(view: ClusterView, changes: readonly Change[]): void {
    const gone = new Set(
      changes.flatMap(({ type, key }) => (type === 'delete' && kindOfKey(key) === 'file' ? [key] : [])),
    )
    if (gone.size === 0) return
    this.#parts.count('text dropped')
    for (const { name, hash } of view.units.values())
      if (gone.has(keys.file(hash))) this.#parts.broke(`${name} is there, and its text is dropped`)
    for (const { service, ordinal, hash } of view.versions.values())
      if (gone.has(keys.file(hash)))
        this.#parts.broke(`version ${ordinal} of ${service} is there, and its text is dropped`)
  }
}
