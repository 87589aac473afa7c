// Sends one probe to one instance: an HTTP request or a command.
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { assertNever } from '../../lib/invariant.js'
import type { CommandCheck, HealthCheck, HttpCheck, TelemetryCheck } from '../../model/health-check.js'
import { describeMs, describeNoAnswer } from '../describe.js'
import type { ProbeFailure } from '../sample.js'
import { parseTelemetryStatus, unhealthyJobs } from '../telemetry.js'
import { codeOf, type HttpTarget, readText, sendGet } from './http-get.js'

/** How an instance can be reached from this machine. */
export interface ProbeTarget {
  /** Where a port of the manifest answers on a network; null: by itself, at its own port or its host port. */
  portOf(port: number, network: string | null): Endpoint | NoEndpoint
  /** Runs a program beside the instance. Ends it when `signal` aborts. Output may be cut, but keeps its end. */
  exec(argv: readonly string[], user: string | null, signal: AbortSignal): Promise<ExecResult>
}

export interface Endpoint {
  readonly address: string
  readonly port: number
}

/** Why it cannot be asked on a network. */
export interface NoEndpoint {
  readonly why: string
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
  const outcome = await Promise.race([attempt(check, target, deadline), deadline.passed])
  signal.throwIfAborted()
  if (check.type === 'containerpilot' && outcome?.kind === 'timeout')
    return { kind: 'no-telemetry', why: `no answer within ${describeMs(outcome.afterMs)}` }
  return outcome
}

function attempt(check: HealthCheck, target: ProbeTarget, deadline: Deadline): Promise<ProbeFailure | null> {
  switch (check.type) {
    case 'command':
      return runCommand(check, target, deadline)
    case 'http':
    case 'https':
      return request(check, target, deadline)
    case 'containerpilot':
      return readTelemetry(check, target, deadline)
    default:
      return assertNever(check)
  }
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
 * is an answer of a program that works. It is followed only where the check says so, and only within the instance.
 * Unless the check asks for it no certificate is checked: the request goes to an address that we gave the instance
 * ourselves, and its certificate names the service's public host, never that address.
 */
async function request(
  check: HttpCheck,
  target: ProbeTarget,
  deadline: Deadline,
): Promise<ProbeFailure | null> {
  const most = check.redirects ?? 0
  const portOf = (port: number) => target.portOf(port, check.network ?? null)
  const first = portOf(check.port)
  if ('why' in first) {
    deadline.end()
    return { kind: 'not-asked', why: first.why }
  }
  let place = firstPlace(check, first)
  try {
    for (let followed = 0; ; followed += 1) {
      const answer = await sendGet(place, deadline.signal)
      const next = most > 0 ? redirectWithin(place, answer, portOf) : null
      if (next === null || followed === most) drain(answer, deadline)
      if (next === null) return verdictOn(answer.statusCode ?? 0)
      if (followed === most) return { kind: 'redirects', followed }
      answer.destroy()
      place = next
    }
  } catch (error) {
    deadline.end()
    return { kind: 'no-answer', code: codeOf(error) }
  }
}

function firstPlace(check: HttpCheck, endpoint: Endpoint): HttpTarget {
  const { type, path, serverName = null, verify = false } = check
  return { scheme: type, ...endpoint, path, serverName, verify }
}

function verdictOn(status: number): ProbeFailure | null {
  return status >= 200 && status < 400 ? null : { kind: 'status', status }
}

/** Where an answer leads to within the same instance; null when it leads nowhere, to another host or out of reach. */
function redirectWithin(
  place: HttpTarget,
  { statusCode = 0, headers }: IncomingMessage,
  portOf: (port: number) => Endpoint | NoEndpoint,
): HttpTarget | null {
  if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined) return null
  const host = place.serverName ?? (place.address.includes(':') ? `[${place.address}]` : place.address)
  const from = `${place.scheme}://${host}:${place.port}${place.path}`
  if (!URL.canParse(headers.location, from)) return null
  const [here, there] = [new URL(from), new URL(headers.location, from)]
  const scheme = there.protocol.slice(0, -1)
  if ((scheme !== 'http' && scheme !== 'https') || there.hostname !== here.hostname) return null
  const path = there.pathname + there.search
  if (there.origin === here.origin) return { ...place, path }
  const port = Number(there.port) || (scheme === 'https' ? 443 : 80)
  const endpoint = portOf(port)
  return 'why' in endpoint ? null : { ...place, scheme, ...endpoint, path }
}

/** What ContainerPilot says of its jobs. Where it says nothing that can be read, that is no fault of the instance. */
async function readTelemetry(
  check: TelemetryCheck,
  target: ProbeTarget,
  deadline: Deadline,
): Promise<ProbeFailure | null> {
  const place = { scheme: 'http', path: '/status', serverName: null, verify: false } as const
  const endpoint = target.portOf(check.port, check.network ?? null)
  try {
    if ('why' in endpoint) return { kind: 'no-telemetry', why: endpoint.why }
    const answer = await sendGet({ ...place, ...endpoint }, deadline.signal)
    if (answer.statusCode !== 200) {
      answer.destroy()
      return { kind: 'no-telemetry', why: `it answered ${answer.statusCode ?? 0}` }
    }
    const status = parseTelemetryStatus(await readText(answer, telemetryLimitBytes))
    if ('problem' in status) return { kind: 'no-telemetry', why: status.problem }
    const names = unhealthyJobs(status)
    return names.length === 0 ? null : { kind: 'jobs', names }
  } catch (error) {
    return { kind: 'no-telemetry', why: describeNoAnswer(codeOf(error)) }
  } finally {
    deadline.end()
  }
}

const telemetryLimitBytes = 1024 * 1024

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

async function runCommand(
  check: CommandCheck,
  target: ProbeTarget,
  deadline: Deadline,
): Promise<ProbeFailure | null> {
  try {
    const { code, output } = await target.exec(check.argv, check.user, deadline.signal)
    return code === 0 ? null : { kind: 'exit', code, lastLine: lastLineOf(output) }
  } catch (error) {
    return { kind: 'not-run', message: error instanceof Error ? error.message : String(error) }
  } finally {
    deadline.end()
  }
}

function lastLineOf(output: string): string {
  const line = output.trimEnd().split('\n').at(-1) ?? ''
  return line.trim().slice(0, lastLineLimit)
}

const lastLineLimit = 200
