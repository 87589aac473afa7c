// Whether the certificates and keys that options name can be used, before anything is begun with them.
import { CommandError, exitCodes } from '../cli/command-error.js'
import { tlsFault } from '../lib/io/tls-fault.js'
import type { Instant } from '../lib/time.js'
import { toIso } from '../lib/time.js'
import type { AccessOptions } from './access-options.js'
import { expiryOf } from './certificates.js'

/** Throws CommandError where the TCP addresses could not be served with them, or nobody could trust what is shown. */
export function checkTls({ tls }: AccessOptions, now: Instant): void {
  if (tls === null) return
  if (tls.ca !== null && !tls.ca.includes('-----BEGIN CERTIFICATE-----'))
    throw badFiles(
      '--tls-ca-file holds no certificate',
      'give a PEM file; nobody could be let in by this one',
    )
  const why = tlsFault({ cert: tls.cert, key: tls.key, ...(tls.ca !== null && { ca: tls.ca }) })
  if (why !== null)
    throw badFiles(
      `--tls-cert-file and --tls-key-file are no certificate and key that go together: ${why}`,
      'give PEM files, and the key that the certificate was made for',
    )
  const expiresAt = expiryOf(tls.cert)
  if (expiresAt <= now)
    throw badFiles(
      `the certificate in --tls-cert-file is over since ${toIso(expiresAt)}`,
      'renew it: no caller could trust it; what runs on this machine goes on running',
    )
}

function badFiles(message: string, hint: string): CommandError {
  return new CommandError(exitCodes.invalid, 'daemon/bad-option', message, { hint })
}
