// Asks an S3-like server: requests are signed (`aws4fetch`), sent by Node's own client, and tried again where that may help.

import { createHash } from 'node:crypto'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { refuseUpgrade } from '../../lib/io/refuse-upgrade.js'
import { describeRefusal, describeServer, isPassing, S3Error } from '../failure.js'
import { type S3Account, type S3Location, s3Url } from '../location.js'

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  readonly location: S3Location
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
}

const tries = 4
const firstDelayMs = 250
/** A connection on which nothing happens for as long is given up. */
const defaultSilentMs = 60_000
/** Of a refusal no more is read. */
const refusalBytes = 64 * 1024

/**
 * The answer to a request, once its head says that it succeeded; its body has to be read by `bodyOf`, or destroyed. Throws S3Error.
 * Asked up to four times where the server is busy or not reached.
 */
export async function askS3(
  account: S3Account,
  asked: S3Request,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return await askUntilTaken(account, asked, signal, (answer) => answer)
}

/** The same, of an answer that is short text: asked again also where that breaks off. */
export async function askS3ForText(
  account: S3Account,
  asked: S3Request,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly etag: string | null }> {
  return await askUntilTaken(account, asked, signal, async (answer) => ({
    text: await beginningOf(account, answer),
    etag: answer.headers.etag ?? null,
  }))
}

/**
 * What the body of an answer holds, as it comes. Fails where nothing comes for a minute; whoever reads it may take as long as he
 * likes.
 */
export async function* bodyOf(
  { silentMs = defaultSilentMs }: S3Account,
  answer: IncomingMessage,
): AsyncGenerator<Buffer, void, undefined> {
  const wait = (): NodeJS.Timeout => setTimeout(() => answer.destroy(silent(silentMs)), silentMs)
  let late = wait()
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      clearTimeout(late)
      yield chunk
      late = wait()
    }
  } finally {
    clearTimeout(late)
  }
}

/** What is made of an answer. */
type Take<T> = (answer: IncomingMessage) => T | Promise<T>

async function askUntilTaken<T>(
  account: S3Account,
  asked: S3Request,
  signal: AbortSignal,
  take: Take<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const ended = await attemptOf(account, asked, signal, take)
    if (!(ended instanceof Passing)) return ended
    if (attempt === tries) throw ended.error
    await delay(firstDelayMs * 2 ** (attempt - 1), undefined, { signal })
  }
}

/** What may go otherwise the next time. */
class Passing {
  readonly error: S3Error

  constructor(error: S3Error) {
    this.error = error
  }
}

async function attemptOf<T>(
  account: S3Account,
  asked: S3Request,
  signal: AbortSignal,
  take: Take<T>,
): Promise<T | Passing> {
  try {
    const answer = await send(account, asked, signal)
    const status = answer.statusCode ?? 0
    if (status >= 200 && status < 300) return await take(answer)
    const refusal = { status, body: await beginningOf(account, answer) }
    const error = describeRefusal(refusal, account, asked.location)
    if (isPassing(refusal)) return new Passing(error)
    throw error
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof S3Error) throw error
    return new Passing(unreachable(account, error))
  }
}

async function send(account: S3Account, asked: S3Request, signal: AbortSignal): Promise<IncomingMessage> {
  const { method, location, query, headers, body = '' } = asked
  const bytes = Buffer.from(body as Uint8Array)
  const { accessKeyId, secretAccessKey, sessionToken, region, silentMs = defaultSilentMs } = account
  const signed = await new AwsV4Signer({
    method,
    url: s3Url(account, location, query),
    // What arrives is compared with it by the server.
    headers: { ...headers, 'x-amz-content-sha256': createHash('sha256').update(bytes).digest('hex') },
    ...{ accessKeyId, secretAccessKey, region, service: 's3' },
    ...(sessionToken !== null && { sessionToken }),
  }).sign()
  const options = {
    method,
    headers: { ...Object.fromEntries(signed.headers), 'content-length': bytes.length },
    signal,
    timeout: silentMs,
  }
  return await new Promise((resolve, reject) => {
    const ask = signed.url.protocol === 'https:' ? httpsRequest : httpRequest
    const request = ask(signed.url, options)
    request.on('timeout', () => request.destroy(silent(silentMs)))
    request.on('response', (answer) => {
      // Whoever reads the body may take a while for it: `bodyOf` counts only while it waits itself.
      request.setTimeout(0)
      resolve(answer)
    })
    refuseUpgrade(request, reject)
    request.on('error', reject).end(bytes)
  })
}

function silent(silentMs: number): Error {
  return new Error(`no data for ${silentMs / 1000} s`)
}

async function beginningOf(account: S3Account, answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of bodyOf(account, answer)) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > refusalBytes) break
  }
  return Buffer.concat(chunks).toString('utf8')
}

export function unreachable(account: S3Account, cause: unknown): S3Error {
  const { message, code } = cause as { readonly message?: string; readonly code?: string }
  const why = message === undefined || message === '' ? (code ?? 'no answer') : message
  const hint = 'MARIPOSA_S3_ENDPOINT and AWS_REGION say where it is'
  return new S3Error('s3/unreachable', `cannot reach ${describeServer(account)}: ${why}`, hint, cause)
}
