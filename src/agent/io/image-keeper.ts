// Tells the driver that runs images which of them are needed, whenever that may have changed; and where the disk is nearly
// full all the same, which of the stopped containers has been kept the longest.
import { describeError, type Log } from '../../lib/io/log.js'
import { startLoop } from '../../lib/io/loop.js'
import { type Instant, type Time, upcoming } from '../../lib/time.js'
import type { MachineId } from '../../model/machine.js'
import type { UnitName } from '../../model/unit.js'
import type { Registry } from '../../store/io/registry.js'
import { type Driver, tidied } from '../driver.js'
import { type IsFrozen, oldestKept } from '../kept-containers.js'
import { NeededImages } from '../needed-images.js'

interface ImageKeeperOptions {
  readonly machine: MachineId
  readonly registry: Registry
  readonly driver: Driver
  /** Whether the view is current: without the cluster nobody knows what is needed. */
  readonly isCurrent: () => boolean
  readonly isFrozen: IsFrozen
  /** Called with the unit that is to be told to be the first that could go from a disk that is nearly full; null for none. */
  readonly onDiskPressure: (name: UnitName | null) => void
  readonly clock: Time
  readonly log: Log
}

/** What makes a difference comes with a change of the cluster; a disk fills up, and containers go, without one. */
const lookAgainMs = 600_000
/** A deploy of many services is one look. */
const restMs = 5000

export function startImageKeeper(options: ImageKeeperOptions): { stop(): Promise<void> } {
  const { machine, registry, driver, isCurrent, isFrozen, onDiskPressure, clock, log } = options
  const needed = new NeededImages()
  let pressed: UnitName | null = null
  let wasFull = false
  const press = (isDiskFull: boolean): void => {
    pressed = isDiskFull ? oldestKept(registry.view, machine, isFrozen) : null
    onDiskPressure(pressed)
  }
  const pass = async (now: Instant, signal: AbortSignal): Promise<{ wakeAt: Instant | null }> => {
    const { view } = registry
    // What cannot be read may need an image that seems to be of no use.
    if (driver.absent === true || !isCurrent() || view.unreadable.size > 0) return { wakeAt: null }
    const { wakeAt, isDiskFull } = (await driver.tidyImages?.(needed.of(view), signal)) ?? tidied
    press(isDiskFull)
    if (isDiskFull && !wasFull) log.warn('docker', 'the Docker disk is fuller than --keep-images allows')
    wasFull = isDiskFull
    return { wakeAt: upcoming(wakeAt, now) }
  }
  const loop = startLoop({
    pass,
    clock,
    intervalMs: lookAgainMs,
    restMs,
    backoff: { firstMs: restMs, longestMs: lookAgainMs },
    onError: (error) => log.warn('docker', `cannot remove unused images: ${describeError(error)}`),
  })
  const unsubscribe = registry.onChange((kinds) => {
    if (kinds.has('version') || kinds.has('file')) loop.wake()
    // One is frozen, or no more.
    if (kinds.has('task') && wasFull) press(true)
    // One has gone: there may be room now, or another is to go.
    if (kinds.has('report') && pressed !== null && !registry.view.reportsOf(machine).has(pressed)) loop.wake()
  })
  // Null: Docker is there, or there again.
  const ended = new AbortController()
  driver.watch((name) => {
    if (name === null) loop.wake()
  }, ended.signal)
  return {
    stop: async () => {
      ended.abort()
      unsubscribe()
      await loop.stop()
    },
  }
}
