// Which machines were not cut off with one that was lost: those whose leases have been renewed since that could have been.
import type { MachineId } from '../model/machine.js'
import type { Registry } from '../store/io/registry.js'
import { prefixes } from '../store/records.js'
import { renewedSinceMs } from './machine-presence.js'

/** Leases that are asked for at a time. */
const atOnce = 50

/**
 * Asks the store how long the leases of the machines that are there still last. One that was cut off at the same moment
 * as a machine whose lease has just ended has less left than a daemon lets it come to. What cannot be asked is not heard.
 */
export async function heardMachines(registry: Registry, ttlMs: number): Promise<readonly MachineId[]> {
  const entries = registry.entriesUnder(prefixes.machine)
  const heard: MachineId[] = []
  for (let from = 0; from < entries.length; from += atOnce) {
    const asked = entries.slice(from, from + atOnce).map(async ({ key, lease }) => {
      const leftMs = lease === null ? null : await registry.store.remainingMs(lease).catch(() => null)
      if (leftMs !== null && leftMs >= renewedSinceMs(ttlMs))
        heard.push(key.slice(prefixes.machine.length) as MachineId)
    })
    await Promise.all(asked)
  }
  return heard
}
