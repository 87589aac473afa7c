// Why no connection to a member of etcd comes about: the way is gone once by hand, and what goes wrong on it is put in words.

import { X509Certificate } from 'node:crypto'
import { createConnection, type Socket } from 'node:net'
import { type ConnectionOptions, connect } from 'node:tls'
import type { Instant } from '../../../lib/time.js'
import type { EtcdTls } from './tls.js'

/** How long the way to a member is tried; an operator waits for the answer. */
const tryWithinMs = 2000
/** The first bytes of HTTP/2 from a client, and empty settings: who speaks it answers with settings of its own. */
const preface = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
])
const settingsFrame = 4

export const noEtcd = 'what answers there is no etcd'

/** Why a member (`host:port`) cannot be talked to; null where nothing is found, as where it is just back. */
export async function diagnoseMember(
  address: string,
  tls: EtcdTls | null,
  now: Instant,
): Promise<string | null> {
  const at = address.lastIndexOf(':')
  const host = address.slice(0, at).replace(/^\[|\]$/g, '')
  const port = Number(address.slice(at + 1))
  const socket = tls === null ? createConnection({ host, port }) : connect({ ...optionsOf(tls), host, port })
  socket.unref()
  try {
    return await new Promise<string | null>((resolve) => {
      const timer = setTimeout(() => resolve(silence(socket)), tryWithinMs).unref()
      let isOpen = false
      socket.once(tls === null ? 'connect' : 'secureConnect', () => {
        isOpen = true
        socket.write(preface)
      })
      socket.once('data', (bytes: Buffer) => {
        clearTimeout(timer)
        resolve(meaningOfAnswer(bytes))
      })
      socket.once('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(timer)
        // What it says in plain text may be lost with its connection.
        const hangsUpOnTls = tls !== null && !isOpen && error.code === 'ECONNRESET'
        resolve(hangsUpOnTls ? noTls : meaningOfError(error, tls, now))
      })
      socket.once('close', () => {
        clearTimeout(timer)
        resolve(tls === null ? 'it hangs up: where it speaks TLS, give etcds://' : 'it hangs up')
      })
    })
  } finally {
    socket.destroy()
  }
}

function optionsOf({ authority, certificate, key }: EtcdTls): ConnectionOptions {
  return {
    ...(authority !== null && { ca: authority }),
    ...(certificate !== null && { cert: certificate }),
    ...(key !== null && { key }),
    ALPNProtocols: ['h2'],
  }
}

function silence(socket: Socket): string {
  return socket.connecting
    ? 'it does not answer: a firewall between here and there, or no such host'
    : 'it takes the connection and says nothing'
}

function meaningOfAnswer(bytes: Buffer): string | null {
  if (bytes[3] === settingsFrame) return null
  // A record of TLS: an alert, for what was sent in plain text.
  if (bytes[0] === 0x15) return 'it speaks TLS: give etcds://'
  const text = bytes.toString('latin1')
  if (/HTTP request to an HTTPS server/i.test(text)) return 'it speaks TLS: give etcds://'
  return noEtcd
}

function meaningOfError(error: NodeJS.ErrnoException, tls: EtcdTls | null, now: Instant): string {
  const told = `${error.code ?? ''} ${error.message}`.toUpperCase().replaceAll(' ', '_')
  if (refusesOurs.test(told)) return whyRefused(tls, now)
  return meanings.find(([pattern]) => pattern.test(told))?.[1] ?? error.message
}

/** What a server says of a client's certificate; which of it depends on its version. */
const refusesOurs =
  /ALERT_(CERTIFICATE|BAD_CERTIFICATE|UNKNOWN_CA|UNSUPPORTED_CERTIFICATE)|ALERT_NUMBER_(42|4[3-6]|48|116)/

function whyRefused(tls: EtcdTls | null, now: Instant): string {
  const certificate = tls?.certificate ?? null
  if (certificate === null)
    return 'it asks for a certificate of ours: give --etcd-cert-file and --etcd-key-file'
  const { validFrom, validTo } = new X509Certificate(certificate)
  if (Date.parse(validTo) < now) return `our certificate (--etcd-cert-file) is over since ${validTo}`
  if (Date.parse(validFrom) > now) return `our certificate (--etcd-cert-file) is valid from ${validFrom} on`
  return 'it does not take our certificate (--etcd-cert-file): it is of an authority that etcd does not know'
}

const noTls = 'it hangs up on TLS: where it speaks none, give etcd://'

/** Words for codes of Node and OpenSSL; the first that fits counts. */
const meanings: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'nothing listens there'],
  [/ENOTFOUND|EAI_AGAIN/, 'the resolver does not know its name'],
  [/EHOSTUNREACH|ENETUNREACH/, 'there is no way to it'],
  [/ETIMEDOUT/, 'it does not answer: a firewall between here and there, or no such host'],
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|BEFORE_SECURE_TLS/, noTls],
  [/ALTNAME_INVALID/, 'its certificate is for other names than this one'],
  [/CERT_HAS_EXPIRED/, 'its certificate is over'],
  [/CERT_NOT_YET_VALID/, 'its certificate is not valid yet: look at the clocks'],
  [
    /UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|SELF_SIGNED|SIGNATURE_FAILURE/,
    'its certificate is of another authority than those of --etcd-ca-file',
  ],
]
