// Whether the certificates and keys that options name can be used, before anything is begun with them.
import { X509Certificate } from 'node:crypto'
import type { ServerTls } from '../api/io/make-server.js'
import { CommandError, exitCodes } from '../cli/command-error.js'
import { tlsFault } from '../lib/io/tls-fault.js'
import { type Instant, toIso } from '../lib/time.js'
import type { AccessOptions } from './access-options.js'

interface TlsProblem {
  readonly message: string
  readonly hint: string
}

/** Why TCP addresses could not be served with these; null where they can. */
export function tlsProblem({ cert, key, ca }: ServerTls): TlsProblem | null {
  const untrusted = ca === null ? null : tlsFault({ ca })
  if (untrusted !== null)
    return {
      message: `--tls-ca-file cannot be used: ${untrusted}`,
      hint: 'give a PEM file with certificates; clients that they vouch for could not connect with this one',
    }
  const why = tlsFault({ cert, key })
  if (why === null) return null
  return {
    message: `--tls-cert-file and --tls-key-file are not a matching certificate and key: ${why}`,
    hint: 'give PEM files, and the key that the certificate was made for',
  }
}

/** When the first certificate of a PEM text, which is the one that is shown, ends. Throws where there is none. */
export function expiryOf(pem: string): Instant {
  return Date.parse(new X509Certificate(pem).validTo)
}

/** Throws CommandError where the TCP addresses could not be served with them, or nobody could trust what is shown. */
export function checkTls({ tls }: AccessOptions, now: Instant): void {
  if (tls === null) return
  const problem = tlsProblem(tls) ?? expiryProblem(expiryOf(tls.cert), now)
  if (problem === null) return
  const { message, hint } = problem
  throw new CommandError(exitCodes.invalid, 'daemon/bad-option', message, { hint })
}

/** Why a certificate that is to take the place of a good one would be trusted by nobody, `what` it is called; null where it would. */
export function renewalProblem(pem: string, what: string, now: Instant): string | null {
  const { validFrom, validTo } = new X509Certificate(pem)
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)]
  if (to <= now) return describeExpired(what, to)
  return from > now ? `the certificate in ${what} is not valid before ${toIso(from)}` : null
}

function expiryProblem(expiresAt: Instant, now: Instant): TlsProblem | null {
  if (expiresAt > now) return null
  return {
    message: describeExpired('--tls-cert-file', expiresAt),
    hint: 'renew it: no client would trust it; programs on this machine continue to run',
  }
}

function describeExpired(what: string, at: Instant): string {
  return `the certificate in ${what} expired at ${toIso(at)}`
}
