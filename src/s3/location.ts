// Objects of S3-like servers: how they are named, who asks for them, and the URLs that they have.

/** Names an object. */
export interface S3Location {
  readonly bucket: string
  readonly key: string
}

/** Which S3-like server is asked, and as whom. */
export interface S3Account {
  /** Such as `https://minio.example:9000`, whose buckets are paths; null for Amazon's own. */
  readonly endpoint: string | null
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of credentials that end by themselves; null for others. */
  readonly sessionToken: string | null
  /** How long it may say and take nothing; default: a minute. */
  readonly silentMs?: number
}

/** The bucket itself, which is asked which uploads it has. */
export function bucketOf({ bucket }: S3Location): S3Location {
  return { bucket, key: '' }
}

/** What is wrong with a text, and what to do about it. */
export interface S3Problem {
  readonly message: string
  readonly hint: string
}

export const s3Scheme = 's3://'

/** What stands beside an object: its SHA-256, as `sha256sum` writes it. */
export const sumSuffix = '.sha256'

/** Where the checksum of an object is. */
export function sumOf({ bucket, key }: S3Location): S3Location {
  return { bucket, key: `${key}${sumSuffix}` }
}

const bucketPattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
/** The limit of keys is 1,024 bytes, and the checksum has to fit in as well. */
const keyBytes = 1024 - sumSuffix.length

/** Reads `s3://BUCKET/KEY`. */
export function parseS3Location(text: string): S3Location | S3Problem {
  const [, bucket = '', key = ''] = /^s3:\/\/([^/]*)\/?(.*)$/s.exec(text) ?? []
  const hint = 'write s3://BUCKET/PREFIX/NAME'
  if (!bucketPattern.test(bucket) || bucket.includes('..'))
    return { message: `${JSON.stringify(bucket)} is not a bucket name`, hint }
  if (key === '') return { message: `${text} names no object in the bucket`, hint }
  if (key.split('/').some((step) => step === '' || step === '.' || step === '..'))
    return { message: `the name of an object has no empty part, . or ..: ${text}`, hint }
  if (/[\p{Cc}\p{Cs}]/u.test(key) || new TextEncoder().encode(key).length > keyBytes)
    return { message: `an object has at most ${keyBytes} bytes in its name, and no control characters`, hint }
  return { bucket, key }
}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads who asks, and whom, from the variables that Amazon's tools read as well, and `MARIPOSA_S3_ENDPOINT`. */
export function s3AccountOf(env: Environment): S3Account | S3Problem {
  const first = (...names: readonly string[]): string | null =>
    names.map((name) => env[name] ?? '').find((value) => value !== '') ?? null
  const accessKeyId = first('AWS_ACCESS_KEY_ID')
  const secretAccessKey = first('AWS_SECRET_ACCESS_KEY')
  if (accessKeyId === null || secretAccessKey === null)
    return {
      message: 'there are no credentials for s3://',
      hint: 'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; profiles and roles of machines are not read',
    }
  const sessionToken = first('AWS_SESSION_TOKEN')
  // They stand in headers, and what refuses those would say them.
  const odd = Object.entries({
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken ?? '',
  }).find(([, value]) => /[^\x21-\x7e]/.test(value))
  if (odd !== undefined)
    return {
      message: `${odd[0]} has a character that no credential has: a blank, the end of a line, or none of ASCII`,
      hint: 'set it to the value alone; it is not shown here, as it is secret',
    }
  const endpoint = first('MARIPOSA_S3_ENDPOINT', 'AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL')
  const region = first('AWS_REGION', 'AWS_DEFAULT_REGION') ?? 'us-east-1'
  if (endpoint !== null && !isEndpoint(endpoint))
    return {
      message: `${withoutPassword(endpoint)} is not an endpoint for s3://`,
      hint: 'write http://HOST:PORT or https://HOST:PORT, without a path',
    }
  if (!/^[a-z0-9-]{1,40}$/.test(region))
    return {
      message: `${JSON.stringify(region)} is not a region`,
      hint: 'set AWS_REGION, as to eu-central-1',
    }
  return { endpoint, region, accessKeyId, secretAccessKey, sessionToken }
}

function withoutPassword(text: string): string {
  return text.replace(/\/\/.*@/s, '//…@')
}

function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, pathname, search, hash, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && `${pathname}${search}${hash}${username}${password}` === '/'
}

/** The URL of an object. Buckets are paths at an endpoint of one's own, and hosts at Amazon where certificates allow it. */
export function s3Url(
  { endpoint, region }: S3Account,
  { bucket, key }: S3Location,
  query: Readonly<Record<string, string>> = {},
): string {
  const path = key.split('/').map(encoded).join('/')
  const host = `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
  const base =
    endpoint !== null
      ? `${endpoint.replace(/\/$/, '')}/${bucket}`
      : bucket.includes('.')
        ? `https://${host}/${bucket}`
        : `https://${bucket}.${host}`
  const asked = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
  return `${base}/${path}${asked.length === 0 ? '' : `?${asked.join('&')}`}`
}

/** As signatures count it: all but letters, digits and `-_.~`. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
