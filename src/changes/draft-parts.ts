// What is found out about services ahead of a decision, each part for as long as nothing has changed that it was found from.
// So a decision that takes its parts from here is the one that would be made from the view alone, at the time of the draft;
// only how instances are may be known from a moment before.
import { keys } from '../store/records.js'
import { type ClusterView, serviceKey } from '../store/view.js'

/** Remembers what was found out about each service, as long as that is still so. */
export class Found<K extends object, T> {
  readonly #known = new WeakMap<K, { readonly basis: Basis; readonly found: T }>()

  /** What is known about a service under a key; found out now where it is not, or not any more. */
  of(view: ClusterView, project: string, service: string, key: K, find: () => T): T {
    const known = this.#current(view, project, service, key)
    if (known !== null) return known.found
    const basis = basisOf(view, project, service)
    const found = find()
    this.#known.set(key, { basis, found })
    return found
  }

  /** Whether it would be found out without any work. */
  has(view: ClusterView, project: string, service: string, key: K): boolean {
    return this.#current(view, project, service, key) !== null
  }

  #current(view: ClusterView, project: string, service: string, key: K): { readonly found: T } | null {
    const known = this.#known.get(key)
    return known !== undefined && isSame(known.basis, basisOf(view, project, service)) ? known : null
  }
}

/** All that a decision about a service compares: records, lists of records and revisions, none of which ever changes. */
function basisOf(view: ClusterView, project: string, service: string): Basis {
  const key = serviceKey(project, service)
  return [
    view.services.get(key),
    view.versionsOf(key),
    view.instancesOf(key),
    view.tasksOf(key),
    view.tasksOf(serviceKey(project, '')),
    view.revisionOf(keys.freezes(project)),
  ]
}

type Basis = readonly unknown[]

function isSame(one: Basis, other: Basis): boolean {
  return one.every((part, n) => part === other[n])
}
