// Fetches images: once for all units that wait for the same one.
import type { Readable } from 'node:stream'
import type Docker from 'dockerode'
import type { PullListener, RegistryLogins } from '../../../agent/driver.js'
import { abortable } from '../../../lib/io/abortable.js'
import { lineBatches } from '../../../lib/io/lines.js'
import type { Log } from '../../../lib/io/log.js'
import type { Clock } from '../../../lib/time.js'
import { DriverError } from '../../../model/driver-error.js'
import type { PullProgress } from '../../../model/unit.js'
import { nobody } from '../credentials.js'
import { isOverloaded, pullFailure } from '../pull-failure.js'
import { type Layers, noLayers, type PullLine, sumOf, withLine } from '../pull-progress.js'
import { asDriverError, sentenceOf, statusOf } from './connection.js'
import { readCredentials } from './credentials.js'
import { askRetryAfter } from './retry-after.js'

export interface ImagePulls {
  /**
   * Resolves when the image is there. Docker gives a pull up when nobody waits for it any more. `tell` is called at once,
   * and then as the pull gets on, at most every few seconds. Throws `docker/image-missing`, permanent where the registry
   * refused, and `docker/disk-full`.
   */
  pull(image: string, signal: AbortSignal, tell?: PullListener): Promise<void>
}

interface ImagePullOptions {
  readonly docker: Docker
  readonly clock: Clock
  readonly log: Log
  /** Who registries are asked as; nobody in particular where it is left out. */
  readonly logins?: RegistryLogins
  /** How long a pull may bring nothing: Docker itself would wait for ever, and all pulls of the image behind it. */
  readonly stallMs?: number
  /** How often waiters are told of a pull at most; what they are told ends up in the store. */
  readonly tellEveryMs?: number
}

/** A pull that goes on, and who waits for it. */
interface Pulling {
  readonly done: Promise<void>
  readonly abort: AbortController
  readonly waiters: Set<Waiter>
  progress: PullProgress
}

interface Waiter {
  readonly tell: PullListener
}

export function createImagePulls(options: ImagePullOptions): ImagePulls {
  const { stallMs = 120_000, tellEveryMs = 5000, clock } = options
  const underWay = new Map<string, Pulling>()
  const begin = (image: string): Pulling => {
    const abort = new AbortController()
    const waiters = new Set<Waiter>()
    const tellAll = atMostEvery(tellEveryMs, () => {
      for (const { tell } of waiters) tell(pulling.progress)
    })
    const advance = (layers: Layers): void => {
      pulling.progress = { ...pulling.progress, ...sumOf(layers) }
      tellAll.ask()
    }
    const done = pullImage({ ...options, image, stallMs, advance }, abort).finally(() => {
      tellAll.end()
      forget(image, pulling)
    })
    done.catch(() => {})
    const progress = { image, since: clock.now(), ...sumOf(noLayers) }
    const pulling: Pulling = { done, abort, waiters, progress }
    underWay.set(image, pulling)
    return pulling
  }
  const forget = (image: string, pulling: Pulling): void => {
    if (underWay.get(image) === pulling) underWay.delete(image)
  }
  return {
    pull: async (image, signal, tell = () => {}) => {
      signal.throwIfAborted()
      const pulling = underWay.get(image) ?? begin(image)
      const waiter = { tell }
      pulling.waiters.add(waiter)
      tell(pulling.progress)
      try {
        await abortable(pulling.done, signal)
      } finally {
        pulling.waiters.delete(waiter)
        if (pulling.waiters.size === 0) {
          forget(image, pulling)
          pulling.abort.abort()
        }
      }
    },
  }
}

/** Calls at most once in a while, and at last for what was asked for meanwhile. */
function atMostEvery(
  everyMs: number,
  call: () => void,
): { readonly ask: () => void; readonly end: () => void } {
  let isAsked = false
  let timer: NodeJS.Timeout | null = null
  const rest = (): void => {
    timer = setTimeout(() => {
      timer = null
      if (isAsked) now()
    }, everyMs)
  }
  const now = (): void => {
    isAsked = false
    rest()
    call()
  }
  rest()
  return {
    ask: () => {
      isAsked = true
      if (timer === null) now()
    },
    end: () => {
      if (timer !== null) clearTimeout(timer)
      isAsked = false
    },
  }
}

interface Pull {
  readonly docker: Docker
  readonly logins?: RegistryLogins
  readonly image: string
  readonly clock: Clock
  readonly log: Log
  readonly stallMs: number
  /** Called with what is known of the layers, after each line. */
  readonly advance: (layers: Layers) => void
}

async function pullImage(
  { docker, image, clock, log, stallMs, advance, logins = nobody }: Pull,
  abort: AbortController,
): Promise<void> {
  log.info('docker', 'pulling an image', { image })
  const { credentials, problem } = await readCredentials(image, logins, abort.signal)
  if (problem !== null) log.warn('docker', problem, { image })
  const stalled = new PullRefused(`no data for ${stallMs / 1000} s`)
  const watchdog = setTimeout(() => abort.abort(stalled), stallMs)
  try {
    const auth = credentials === null ? {} : { authconfig: credentials }
    const progress = (await docker.pull(image, { ...auth, abortSignal: abort.signal })) as Readable
    let layers = noLayers
    await followProgress(progress, (line) => {
      watchdog.refresh()
      if (line.id === undefined) log.info('docker', line.status ?? '', { image })
      layers = withLine(layers, line)
      advance(layers)
    })
    log.info('docker', 'pulled an image', { image, ...sumOf(layers) })
  } catch (thrown) {
    const error: unknown = abort.signal.reason === stalled ? stalled : thrown
    if (!(error instanceof PullRefused) && statusOf(error) === null)
      throw asDriverError(error, `${image} cannot be fetched`)
    const said = sentenceOf(error)
    const retryAfterMs = isOverloaded(said) ? await askRetryAfter(image, clock, abort.signal) : null
    const { code, permanent, message } = pullFailure(image, said)
    const more = problem === null ? '' : ` (${problem})`
    // Without the cause: it says the same in other words.
    throw new DriverError(code, `${message}${more}`, { permanent, retryAfterMs })
  } finally {
    clearTimeout(watchdog)
  }
}

/** The registry said no in the middle of its answer, or nothing more. */
class PullRefused extends Error {}

async function followProgress(progress: Readable, tell: (line: PullLine) => void): Promise<void> {
  for await (const texts of lineBatches(progress)) {
    for (const text of texts) {
      const line = JSON.parse(text) as PullLine
      if (line.error !== undefined) throw new PullRefused(line.error)
      tell(line)
    }
  }
}
