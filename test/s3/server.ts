// An S3-like server for tests. It trusts nothing: it counts each signature itself, by the description of Signature Version 4,
// compares what came with its checksum, and refuses as Amazon's does. What clients do wrong is thus seen.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface S3Server {
  readonly url: string
  /** By `bucket/key`. */
  readonly objects: Map<string, Buffer>
  /** Uploads that are neither put together nor aborted. */
  readonly uploads: ReadonlyMap<string, unknown>
  /**
   * What is answered before anything else is looked at, where it returns something; `lost` is done, and not answered; of what is done
   * for `stall`, half of the answer comes and then nothing.
   */
  intercept: (asked: Asked) => Answer | 'cut' | 'half' | 'hang' | 'lost' | 'stall' | null
  /** Awaited between what was asked and its answer. */
  after: (asked: Asked) => Promise<void>
  /** Method and path with its query of all that was asked. */
  readonly asked: string[]
  close(): Promise<void>
}

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
}

/** What objects have that came in parts. */
interface Details {
  readonly etag: string
  readonly mark: string | undefined
}
const details = new WeakMap<Buffer, Details>()
const markHeader = 'x-amz-meta-mariposa-upload'

interface Answer {
  /** Whether half of the body comes, and then nothing. */
  readonly stalls?: boolean
  readonly status: number
  readonly body?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

export const account = {
  region: 'eu-test-1',
  accessKeyId: 'AKIDTEST',
  secretAccessKey: 'secret/of+the=test',
}

interface Upload {
  readonly object: string
  readonly mark: string | undefined
  readonly parts: Map<number, { readonly etag: string; readonly bytes: Buffer }>
}

/** As a refusal: its code is the status' text in S3. */
const refusal = (status: number, code: string, more = ''): Answer => ({
  status,
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>it is so &amp; not otherwise</Message>${more}</Error>`,
})

/** The least that all parts but the last have to have. */
const leastPartBytes = 5 * 1024 ** 2

export async function openS3Server(buckets: readonly string[]): Promise<S3Server> {
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, Upload>()
  const asked: string[] = []
  const http: Server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const url = new URL(request.url ?? '', 'http://s3')
    asked.push(`${request.method} ${request.url}`)
    const wanted = { method: request.method ?? '', path: url.pathname, query: url.searchParams }
    const taken = server.intercept(wanted)
    if (taken === 'hang') return
    if (taken === 'cut') {
      request.socket.destroy()
      return
    }
    if (taken === 'half') {
      response.writeHead(200, { 'content-length': 2000 }).write('half', () => request.socket.destroy())
      return
    }
    const body = Buffer.concat(chunks)
    const judge = (): Answer => judged(request, body, () => served(wanted, body, request))
    if (taken === 'lost') {
      judge()
      request.socket.destroy()
      return
    }
    const given = taken === null || taken === 'stall' ? judge() : taken
    const { status, headers, body: text = '' } = given
    await server.after(wanted)
    response.writeHead(status, { 'content-length': Buffer.byteLength(text), ...headers })
    if (taken !== 'stall' && given.stalls !== true) return void response.end(text)
    response.flushHeaders()
    response.write(Buffer.from(text).subarray(0, Buffer.byteLength(text) / 2))
  }
  const served = ({ method, path, query }: Asked, body: Buffer, request: IncomingMessage): Answer => {
    const [, bucket = '', ...rest] = path.split('/').map(decodeURIComponent)
    if (!buckets.includes(bucket)) return refusal(404, 'NoSuchBucket')
    const object = [bucket, ...rest].join('/')
    const id = query.get('uploadId')
    if (method === 'GET' && query.has('uploads')) return listed(uploads, bucket, query.get('prefix') ?? '')
    if (method === 'POST' && query.has('uploads')) return begun(uploads, object, request)
    if (id !== null) return ofUpload({ uploads, objects, id, method, query, body })
    if (method === 'PUT') {
      objects.set(object, body)
      return { status: 200, headers: { etag: etagOf(body) } }
    }
    if (method === 'DELETE') {
      objects.delete(object)
      return { status: 204 }
    }
    const found = objects.get(object)
    if (found === undefined) return refusal(404, 'NoSuchKey')
    const { etag, mark } = details.get(found) ?? { etag: etagOf(found) }
    const headers = { etag, ...(mark !== undefined && { [markHeader]: mark }) }
    if ((request.headers['if-match'] ?? etag) !== etag) return refusal(412, 'PreconditionFailed')
    if (method === 'HEAD') return { status: 200, headers }
    const isFirst = request.headers.range === 'bytes=0-0'
    const range = { 'content-range': `bytes 0-0/${found.length}` }
    return isFirst
      ? { status: 206, headers: { ...headers, ...range }, body: found.subarray(0, 1) }
      : { status: 200, headers, body: found }
  }
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const server: S3Server = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    ...{ objects, uploads, asked },
    intercept: () => null,
    after: async () => {},
    close: async () => {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
  return server
}

function begun(uploads: Map<string, Upload>, object: string, { headers }: IncomingMessage): Answer {
  const id = `${uploads.size + 1}/+&=${Math.random()}`
  const mark = headers[markHeader]?.toString()
  uploads.set(id, { object, mark, parts: new Map() })
  return {
    status: 200,
    body: `<InitiateMultipartUploadResult><UploadId>${id.replace('&', '&amp;')}</UploadId></InitiateMultipartUploadResult>`,
  }
}

/** Of one name alone. */
function listed(uploads: Map<string, Upload>, bucket: string, key: string): Answer {
  const found = [...uploads].filter(([, { object }]) => object === `${bucket}/${key}`)
  const inXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const rows = found.map(
    ([id]) => `<Upload><Key>${inXml(key)}</Key><UploadId>${inXml(id)}</UploadId></Upload>`,
  )
  return {
    status: 200,
    body: `<?xml version="1.0"?>\n<ListMultipartUploadsResult><Bucket>${bucket}</Bucket>${rows.join('')}</ListMultipartUploadsResult>`,
  }
}

interface OfUpload {
  readonly uploads: Map<string, Upload>
  readonly objects: Map<string, Buffer>
  readonly id: string
  readonly method: string
  readonly query: URLSearchParams
  readonly body: Buffer
}

function ofUpload({ uploads, objects, id, method, query, body }: OfUpload): Answer {
  const upload = uploads.get(id)
  if (upload === undefined) return refusal(404, 'NoSuchUpload')
  if (method === 'PUT') {
    const etag = etagOf(body)
    upload.parts.set(Number(query.get('partNumber')), { etag, bytes: body })
    return { status: 200, headers: { etag } }
  }
  if (method === 'DELETE') {
    uploads.delete(id)
    return { status: 204 }
  }
  const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)]
  const bytes: Buffer[] = []
  for (const [index, [, number, etag]] of named.entries()) {
    const part = upload.parts.get(Number(number))
    if (part === undefined || part.etag !== etag?.replaceAll('&#34;', '"')) return refusal(400, 'InvalidPart')
    if (index < named.length - 1 && part.bytes.length < leastPartBytes) return refusal(400, 'EntityTooSmall')
    bytes.push(part.bytes)
  }
  if (bytes.length === 0) return refusal(400, 'MalformedXML')
  uploads.delete(id)
  const whole = Buffer.concat(bytes)
  const etag = `"${etagOf(whole).slice(1, -1)}-${bytes.length}"`
  details.set(whole, { etag, mark: upload.mark })
  objects.set(upload.object, whole)
  const told = etag.replaceAll('"', '&quot;')
  return {
    status: 200,
    body: `<CompleteMultipartUploadResult><ETag>${told}</ETag></CompleteMultipartUploadResult>`,
  }
}

const etagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`
const hexSha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** All but letters, digits and `-_.~` as `%XX`. */
const percent = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => {
      const letter = String.fromCharCode(byte)
      return /[A-Za-z0-9._~-]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')

/** Answers what is signed by the account of the tests, and refuses the rest. */
function judged(request: IncomingMessage, body: Buffer, serve: () => Answer): Answer {
  const { headers, method = '', url = '' } = request
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/
  const [, key, day = '', region = '', names = '', signature = ''] =
    form.exec(headers.authorization ?? '') ?? []
  if (key === undefined) return refusal(403, 'AccessDenied')
  if (key !== account.accessKeyId) return refusal(403, 'InvalidAccessKeyId')
  if (region !== account.region)
    return refusal(400, 'AuthorizationHeaderMalformed', `<Region>${account.region}</Region>`)
  const signed = names.split(';')
  const hasToBe = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-amz-'))
  if (hasToBe.some((name) => !signed.includes(name))) return refusal(403, 'AccessDenied')
  const date = String(headers['x-amz-date'])
  const said = String(headers['x-amz-content-sha256'])
  if (said !== hexSha256(body)) return refusal(400, 'XAmzContentSHA256Mismatch')
  const [path = '', query = ''] = url.split('?')
  const canonical = [
    method,
    path
      .split('/')
      .map((step) => percent(decodeURIComponent(step)))
      .join('/'),
    query
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => pair.split('='))
      .map(
        ([name = '', value = '']) =>
          `${percent(decodeURIComponent(name))}=${percent(decodeURIComponent(value))}`,
      )
      .sort()
      .join('&'),
    ...signed.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    said,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', date, scope, hexSha256(canonical)].join('\n')
  const signingKey = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${account.secretAccessKey}`,
  )
  const wanted = hmac(signingKey, toSign)
  if (!date.startsWith(day) || !timingSafeEqual(wanted, Buffer.from(signature, 'hex')))
    return refusal(403, 'SignatureDoesNotMatch')
  return serve()
}
