// Certificates of an authority of our own, made by openssl.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Certificates {
  readonly ca: string
  /** For the addresses, and to show as a client. */
  readonly cert: string
  readonly key: string
}

/** With `role` as the `OU` of its subject; null for none. Good for `days`. */
export function makeCertificates(
  addresses: readonly string[] = ['127.0.0.1'],
  role: string | null = 'write',
  days = 2,
): Certificates {
  const dir = mkdtempSync(join(tmpdir(), 'certificates-'))
  const at = (name: string) => join(dir, name)
  const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { stdio: 'ignore' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl('req', '-x509', ...newKey, '-keyout', at('ca.key'), '-out', at('ca.pem'), '-subj', '/CN=ca')
  openssl(
    'req',
    ...newKey,
    '-keyout',
    at('key.pem'),
    '-out',
    at('csr.pem'),
    '-subj',
    `${role === null ? '' : `/OU=${role}`}/CN=machine`,
  )
  writeFileSync(at('names'), `subjectAltName=${addresses.map((address) => `IP:${address}`).join(',')}\n`)
  const signed = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-extfile', at('names')]
  openssl('x509', '-req', '-in', at('csr.pem'), ...signed, '-out', at('cert.pem'), '-days', String(days))
  return { ca: at('ca.pem'), cert: at('cert.pem'), key: at('key.pem') }
}
