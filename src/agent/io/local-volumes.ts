// The named volumes of this machine, whatever driver keeps them.

import { abortable } from '../../lib/io/abortable.js'
import { describeError } from '../../lib/io/log.js'
import type { DriverKind } from '../../model/driver-kind.js'
import { type Driver, isUnreachable, type KeptVolume, type VolumeInUse } from '../driver.js'
import { mergeReportedVolumes } from '../reported-volumes.js'

/** The volumes, and the drivers that do not answer, with the reason: they may keep more. */
export interface ReportedVolumes {
  readonly volumes: readonly VolumeInUse[]
  readonly silent: readonly string[]
}

/** Asks every driver of this machine. One that does not answer hides nothing of the others. */
export async function listVolumes(
  drivers: ReadonlyMap<DriverKind, Driver>,
  signal: AbortSignal,
): Promise<ReportedVolumes> {
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
  return { volumes: mergeReportedVolumes(told), silent: silent.sort() }
}

/** The driver that keeps a volume, by its uuid; null where none does. Throws DriverError where one does not answer. */
export async function volumeKeeper(
  drivers: ReadonlyMap<DriverKind, Driver>,
  { uuid }: Pick<KeptVolume, 'uuid'>,
  signal: AbortSignal,
): Promise<Driver | null> {
  for (const driver of drivers.values()) {
    if (driver.unexpected === true) continue
    const kept = (await driver.listVolumes?.(signal)) ?? []
    if (kept.some((one) => one.uuid === uuid)) return driver
  }
  return null
}

/**
 * Deletes a volume of this machine that nothing has, by a driver that keeps it: of directories each driver knows which of its
 * own units are gone. What is gone already is no error. Throws DriverError.
 */
export async function deleteVolume(
  drivers: ReadonlyMap<DriverKind, Driver>,
  volume: KeptVolume,
  signal: AbortSignal,
): Promise<void> {
  const failures: Error[] = []
  for (const driver of drivers.values()) {
    if (driver.unexpected === true) continue
    try {
      const kept = (await driver.listVolumes?.(signal)) ?? []
      if (kept.some(({ uuid }) => uuid === volume.uuid)) return await driver.deleteVolume?.(volume, signal)
    } catch (error) {
      failures.push(error instanceof Error ? error : new Error(String(error)))
    }
  }
  // Why the one that keeps it does not delete it counts for more than who else does not answer.
  const [first] = failures
  if (first !== undefined) throw failures.find((error) => !isUnreachable(error)) ?? first
}
