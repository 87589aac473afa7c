// Fetches images: once for all units that wait for the same one.
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type Docker from 'dockerode'
import type { Log } from '../../../lib/io/log.js'
import { isImageRefused } from '../../docker/failure.js'
import { DriverError } from '../../driver.js'
import { abortable } from './abortable.js'
import { asDriverError, sentenceOf, statusOf } from './connection.js'
import { readCredentials } from './credentials.js'

export interface ImagePulls {
  /**
   * Resolves when the image is there. Docker gives a pull up when nobody waits for it any more. Throws
   * `docker/image-missing`, permanent where the registry refused.
   */
  pull(image: string, signal: AbortSignal): Promise<void>
}

/** How long a pull may bring nothing: Docker itself would wait for ever, and all pulls of the image behind it. */
const stalledAfterMs = 120_000

/** A pull that goes on, and how many wait for it. */
interface Pulling {
  readonly done: Promise<void>
  readonly abort: AbortController
  waiting: number
}

export function createImagePulls(docker: Docker, log: Log, stallMs = stalledAfterMs): ImagePulls {
  const underWay = new Map<string, Pulling>()
  const begin = (image: string): Pulling => {
    const abort = new AbortController()
    const done = pullImage({ docker, image, log, stallMs }, abort)
    const pulling = { done, abort, waiting: 0 }
    underWay.set(image, pulling)
    done.catch(() => {}).finally(() => forget(image, pulling))
    return pulling
  }
  const forget = (image: string, pulling: Pulling): void => {
    if (underWay.get(image) === pulling) underWay.delete(image)
  }
  return {
    pull: async (image, signal) => {
      const pulling = underWay.get(image) ?? begin(image)
      pulling.waiting += 1
      try {
        await abortable(pulling.done, signal)
      } finally {
        pulling.waiting -= 1
        if (pulling.waiting === 0) {
          forget(image, pulling)
          pulling.abort.abort()
        }
      }
    },
  }
}

interface Pull {
  readonly docker: Docker
  readonly image: string
  readonly log: Log
  readonly stallMs: number
}

async function pullImage({ docker, image, log, stallMs }: Pull, abort: AbortController): Promise<void> {
  log.info('docker', 'pulling an image', { image })
  const { credentials, problem } = await readCredentials(image, abort.signal)
  if (problem !== null) log.warn('docker', problem, { image })
  const stalled = new PullRefused(`nothing came for ${stallMs / 1000} s`)
  const watchdog = setTimeout(() => abort.abort(stalled), stallMs)
  try {
    const auth = credentials === null ? {} : { authconfig: credentials }
    const progress = (await docker.pull(image, { ...auth, abortSignal: abort.signal })) as Readable
    await followProgress(progress, (step) => {
      watchdog.refresh()
      if (step !== null) log.info('docker', step, { image })
    })
  } catch (thrown) {
    const error: unknown = abort.signal.reason === stalled ? stalled : thrown
    if (!(error instanceof PullRefused) && statusOf(error) === null)
      throw asDriverError(error, `${image} was not fetched`)
    throw imageMissing(image, `${sentenceOf(error)}${problem === null ? '' : ` (${problem})`}`, error)
  } finally {
    clearTimeout(watchdog)
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

/** The registry said no in the middle of its answer, or nothing more. */
class PullRefused extends Error {}

/** One line of a pull's answer. */
interface ProgressLine {
  readonly status?: string
  /** The layer that the line is about; lines without are about the whole. */
  readonly id?: string
  readonly error?: string
}

/** Tells of every line, with its step where it is one. */
async function followProgress(progress: Readable, tell: (step: string | null) => void): Promise<void> {
  for await (const text of createInterface({ input: progress })) {
    const { status, id, error } = JSON.parse(text) as ProgressLine
    if (error !== undefined) throw new PullRefused(error)
    const isStep = id === undefined || status === 'Pull complete'
    const step = id === undefined ? status : `${id}: ${status}`
    tell(isStep ? (step ?? null) : null)
  }
}
