// The end of an upload: its parts become the object, or not, and which of both it was is known also where the answer was lost.
import { basename } from 'node:path/posix'
import { elementOf, escapedForXml, S3Error } from '../failure.js'
import { type S3Account, type S3Location, sumOf } from '../location.js'
import { bareEtag, parseSum, printSum } from '../sum.js'
import { askS3, askS3ForText } from './requests.js'

/** What has been sent. */
interface SentUpload {
  readonly account: S3Account
  readonly location: S3Location
  readonly uploadId: string
  /** What the object has in its metadata, by which it is told from those of other uploads. */
  readonly mark: string
  readonly etags: readonly string[]
  readonly sha256: string
}

/** The header of objects that says which upload they are of. */
export const markHeader = 'x-amz-meta-mariposa-upload'

/**
 * Has an upload be the object, with its checksum beside it. What was there before keeps its own until then: a checksum says
 * which object it is of. Throws S3Error.
 */
export async function completeUpload(sent: SentUpload, signal: AbortSignal): Promise<void> {
  const { account, location, sha256 } = sent
  await nameObjectOfSum(account, location, signal)
  const etag = await putTogether(sent, signal)
  try {
    await writeSum(account, location, printSum({ sha256, etag }, basename(location.key)), signal)
  } catch (error) {
    if (!(error instanceof S3Error)) throw error
    const message = `the object is whole, and its checksum (SHA-256 ${sha256}) could not be written beside it: ${error.message}`
    throw new S3Error(error.code, message, error.hint, error)
  }
}

/** The ETag of the object that the upload has become. */
async function putTogether(sent: SentUpload, signal: AbortSignal): Promise<string> {
  try {
    const told = await askedToComplete(sent, signal)
    if (told !== null) return bareEtag(told)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof S3Error)) throw error
    return await etagDespite(error, sent, signal)
  }
  const found = await headOf(sent, signal)
  if (found !== null && found.mark === sent.mark) return found.etag
  throw new S3Error('s3/failed', `another backup was put at ${sent.location.key} meanwhile`)
}

async function askedToComplete(sent: SentUpload, signal: AbortSignal): Promise<string | null> {
  const { account, location, uploadId, etags } = sent
  const headers = { 'content-type': 'application/xml' }
  const asked = { method: 'POST', location, query: { uploadId }, headers, body: listOf(etags) } as const
  const { text } = await askS3ForText(account, asked, signal)
  // Servers say 200 before they know.
  const code = elementOf(text, 'Code')
  if (code !== null) throw new S3Error('s3/failed', `the upload was not put together: ${code}`)
  return elementOf(text, 'ETag')
}

/** The answer may have been lost, and asking again then says that there is no such upload: the object itself knows. */
async function etagDespite(error: S3Error, sent: SentUpload, signal: AbortSignal): Promise<string> {
  const isGone = error.code === 's3/no-upload'
  let found: FoundObject | null
  try {
    found = await headOf(sent, signal)
  } catch (unasked) {
    signal.throwIfAborted()
    if (!isGone || !(unasked instanceof S3Error)) throw error
    const message = `${error.message}, and whether it has become the object could not be seen: ${unasked.message}`
    throw new S3Error(error.code, message, unasked.hint, error)
  }
  if (found !== null && found.mark === sent.mark) return found.etag
  if (!isGone) throw error
  const left = found === null ? 'there is no object' : 'the object is another one'
  throw new S3Error(error.code, `${error.message}, and ${left}: nothing of this backup is left`, error.hint)
}

interface FoundObject {
  readonly etag: string
  readonly mark: string | null
}

async function headOf(
  { account, location }: Pick<SentUpload, 'account' | 'location'>,
  signal: AbortSignal,
): Promise<FoundObject | null> {
  try {
    const answer = await askS3(account, { method: 'HEAD', location }, signal)
    answer.resume()
    const { etag, [markHeader]: mark } = answer.headers
    return etag === undefined ? null : { etag: bareEtag(etag), mark: typeof mark === 'string' ? mark : null }
  } catch (error) {
    if (error instanceof S3Error && error.code === 's3/no-object') return null
    throw error
  }
}

/** A checksum that does not say which object it is of, as those of before, would be beside the new one if this ended in between. */
async function nameObjectOfSum(account: S3Account, location: S3Location, signal: AbortSignal): Promise<void> {
  try {
    // In this order it is not said of an object that comes meanwhile.
    const found = await headOf({ account, location }, signal)
    if (found === null) return
    const { text } = await askS3ForText(account, { method: 'GET', location: sumOf(location) }, signal)
    const sum = parseSum(text)
    if (sum === null || sum.etag !== null) return
    await writeSum(account, location, printSum({ ...sum, etag: found.etag }, basename(location.key)), signal)
  } catch (error) {
    // There is none, or none that may be read, which some stores do not tell apart.
    if (!(error instanceof S3Error && ['s3/no-object', 's3/denied'].includes(error.code))) throw error
  }
}

async function writeSum(
  account: S3Account,
  location: S3Location,
  body: string,
  signal: AbortSignal,
): Promise<void> {
  const headers = { 'content-type': 'text/plain' }
  await askS3ForText(account, { method: 'PUT', location: sumOf(location), headers, body }, signal)
}

function listOf(etags: readonly string[]): string {
  const parts = etags.map(
    (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapedForXml(etag)}</ETag></Part>`,
  )
  return `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`
}
