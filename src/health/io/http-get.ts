// One GET request to an instance over a connection of its own, with nothing that a check has no use for.

import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { refuseUpgrade } from '../../lib/io/refuse-upgrade.js'

/** Where to ask, and for what. */
export interface HttpTarget {
  readonly scheme: 'http' | 'https'
  readonly address: string
  readonly port: number
  readonly path: string
  /** The host to ask for; null: the address. */
  readonly serverName: string | null
  /** Whether the certificate has to be one that this machine trusts. */
  readonly verify: boolean
}

/** Resolves to the answer's head; its body is still to be read, or dropped. Rejects when there is none. */
export function sendGet(target: HttpTarget, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { scheme, address, port, path, serverName, verify } = target
    const send = scheme === 'https' ? httpsRequest : httpRequest
    const request = send({
      host: address,
      port,
      path,
      agent: scheme === 'https' ? httpsAgent : httpAgent,
      headers: { host: hostOf(target), accept: '*/*', 'user-agent': 'mariposa-healthcheck' },
      ...(scheme === 'https' && { rejectUnauthorized: verify, ...serverNameOf(serverName) }),
    })
    const giveUp = (): void => {
      request.destroy()
    }
    signal.addEventListener('abort', giveUp, { once: true })
    request.on('close', () => signal.removeEventListener('abort', giveUp))
    request.on('response', resolve)
    request.on('error', reject)
    refuseUpgrade(request, reject)
    request.end()
    if (signal.aborted) giveUp()
  })
}

// One connection per request: a kept one would hide that the program no longer accepts new ones.
const httpAgent = new HttpAgent({ keepAlive: false })
const httpsAgent = new HttpsAgent({ keepAlive: false, maxCachedSessions: 0 })

/** The host as the program is asked for it: with the port, but where it is the scheme's own. */
function hostOf({ scheme, address, port, serverName }: HttpTarget): string {
  const name = serverName ?? (address.includes(':') ? `[${address}]` : address)
  return port === (scheme === 'https' ? 443 : 80) ? name : `${name}:${port}`
}

/** TLS knows no addresses as names to ask for. */
function serverNameOf(serverName: string | null): { readonly servername?: string } {
  return serverName === null || isIP(serverName) !== 0 ? {} : { servername: serverName }
}

/** Reads a body that is text, as far as it goes up to `limitBytes`. Rejects when it is cut off or longer. */
export async function readText(body: IncomingMessage, limitBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength
    if (length > limitBytes) throw new Error(`the answer is longer than ${limitBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** What went wrong, as Node names it, or in words where it has no name for it. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}
