// What the tag of an image means now: the registry is asked, and what this machine has noted counts where it is away.
import type Docker from 'dockerode'
import type { RegistryLogins } from '../../../agent/driver.js'
import { abortable } from '../../../lib/io/abortable.js'
import type { ResolvedImage } from '../../../model/image.js'
import { digestNoted, withDigest } from '../image.js'
import { asDriverError, sentenceOf, statusOf } from './connection.js'
import { readCredentials } from './credentials.js'

/** How long a registry may take to say which digest a tag has. */
const registryAnswersWithinMs = 5000

/** Finds out which bits an image's name means. Throws `docker/unreachable` where Docker itself does not answer. */
export async function resolveImage(
  docker: Docker,
  image: string,
  logins: RegistryLogins,
  signal: AbortSignal,
): Promise<ResolvedImage> {
  const here = await inspect(docker, image, signal)
  // Made here and never fetched or pushed: no registry can know it, though one may have another by that name.
  if (here !== null && here.digests.length === 0) return { kind: 'id', reference: here.id }
  const told = await askRegistry(docker, image, logins, signal)
  if (told.kind !== 'unknown' || here === null) return told
  const noted = digestNoted(image, here.digests)
  if (noted === null) return told
  return { kind: 'digest', reference: withDigest(image, noted), noted: told.reason }
}

interface ImageHere {
  readonly id: string
  /** Under which registries gave it, or took it. */
  readonly digests: readonly string[]
}

async function inspect(docker: Docker, image: string, signal: AbortSignal): Promise<ImageHere | null> {
  try {
    const { Id, RepoDigests } = await abortable(docker.getImage(image).inspect(), signal)
    return { id: Id, digests: RepoDigests ?? [] }
  } catch (error) {
    if (statusOf(error) === 404) return null
    throw asDriverError(error, `Docker could not be asked for the image ${image}`)
  }
}

async function askRegistry(
  docker: Docker,
  image: string,
  logins: RegistryLogins,
  signal: AbortSignal,
): Promise<ResolvedImage> {
  const { credentials, problem } = await readCredentials(image, logins, signal)
  const options = credentials === null ? {} : { authconfig: credentials }
  const patience = AbortSignal.any([signal, AbortSignal.timeout(registryAnswersWithinMs)])
  try {
    const answer = (await abortable(docker.getImage(image).distribution(options), patience)) as Distribution
    return { kind: 'digest', reference: withDigest(image, answer.Descriptor.digest) }
  } catch (error) {
    signal.throwIfAborted()
    const reason = patience.aborted ? 'the registry did not answer in time' : sentenceOf(error)
    return { kind: 'unknown', reason: problem === null ? reason : `${reason} (${problem})` }
  }
}

interface Distribution {
  readonly Descriptor: { readonly digest: string }
}
