// Sends one probe to one instance: an HTTP request, a connection or a command.
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Readable } from 'node:stream'
import { assertNever } from '../../lib/invariant.js'
import { systemClock } from '../../lib/io/clock.js'
import type { Time, Timer } from '../../lib/time.js'
import type {
  CommandCheck,
  HealthCheck,
  HttpCheck,
  TcpCheck,
  TelemetryCheck,
} from '../../model/health-check.js'
import { describeMs, describeNoAnswer } from '../describe.js'
import type { ProbeFailure } from '../sample.js'
import { parseTelemetryStatus, unhealthyJobs } from '../telemetry.js'
import { codeOf, type HttpTarget, readText, sendGet } from './http-get.js'

/** How an instance can be reached from this machine. */
export interface ProbeTarget {
  /** Where a port of the manifest answers on a network; null: by itself, at its own port or its host port. */
  portOf(port: number, network: string | null): Endpoint | NoEndpoint
  /**
   * Runs a program beside the instance, and tells when it runs and how to see that it still does. Ends it when `signal` aborts. Output may be cut, but
   * keeps its end. An error with a true `permanent` is a fault of the check; with any other it was not asked.
   */
  exec(
    argv: readonly string[],
    user: string | null,
    signal: AbortSignal,
    onRunning: (stillRuns?: () => boolean) => void,
  ): Promise<ExecResult>
}

/** Where a check asks. */
export interface Endpoint {
  readonly address: string
  readonly port: number
}

/** Why it cannot be asked on a network. */
export interface NoEndpoint {
  readonly why: string
}

/** How a command of a check ended. */
export interface ExecResult {
  readonly code: number
  readonly output: string
}

/** Told of a probe while it is under way. */
interface ProbeWatch {
  /** The instance is being asked from now on: the request is sent, the program runs. */
  readonly onAsked?: () => void
  /** Half of the time for the answer has gone by. */
  readonly onHalf?: () => void
}

/**
 * Probes once, for at most `timeoutMs` from when the instance is asked. Null when the instance passed. Every fault of
 * the instance is a value; rejects only when `signal` aborts.
 */
export async function probe(
  check: HealthCheck,
  target: ProbeTarget,
  signal: AbortSignal,
  watch: ProbeWatch = {},
  time: Pick<Time, 'after'> = systemClock,
): Promise<ProbeFailure | null> {
  signal.throwIfAborted()
  const deadline = startDeadline(check, signal, watch, time)
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
    case 'tcp':
      return connectTo(check, target, deadline)
    case 'containerpilot':
      return readTelemetry(check, target, deadline)
    default:
      return assertNever(check)
  }
}

/** A signal that aborts with the caller's or when the time is over, and a promise of what is said then. */
interface Deadline {
  readonly signal: AbortSignal
  readonly passed: Promise<ProbeFailure>
  /** The time for the answer counts from the first call of it. What has ended by then is not late, but told late. */
  asked(stillRuns?: () => boolean): void
  end(): void
}

function startDeadline(
  { timeoutMs, type }: HealthCheck,
  signal: AbortSignal,
  watch: ProbeWatch,
  time: Pick<Time, 'after'>,
): Deadline {
  const abort = new AbortController()
  const timers: Timer[] = []
  const passed = deferredFailure()
  let [isAsked, isEnded, isOver] = [false, false, false]
  const expire = (failure: ProbeFailure): void => {
    isOver = true
    passed.resolve(failure)
    end()
    abort.abort()
  }
  const giveUp = (): void => expire({ kind: 'timeout', afterMs: timeoutMs })
  const end = (): void => {
    isEnded = true
    for (const timer of timers.splice(0)) timer.cancel()
    signal.removeEventListener('abort', giveUp)
  }
  const waitFor = (lack: string): void => {
    if (isEnded) return
    const withinMs = Math.max(timeoutMs, hostWithinMs)
    const why = `${lack} within ${describeMs(withinMs)}`
    timers.push(time.after(withinMs, () => expire({ kind: 'not-asked', why })))
  }
  const asked = (stillRuns: () => boolean = () => true): void => {
    if (isAsked || isOver) return
    isAsked = true
    for (const timer of timers.splice(0)) timer.cancel()
    watch.onAsked?.()
    if (watch.onHalf !== undefined) timers.push(time.after(timeoutMs / 2, watch.onHalf))
    // What has come in while this process was held up is read before it is said that nothing came.
    const judge = (): void => (stillRuns() ? giveUp() : waitFor('the end of the command was not told'))
    timers.push(time.after(timeoutMs, () => setImmediate(judge)))
  }
  signal.addEventListener('abort', giveUp, { once: true })
  if (type === 'command') waitFor('the command did not begin')
  else asked()
  return { signal: abort.signal, passed: passed.promise, asked, end }
}

/** How long it may take until a command runs, and until its end is told: as long as that, the host is busy with others. */
const hostWithinMs = 30_000

function deferredFailure(): {
  readonly promise: Promise<ProbeFailure>
  resolve(failure: ProbeFailure): void
} {
  let resolve: (failure: ProbeFailure) => void = () => {}
  const promise = new Promise<ProbeFailure>((take) => {
    resolve = take
  })
  return { promise, resolve }
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
    return { kind: 'off-network', why: first.why }
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
    return noAnswer(error)
  }
}

/** To take a connection is to pass; it is closed again without a word. */
async function connectTo(
  check: TcpCheck,
  target: ProbeTarget,
  deadline: Deadline,
): Promise<ProbeFailure | null> {
  const endpoint = target.portOf(check.port, check.network ?? null)
  try {
    if ('why' in endpoint) return { kind: 'off-network', why: endpoint.why }
    await connected(endpoint, deadline.signal)
    return null
  } catch (error) {
    return noAnswer(error)
  } finally {
    deadline.end()
  }
}

function connected({ address, port }: Endpoint, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, signal })
    socket.on('error', reject)
    socket.on('connect', () => {
      resolve()
      socket.destroy()
    })
  })
}

function noAnswer(error: unknown): ProbeFailure {
  const code = codeOf(error)
  return outOfMeans.has(code) ? { kind: 'not-asked', why: code } : { kind: 'no-answer', code }
}

/** What this machine lacks to ask at all. */
const outOfMeans: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL'])

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
    const { code, output } = await target.exec(check.argv, check.user, deadline.signal, deadline.asked)
    return code === 0 ? null : { kind: 'exit', code, lastLine: lastLineOf(output) }
  } catch (error) {
    return notRun(error)
  } finally {
    deadline.end()
  }
}

function notRun(error: unknown): ProbeFailure {
  const message = error instanceof Error ? error.message : String(error)
  const isPermanent = error instanceof Error && 'permanent' in error && error.permanent === true
  return isPermanent ? { kind: 'not-run', message } : { kind: 'not-asked', why: message }
}

function lastLineOf(output: string): string {
  const line = output.trimEnd().split('\n').at(-1) ?? ''
  return line.trim().slice(0, lastLineLimit)
}

const lastLineLimit = 200
