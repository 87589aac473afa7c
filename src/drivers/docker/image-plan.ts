// Which images of a Docker are held for versions that need them, and which are removed because nothing does any more.
// Held is by a tag of ours, so that `docker image prune` leaves an image that a `revert` goes back to. Removed is only
// what we fetched ourselves, that no container uses, and that has been of no use for as long as the daemon keeps such.
import { byKeys } from '../../lib/sort.js'
import { earlier, type Instant, upcoming } from '../../lib/time.js'
import type { TidiedImage } from '../../model/image.js'
import { digestNoted } from './image.js'

/** Limits of what is kept that nothing needs: the first that is passed counts; null sets none. */
export interface ImageRetention {
  readonly maxAgeMs: number | null
  readonly maxCount: number | null
  /** How full the disk may be. */
  readonly maxDiskPercent: number | null
}

export const defaultImageRetention: ImageRetention = {
  maxAgeMs: 7 * 86_400_000,
  maxCount: 10,
  maxDiskPercent: 85,
}

/** An image that is here, as Docker lists it. */
export interface LocalImage {
  readonly id: string
  /** `name:tag`, ours among them. */
  readonly tags: readonly string[]
  /** `name@digest`. */
  readonly digests: readonly string[]
  readonly bytes: number
}

/** What is remembered of an image that we fetched. */
export interface FetchedImage {
  readonly id: string
  /** The name that it was fetched by. */
  readonly reference: string
  /** Since when nothing needs it; null while something does. */
  readonly unneededSince: Instant | null
}

export interface ImageSituation {
  readonly images: readonly LocalImage[]
  /** Names and ids of the images that versions and units of the cluster speak of. */
  readonly needed: readonly string[]
  /** Ids of the images of all containers, whoever made them. */
  readonly used: ReadonlySet<string>
  readonly fetched: readonly FetchedImage[]
  /** The repository of our tags. */
  readonly holder: string
  /** Null keeps all. */
  readonly retention: ImageRetention | null
  readonly disk: Disk
  readonly now: Instant
}

/** Zeroes where nothing is known of it. */
export interface Disk {
  readonly bytes: number
  readonly usedBytes: number
}

/** A tag of ours that goes. */
export interface Release {
  readonly tag: string
  /**
   * An image that has other tags, where ours is the last one and the image is none of ours: taking our tag off it would
   * delete it. The tag is moved to that image first, which leaves the other one as it would be without us.
   */
  readonly via: string | null
}

export interface Removal {
  readonly id: string
  /** The names by which it is here, and that are ours to take off. */
  readonly references: readonly string[]
  readonly why: 'age' | 'number' | 'disk'
}

interface ImagePlan {
  readonly hold: readonly { readonly id: string; readonly tag: string }[]
  readonly release: readonly Release[]
  readonly remove: readonly Removal[]
  /** What is to be remembered, once that is done. */
  readonly fetched: readonly FetchedImage[]
  /** When an image comes of age. */
  readonly wakeAt: Instant | null
}

export function planImages(situation: ImageSituation): ImagePlan {
  const { images, fetched, holder, used, now } = situation
  const wanted = wantedIn(situation)
  const here = new Map(images.map((image) => [image.id, image]))
  const known = fetched.flatMap((one) => {
    if (!here.has(one.id)) return []
    const isIdle = !wanted.has(one.id) && !used.has(one.id)
    return [{ ...one, unneededSince: isIdle ? (one.unneededSince ?? now) : null }]
  })
  const remove = planRemovals(known, here, situation)
  const removed = new Set(remove.map(({ id }) => id))
  const left = known.filter(({ id }) => !removed.has(id))
  return {
    hold: images.flatMap(({ id, tags }) => {
      const tag = holdTag(holder, id)
      return wanted.has(id) && !tags.includes(tag) ? [{ id, tag }] : []
    }),
    release: images
      .filter(({ id }) => !wanted.has(id) && !removed.has(id))
      .flatMap((image) => releaseOf(image, left, situation) ?? []),
    remove,
    fetched: left,
    wakeAt: left.map((one) => comesOfAge(one, situation)).reduce(earlier, null),
  }
}

/** What becomes of each image that we hold or have fetched, as it is now: nothing is done. */
export function tellImages(situation: ImageSituation): readonly TidiedImage[] {
  const { images, holder, used, fetched } = situation
  const wanted = wantedIn(situation)
  const { remove, fetched: left } = planImages(situation)
  const ours = images.filter(
    ({ id, tags }) =>
      wanted.has(id) || tags.includes(holdTag(holder, id)) || fetched.some((one) => one.id === id),
  )
  return ours
    .map(({ id, tags, digests, bytes }): TidiedImage => {
      const idle = left.find((one) => one.id === id) ?? fetched.find((one) => one.id === id)
      const names = tags.filter((tag) => tag !== holdTag(holder, id))
      const state = wanted.has(id) ? 'needed' : used.has(id) ? 'used' : idle === undefined ? 'others' : 'idle'
      const beyond = remove.find((one) => one.id === id)?.why ?? null
      return {
        ...{ id, bytes, state, beyond, names: names.length > 0 ? names : digests },
        idleSince: state === 'idle' ? (idle?.unneededSince ?? situation.now) : null,
        goesAt:
          state === 'idle' && idle !== undefined
            ? upcoming(comesOfAge(idle, situation), situation.now)
            : null,
      }
    })
    .toSorted(
      byKeys(
        ({ names }) => names[0] ?? '',
        ({ id }) => id,
      ),
    )
}

/** Ids of the images that versions and units speak of. */
function wantedIn({ needed, images }: ImageSituation): ReadonlySet<string> {
  return new Set(needed.flatMap((name) => imageOf(name, images)?.id ?? []))
}

/** How much more of a disk is used than may be; 0 or less where it is not. */
export function bytesTooMany({ bytes, usedBytes }: Disk, retention: ImageRetention | null): number {
  const percent = retention?.maxDiskPercent ?? null
  return percent === null ? 0 : usedBytes - (bytes * percent) / 100
}

/** The tag by which we hold an image: one for each, since it names what it holds. */
export function holdTag(holder: string, id: string): string {
  return `${holder}:${id.replace(/^sha256:/, '')}`
}

/** The image that a name or an id means here; undefined where it is not here. */
function imageOf(name: string, images: readonly LocalImage[]): LocalImage | undefined {
  if (/^sha256:[0-9a-f]{64}$/.test(name)) return images.find(({ id }) => id === name)
  const [, plain = '', digest] = /^([^@]+)@(.+)$/.exec(name) ?? []
  if (digest !== undefined) return images.find(({ digests }) => digestNoted(plain, digests) === digest)
  const tag = normalTag(name)
  return images.find(({ tags }) => tags.some((one) => normalTag(one) === tag))
}

/** Docker leaves out what its own hub's names begin with, and `latest` is the tag of a name without one. */
function normalTag(name: string): string {
  const short = name.replace(/^(index\.)?docker\.io\//, '').replace(/^library\//, '')
  return short.slice(short.lastIndexOf('/') + 1).includes(':') ? short : `${short}:latest`
}

/** Idle images that are beyond a limit, the oldest first. */
function planRemovals(
  known: readonly FetchedImage[],
  here: ReadonlyMap<string, LocalImage>,
  { retention, disk, holder, now }: ImageSituation,
): readonly Removal[] {
  if (retention === null) return []
  const { maxAgeMs, maxCount } = retention
  const idle = known
    .flatMap((one) => (one.unneededSince === null ? [] : [{ ...one, since: one.unneededSince }]))
    .toSorted((a, b) => a.since - b.since || (a.id < b.id ? -1 : 1))
  let tooManyBytes = bytesTooMany(disk, retention)
  return idle.flatMap((one, index): readonly Removal[] => {
    const isOld = maxAgeMs !== null && one.since + maxAgeMs <= now
    const isOneTooMany = maxCount !== null && idle.length - index > maxCount
    const why = isOld ? 'age' : isOneTooMany ? 'number' : tooManyBytes > 0 ? 'disk' : null
    const image = here.get(one.id)
    if (why === null || image === undefined) return []
    tooManyBytes -= image.bytes
    return [{ id: one.id, references: ownReferences(image, one, holder), why }]
  })
}

/**
 * The name that we fetched an image by, where it still means that image, and our tag, which goes last. Where a tag means
 * another image by now, there is the digest that came with it, and at last the id.
 */
function ownReferences(image: LocalImage, { reference }: FetchedImage, holder: string): readonly string[] {
  const [, plain = '', digest] = /^([^@]+)@(.+)$/.exec(reference) ?? []
  const own = holdTag(holder, image.id)
  const others = image.tags.filter((tag) => tag !== own)
  const tags = digest === undefined ? others.filter((tag) => normalTag(tag) === normalTag(reference)) : []
  const name = digest === undefined ? reference : plain
  const digests =
    others.length > tags.length
      ? []
      : image.digests.filter((one) => {
          const found = digestNoted(name, [one])
          return found !== null && (digest === undefined || found === digest)
        })
  const names = [...tags, ...digests, ...image.tags.filter((tag) => tag === own)]
  return names.length === 0 && others.length === 0 && image.digests.length === 0 ? [image.id] : names
}

function releaseOf(
  image: LocalImage,
  fetched: readonly FetchedImage[],
  { images, holder }: ImageSituation,
): readonly Release[] | null {
  const tag = holdTag(holder, image.id)
  if (!image.tags.includes(tag)) return null
  if (image.tags.length + image.digests.length > 1) return [{ tag, via: null }]
  // Nothing else names it. What we fetched goes when its time comes, and its tag with it.
  if (fetched.some(({ id }) => id === image.id)) return null
  const other = images.find(
    ({ id, tags }) => id !== image.id && tags.some((one) => !one.startsWith(`${holder}:`)),
  )
  return other === undefined ? null : [{ tag, via: other.id }]
}

function comesOfAge({ unneededSince }: FetchedImage, { retention }: ImageSituation): Instant | null {
  const age = retention?.maxAgeMs ?? null
  return unneededSince === null || age === null ? null : unneededSince + age
}
