import type { Instant } from '../lib/time.js'

/** What the name of an image means at a moment; the bits of what is pinned never change. */
export type ResolvedImage =
  /** `digest`: a registry has it. `id`: it was made on a machine, and only machines that have it can run it. */
  | {
      readonly kind: 'digest' | 'id'
      readonly reference: string
      /** Why the registry could not be asked: it is what the machine noted when it fetched the image. */
      readonly noted?: string
    }
  | { readonly kind: 'unknown'; readonly reason: string }

/** What images mean, by their names as manifests write them. */
export type ResolvedImages = ReadonlyMap<string, ResolvedImage>

/** Whether a name says by itself which bits it means. */
export function isPinned(image: string): boolean {
  return image.includes('@') || isImageId(image)
}

/** Whether it is the id of an image on a machine: no registry knows it. */
export function isImageId(image: string): boolean {
  return /^sha256:[0-9a-f]{64}$/.test(image)
}

/** An image on a machine that the daemon there holds or has fetched, and what becomes of it. */
export interface TidiedImage {
  readonly id: string
  /** Without the tags by which the daemon holds it. */
  readonly names: readonly string[]
  readonly bytes: number
  /**
   * `needed`: a version or a unit names it. `used`: a container is made of it. `others`: nothing needs it, but the daemon has
   * not fetched it, and never removes it. `idle`: it goes when it is beyond a limit.
   */
  readonly state: 'needed' | 'used' | 'others' | 'idle'
  /** Since when nothing needs it; null where something does, and where that is not followed. */
  readonly idleSince: Instant | null
  /** When it comes of age; null for never, and where that is over. */
  readonly goesAt: Instant | null
  /** The limit that it is beyond now; null for none. */
  readonly beyond: 'age' | 'number' | 'disk' | null
}
