// Having a volume of this machine for oneself: nobody starts with it, and nobody runs with it, for as long as it is read or
// written.
import type { Driver, KeptVolume } from '../../agent/driver.js'
import type { VolumeBody } from '../../contract/contract.js'
import { pause } from '../../lib/io/clock.js'
import { DriverError } from '../../model/driver-error.js'
import { hasInstance } from '../../volumes/holds.js'
import { volumeInUse } from '../../volumes/removal.js'
import { type ApiContext, ProblemError } from './context.js'
import { isOfSlot } from './volume-holds.js'

/** A volume as drivers know it. */
export function keptOf(volume: VolumeBody): KeptVolume {
  const { project, service, name, uuid, createdAt, slot, generation } = volume
  const ofSlot = slot === null ? {} : { slot, ...(generation > 0 && { generation }) }
  return { project, service, name, ...ofSlot, uuid, createdAt: Date.parse(createdAt) }
}

/** The driver that keeps a volume of this machine, and where its data are. Throws ProblemError. */
export async function dataOf(
  { volumeKeeper }: ApiContext,
  volume: VolumeBody,
  signal: AbortSignal,
): Promise<{ readonly keeper: Driver; readonly dir: string }> {
  return await asProblems(async () => {
    const kept = keptOf(volume)
    const keeper = await volumeKeeper(kept, signal)
    if (keeper?.volumeData === undefined)
      throw new DriverError('volume/unreadable', `no driver on this machine has the volume ${volume.uuid}`)
    return { keeper, dir: await keeper.volumeData(kept, signal) }
  })
}

/** Waits until nobody runs with the volume of a slot that is held, and keeps it so. Throws ProblemError. */
export async function whenFree(
  context: ApiContext,
  volume: VolumeBody,
  { keeper, why, signal }: { readonly keeper: Driver; readonly why: string; readonly signal: AbortSignal },
): Promise<() => void> {
  const { agent, clock, registry } = context
  if (agent === null) throw new ProblemError(volumeInUse('this daemon runs no agent'))
  const endsAt = clock.steady() + stopsWithinMs
  for (;;) {
    try {
      // What the store still wants to run may be between two of its runs.
      if (isOfSlot(volume) && hasInstance(registry.view, volume))
        throw new DriverError('volume/in-use', `the instance of the volume ${volume.uuid} has not stopped`)
      return await agent.holdVolume(keptOf(volume), keeper.kind, why, signal)
    } catch (error) {
      const isPassing = error instanceof DriverError && error.code === 'volume/in-use'
      if (!isPassing || !isOfSlot(volume) || signal.aborted || clock.steady() > endsAt) throw problemOf(error)
    }
    await pause(clock, lookAgainMs, signal)
  }
}

/** For as long as a program may take to stop. */
const stopsWithinMs = 600_000
const lookAgainMs = 200

/** What drivers refuse is told to who asked. */
export async function asProblems<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw problemOf(error)
  }
}

export function problemOf(error: unknown): unknown {
  if (!(error instanceof DriverError)) return error
  if (error.code === 'volume/in-use') return new ProblemError(volumeInUse(error.message))
  const status = refused.has(error.code) ? 409 : 500
  return new ProblemError({ status, code: error.code, message: error.message })
}

const refused: ReadonlySet<string> = new Set([
  'volume/held',
  'volume/no-tar',
  'volume/unreadable',
  'volume/gone',
  'volume/bad-archive',
  'volume/bad-checksum',
  'volume/disk-full',
  'volume/too-slow',
  'volume/changed',
  'volume/deleted',
  'volume/pause-ended',
  'backup/bad-place',
  'backup/no-credentials',
  'policy/root',
  'policy/device',
  'policy/capability',
])
