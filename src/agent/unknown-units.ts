// Units that run on a machine and that its cluster knows nothing of. On a machine that served the same cluster before, such
// a unit was removed while its daemon was away, and is stopped. Where the store is another one (a wrong prefix, a store
// that was moved away, another data directory), nobody has asked for that: they are left as they are until someone does.
import type { ObservedUnit, UnitName } from '../model/unit.js'

export class UnknownUnits {
  readonly #names = new Set<UnitName>()
  readonly #isForeign: boolean

  /** `isForeign`: what runs here was not started for the cluster that the store is of. */
  constructor(isForeign: boolean) {
    this.#isForeign = isForeign
  }

  /** Notes what a driver holds when it is listed for the first time. Returns those that are left as they are. */
  found(units: readonly ObservedUnit[], isKnown: (name: UnitName) => boolean): readonly UnitName[] {
    const names = this.#isForeign ? units.map(({ name }) => name).filter((name) => !isKnown(name)) : []
    for (const name of names) this.#names.add(name)
    return names
  }

  /** Those that are still there. One that the cluster has come to know is a unit like any other from then on. */
  now(isThere: (name: UnitName) => boolean, isKnown: (name: UnitName) => boolean): ReadonlySet<UnitName> {
    for (const name of this.#names) if (!isThere(name) || isKnown(name)) this.#names.delete(name)
    return this.#names
  }

  /** Someone has asked for these to go. */
  release(names: Iterable<UnitName>): void {
    for (const name of [...names]) this.#names.delete(name)
  }
}
