// The certificates that the proxy has: those that it got by itself lie in its storage, one folder for each authority.
import { X509Certificate } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readTextFile } from '../../lib/io/text-file.js'
import { byKeys } from '../../lib/sort.js'

export interface FoundCertificate {
  readonly issuer: string
  /** RFC 3339. */
  readonly notAfter: string
}

/** What a certificate in PEM says; null where it cannot be read. */
export function certificateIn(pem: string): FoundCertificate | null {
  try {
    const { issuer, validTo } = new X509Certificate(pem)
    return { issuer: nameIn(issuer), notAfter: new Date(validTo).toISOString() }
  } catch {
    return null
  }
}

/** The hosts that a certificate is for, in lower case, as the proxy takes it: also by the name of its subject. */
export function namesIn(pem: string): readonly string[] {
  // An authority may leave the subject out.
  const { subject, subjectAltName }: Partial<X509Certificate> = new X509Certificate(pem)
  const common = (subject ?? '')
    .split('\n')
    .flatMap((line) => (line.startsWith('CN=') ? [line.slice(3)] : []))
  const others = (subjectAltName ?? '')
    .split(', ')
    .flatMap((one) => /^(?:DNS|IP Address):(.+)$/.exec(one)?.[1] ?? [])
  return [...new Set([...others, ...common].map((name) => name.toLowerCase()))]
}

/** Whether the proxy finds a certificate of these names for a host, or for one of the hosts of a pattern. */
export function isNamed(host: string, names: readonly string[]): boolean {
  if (host.startsWith('*.') && names.some((name) => hasLabelBefore(name, host.slice(1)))) return true
  const labels = host.split('.')
  return labels.some((_, n) =>
    names.includes([...labels.slice(0, n).fill('*'), ...labels.slice(n)].join('.')),
  )
}

function hasLabelBefore(name: string, rest: string): boolean {
  return name.endsWith(rest) && !name.slice(0, -rest.length).includes('.')
}

/** The one for a host that the proxy of a folder got by itself, the latest where there are several; null for none. */
export function storedCertificate(dir: string, host: string): FoundCertificate | null {
  const name = host.replace('*', 'wildcard_')
  const root = join(dir, 'storage', 'certificates')
  const found = foldersIn(root).flatMap((authority) => {
    const pem = textOf(join(root, authority, name, `${name}.crt`))
    return pem === null ? [] : (certificateIn(pem) ?? [])
  })
  return found.sort(byKeys(({ notAfter }) => notAfter)).at(-1) ?? null
}

/** `CN=…`, without what stands around it. */
function nameIn(issuer: string): string {
  const common = issuer.split('\n').find((line) => line.startsWith('CN='))
  return common === undefined ? issuer.replaceAll('\n', ', ') : common.slice('CN='.length)
}

function foldersIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir)
  } catch {
    return []
  }
}

function textOf(file: string): string | null {
  try {
    return readTextFile(file)
  } catch {
    return null
  }
}
