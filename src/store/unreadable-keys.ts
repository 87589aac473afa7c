// Which records have become unreadable, or readable again: judged by their keys, as one may do so while another does the reverse.
import type { Change } from './store.js'
import type { ClusterView } from './view.js'

export class UnreadableKeys {
  readonly #view: Pick<ClusterView, 'unreadable'>
  readonly #keys: Set<string>

  constructor(view: Pick<ClusterView, 'unreadable'>) {
    this.#view = view
    this.#keys = new Set(view.unreadable.keys())
  }

  /** Takes in changes that the view has taken in; whether one of their records can be read again, or no longer. */
  note(changes: readonly Pick<Change, 'key'>[]): boolean {
    const turned = changes.filter(({ key }) => this.#keys.has(key) !== this.#view.unreadable.has(key))
    for (const { key } of turned) {
      if (this.#view.unreadable.has(key)) this.#keys.add(key)
      else this.#keys.delete(key)
    }
    return turned.length > 0
  }
}
