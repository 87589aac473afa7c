// Tells the driver that runs images which of them are needed, whenever that may have changed.
import { describeError, type Log } from '../../lib/io/log.js'
import { startLoop } from '../../lib/io/loop.js'
import type { Instant, Time } from '../../lib/time.js'
import type { Registry } from '../../store/io/registry.js'
import { NeededImages } from '../docker/needed-images.js'
import type { Driver } from '../driver.js'

export interface ImageKeeperOptions {
  readonly registry: Registry
  readonly driver: Driver
  /** Whether the view is current: without the cluster nobody knows what is needed. */
  readonly isCurrent: () => boolean
  readonly clock: Time
  readonly log: Log
}

/** What makes a difference comes with a change of the cluster; a disk fills up, and containers go, without one. */
const lookAgainMs = 600_000
/** A deploy of many services is one look. */
const restMs = 5000

export function startImageKeeper({ registry, driver, isCurrent, clock, log }: ImageKeeperOptions): {
  stop(): Promise<void>
} {
  const needed = new NeededImages()
  const pass = async (now: Instant, signal: AbortSignal): Promise<{ wakeAt: Instant | null }> => {
    const { view } = registry
    // What cannot be read may need an image that seems to be of no use.
    if (driver.absent === true || !isCurrent() || view.unreadable.size > 0) return { wakeAt: null }
    const at = (await driver.tidyImages?.(needed.of(view), signal)) ?? null
    return { wakeAt: at !== null && at > now ? at : null }
  }
  const loop = startLoop({
    pass,
    clock,
    intervalMs: lookAgainMs,
    restMs,
    backoff: { firstMs: restMs, longestMs: lookAgainMs },
    onError: (error) => log.warn('docker', `images are not tidied: ${describeError(error)}`),
  })
  const unsubscribe = registry.onChange((kinds) => {
    if (kinds.has('version') || kinds.has('file')) loop.poke()
  })
  // Null: Docker is there, or there again.
  const ended = new AbortController()
  driver.watch((name) => {
    if (name === null) loop.poke()
  }, ended.signal)
  return {
    stop: async () => {
      ended.abort()
      unsubscribe()
      await loop.stop()
    },
  }
}
