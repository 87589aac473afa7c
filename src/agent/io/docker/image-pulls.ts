// Fetches images: once for all units that wait for the same one.
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type Docker from 'dockerode'
import type { Log } from '../../../lib/io/log.js'
import { isImageRefused } from '../../docker/failure.js'
import { type Credentials, credentialsFor } from '../../docker/image.js'
import { DriverError } from '../../driver.js'
import { abortable } from './abortable.js'
import { asDriverError, sentenceOf, statusOf } from './connection.js'

export interface ImagePulls {
  /** Resolves when the image is there. Throws `docker/image-missing`, permanent where the registry refused. */
  pull(image: string, signal: AbortSignal): Promise<void>
}

export function createImagePulls(docker: Docker, log: Log): ImagePulls {
  const underWay = new Map<string, Promise<void>>()
  return {
    pull: async (image, signal) => {
      const pulling =
        underWay.get(image) ?? pullImage(docker, image, log).finally(() => underWay.delete(image))
      underWay.set(image, pulling)
      await abortable(pulling, signal)
    },
  }
}

async function pullImage(docker: Docker, image: string, log: Log): Promise<void> {
  log.info('docker', 'pulling an image', { image })
  const credentials = await readCredentials(image)
  try {
    const options = credentials === null ? {} : { authconfig: credentials }
    const progress = (await docker.pull(image, options)) as Readable
    await followProgress(progress, (step) => log.info('docker', step, { image }))
  } catch (error) {
    if (!(error instanceof PullRefused) && statusOf(error) === null)
      throw asDriverError(error, `${image} was not fetched`)
    throw imageMissing(image, sentenceOf(error), error)
  }
}

function imageMissing(image: string, reason: string, cause: unknown): DriverError {
  const permanent = isImageRefused(reason)
  return new DriverError(
    'docker/image-missing',
    `the image ${image} is not here and was not fetched: ${reason}`,
    {
      cause,
      permanent,
    },
  )
}

/** The registry said no in the middle of its answer. */
class PullRefused extends Error {}

/** One line of a pull's answer. */
interface ProgressLine {
  readonly status?: string
  /** The layer that the line is about; lines without are about the whole. */
  readonly id?: string
  readonly error?: string
}

async function followProgress(progress: Readable, tell: (step: string) => void): Promise<void> {
  for await (const text of createInterface({ input: progress })) {
    const { status, id, error } = JSON.parse(text) as ProgressLine
    if (error !== undefined) throw new PullRefused(error)
    const isStep = id === undefined || status === 'Pull complete'
    if (status !== undefined && isStep) tell(id === undefined ? status : `${id}: ${status}`)
  }
}

/** From the user's `~/.docker/config.json`, where `docker login` without a credential helper puts them. */
export async function readCredentials(image: string): Promise<Credentials | null> {
  const dir = process.env['DOCKER_CONFIG'] ?? join(homedir(), '.docker')
  try {
    return credentialsFor(image, await readFile(join(dir, 'config.json'), 'utf8'))
  } catch {
    return null
  }
}
