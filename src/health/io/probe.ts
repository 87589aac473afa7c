// Sends one probe to one instance: an HTTP request or a command.
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Readable } from 'node:stream'
import type { CommandCheck, HealthCheck, HttpCheck } from '../../model/health-check.js'
import type { ProbeFailure } from '../sample.js'

/** How an instance can be reached from this machine. */
export interface ProbeTarget {
  /** Where a port of the manifest answers: a container's own port, or the host port that was given to a program. */
  portOf(port: number): Endpoint
  /** Runs a program beside the instance. Ends it when `signal` aborts. Output may be cut, but keeps its end. */
  exec(argv: readonly string[], user: string | null, signal: AbortSignal): Promise<ExecResult>
}

export interface Endpoint {
  readonly address: string
  readonly port: number
}

export interface ExecResult {
  readonly code: number
  readonly output: string
}

/**
 * Probes once, for at most `timeoutMs`. Null when the instance passed. Every fault of the instance is a value;
 * rejects only when `signal` aborts.
 */
export async function probe(
  check: HealthCheck,
  target: ProbeTarget,
  signal: AbortSignal,
): Promise<ProbeFailure | null> {
  signal.throwIfAborted()
  const deadline = startDeadline(check.timeoutMs, signal)
  const attempt =
    check.type === 'command' ? runCommand(check, target, deadline.signal) : request(check, target, deadline)
  const outcome = await Promise.race([attempt, deadline.passed])
  if (check.type === 'command') deadline.end()
  signal.throwIfAborted()
  return outcome
}

/** A signal that aborts with the caller's or when the time is over, and a promise of either. */
interface Deadline {
  readonly signal: AbortSignal
  readonly passed: Promise<ProbeFailure>
  end(): void
}

function startDeadline(timeoutMs: number, signal: AbortSignal): Deadline {
  const abort = new AbortController()
  const passed = new Promise<ProbeFailure>((resolve) => {
    abort.signal.addEventListener('abort', () => resolve({ kind: 'timeout', afterMs: timeoutMs }), {
      once: true,
    })
  })
  const expire = () => abort.abort()
  const timer = setTimeout(expire, timeoutMs)
  signal.addEventListener('abort', expire, { once: true })
  const end = () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', expire)
  }
  abort.signal.addEventListener('abort', end, { once: true })
  return { signal: abort.signal, passed, end }
}

/**
 * 200 to 399 is healthy, as for `curl --fail` in a Docker healthcheck and for Kubernetes: a redirect to a login page
 * is an answer of a program that works. It is not followed, since it may lead to another host.
 * No proxy is asked, and no certificate checked: the request goes to an address that we gave the instance ourselves,
 * and its certificate names the service's public host, never that address.
 */
async function request(
  check: HttpCheck,
  target: ProbeTarget,
  deadline: Deadline,
): Promise<ProbeFailure | null> {
  const { default: axios } = await import('axios')
  try {
    const response = await axios.get<Readable>(urlOf(check, target.portOf(check.port)), {
      adapter: 'http',
      responseType: 'stream',
      decompress: false,
      maxRedirects: 0,
      proxy: false,
      httpAgent,
      httpsAgent,
      headers: { accept: '*/*', 'user-agent': 'mariposa-healthcheck' },
      signal: deadline.signal,
      validateStatus: () => true,
    })
    drain(response.data, deadline)
    return response.status >= 200 && response.status < 400
      ? null
      : { kind: 'status', status: response.status }
  } catch (error) {
    deadline.end()
    return { kind: 'no-answer', code: codeOf(error) }
  }
}

// One connection per probe: a kept one would hide that the program no longer accepts new ones.
const httpAgent = new HttpAgent({ keepAlive: false })
const httpsAgent = new HttpsAgent({ keepAlive: false, rejectUnauthorized: false })

function urlOf(check: HttpCheck, { address, port }: Endpoint): string {
  const host = address.includes(':') ? `[${address}]` : address
  return `${check.type}://${host}:${port}${check.path.startsWith('/') ? '' : '/'}${check.path}`
}

/**
 * Reads on after the verdict, so that the program does not see its answer cut off, but not for ever: until the end,
 * the limit or the deadline. Nothing of it is kept.
 */
function drain(body: Readable, deadline: Deadline): void {
  let received = 0
  const drop = () => body.destroy()
  deadline.signal.addEventListener('abort', drop, { once: true })
  body.on('data', (chunk: Uint8Array) => {
    received += chunk.byteLength
    if (received > bodyLimitBytes) drop()
  })
  body.on('error', drop)
  body.on('close', () => deadline.end())
  if (deadline.signal.aborted) drop()
}

const bodyLimitBytes = 64 * 1024

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}

async function runCommand(
  check: CommandCheck,
  target: ProbeTarget,
  signal: AbortSignal,
): Promise<ProbeFailure | null> {
  try {
    const { code, output } = await target.exec(check.argv, check.user, signal)
    return code === 0 ? null : { kind: 'exit', code, lastLine: lastLineOf(output) }
  } catch (error) {
    return { kind: 'not-run', message: error instanceof Error ? error.message : String(error) }
  }
}

function lastLineOf(output: string): string {
  const line = output.trimEnd().split('\n').at(-1) ?? ''
  return line.trim().slice(0, lastLineLimit)
}

const lastLineLimit = 200
