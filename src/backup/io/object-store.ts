// Backups by schedule as objects of an S3-like store, each with its checksum beside it.
import { askedStream } from '../../lib/io/asked-stream.js'
import { abortAfter } from '../../lib/io/clock.js'
import type { Timers } from '../../lib/time.js'
import { DriverError } from '../../model/driver-error.js'
import { S3Error } from '../../s3/failure.js'
import { beginUpload, readObject, readSum } from '../../s3/io/objects.js'
import { abortUploads, deleteObject, lookAtObject } from '../../s3/io/stored.js'
import { parseS3Location, type S3Account, type S3Location, sumOf } from '../../s3/location.js'
import { type BackupPlace, LeftBehind, type Written } from './place.js'

/** What has failed is taken away within as long, also while the store is slow. */
const cleanUpWithinMs = { running: 15_000, ending: 2000 } as const

/** Objects, whose names are `s3://BUCKET/KEY`. An upload bears the id of its backup, by which its object is known. */
export function objectStorePlace(account: S3Account, clock: Timers): BackupPlace {
  const place: BackupPlace = {
    write: async (running, openArchive, signal) =>
      await asDriverError(async () => {
        const { to, id } = running
        const location = locationOf(to)
        // Its name is its own: what has it was put there by somebody else.
        if ((await lookAtObject(account, location, signal)) !== null)
          throw badPlace(`there is already an object ${to}`)
        const upload = await beginUpload(account, location, signal, id)
        try {
          const archive = await openArchive()
          await upload.send(archive.chunks)
          const written = await archive.whole()
          await upload.finish(written.sha256)
          const found = await lookAtObject(account, location, signal)
          if (found?.mark !== id || found.bytes !== written.bytes)
            throw badPlace(
              `${to} differs from the data written to it: ${found?.bytes ?? 0} bytes of ${written.bytes}`,
            )
          // One is left where the answer to its begin was lost; it is empty, and no reason to lose a good backup.
          await abortUploads(account, location, signal).catch(() => {})
          return written
        } catch (error) {
          const withinMs = signal.aborted ? cleanUpWithinMs.ending : cleanUpWithinMs.running
          const isLeft = await place.cleanUp(running, abortAfter(clock, withinMs)).then(
            () => false,
            () => true,
          )
          throw isLeft ? new LeftBehind(inOurWords(error)) : error
        }
      }),
    read: async ({ to, bytes }, signal) =>
      await asDriverError(async () => {
        const location = locationOf(to)
        const found = await lookAtObject(account, location, signal)
        if (found === null) throw badPlace(`there is no object ${to} any more`)
        if (found.bytes !== bytes)
          throw badPlace(`${to} has ${found.bytes ?? 0} bytes, but ${bytes} were written`)
        return askedStream((over) =>
          inOurWordsAs(readObject(account, location, AbortSignal.any([signal, over]))),
        )
      }),
    whole: async ({ to, id }, signal) =>
      await asDriverError(
        async () => await inBucket(async () => await wholeOf(account, locationOf(to), id, signal), null),
      ),
    cleanUp: async ({ to, id }, signal) =>
      await asDriverError(
        async () =>
          await inBucket(async () => await takeAway(account, locationOf(to), id, signal), undefined),
      ),
    remove: async ({ to, sha256, bytes }, signal) =>
      await asDriverError(async () => {
        const location = locationOf(to)
        const found = await lookAtObject(account, location, signal)
        const sum = await readSum(account, location, found?.etag ?? null, signal)
        const isOwnSum = sum.kind === 'own' && sum.sha256 === sha256
        if (found !== null && (found.bytes !== bytes || !isOwnSum)) return 'foreign'
        if (found !== null) await deleteObject(account, location, signal)
        // After the object: while that is there it tells whose it is.
        if (isOwnSum) await deleteObject(account, sumOf(location), signal)
        return 'removed'
      }),
  }
  return place
}

/** What the work resolves to, or `without` where the bucket is gone: nothing is left with it. */
async function inBucket<T>(work: () => Promise<T>, without: T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof S3Error && error.code === 's3/no-bucket') return without
    throw error
  }
}

/** It has its checksum beside it once it is whole. */
async function wholeOf(
  account: S3Account,
  location: S3Location,
  id: string,
  signal: AbortSignal,
): Promise<Written | null> {
  const found = await lookAtObject(account, location, signal)
  if (found?.mark !== id || found.bytes === null) return null
  const sum = await readSum(account, location, found.etag, signal)
  return sum.kind === 'own' ? { bytes: found.bytes, sha256: sum.sha256 } : null
}

/** Uploads first: none of them becomes the object after that was looked at. */
async function takeAway(
  account: S3Account,
  location: S3Location,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  await abortUploads(account, location, signal)
  const found = await lookAtObject(account, location, signal)
  if (found?.mark !== id) return
  const sum = await readSum(account, location, found.etag, signal)
  if (sum.kind === 'own') await deleteObject(account, sumOf(location), signal)
  await deleteObject(account, location, signal)
}

function locationOf(to: string): S3Location {
  const location = parseS3Location(to)
  if ('message' in location) throw badPlace(`${location.message}: ${location.hint}`)
  return location
}

async function asDriverError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw inOurWords(error)
  }
}

async function* inOurWordsAs(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* chunks
  } catch (error) {
    throw inOurWords(error)
  }
}

function inOurWords(error: unknown): unknown {
  if (!(error instanceof S3Error)) return error
  const { code, message, hint } = error
  return new DriverError(code, hint === undefined ? message : `${message} (${hint})`)
}

function badPlace(message: string): DriverError {
  return new DriverError('backup/bad-place', message)
}
