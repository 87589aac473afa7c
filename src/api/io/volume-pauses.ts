// Backups of volumes whose instances are paused meanwhile.
import type { Pause } from '../../agent/io/pauses.js'
import type { Packed } from '../../agent/io/volume-archive.js'
import type { Problem } from '../../changes/problem.js'
import type { VolumeBody } from '../../contract/contract.js'
import { describeError } from '../../lib/io/log.js'
import type { Actor } from '../../model/actor.js'
import { DriverError } from '../../model/driver-error.js'
import type { DriverKind } from '../../model/driver-kind.js'
import { describeVolumeOf } from '../../volumes/bodies.js'
import { volumeEvent } from '../../volumes/removal.js'
import { type ApiContext, ProblemError } from './context.js'
import { keptOf, problemOf } from './volume-access.js'

/** How long instances are paused at the most where nobody says, and how long somebody may say. */
export const pauseAtMost = { defaultMs: 60_000, longestMs: 3_600_000 } as const

interface PauseAsked {
  readonly keeper: DriverKind
  readonly atMostMs: number
  readonly signal: AbortSignal
}

/** An archive of what stands still. */
interface PausedArchive extends Packed {
  readonly isHolding: true
  /** Has its instances go on, which they do anyway once all has been read. */
  end(): Promise<void>
}

/**
 * Pauses all that runs with a volume and begins to read it. What was paused goes on as soon as all has been read, or it does not
 * stand still any more, or for too long; the archive fails then. Throws ProblemError; then nothing is paused.
 */
export async function readPaused(
  context: ApiContext,
  actor: Actor | null,
  volume: VolumeBody,
  { keeper, atMostMs, signal }: PauseAsked,
  read: (until: AbortSignal) => Packed,
): Promise<PausedArchive> {
  if (context.agent === null) throw new ProblemError(cannotPause('this daemon runs no agent'))
  await tellPaused(context, actor, volume)
  const pause = await context.agent
    .pauseVolume(keptOf(volume), keeper, atMostMs, signal)
    .catch((error: unknown) => {
      throw isRefusal(error) ? new ProblemError(cannotPause(error.message)) : problemOf(error)
    })
  const { stream, done } = await begun(pause, () => read(AbortSignal.any([signal, pause.signal])))
  const broken = (): void => {
    stream.destroy(pause.signal.reason as Error)
  }
  pause.signal.addEventListener('abort', broken, { once: true })
  const whole = confirmed(volume, pause, done)
  // Whoever waits for it sees it.
  whole.catch(() => {})
  if (pause.signal.aborted) broken()
  return { stream, done: whole, isHolding: true, end: () => pause.end() }
}

/** What was read, once the pause is known to have lasted until its end; ends the pause in any case. */
async function confirmed(volume: VolumeBody, pause: Pause, done: Packed['done']): Packed['done'] {
  try {
    const ended = await done.catch((error: unknown) => {
      throw pause.signal.aborted ? pause.signal.reason : error
    })
    await pause.confirm()
    if (ended.isChanged) throw changed(volume)
    return ended
  } finally {
    await pause.end()
  }
}

/** What cannot begin leaves nothing paused. */
async function begun(pause: Pause, read: () => Packed): Promise<Packed> {
  try {
    return read()
  } catch (error) {
    await pause.end()
    throw problemOf(error)
  }
}

/** Who has had it paused is in the history, as far as that can be written now. */
async function tellPaused(
  { registry, events, log }: ApiContext,
  by: Actor | null,
  volume: VolumeBody,
): Promise<void> {
  const what = 'is backed up while its instances are paused'
  try {
    const event = { ...volumeEvent(volume, what), kind: 'volume' as const, ...(by !== null && { by }) }
    await registry.commit([], events.append([event]))
  } catch (error) {
    log.warn('api', `cannot record the event that the volume ${volume.uuid} ${what}: ${describeError(error)}`)
  }
}

function isRefusal(error: unknown): error is DriverError {
  return error instanceof DriverError && error.code === 'volume/cannot-pause'
}

function cannotPause(why: string): Problem {
  return {
    status: 409,
    code: 'volume/cannot-pause',
    message: `the instances cannot be paused for the backup: ${why}`,
    hint: 'give --consistency stopped, or live',
  }
}

function changed(volume: VolumeBody): DriverError {
  return new DriverError(
    'volume/changed',
    `something in ${describeVolumeOf(volume)} was changed or deleted while it was read, although all its users were paused`,
  )
}
