// What is in one volume put into another one of this machine, from wherever it is: a backup that is restored as it is made.
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  changedHeader,
  paths,
  sha256Header,
  type VolumeBody,
  type VolumeCloned,
} from '../../contract/contract.js'
import { describeError } from '../../lib/io/log.js'
import type { Actor } from '../../model/actor.js'
import { describeVolumeOf } from '../../volumes/bodies.js'
import type { VolumeToMake } from '../../volumes/holds.js'
import { askPeer } from './ask-peer.js'
import { type ApiContext, ProblemError } from './context.js'
import { sentArchive } from './sent-archive.js'
import { type BackupAsked, beginBackup, measured } from './volume-archives.js'
import { restore } from './volume-restores.js'

/** What comes out of a volume. */
interface Source {
  readonly archive: Readable
  /** What its machine says of it, once all of it has come. */
  told(): { readonly sha256: string; readonly changed: boolean }
  /** Lets its instance run again. */
  end(): Promise<void>
}

/**
 * Puts what is in a volume into one of this machine, which may have to be made for it. Throws ProblemError: then both are as
 * they were, as far as `restore` says so of the other one.
 */
export async function clone(
  context: ApiContext,
  actor: Actor,
  source: VolumeBody,
  target: VolumeBody | VolumeToMake,
  how: BackupAsked & { readonly force: boolean },
  signal: AbortSignal,
): Promise<VolumeCloned> {
  if ('uuid' in target && target.uuid === source.uuid) throw isTheSame(source)
  const from =
    source.machine === context.machine
      ? await sourceHere(context, actor, source, how, signal)
      : await sourceThere(context, source, how, signal)
  try {
    const incoming = { archive: from.archive, force: how.force, sum: () => from.told().sha256 }
    const restored = await restore(context, actor, target, incoming, signal)
    return { ...restored, changed: from.told().changed }
  } finally {
    from.archive.destroy()
    await from.end().catch((error: unknown) => {
      context.log.warn('api', `cannot release the slot of the volume ${source.uuid}: ${describeError(error)}`)
    })
  }
}

async function sourceHere(
  context: ApiContext,
  actor: Actor,
  source: VolumeBody,
  how: BackupAsked,
  signal: AbortSignal,
): Promise<Source> {
  const backup = await beginBackup(context, actor, source, how, signal)
  const counted = measured(backup.stream)
  let isChanged: boolean | null = null
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    yield* counted.stream
    isChanged = (await backup.done).isChanged
  }
  const archive = new PassThrough()
  // Read from now on: what a program has written that has ended, and that nobody reads, is lost. Who reads sees what fails.
  pipeline(chunks(), archive).catch(() => {})
  return {
    archive,
    told: () => {
      if (isChanged === null) throw cutOff(source)
      return { sha256: counted.sha256(), changed: isChanged }
    },
    end: async () => {
      backup.stream.destroy()
      await backup.end()
    },
  }
}

async function sourceThere(
  context: ApiContext,
  source: VolumeBody,
  { consistency, skipHook, pauseAtMostMs }: BackupAsked,
  signal: AbortSignal,
): Promise<Source> {
  const query = new URLSearchParams({
    consistency,
    ...(skipHook && { skipHook: 'true' }),
    ...(pauseAtMostMs !== undefined &&
      consistency === 'paused' && { pauseAtMost: String(pauseAtMostMs / 1000) }),
  })
  const path = `${paths.volumeBackup(source.uuid)}?${query.toString()}`
  const request = { method: 'POST', path, answerWithinMs: null } as const
  const answer = await askPeer(context, source.machine, request, signal)
  return {
    archive: sentArchive(answer, source.hostname),
    // What has none has broken off.
    told: () => {
      const sha256 = answer.trailers[sha256Header]
      if (sha256 === undefined) throw cutOff(source)
      return { sha256, changed: answer.trailers[changedHeader] === 'true' }
    },
    end: () => Promise.resolve(),
  }
}

function isTheSame(volume: VolumeBody): ProblemError {
  const message = `${describeVolumeOf(volume)} cannot be copied into itself`
  return new ProblemError({ status: 400, code: 'api/bad-request', message, hint: 'name another volume' })
}

function cutOff(source: VolumeBody): ProblemError {
  return new ProblemError({
    status: 502,
    code: 'volume/cut-off',
    message: `the copy of ${describeVolumeOf(source)} was interrupted`,
    hint: `the log of the daemon on ${source.hostname} says why; try again`,
  })
}
