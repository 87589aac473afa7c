// What S3-like servers refuse, in our words.
import type { S3Account, S3Location } from './location.js'

/** An S3-like server refused something, or was not reached. */
export class S3Error extends Error {
  override readonly name = 'S3Error'
  readonly code: S3Code
  readonly hint: string | undefined

  constructor(code: S3Code, message: string, hint?: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
    this.hint = hint
  }
}

type S3Code =
  | 's3/denied'
  | 's3/no-bucket'
  | 's3/no-object'
  | 's3/no-upload'
  | 's3/wrong-region'
  | 's3/unreachable'
  | 's3/too-large'
  | 's3/failed'

/** An answer that is no success: its status, and the beginning of its body. */
interface Refusal {
  readonly status: number
  readonly body: string
}

const wrongCredentials: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: 'it knows no such access key',
  SignatureDoesNotMatch: 'the secret key is not that of the access key',
  ExpiredToken: 'the session token has expired',
  InvalidToken: 'the session token is not valid',
  RequestTimeTooSkewed: 'the clock of this machine differs from its own',
}

/** What a refusal means to whoever asked for an object. */
export function describeRefusal(refusal: Refusal, account: S3Account, { bucket, key }: S3Location): S3Error {
  const { status, body } = refusal
  const code = elementOf(body, 'Code') ?? ''
  const server = describeServer(account)
  const credentials = wrongCredentials[code]
  if (credentials !== undefined)
    return new S3Error('s3/denied', `${server} refuses the credentials: ${credentials}`)
  if (code === 'NoSuchBucket')
    return new S3Error('s3/no-bucket', `${server} has no bucket ${bucket}`, 'make it, or name another one')
  const region = elementOf(body, 'Region')
  if (code === 'AuthorizationHeaderMalformed' || code === 'PermanentRedirect' || status === 301)
    return new S3Error(
      's3/wrong-region',
      `the bucket ${bucket} is not in the region ${account.region}`,
      `set AWS_REGION${region === null ? ' to that of the bucket' : ` to ${region}`}`,
    )
  if (status === 403)
    return key === ''
      ? new S3Error(
          's3/denied',
          `${server} does not tell which uploads the bucket ${bucket} has`,
          'the access key needs s3:ListBucketMultipartUploads',
        )
      : new S3Error(
          's3/denied',
          `${server} does not allow this with the object ${key} of the bucket ${bucket}`,
          'the access key needs s3:GetObject, s3:PutObject, s3:DeleteObject and s3:AbortMultipartUpload',
        )
  if (code === 'NoSuchUpload')
    return new S3Error(
      's3/no-upload',
      `${server} no longer has what was sent for ${key}`,
      'somebody else, or a rule of the bucket, may have removed it: try again',
    )
  if (status === 412)
    return new S3Error('s3/failed', `the object ${key} was replaced while it was to be read`, 'try again')
  if (status === 404)
    return new S3Error('s3/no-object', `${server} has no object ${key} in the bucket ${bucket}`)
  const said = [code, elementOf(body, 'Message') ?? ''].filter((one) => one !== '').join(': ')
  return new S3Error('s3/failed', `${server} answers ${status}${said === '' ? '' : ` (${said})`}`)
}

/** Whether asking again may help. */
export function isPassing({ status, body }: Refusal): boolean {
  const code = elementOf(body, 'Code')
  return (
    status === 429 || (status >= 500 && status !== 501) || code === 'RequestTimeout' || code === 'SlowDown'
  )
}

export function describeServer({ endpoint, region }: S3Account): string {
  return endpoint === null ? `S3 (${region})` : endpoint.replace(/\/$/, '')
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

/** The text of the first element of a name; null where there is none. What servers answer here is flat. */
export function elementOf(xml: string, name: string): string | null {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return (
    text?.replace(/&(?:(lt|gt|quot|apos|amp)|#(\d{1,6}));/g, (_, word: string | undefined, number: string) =>
      word === undefined ? String.fromCodePoint(Math.min(Number(number), 0x10ffff)) : (entities[word] ?? ''),
    ) ?? null
  )
}

/** Text as it stands in XML. */
export function escapedForXml(text: string): string {
  return text.replace(/[<>"'&]/g, (one) => `&#${one.charCodeAt(0)};`)
}
