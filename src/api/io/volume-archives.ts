// Backups of the volumes of this machine, and having one for oneself.
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { isUnreachable } from '../../agent/driver.js'
import type { Packed } from '../../agent/io/volume-archive.js'
import type { VolumeBody } from '../../contract/contract.js'
import { uuidByChance } from '../../lib/hash.js'
import { abortAfter } from '../../lib/io/clock.js'
import { makeRoomForStream } from '../../lib/io/old-generation.js'
import { ownTurn } from '../../lib/io/turns.js'
import type { Actor } from '../../model/actor.js'
import { DriverError } from '../../model/driver-error.js'
import { serviceKey } from '../../store/view.js'
import { describeVolumeOf } from '../../volumes/bodies.js'
import { incompleteVolume } from '../../volumes/holds.js'
import { volumeInUse } from '../../volumes/removal.js'
import { type ApiContext, ProblemError } from './context.js'
import { asProblems, dataOf, keptOf, whenFree } from './volume-access.js'
import { holdSlot, isOfSlot, releaseSlot } from './volume-holds.js'
import { runHook } from './volume-hooks.js'
import { pauseAtMost, readPaused } from './volume-pauses.js'

/** How an instance that runs is treated while its volume is read. */
export const consistencies = ['live', 'paused', 'stopped'] as const
type Consistency = (typeof consistencies)[number]

/** A backup that is being made. Whoever asked for it has to end it. */
export interface Backup extends Packed {
  /** Whether its instance is down for it. */
  readonly isHolding: boolean
  /** Lets the instance run again. */
  end(): Promise<void>
}

export interface BackupAsked {
  readonly consistency: Consistency
  /** How long its instances may be paused; default: a minute. */
  readonly pauseAtMostMs?: number
  /** Whether what is to run inside the instance before is left out. */
  readonly skipHook: boolean
}

/**
 * Begins a backup of a volume of this machine: resolves once its data can be read, `before_backup` has been run, and the instance
 * is as the consistency asks. `actor`: null where nobody asked, as for a backup by schedule. Throws ProblemError; then nothing is
 * held.
 */
export async function beginBackup(
  context: ApiContext,
  actor: Actor | null,
  volume: VolumeBody,
  { consistency, skipHook, pauseAtMostMs = pauseAtMost.defaultMs }: BackupAsked,
  signal: AbortSignal,
): Promise<Backup> {
  await asProblems(() => context.volumeFiles.refuseWithoutPrograms())
  if (volume.incomplete) throw new ProblemError(incompleteVolume(volume))
  const { keeper, dir } = await dataOf(context, volume, signal)
  const hookOver = skipHook ? () => {} : await runHook(context, volume, signal)
  try {
    const stays = await dataStay(context, volume, { keeper, dir })
    const read = (until: AbortSignal): Packed =>
      staying(context.volumeFiles.pack(dir, { compressed: true, signal: until }), volume, stays)
    if (consistency === 'paused') {
      const asked = { keeper: keeper.kind, atMostMs: pauseAtMostMs, signal }
      return endingWith(await readPaused(context, actor, volume, asked, read), hookOver)
    }
    const work = { work: 'backup', what: 'is backed up while its instance is stopped' } as const
    const letGo =
      consistency === 'stopped'
        ? await haveFree(context, actor, volume, { ...work, keeper, signal })
        : async () => {}
    const packed = read(signal)
    const isHolding = consistency !== 'live'
    return endingWith(
      { ...(isHolding ? unchanging(packed, volume) : packed), isHolding, end: letGo },
      hookOver,
    )
  } catch (error) {
    hookOver()
    throw error
  }
}

function endingWith(backup: Backup, over: () => void): Backup {
  return {
    ...backup,
    end: async () => {
      over()
      await backup.end()
    },
  }
}

/** Tells from now on whether a volume still has the same data: it may have been deleted, made anew, or restored. */
async function dataStay(
  { volumeKeeper, clock }: ApiContext,
  volume: VolumeBody,
  { keeper, dir }: Awaited<ReturnType<typeof dataOf>>,
): Promise<() => Promise<boolean>> {
  const kept = keptOf(volume)
  const before = await stat(dir)
  return async () => {
    const signal = abortAfter(clock, looksWithinMs)
    try {
      // Docker answers this once a deletion that has begun is over.
      const { dev, ino } = await stat((await keeper.volumeData?.(kept, signal)) ?? dir)
      return dev === before.dev && ino === before.ino && (await volumeKeeper(kept, signal)) !== null
    } catch (error) {
      if (isUnreachable(error)) throw error
      return false
    }
  }
}

const looksWithinMs = 60_000

/** An archive that fails where the data were taken away while they were read: it ends before what is missing. */
function staying({ stream, done }: Packed, volume: VolumeBody, stays: () => Promise<boolean>): Packed {
  const whole = done.then(
    async (ended) => {
      if (await stays()) return ended
      throw takenAway(volume)
    },
    async (error: unknown) => {
      throw (await stays()) ? error : takenAway(volume)
    },
  )
  // Whoever waits for it sees it.
  whole.catch(() => {})
  return { stream, done: whole }
}

function takenAway(volume: VolumeBody): DriverError {
  return new DriverError(
    'volume/deleted',
    `${describeVolumeOf(volume)} was deleted or replaced while it was read: the backup is incomplete`,
  )
}

/** An archive that fails where something was changed or deleted while it was read: it was to have all of one moment. */
function unchanging({ stream, done }: Packed, volume: VolumeBody): Packed {
  const unchanged = done.then(({ isChanged }) => {
    if (!isChanged) return { isChanged }
    throw new DriverError(
      'volume/changed',
      `something in ${describeVolumeOf(volume)} was changed or deleted while it was read, although no unit uses it`,
    )
  })
  // Whoever waits for it sees it; the stream may have ended badly before anybody does.
  unchanged.catch(() => {})
  return { stream, done: unchanged }
}

interface Work {
  readonly work: 'backup' | 'restore'
  readonly what: string
  readonly keeper: Awaited<ReturnType<typeof dataOf>>['keeper']
  readonly signal: AbortSignal
}

/** Has a volume for oneself: that of a slot by the store, so that its instance stops and comes back; others where they are free. */
export async function haveFree(
  context: ApiContext,
  actor: Actor | null,
  volume: VolumeBody,
  { work, what, keeper, signal }: Work,
): Promise<() => Promise<void>> {
  const id = uuidByChance(context.random, 'work', `${context.clock.now()}`)
  // Known before it is written: what this daemon does not know of is taken back.
  context.volumeWorks.add(id)
  let isHeld = false
  const release = async (): Promise<void> => {
    try {
      if (isHeld && isOfSlot(volume)) await releaseSlot(context, volume, id)
    } finally {
      // The keeper releases a hold that could not be released here, like one of an earlier daemon.
      context.volumeWorks.delete(id)
    }
  }
  try {
    if (isCurrent(context, volume)) {
      await holdSlot(context, actor, volume, { id, work, what, by: context.machine })
      isHeld = true
    } else if (volume.state === 'in-use') throw stillUsed(volume)
    const letGo = await whenFree(context, volume, { keeper, why: `a ${work} of it is running`, signal })
    return async () => {
      letGo()
      await release()
    }
  } catch (error) {
    await release()
    throw error
  }
}

/** Whether its slot has it now. */
function isCurrent({ registry }: ApiContext, volume: VolumeBody): volume is VolumeBody & { slot: number } {
  return isOfSlot(volume) && volumesNow(registry.view, volume)
}

function volumesNow(view: ApiContext['registry']['view'], volume: VolumeBody): boolean {
  return [...view.volumesOf(serviceKey(volume.project, volume.service)).values()].some(
    ({ uuid, machine }) => uuid === volume.uuid && machine === volume.machine,
  )
}

/** How much is read before others have their turn: of what lies ready, Node reads 32 pieces of 64 KiB in one. */
const turnBytes = 512 * 1024

/** What goes through, with its checksum and its size so far. */
export function measured(source: AsyncIterable<Uint8Array>): {
  readonly stream: AsyncIterable<Uint8Array>
  readonly sha256: () => string
  readonly bytes: () => number
} {
  const hash = createHash('sha256')
  let bytes = 0
  let bytesInTurn = 0
  async function* through(): AsyncGenerator<Uint8Array, void, undefined> {
    const end = makeRoomForStream()
    try {
      for await (const chunk of source) {
        hash.update(chunk)
        bytes += chunk.length
        yield chunk
        bytesInTurn += chunk.length
        if (bytesInTurn < turnBytes) continue
        bytesInTurn = 0
        await ownTurn()
      }
    } finally {
      end()
    }
  }
  return { stream: through(), sha256: () => hash.copy().digest('hex'), bytes: () => bytes }
}

function stillUsed(volume: VolumeBody): ProblemError {
  const by = [...volume.instances, ...volume.others].join(', ')
  return new ProblemError(
    volumeInUse(
      `${describeVolumeOf(volume)} is in use by ${by}, which share it`,
      `stop them first: mariposa service stop ${volume.service}`,
    ),
  )
}
