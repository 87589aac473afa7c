// Asking the daemons of other machines for what only they can tell: logs, statistics, programs beside an instance.

import http, { type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { beatHeader } from '../../contract/contract.js'
import { type Form, hasForm } from '../../lib/form.js'
import { lineBatches } from '../../lib/io/lines.js'
import { refuseUpgrade } from '../../lib/io/refuse-upgrade.js'
import { ownTurn } from '../../lib/io/turns.js'
import type { Timers } from '../../lib/time.js'
import type { MachineId } from '../../model/machine.js'
import type { ClusterView } from '../../store/view.js'
import type { ServerTls } from './make-server.js'
import { bodyOf } from './streams.js'

/** How one daemon proves to another who it is. */
export interface PeerCredentials {
  /** Shown over TLS, and only where `tls` says whose certificates to trust: anybody may have one of some name. */
  readonly token: () => string | null
  /** What is shown, and who is trusted, at the moment; null: nothing, and whom Node trusts. */
  readonly tls: () => PeerTls | null
}

/** Contents of PEM files. */
type PeerTls = Pick<ServerTls, 'ca'> & Partial<Pick<ServerTls, 'cert' | 'key'>>

export interface PeerRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** With its query. */
  readonly path: string
  /** Sent as it comes, while the answer may already be coming in. */
  readonly body?: Readable | null
  /** How long the answer may take to begin, where that is not as usual; null: as long as it takes. */
  readonly answerWithinMs?: number | null
}

export interface Peers {
  /** Whether a machine says where its daemon can be reached. */
  knows(machine: MachineId): boolean
  /** Resolves to an answer below 300; throws PeerError for everything else. */
  ask(machine: MachineId, request: PeerRequest, signal: AbortSignal): Promise<IncomingMessage>
}

/** The daemon of another machine cannot be asked, or refuses. */
export class PeerError extends Error {
  override readonly name = 'PeerError'
  readonly hint: string
  /** What the other daemon answered; null where it cannot be asked, or its answer is no problem of ours. */
  readonly refusal: { readonly status: number; readonly code: string } | null
  constructor(
    message: string,
    { hint = listenHint, refusal = null }: { hint?: string; refusal?: PeerError['refusal'] } = {},
  ) {
    super(message)
    this.hint = hint
    this.refusal = refusal
  }
}

const listenHint = 'each daemon has to listen where the others reach it: docs/fleet.md#across-machines'

/** Carries the id of the machine that is meant: such a request is answered there, or refused, and never passed on. */
export const machineHeader = 'mariposa-machine'

/** How long another daemon may take until its answer begins. */
const answerTimeoutMs = 10_000
/** A connection that is silent for as long is asked whether the other machine is still there. */
const keepAliveMs = 30_000

/** Brings a request to the daemon of a machine at an address. Rejects where that gives no answer. */
type CarryRequest = (
  url: URL,
  machine: MachineId,
  request: PeerRequest,
  credentials: PeerCredentials,
  clock: Timers,
  signal: AbortSignal,
) => Promise<IncomingMessage>

/** Asks over HTTP, or as `carry` does. */
export function openPeers(
  view: MachinesView,
  credentials: PeerCredentials,
  clock: Timers,
  carry: CarryRequest = overHttp,
): Peers {
  return {
    knows: (machine) => view.machines.get(machine)?.api !== undefined,
    ask: async (machine, request, signal) => {
      const { hostname = machine, api } = view.machines.get(machine) ?? {}
      if (api === undefined)
        throw new PeerError(`the daemon of ${hostname} announces no address to reach it at`)
      if (!URL.canParse(api))
        throw new PeerError(`the daemon of ${hostname} announces an invalid address: ${api}`)
      const answer = await carry(new URL(api), machine, request, credentials, clock, signal).catch(
        (fault: unknown) => {
          // Node says no more than that it was aborted.
          const cause: unknown = signal.aborted ? signal.reason : fault
          const reason = cause instanceof Error ? cause.message : String(cause)
          throw new PeerError(`the daemon of ${hostname} cannot be reached at ${api}: ${reason}`, {
            hint: hintOfFault(cause, hostname),
          })
        },
      )
      const status = answer.statusCode ?? 0
      if (status >= 200 && status < 300) return answer
      throw await refusalOf(answer, status, hostname, new URL(api), credentials, clock)
    },
  }
}

/** What to do about a connection that did not come to be; Node gives what OpenSSL says of a certificate as its code. */
function hintOfFault(cause: unknown, hostname: string): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return `renew the certificate of ${hostname} (--tls-cert-file there): it is used without a restart`
    case 'CERT_NOT_YET_VALID':
      return `compare the clocks of both machines with the start of validity of the certificate of ${hostname}`
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `the certificate of ${hostname} has to be for the address that it announces; --advertise there sets another address`
  }
  return /CERT|ISSUER|SELF_SIGNED|SIGNATURE|ERR_TLS/.test(code) ? authorityHint : listenHint
}

const authorityHint =
  'its certificate has to be issued by the authority in --tls-ca-file of this daemon, the same on all machines'

/** What the other daemon says about its refusal, and what to do about that. */
async function refusalOf(
  answer: IncomingMessage,
  status: number,
  hostname: string,
  { protocol }: URL,
  credentials: PeerCredentials,
  clock: Timers,
): Promise<PeerError> {
  const told = await problemIn(answer, clock)
  const message =
    told === null
      ? `the daemon of ${hostname} refuses with HTTP status ${status}`
      : `the daemon of ${hostname} refuses: ${told.message} (HTTP status ${status})`
  const hint = hintOf(status, told, protocol, credentials, hostname)
  return new PeerError(message, { hint, refusal: told === null ? null : { status, code: told.code } })
}

/** What to do about a refusal. */
function hintOf(
  status: number,
  told: Told | null,
  protocol: string,
  { token, tls }: PeerCredentials,
  hostname: string,
): string {
  if (told?.code === 'api/unfit-certificate')
    return `the cause is the certificate in --tls-cert-file of this daemon: ${told.hint}`
  if (status !== 401 && status !== 403)
    return told?.hint ? told.hint : `the log of the daemon of ${hostname} may say more`
  if (token() !== null && (protocol !== 'https:' || (tls()?.ca ?? null) === null))
    return 'no token was sent: that needs TLS, and --tls-ca-file with the trusted authority'
  return 'all machines need the same first "write" line in --token-file, or certificates with OU=write: docs/fleet.md#across-machines'
}

interface Told {
  readonly code: string
  readonly message: string
  readonly hint: string
}

/** An answer that is no problem of ours is not waited for, nor kept. */
const problemLimits = { bytes: 65_536, ms: 2_000 } as const

/** The problem that an answer holds; null where it holds none. */
async function problemIn(answer: IncomingMessage, clock: Timers): Promise<Told | null> {
  const late = clock.after(problemLimits.ms, () => answer.destroy())
  try {
    const parts: Buffer[] = []
    let bytes = 0
    for await (const part of answer as AsyncIterable<Buffer>) {
      bytes += part.length
      if (bytes > problemLimits.bytes) return null
      parts.push(part)
    }
    const { error } = JSON.parse(Buffer.concat(parts).toString()) as { error?: Record<string, unknown> }
    const { code, message, hint } = error ?? {}
    if (typeof code !== 'string' || typeof message !== 'string') return null
    return { code, message: plain(message), hint: typeof hint === 'string' ? plain(hint) : '' }
  } catch {
    return null
  } finally {
    late.cancel()
    answer.destroy()
  }
}

/** What another sends is shown on a terminal. */
function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ')
}

/** What a peer answers to one question, as JSON. Throws PeerError for what is no answer of a daemon of ours. */
export async function askJson<T>(
  { peers, registry }: { readonly peers: Peers; readonly registry: { readonly view: MachinesView } },
  machine: MachineId,
  form: Form<T>,
  request: PeerRequest,
  signal: AbortSignal,
): Promise<T> {
  const answer = await peers.ask(machine, request, signal)
  const value = await readJson(answer)
  if (hasForm(value, form)) return value as T
  const { hostname = machine, api = 'its address' } = registry.view.machines.get(machine) ?? {}
  throw new PeerError(
    `the server that answers for ${hostname} at ${api} is not a Mariposa daemon, or has another version`,
    { hint: `check which program listens there, --advertise, and the version of the daemon of ${hostname}` },
  )
}

/** More than the largest answer to one question has. */
const answerAtMostBytes = 64 * 1024 ** 2

/** The value of an answer; null for what is no JSON, or has no end. */
async function readJson(answer: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > answerAtMostBytes) return null
    parts.push(part)
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString()) as unknown
  } catch {
    return null
  }
}

type MachinesView = Pick<ClusterView, 'machines'>

/** The JSON values of an answer, a line each, as they come. `heard` is called for signs of life, too; PeerError where they stay away. */
export async function* jsonLinesOf<T>(
  answer: IncomingMessage,
  clock: Timers,
  heard: () => void = () => {},
): AsyncGenerator<readonly T[], void, undefined> {
  for await (const lines of lineBatches(whileAlive(answer, clock))) {
    heard()
    await ownTurn()
    const values = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as T)
    if (values.length > 0) yield values
  }
}

/**
 * What of an answer comes in, to be handed on. Signs of life may stay away for nearly as long as a caller waits for them, who would
 * take the silence for that of this daemon; then it throws PeerError.
 */
export function handedOn(answer: IncomingMessage, clock: Timers): AsyncGenerator<Buffer, void, undefined> {
  return whileAlive(answer, clock, 3 * missedBeats)
}

/** So many signs of life have to stay away: a machine that has much to do gives them late. */
const missedBeats = 8

/**
 * What of an answer comes in. One that says how often it shows a sign of life is given up where none comes: a machine without power ends
 * no connection, and a daemon that hangs does not either. While what came is being worked on nobody waits for more.
 */
async function* whileAlive(
  answer: IncomingMessage,
  clock: Timers,
  missed = missedBeats,
): AsyncGenerator<Buffer, void, undefined> {
  const silentS = Number(answer.headers[beatHeader]) * missed
  const chunks = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  // What has come while this process was held up itself is read before it is said that nothing came.
  const giveUp = (isOver: () => boolean): unknown =>
    setImmediate(() => {
      if (!isOver())
        answer.destroy(new PeerError(`its daemon is silent for ${silentS} s`, { hint: silentHint }))
    })
  try {
    for (;;) {
      let isOver = false
      const late = silentS > 0 ? clock.after(silentS * 1000, () => giveUp(() => isOver)) : null
      const { done, value } = await chunks.next().finally(() => {
        isOver = true
        late?.cancel()
      })
      if (done === true) return
      yield value
    }
  } finally {
    await chunks.return?.()
  }
}

const silentHint = 'mariposa machine list shows whether the machine is there'

/** Who may only read is no daemon of the cluster: the token of one who writes is not shown to it. */
function refuseReader(host: string, certificate: PeerCertificate): Error | undefined {
  const problem = checkServerIdentity(host, certificate)
  if (problem !== undefined) return problem
  const units: readonly string[] = [certificate.subject.OU ?? []].flat()
  return units.some((unit) => unit.toLowerCase() === 'read')
    ? new Error('its certificate has OU=read, and the token of this daemon may write')
    : undefined
}

function overHttp(
  url: URL,
  machine: MachineId,
  { method, path, body, answerWithinMs = answerTimeoutMs }: PeerRequest,
  { token: tokenNow, tls }: PeerCredentials,
  clock: Timers,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const secure = url.protocol === 'https:'
  const { ca = null, cert, key } = tls() ?? {}
  const token = secure && ca !== null ? tokenNow() : null
  const options: RequestOptions & { ca?: string; cert?: string; key?: string } = {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (secure ? 443 : 80) : url.port,
    agent: false,
    method,
    path,
    signal,
    // What is waited for, for as long as it takes, ends where the other machine is gone without a word.
    ...{ keepAlive: true, keepAliveInitialDelay: keepAliveMs },
    headers: {
      [machineHeader]: machine,
      te: 'trailers',
      // The answer may end before the body does: a connection that stays open takes the rest instead of breaking.
      ...(body != null && { 'content-type': 'application/octet-stream', connection: 'keep-alive' }),
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    ...(secure && ca !== null && { ca }),
    ...(secure && cert !== undefined && key !== undefined && { cert, key }),
    ...(token !== null && { checkServerIdentity: refuseReader }),
  }
  return new Promise((resolve, reject) => {
    const outgoing = (secure ? https : http).request(options, (answer) => {
      timer?.cancel()
      resolve(answer)
    })
    const late = (): void => void outgoing.destroy(new Error('no answer in time'))
    const timer = answerWithinMs === null ? null : clock.after(answerWithinMs, late)
    const failed = (error: Error): void => {
      timer?.cancel()
      reject(error)
    }
    outgoing.on('error', failed)
    refuseUpgrade(outgoing, failed)
    if (body == null) outgoing.end()
    else {
      outgoing.flushHeaders()
      // A request that fails says so itself; a body that is cut off is cut off there too.
      pipeline(bodyOf(body), outgoing).catch(() => {})
    }
  })
}
