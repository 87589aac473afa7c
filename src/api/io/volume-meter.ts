// Measures the volumes of this machine, one after another and seldom, and tells of those that are larger than they are to be.
import type { Driver, KeptVolume } from '../../agent/driver.js'
import { measureUsage } from '../../agent/io/volume-usage.js'
import { describeError } from '../../lib/io/log.js'
import { startLoop } from '../../lib/io/loop.js'
import { steadyTime } from '../../lib/time.js'
import type { EventDraft } from '../../model/event.js'
import { nameWithSlot } from '../../model/volume.js'
import { describeTooLarge, restAfter, sizeOfVolume, TooLarge } from '../../volumes/sizes.js'
import type { ApiContext } from './context.js'

/** What is needed to measure. */
type MeterContext = Pick<
  ApiContext,
  'driversHere' | 'usedBytes' | 'registry' | 'events' | 'machine' | 'clock' | 'log'
>

/** Begins to measure; returns the way to end that. */
export function startVolumeMeter(context: MeterContext): () => Promise<void> {
  const tooLarge = new TooLarge()
  const untold: EventDraft[] = []
  const clock = steadyTime(context.clock)
  let restsUntil = 0
  const loop = startLoop({
    pass: async (now, signal) => {
      if (now < restsUntil) return { wakeAt: restsUntil }
      await measureAll(context, tooLarge, untold, signal)
      // What could not be written is written by a later pass: a volume is told of once.
      await tell(context, untold)
      restsUntil = clock.now() + restAfter(clock.now() - now)
      return { wakeAt: restsUntil }
    },
    clock,
    intervalMs: restAfter(0),
    onError: (error) => context.log.warn('volumes', `cannot measure volumes: ${describeError(error)}`),
  })
  return async () => await loop.stop()
}

/** Writes events, and empties the list once they are written. */
async function tell({ registry, events }: MeterContext, untold: EventDraft[]): Promise<void> {
  if (untold.length === 0) return
  await registry.commit([], events.append(untold))
  untold.length = 0
}

/** Adds to `untold` what is to be told of those that have become too large. */
async function measureAll(
  context: MeterContext,
  tooLarge: TooLarge,
  untold: EventDraft[],
  signal: AbortSignal,
): Promise<void> {
  const { driversHere, usedBytes } = context
  const seen = new Set<string>()
  for (const driver of driversHere.values()) {
    if (driver.unexpected === true) continue
    // One that does not answer is asked again next time.
    const volumes = await driver.listVolumes?.(signal).catch(() => null)
    for (const volume of volumes ?? []) {
      if (signal.aborted) return
      // Directories are those of several drivers.
      if (seen.has(volume.uuid)) continue
      seen.add(volume.uuid)
      const event = await measureOne(context, tooLarge, driver, volume, signal)
      if (event !== null) untold.push(event)
    }
  }
  for (const uuid of usedBytes.keys()) if (!seen.has(uuid)) usedBytes.delete(uuid)
}

async function measureOne(
  { usedBytes, registry, machine, log }: MeterContext,
  tooLarge: TooLarge,
  driver: Driver,
  volume: KeptVolume,
  signal: AbortSignal,
): Promise<EventDraft | null> {
  const dir = await driver.volumeData?.(volume, signal).catch(() => null)
  const bytes = dir == null ? null : await measureUsage(dir, signal)
  if (signal.aborted) return null
  if (bytes === null) {
    usedBytes.delete(volume.uuid)
    return null
  }
  usedBytes.set(volume.uuid, bytes)
  const { project, service } = volume
  const size = sizeOfVolume(registry.view, machine, volume)
  if (!tooLarge.isNews(volume.uuid, bytes, size) || size === null) return null
  const message = `the volume ${service}.${nameWithSlot(volume)} ${describeTooLarge(bytes, size)}`
  log.warn('volumes', message, { project })
  return { kind: 'volume', project, service, instance: null, machine, message }
}
