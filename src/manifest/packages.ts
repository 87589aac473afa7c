// Packages: which one a service gets.
import { nearest } from '../lib/nearest.js'
import type { Package } from '../model/package.js'

/** What a service says of its package. */
interface PackageWish {
  /** Name, uuid or family; undefined for none of them. */
  readonly package: string | undefined
  /** MiB that it must hold. */
  readonly memory: number | undefined
}

/** The package that was chosen; null when there is none to choose. Or why nothing can be chosen. */
export type PackageChoice =
  | { readonly chosen: Package | null }
  | { readonly unknown: string; readonly near: string | undefined }
  | { readonly tooSmall: readonly Package[] }

/**
 * Chooses a package (contract §4): the one with that uuid or name, else the smallest of that family that holds the
 * memory; without `package` the smallest of all that holds it, and none where none does or no memory is asked for. Of
 * packages of the same size the first is taken.
 */
export function choosePackage(wish: PackageWish, packages: readonly Package[]): PackageChoice {
  const { package: name, memory } = wish
  if (name === undefined) {
    if (memory === undefined) return { chosen: null }
    return { chosen: smallestHolding(memory, packages) }
  }
  const own = packages.find(({ uuid }) => uuid === name) ?? packages.find((one) => one.name === name)
  const candidates = own ? [own] : packages.filter(({ family }) => family === name)
  if (candidates.length === 0) {
    const known = packages.flatMap((one) => [one.name, one.family])
    return { unknown: name, near: nearest(name, known) }
  }
  const chosen = smallestHolding(memory ?? 0, candidates)
  return chosen ? { chosen } : { tooSmall: candidates }
}

/** The smallest package with at least so many MiB; of several the first, null where there is none. */
export function smallestHolding(memory: number, packages: readonly Package[]): Package | null {
  return packages
    .filter(({ ram }) => ram >= memory)
    .reduce<Package | null>((least, one) => (least === null || one.ram < least.ram ? one : least), null)
}
