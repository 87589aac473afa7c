// Objects of S3-like servers that are written and read as streams, each with its checksum beside it.
import { randomUUID } from 'node:crypto'
import { elementOf, S3Error } from '../failure.js'
import { type S3Account, type S3Location, sumOf } from '../location.js'
import { bareEtag, parseSum } from '../sum.js'
import { completeUpload, markHeader } from './completion.js'
import { askS3, askS3ForText, bodyOf, type S3Request, unreachable } from './requests.js'
import { abortUpload } from './stored.js'

/** Writes an object in parts: it is there once all have come, or not at all. */
interface S3Upload {
  /** Sends all that comes; holds no more of it than one part. Throws S3Error, or what `chunks` throws. */
  send(chunks: AsyncIterable<Uint8Array>): Promise<void>
  /** Has what was sent be the object, with its checksum beside it. */
  finish(sha256: string): Promise<void>
  /** Has the server forget what was sent; for as long as it answers. */
  cancel(): Promise<void>
}

/** 39 GiB go in small parts, for slow links; 351 GiB go in all. */
const partSizes = { small: 8 * 1024 ** 2, large: 64 * 1024 ** 2, smallOnes: 5000, most: 10_000 } as const
const cancelWithinMs = 15_000

/**
 * Begins an object: throws S3Error where it could not be written. By the mark the object is told from those of other uploads.
 */
export async function beginUpload(
  account: S3Account,
  location: S3Location,
  signal: AbortSignal,
  mark: string = randomUUID(),
): Promise<S3Upload> {
  const text = async (asked: Omit<S3Request, 'location'>) =>
    await askS3ForText(account, { location, ...asked }, signal)
  const begun = await text({
    method: 'POST',
    query: { uploads: '' },
    headers: { 'content-type': 'application/zstd', [markHeader]: mark },
  })
  const uploadId = elementOf(begun.text, 'UploadId')
  if (uploadId === null) throw new S3Error('s3/failed', 'the answer to the begin of an upload names none')
  const etags: string[] = []
  return {
    send: async (chunks) => {
      for await (const body of partsOf(chunks)) {
        const query = { partNumber: String(etags.length + 1), uploadId }
        const { etag } = await text({ method: 'PUT', query, body })
        if (etag === null) throw new S3Error('s3/failed', 'the answer to a part of an upload has no ETag')
        etags.push(etag)
      }
    },
    finish: async (sha256) =>
      await completeUpload({ account, location, uploadId, mark, etags, sha256 }, signal),
    cancel: async () => await abortUpload(account, location, uploadId, AbortSignal.timeout(cancelWithinMs)),
  }
}

/** What comes, in the parts that an upload has: each is to be used before the next one is asked for. */
async function* partsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let part = Buffer.allocUnsafe(partSizes.small)
  let [length, sent] = [0, 0]
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const taken = Math.min(chunk.length - at, part.length - length)
      part.set(chunk.subarray(at, at + taken), length)
      at += taken
      length += taken
      if (length < part.length) continue
      yield part
      sent += 1
      length = 0
      if (sent === partSizes.smallOnes) part = Buffer.allocUnsafe(partSizes.large)
      if (sent === partSizes.most) throw tooLarge()
    }
  }
  if (length > 0 || sent === 0) yield part.subarray(0, length)
}

function tooLarge(): S3Error {
  return new S3Error(
    's3/too-large',
    'the backup is larger than an object can be that is sent in parts (351 GiB)',
  )
}

/**
 * What an object holds, asked for when it is first read. Throws S3Error where it breaks off, or is no longer the one with the
 * ETag.
 */
export async function* readObject(
  account: S3Account,
  location: S3Location,
  signal: AbortSignal,
  etag: string | null = null,
): AsyncGenerator<Uint8Array, void, undefined> {
  // A weak one is equal to none.
  const headers = etag === null || etag.startsWith('W/') ? {} : { 'if-match': etag }
  const answer = await askS3(account, { method: 'GET', location, headers }, signal)
  try {
    yield* bodyOf(account, answer)
  } catch (error) {
    signal.throwIfAborted()
    throw unreachable(account, error)
  }
}

/** What is beside an object: its checksum, that of another object, something else, or nothing. */
type SumBeside =
  | { readonly kind: 'own' | 'foreign'; readonly sha256: string }
  | { readonly kind: 'unreadable' | 'none' }

/** Reads the checksum beside the object with the ETag. Throws S3Error. */
export async function readSum(
  account: S3Account,
  location: S3Location,
  etag: string | null,
  signal: AbortSignal,
): Promise<SumBeside> {
  try {
    const { text } = await askS3ForText(account, { method: 'GET', location: sumOf(location) }, signal)
    const sum = parseSum(text)
    if (sum === null) return { kind: 'unreadable' }
    const isOwn = sum.etag === null || etag === null || sum.etag === bareEtag(etag)
    return { kind: isOwn ? 'own' : 'foreign', sha256: sum.sha256 }
  } catch (error) {
    if (!(error instanceof S3Error)) throw error
    if (error.code === 's3/no-object') return { kind: 'none' }
    if (error.code !== 's3/denied') throw error
    const hint =
      'where there is no checksum, stores answer so to an access key without the right to list (s3:ListBucket): give it that right, or the checksum with --sha256'
    throw new S3Error(error.code, error.message, hint, error)
  }
}
