/** What the name of an image means at a moment; the bits of what is pinned never change. */
export type ImageMeaning =
  /** `digest`: a registry has it. `id`: it was made on a machine, and only machines that have it can run it. */
  | {
      readonly kind: 'digest' | 'id'
      readonly reference: string
      /** Why the registry could not be asked: it is what the machine noted when it fetched the image. */
      readonly noted?: string
    }
  | { readonly kind: 'unknown'; readonly reason: string }

/** What images mean, by their names as manifests write them. */
export type ImageMeanings = ReadonlyMap<string, ImageMeaning>

/** Whether a name says by itself which bits it means. */
export function isPinned(image: string): boolean {
  return image.includes('@') || isImageId(image)
}

/** Whether it is the id of an image on a machine: no registry knows it. */
export function isImageId(image: string): boolean {
  return /^sha256:[0-9a-f]{64}$/.test(image)
}
