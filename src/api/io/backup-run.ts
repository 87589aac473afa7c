// Makes one backup by schedule of a volume of this machine.
import { realpath, stat } from 'node:fs/promises'
import { dirname, sep } from 'node:path'
import { type Archive, type BackupPlace, LeftBehind } from '../../backup/io/place.js'
import type { VolumeBody } from '../../contract/contract.js'
import {
  isInObjectStore,
  type MadeBackup,
  type RestingVolume,
  type RunningBackup,
} from '../../model/backup.js'
import { DriverError } from '../../model/driver-error.js'
import { serviceKey } from '../../store/view.js'
import { hostPathProblem } from '../../unit/policy.js'
import { describeVolumeOf } from '../../volumes/bodies.js'
import type { ApiContext } from './context.js'
import { watchSlowEnd } from './slow-ends.js'
import { dataOf } from './volume-access.js'
import { type Backup, beginBackup, measured } from './volume-archives.js'

/**
 * Makes a backup that is whole and verified when this resolves. Throws DriverError and ProblemError; then nothing of it is left,
 * but for what an end of the process leaves. Throws LeftBehind where it fails and something is left.
 */
export async function makeBackup(
  context: ApiContext,
  volume: VolumeBody,
  { running, place }: { readonly running: RunningBackup; readonly place: BackupPlace },
  until: AbortSignal,
): Promise<MadeBackup> {
  const slow = new AbortController()
  const signal = AbortSignal.any([until, slow.signal])
  refusePlace(context, running.to)
  const atRest = await restingOf(context, volume, signal)
  const read = { isChanged: false }
  let end = async (): Promise<void> => {}
  try {
    const open = async (): Promise<Archive> => {
      await refuseInside(context, volume, running.to, signal)
      // Nothing runs that could prepare it, and nothing has changed it since it was stopped.
      const how = { consistency: running.consistency, skipHook: atRest !== null }
      const backup = await beginBackup(context, null, volume, how, signal)
      const archive = archiveOf(context, backup, (error) => {
        slow.abort(error)
        end().catch(() => {})
      })
      end = archive.end
      const whole = async () => {
        read.isChanged = await archive.done()
        return archive.told()
      }
      return { chunks: archive.chunks, whole }
    }
    const written = await place.write(running, open, signal)
    return {
      ...{ dueAt: running.dueAt, startedAt: running.startedAt, endedAt: context.clock.now() },
      ...{ machine: running.machine, to: running.to, consistency: running.consistency, ...written },
      ...(read.isChanged && { changed: true as const }),
      ...(atRest !== null && { atRest }),
      ...(running.store !== undefined && { store: running.store }),
    }
  } catch (error) {
    if (!slow.signal.aborted) throw error
    const why = slow.signal.reason as Error
    throw error instanceof LeftBehind ? new LeftBehind(why) : why
  } finally {
    await end()
  }
}

/** What is read of a volume. `end` lets its instance run again, and is called once all has been read, too. */
function archiveOf({ clock, log }: ApiContext, backup: Backup, breakOff: (error: DriverError) => void) {
  const told = measured(backup.stream)
  let isTaken = true
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of told.stream) {
      isTaken = false
      yield chunk
      isTaken = true
    }
    // Its instance does not wait for the last part to be taken, which may be all that there is.
    await done()
  }
  const watched = { bytes: told.bytes, isHeldUp: () => !isTaken }
  const unwatch = backup.isHolding ? watchSlowEnd(clock, watched, breakOff) : () => {}
  let ended: Promise<void> | null = null
  const end = (): Promise<void> => {
    unwatch()
    backup.stream.destroy()
    ended ??= backup.end().catch((error: unknown) => {
      log.warn('volumes', `cannot release a slot held for a backup: ${String(error)}`)
    })
    return ended
  }
  const done = async (): Promise<boolean> => {
    const { isChanged } = await backup.done
    await end()
    return isChanged
  }
  return {
    chunks: chunks(),
    told: () => ({ sha256: told.sha256(), bytes: told.bytes() }),
    ...{ done, end },
  }
}

/** The policy of this machine holds for what is written to it by schedule. */
function refusePlace({ manifests: { policy } }: ApiContext, to: string): void {
  const problem = policy && !isInObjectStore(to) ? hostPathProblem(policy, dirname(to)) : null
  if (problem !== null) throw new DriverError('policy/host-path', problem)
}

/** A backup in what it is a backup of would hold those before it. */
async function refuseInside(
  context: ApiContext,
  volume: VolumeBody,
  to: string,
  signal: AbortSignal,
): Promise<void> {
  if (isInObjectStore(to)) return
  const { dir } = await dataOf(context, volume, signal)
  const [data, place] = [await realpath(dir), await realpath(dirname(to))]
  if (place !== data && !place.startsWith(`${data}${sep}`)) return
  const message = `${dirname(to)} is inside ${describeVolumeOf(volume)} itself`
  throw new DriverError('backup/bad-place', message)
}

/** What tells later whether a volume that nothing has was used since; null for one that something has. */
export async function restingOf(
  context: ApiContext,
  volume: VolumeBody,
  signal: AbortSignal,
): Promise<RestingVolume | null> {
  if (volume.state !== 'unused') return null
  const service = context.registry.view.services.get(serviceKey(volume.project, volume.service))
  if (service === undefined) return null
  const { dir } = await dataOf(context, volume, signal)
  const { ino } = await stat(dir)
  return { uuid: volume.uuid, inode: ino, serviceUuid: service.uuid, instances: service.lastInstance }
}
