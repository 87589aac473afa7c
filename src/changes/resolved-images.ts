// What a deploy makes of what images mean: versions that always mean the same bits, or a warning.

import type { DeployRequest } from '../contract/contract.js'
import { inSource, type ReadManifest } from '../manifest/manifest.js'
import type { ServiceManifest } from '../manifest/schema.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { isPinned, type ResolvedImage, type ResolvedImages } from '../model/image.js'
import type { MachineId } from '../model/machine.js'
import type { ServiceVersion } from '../model/service.js'
import type { ClusterView } from '../store/view.js'
import type { Problem } from './problem.js'

/** What one machine says that an image means. */
export interface ImageAnswer {
  readonly machine: MachineId
  readonly image: ResolvedImage
}

/**
 * What machines say together. An image without a registry means its id only where nobody has another by its name; where
 * some have none, those cannot run it, and say so.
 */
export function agreedImage(
  answers: readonly ImageAnswer[],
  hostnameOf: (machine: MachineId) => string,
): ResolvedImage {
  const known = answers.filter(({ image }) => image.kind !== 'unknown')
  const [first] = known
  if (first === undefined) return answers.at(0)?.image ?? noDocker
  const other = known.find(({ image }) => referenceOf(image) !== referenceOf(first.image))
  if (other === undefined) return first.image
  const names = `${hostnameOf(first.machine)} and ${hostnameOf(other.machine)}`
  return { kind: 'unknown', reason: `${names} have different images of that name` }
}

const noDocker: ResolvedImage = { kind: 'unknown', reason: 'no machine with Docker can be asked' }

function referenceOf(image: ResolvedImage): string | null {
  return image.kind === 'unknown' ? null : image.reference
}

/** Whether it is worth while to decide a deploy beforehand, to see which images it names. */
export function mayNameImages({ sources }: Pick<DeployRequest, 'sources'>): boolean {
  return sources.some(({ text }) => text.includes('image'))
}

/** The images that a deploy has to know the meaning of: those that are named by a tag, of its new versions, or of all. */
export function imagesToRead({ tagged }: { readonly tagged: readonly string[] }): readonly string[] {
  return [...new Set(tagged)].sort()
}

/** What a version's image is pinned to; null where that is nothing, or where metadata makes another image of it by now. */
export function pinnedNow({ image, pinned }: ServiceVersion, manifest: ServiceManifest): string | null {
  return manifest.image === image ? (pinned ?? null) : null
}

/**
 * Why tags cannot be resolved anew, where that was asked for: nobody knows what they mean now. Null where they can, or
 * where nobody was asked yet.
 */
export function unresolved(
  manifests: readonly ServiceManifest[],
  resolved: ResolvedImages | null,
): Problem | null {
  if (resolved === null) return null
  const images = new Set(manifests.flatMap((manifest) => taggedImage(manifest) ?? []))
  const unknown = [...images].flatMap((image) => {
    const why = whyUnresolved(resolved.get(image) ?? noDocker)
    return why === null ? [] : [`${image} (${why})`]
  })
  if (unknown.length === 0) return null
  return {
    status: 409,
    code: 'deploy/image-not-resolved',
    message: `cannot resolve ${unknown.join(', ')}; nothing was changed`,
    hint: 'see that a machine with Docker reaches the registry, or deploy without --refresh',
  }
}

/** What a machine noted when it fetched an image is not what its tag means now. */
function whyUnresolved(image: ResolvedImage): string | null {
  return image.kind === 'unknown' ? image.reason : (image.noted ?? null)
}

/** The image of a manifest where its name leaves open which bits it means; null where it does not, or there is none. */
export function taggedImage({ compute_type, image }: ServiceManifest): string | null {
  return compute_type === 'docker' && image !== undefined && !isPinned(image) ? image : null
}

/** What an image is pinned to; null where nobody knows what it means. */
export function pinOf(image: string | null, images: ResolvedImages | null): string | null {
  const resolved = image === null ? undefined : images?.get(image)
  return resolved === undefined ? null : referenceOf(resolved)
}

/** What has to be said of an image: that the version does not pin it, or that only some machines may have it. */
export function imageWarning(
  view: ClusterView,
  read: ReadManifest,
  images: ResolvedImages | null,
): readonly Diagnostic[] {
  const image = taggedImage(read.manifest)
  if (image === null || images === null) return []
  const resolved = images.get(image) ?? noDocker
  const about = { severity: 'warning', path: '/image', file: read.file } as const
  if (resolved.kind === 'unknown') {
    const message = `cannot resolve the image ${image} (${resolved.reason}): each machine uses the image that it has, or the one that the tag stands for when it fetches it`
    return [inSource({ ...about, code: 'deploy/image-not-pinned', message, hint: pinHint }, read)]
  }
  const several = [...view.machines.values()].filter(({ drivers }) => drivers.includes('docker')).length > 1
  if (resolved.kind === 'digest' || !several) return []
  const message = `${image} is not from a registry: only machines that have the image ${resolved.reference.slice(0, 19)} can run this version`
  return [inSource({ ...about, code: 'deploy/image-of-machine', message, hint: registryHint }, read)]
}

const pinHint = 'name it by its digest: image: NAME@sha256:…'
const registryHint = 'push it to a registry that all machines reach'
