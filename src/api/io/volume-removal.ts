// Deleting a named volume: the daemon that is asked writes into the history who asked for it, and the one of the machine
// that keeps the volume deletes it.

import { type DeletedVolume, paths, type VolumeBody, type VolumesBody } from '../../contract/contract.js'
import { abortAfter, pause } from '../../lib/io/clock.js'
import { describeError } from '../../lib/io/log.js'
import { tryUntilDone } from '../../lib/io/tries.js'
import type { Actor } from '../../model/actor.js'
import { DriverError } from '../../model/driver-error.js'
import {
  decidesOnVolume,
  forgetVolume,
  type VolumeDeletion,
  volumeEvent,
  volumeInUse,
  volumeToDelete,
} from '../../volumes/removal.js'
import { askPeerJson } from './ask-peer.js'
import { type ApiContext, contended, orRefuse, ProblemError, retryPolicy } from './context.js'

/** How long the machine that keeps it may take until it says how that goes. */
const peerWithinMs = 10_000
/** How long a caller waits for data to be deleted; what takes longer goes on. */
const answerWithinMs = 3000
/** How long the deletion itself may take: of a disk full of small files. */
const deletesWithinMs = 3_600_000

/** Deletes a volume for somebody. That it is to go is written down first, held to its service as it was looked at. */
export async function deleteAsked(
  context: ApiContext,
  by: Actor,
  told: VolumesBody,
  asked: VolumeDeletion,
): Promise<DeletedVolume> {
  const volume = await writeDown(context, by, told, asked)
  if (volume.state === 'lost') return { ...volume, going: false }
  try {
    const deleted =
      volume.machine === context.machine
        ? await deleteHere(context, volume)
        : await deleteThere(context, volume)
    await forget(context, deleted)
    return deleted
  } catch (error) {
    await tell(context, volume, `was probably not deleted: ${describeError(error)}`)
    throw error
  }
}

/** Deletes a volume of this machine. What fails once the caller has gone is told in the log and in the history. */
export async function deleteHere(context: ApiContext, volume: VolumeBody): Promise<DeletedVolume> {
  const { deleteVolume, clock, log } = context
  const { project, service, name, uuid, createdAt, slot, generation } = volume
  const ofSlot = slot === null ? {} : { slot, ...(generation > 0 && { generation }) }
  const kept = { project, service, name, ...ofSlot, uuid, createdAt: Date.parse(createdAt) }
  let isAnswered = false
  const work = deleteVolume(kept, abortAfter(clock, deletesWithinMs))
    .catch(async (error: unknown) => {
      if (!isAnswered) throw asProblem(error)
      log.warn('api', `the volume ${uuid} was not deleted: ${describeError(error)}`)
      await tell(context, volume, `was not deleted: ${describeError(error)}`)
    })
    .then(() => false)
  const ended = new AbortController()
  const late = pause(clock, answerWithinMs, ended.signal).then(() => {
    isAnswered = true
    return true
  })
  try {
    return { ...volume, going: await Promise.race([work, late]) }
  } finally {
    ended.abort()
  }
}

async function writeDown(
  { registry, events, clock, random }: ApiContext,
  by: Actor,
  told: VolumesBody,
  asked: VolumeDeletion,
): Promise<VolumeBody> {
  const done = await tryUntilDone({ time: clock, random }, retryPolicy, async () => {
    const { decision, committed } = await registry.decide((view) => {
      const volume = orRefuse(volumeToDelete(view, told, asked))
      const isLost = volume.state === 'lost'
      const event = { ...volumeEvent(volume, isLost ? 'is given up' : 'is deleted'), by }
      const ops = [...(isLost ? forgetVolume(view, volume) : []), ...events.append([event])]
      return { volume, decidedOn: decidesOnVolume(view, volume), ops }
    })
    return committed ? decision.volume : null
  })
  if (done === null) throw contended()
  return done
}

/** Where it was is forgotten last: until then its slot is not placed anywhere else. */
async function forget({ registry, clock, random }: ApiContext, volume: VolumeBody): Promise<void> {
  if (volume.slot === null) return
  const done = await tryUntilDone({ time: clock, random }, retryPolicy, async () => {
    const { committed, decision } = await registry.decide((view) => {
      const ops = forgetVolume(view, volume)
      return { decidedOn: decidesOnVolume(view, volume), ops }
    })
    return committed ? decision : null
  })
  if (done === null) throw contended()
}

async function deleteThere(context: ApiContext, volume: VolumeBody): Promise<DeletedVolume> {
  const path = `${paths.volume(volume.uuid)}?force=true`
  const signal = abortAfter(context.clock, peerWithinMs)
  const request = { method: 'DELETE', path } as const
  return askPeerJson<DeletedVolume>(context, volume.machine, { key: 'going' }, request, signal)
}

/** What is not told stays as it was told before: the caller has heard of it. */
async function tell({ registry, events, log }: ApiContext, volume: VolumeBody, what: string): Promise<void> {
  try {
    await registry.commit([], events.append([volumeEvent(volume, what)]))
  } catch (error) {
    log.warn('api', `cannot record the event that the volume ${volume.uuid} ${what}: ${describeError(error)}`)
  }
}

function asProblem(error: unknown): unknown {
  if (!(error instanceof DriverError)) return error
  if (error.code === 'volume/in-use') return new ProblemError(volumeInUse(error.message))
  return new ProblemError({ status: 500, code: error.code, message: error.message })
}
