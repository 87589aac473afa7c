// What an S3-like server has under a name: a whole object, and uploads that have come to no end.
import type { IncomingMessage } from 'node:http'
import { elementOf, S3Error } from '../failure.js'
import { bucketOf, type S3Account, type S3Location } from '../location.js'
import { bareEtag } from '../sum.js'
import { markHeader } from './completion.js'
import { askS3, askS3ForText } from './requests.js'

/** An object that is there. */
interface StoredObject {
  /** Without quotes; null where the server says none. */
  readonly etag: string | null
  /** Of the upload that it was; null for another one's. */
  readonly mark: string | null
  /** Null where the server does not say. */
  readonly bytes: number | null
}

/** What there is under a name; null for nothing. Throws S3Error, also where the bucket is not there. */
export async function lookAtObject(
  account: S3Account,
  location: S3Location,
  signal: AbortSignal,
): Promise<StoredObject | null> {
  try {
    const { statusCode, headers } = await firstByteOf(account, location, signal)
    const { etag, [markHeader]: mark, 'content-range': range, 'content-length': length } = headers
    const bytes = statusCode === 206 ? /\/(\d+)$/.exec(range ?? '')?.[1] : length
    return {
      etag: etag === undefined ? null : bareEtag(etag),
      mark: typeof mark === 'string' ? mark : null,
      bytes: bytes === undefined ? null : Number(bytes),
    }
  } catch (error) {
    if (error instanceof S3Error && error.code === 's3/no-object') return null
    throw error
  }
}

/**
 * The ETag of an object as the server says it, null where it says none. Throws S3Error where it is not there or cannot be read.
 */
export async function etagOfObject(
  account: S3Account,
  location: S3Location,
  signal: AbortSignal,
): Promise<string | null> {
  return (await firstByteOf(account, location, signal)).headers.etag ?? null
}

/** HEAD has no body, which would say whether it is the bucket that is not there. */
async function firstByteOf(
  account: S3Account,
  location: S3Location,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const first = { method: 'GET', location, headers: { range: 'bytes=0-0' } } as const
  const answer = await askS3(account, first, signal)
  answer.destroy()
  return answer
}

/** Deletes an object; none is as good. Throws S3Error. */
export async function deleteObject(
  account: S3Account,
  location: S3Location,
  signal: AbortSignal,
): Promise<void> {
  try {
    await askS3ForText(account, { method: 'DELETE', location }, signal)
  } catch (error) {
    if (!(error instanceof S3Error && error.code === 's3/no-object')) throw error
  }
}

/** Uploads that are told of at a time. */
const listed = 50
/** A name of its own has one upload, or two where the answer to the begin of the first was lost. */
const rounds = 20

/** Has the server forget all uploads to a name that have come to no end. Throws S3Error. */
export async function abortUploads(
  account: S3Account,
  location: S3Location,
  signal: AbortSignal,
): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const ids = await uploadsTo(account, location, signal)
    if (ids.length === 0) return
    for (const uploadId of ids) await abortUpload(account, location, uploadId, signal)
  }
  throw new S3Error('s3/failed', `uploads to ${location.key} are still there after they were aborted`)
}

async function uploadsTo(
  account: S3Account,
  location: S3Location,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const query = { uploads: '', prefix: location.key, 'max-uploads': String(listed) }
  const { text } = await askS3ForText(account, { method: 'GET', location: bucketOf(location), query }, signal)
  const ids = text
    .split('<Upload>')
    .slice(1)
    .filter((one) => elementOf(one, 'Key') === location.key)
    .flatMap((one) => elementOf(one, 'UploadId') ?? [])
  // Else whatever a proxy answers would say that nothing is left.
  if (ids.length === 0 && !text.includes('</ListMultipartUploadsResult>'))
    throw new S3Error('s3/failed', `the list of uploads to ${location.key} is incomplete`)
  return ids
}

/** Has the server forget an upload; none is as good. Throws S3Error. */
export async function abortUpload(
  account: S3Account,
  location: S3Location,
  uploadId: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await askS3ForText(account, { method: 'DELETE', location, query: { uploadId } }, signal)
  } catch (error) {
    if (!(error instanceof S3Error && error.code === 's3/no-upload')) throw error
  }
}
