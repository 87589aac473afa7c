// Carries out what is planned of images, and remembers in the data directory which of them we fetched ourselves.
import { readFile, statfs } from 'node:fs/promises'
import type Docker from 'dockerode'
import type { TidyReport } from '../../../agent/driver.js'
import { abortable } from '../../../lib/io/abortable.js'
import { describeError, type Log } from '../../../lib/io/log.js'
import { replaceFile } from '../../../lib/io/replace-file.js'
import { type Clock, earlier, type Instant } from '../../../lib/time.js'
import type { TidiedImage } from '../../../model/image.js'
import {
  bytesTooMany,
  type Disk,
  type FetchedImage,
  holdTag,
  type ImageRetention,
  type ImageSituation,
  type LocalImage,
  planImages,
  type Release,
  type Removal,
  tellImages,
} from '../image-plan.js'
import { asDriverError, asUnanswered, statusOf } from './connection.js'
import type { ImagePulls } from './image-pulls.js'

export interface KeptImagesOptions {
  readonly docker: Docker
  /** Whose tags they are: daemons of several clusters can share a Docker. */
  readonly owner: string
  /** What is remembered; absolute. */
  readonly file: string
  readonly retention: ImageRetention | null
  readonly clock: Clock
  readonly log: Log
}

/** How long an image that was fetched beforehand is kept for what is to need it. */
const expectedForMs = 3_600_000

/** How long Docker may take to tell what it has: what waits behind that is not to wait for ever. */
const answersWithinMs = 60_000

export class KeptImages {
  readonly #options: KeptImagesOptions
  readonly #holder: string
  #fetched: readonly FetchedImage[] | null = null
  /** Names of images that are to be needed soon: until when they are kept as if they were already. */
  readonly #expected = new Map<string, Instant>()
  /** What is done to the memory goes one behind the other. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: KeptImagesOptions) {
    this.#options = options
    this.#holder = `mariposa-held/${options.owner.toLowerCase()}`
  }

  /** Notes what pulls bring here that was not here before, and holds it: somebody needs it, or would not have asked. */
  noting(pulls: ImagePulls): ImagePulls {
    return {
      pull: async (image, signal, ...rest) => {
        const before = await this.#idOf(image, signal)
        await pulls.pull(image, signal, ...rest)
        const id = await this.#idOf(image, signal)
        if (id === null || id === before) return
        await this.#note({ id, reference: image, unneededSince: null })
        await this.#tag(id, holdTag(this.#holder, id), signal)
      },
    }
  }

  /** Something is to need an image soon: for an hour it counts as needed. */
  expect(image: string): void {
    this.#expected.set(image, this.#options.clock.now() + expectedForMs)
  }

  /** Holds the images that are needed, and removes those of ours that have not been for long enough. */
  async tidy(needed: readonly string[], signal: AbortSignal): Promise<TidyReport> {
    return await this.#alone(async () => {
      const { situation, dir } = await this.#look(needed, signal)
      const plan = planImages(situation)
      for (const { id, tag } of plan.hold) await this.#tag(id, tag, signal)
      for (const release of plan.release) await this.#release(release, signal)
      const failed: FetchedImage[] = []
      for (const removal of plan.remove) {
        if (await this.#remove(removal, signal)) continue
        const known = this.#fetched?.find(({ id }) => id === removal.id)
        if (known !== undefined) failed.push(known)
      }
      await this.#remember([...plan.fetched, ...failed])
      const isDiskFull = bytesTooMany(await diskOf(dir), this.#options.retention) > 0
      return { wakeAt: [...this.#expected.values()].reduce(earlier, plan.wakeAt), isDiskFull }
    })
  }

  /** What becomes of the images that are ours; nothing is done. */
  async tell(needed: readonly string[], signal: AbortSignal): Promise<readonly TidiedImage[]> {
    return await this.#alone(async () => tellImages((await this.#look(needed, signal)).situation))
  }

  /** With the directory whose disk counts. */
  async #look(
    needed: readonly string[],
    signal: AbortSignal,
  ): Promise<{ readonly situation: ImageSituation; readonly dir: string }> {
    const { docker, retention, clock } = this.#options
    const now = clock.now()
    for (const [image, until] of this.#expected) if (until <= now) this.#expected.delete(image)
    const [images, containers, info] = await abortable(
      Promise.all([
        docker.listImages({ digests: true }),
        docker.listContainers({ all: true }),
        docker.info(),
      ]),
      AbortSignal.any([signal, AbortSignal.timeout(answersWithinMs)]),
    ).catch((error: unknown) => {
      signal.throwIfAborted()
      throw asUnanswered(error, 'Docker could not be asked for its images')
    })
    const { DockerRootDir } = info as { readonly DockerRootDir: string }
    const situation = {
      images: images.map(localImage),
      needed: [...needed, ...this.#expected.keys()],
      used: new Set(containers.map(({ ImageID }) => ImageID)),
      fetched: await this.#known(),
      holder: this.#holder,
      retention,
      disk: await diskOf(DockerRootDir),
      now,
    }
    return { situation, dir: DockerRootDir }
  }

  async #tag(id: string, name: string, signal: AbortSignal): Promise<void> {
    const colon = name.lastIndexOf(':')
    const target = { repo: name.slice(0, colon), tag: name.slice(colon + 1) }
    try {
      await abortable(this.#options.docker.getImage(id).tag(target), signal)
    } catch (error) {
      // It went meanwhile.
      if (statusOf(error) !== 404) throw asDriverError(error, 'an image could not be tagged')
    }
  }

  async #release({ tag, via }: Release, signal: AbortSignal): Promise<void> {
    if (via !== null) await this.#tag(via, tag, signal)
    await this.#untag(tag, signal)
  }

  /** Whether it is gone. */
  async #remove({ id, references, why }: Removal, signal: AbortSignal): Promise<boolean> {
    const { log } = this.#options
    let isGone = true
    for (const reference of references) isGone = (await this.#untag(reference, signal)) && isGone
    if (isGone) log.info('docker', `removed an unused image (${why})`, { image: references[0] ?? id })
    return isGone
  }

  /** Takes a name off an image, and deletes the image with its last one. Never by force: what is in use stays. */
  async #untag(reference: string, signal: AbortSignal): Promise<boolean> {
    try {
      await abortable(this.#options.docker.getImage(reference).remove({ force: false }), signal)
      return true
    } catch (error) {
      const status = statusOf(error)
      if (status === 404) return true
      if (status === 409) return false
      throw asDriverError(error, `${reference} could not be removed`)
    }
  }

  async #idOf(image: string, signal: AbortSignal): Promise<string | null> {
    try {
      return (await abortable(this.#options.docker.getImage(image).inspect(), signal)).Id
    } catch (error) {
      if (statusOf(error) === 404) return null
      throw asDriverError(error, `Docker could not be asked for the image ${image}`)
    }
  }

  async #note(image: FetchedImage): Promise<void> {
    await this.#alone(async () => {
      const others = (await this.#known()).filter(({ id }) => id !== image.id)
      await this.#remember([...others, image])
    })
  }

  async #known(): Promise<readonly FetchedImage[]> {
    this.#fetched ??= await readFetched(this.#options.file)
    return this.#fetched
  }

  /** What cannot be remembered is not removed after the next start; nothing else depends on it. */
  async #remember(fetched: readonly FetchedImage[]): Promise<void> {
    const { file, log } = this.#options
    const text = JSON.stringify(fetched)
    if (text === JSON.stringify(this.#fetched)) return
    this.#fetched = fetched
    try {
      await replaceFile(file, text)
    } catch (error) {
      log.warn('docker', `${file} cannot be written: ${describeError(error)}`)
    }
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work)
    this.#last = mine.catch(() => {})
    return await mine
  }
}

function localImage({ Id, RepoTags, RepoDigests, Size }: Docker.ImageInfo): LocalImage {
  const isNamed = (name: string): boolean => !name.startsWith('<none>')
  const [tags, digests] = [RepoTags ?? [], RepoDigests ?? []] as readonly (readonly string[])[]
  return {
    id: Id,
    tags: (tags ?? []).filter(isNamed),
    digests: (digests ?? []).filter(isNamed),
    bytes: Size,
  }
}

/** Of the disk that Docker's directory is on; where that cannot be asked, it has room. */
async function diskOf(dir: string): Promise<Disk> {
  try {
    const { blocks, bavail, bfree, bsize } = await statfs(dir)
    // What only root may still use does not count, as in df(1).
    return { bytes: (blocks - bfree + bavail) * bsize, usedBytes: (blocks - bfree) * bsize }
  } catch {
    return { bytes: 0, usedBytes: 0 }
  }
}

async function readFetched(file: string): Promise<readonly FetchedImage[]> {
  try {
    const read = JSON.parse(await readFile(file, 'utf8')) as unknown
    return Array.isArray(read) ? read.filter(isFetched) : []
  } catch {
    return []
  }
}

function isFetched(value: unknown): value is FetchedImage {
  const { id, reference, unneededSince } = (value ?? {}) as Partial<Record<keyof FetchedImage, unknown>>
  return (
    typeof id === 'string' &&
    typeof reference === 'string' &&
    (unneededSince === null || typeof unneededSince === 'number')
  )
}
