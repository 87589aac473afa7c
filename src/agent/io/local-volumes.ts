// The named volumes of this machine, whatever driver keeps them.
import { describeError } from '../../lib/io/log.js'
import type { DriverKind } from '../../model/driver-kind.js'
import type { Driver, VolumeInUse } from '../driver.js'
import { volumesTold } from '../volumes-told.js'
import { abortable } from './docker/abortable.js'

/** What there is, and the drivers that do not tell, with the reason: they may keep more. */
export interface ToldVolumes {
  readonly volumes: readonly VolumeInUse[]
  readonly silent: readonly string[]
}

/** Asks every driver of this machine. One that does not answer hides nothing of the others. */
export async function tellVolumes(
  drivers: ReadonlyMap<DriverKind, Driver>,
  signal: AbortSignal,
): Promise<ToldVolumes> {
  if (drivers.size === 0) return { volumes: [], silent: ['its daemon runs no driver that could be asked'] }
  const told = new Map<DriverKind, readonly VolumeInUse[]>()
  const silent: string[] = []
  await Promise.all(
    [...drivers.values()].map(async (driver) => {
      if (driver.unexpected === true) return
      try {
        const list = driver.listVolumes?.(signal)
        if (list !== undefined) told.set(driver.kind, await abortable(list, signal))
      } catch (error) {
        silent.push(`${driver.kind}: ${describeError(error)}`)
      }
    }),
  )
  return { volumes: volumesTold(told), silent: silent.sort() }
}
