// The certificates that a daemon shows: when they end, who is told before, and that a renewed one is taken while it runs.
import type { ServerTls } from '../api/io/make-server.js'
import { ExpiryWarnings, timeLeft } from '../lib/expiry.js'
import { describeError, type Log } from '../lib/io/log.js'
import { startLoop } from '../lib/io/loop.js'
import { ExposedFileError, readPrivateFile, readTrustFile } from '../lib/io/private-file.js'
import { readTextFile } from '../lib/io/text-file.js'
import { type Instant, type Time, toIso } from '../lib/time.js'
import type { ShownCertificate } from '../model/machine.js'
import type { AccessOptions, TlsFiles } from './access-options.js'
import { expiryOf, renewalProblem, tlsProblem } from './tls-check.js'

/** How often files are looked at. */
const everyMs = 60_000

interface CertificatesOptions {
  /** As the daemon was started with them. */
  readonly tls: AccessOptions['tls']
  /** The file of the certificate that etcd is shown; null for none. */
  readonly etcdCertFile: string | null
  readonly clock: Time
  readonly log: Log
  /** Called with a renewed certificate that can be used. */
  readonly onRenewal: (tls: ServerTls) => void
  /** Called when what is to be told of them has changed. */
  readonly onChange: (shown: readonly ShownCertificate[]) => void
}

export interface Certificates {
  /** Looks at the files soon, and not only in its time. */
  look(): void
  stop(): Promise<void>
}

/** Follows the files; the first look is over when this returns. */
export function startCertificates(options: CertificatesOptions): Certificates {
  const { clock, log, onRenewal, onChange, etcdCertFile } = options
  let current: ServerTls | null = options.tls
  let shown = shownCertificates(current, etcdCertFile)
  const warnings = new ExpiryWarnings(clock)

  const warn = (now: Instant): void => {
    for (const { use, expiresAt } of shown) {
      if (!warnings.isDue(use, expiresAt)) continue
      log.warn('daemon', describeExpiry(use, expiresAt, now), { expiresAt: toIso(expiresAt) })
    }
  }
  const tellKept = onceEach((why) => log.warn('daemon', `keeping the current certificates: ${why}`))
  const renew = (files: TlsFiles, now: Instant): void => {
    if (current === null) return
    const next = renewalOf(files, current, now)
    tellKept(typeof next === 'string' ? next : null)
    if (next === null || typeof next === 'string') return
    current = next
    warnings.forget('api')
    log.info('daemon', 'certificate renewed', { expiresAt: toIso(expiryOf(next.cert)) })
    onRenewal(next)
  }
  const loop = startLoop({
    clock,
    intervalMs: everyMs,
    onError: (error) => log.warn('daemon', `cannot check certificates: ${describeError(error)}`),
    pass: async (now) => {
      if (options.tls !== null) renew(options.tls.files, now)
      const next = shownCertificates(current, etcdCertFile)
      if (JSON.stringify(next) !== JSON.stringify(shown)) {
        shown = next
        onChange(shown)
      }
      warn(now)
      return { wakeAt: null }
    },
  })
  return { look: () => loop.wake(), stop: () => loop.stop() }
}

/** What is in the files, or why it cannot be used; null where it is what is shown already. */
function renewalOf(files: TlsFiles, current: ServerTls, now: Instant): ServerTls | string | null {
  const next = readTls(files)
  if (typeof next === 'string') return next
  if (next.cert === current.cert && next.key === current.key && next.ca === current.ca) return null
  // Of a renewal that is half done the key is of another certificate: what was there before is shown until it is whole.
  const problem = tlsProblem(next)
  if (problem !== null) return problem.message
  const expired = next.cert === current.cert ? null : renewalProblem(next.cert, '--tls-cert-file', now)
  return expired ?? next
}

/** Why one cannot be read, where that is so: what was read last is good. */
function readTls({ cert, key, ca }: TlsFiles): ServerTls | string {
  let reading = cert
  const read = (file: string, reader: (file: string) => string): string => {
    reading = file
    return reader(file)
  }
  try {
    return {
      cert: read(cert, readTrustFile),
      key: read(key, readPrivateFile),
      ca: ca === null ? null : read(ca, readTrustFile),
    }
  } catch (error) {
    if (error instanceof ExposedFileError) return `${error.message} (${error.hint})`
    return `${reading} cannot be read: ${describeError(error)}`
  }
}

/** Of the same reason that is heard again and again one is told. */
function onceEach(tell: (why: string) => void): (why: string | null) => void {
  let told: string | null = null
  return (why) => {
    if (why !== null && why !== told) tell(why)
    told = why
  }
}

/** What a daemon shows with these. */
export function shownCertificates(
  tls: ServerTls | null,
  etcdCertFile: string | null,
): readonly ShownCertificate[] {
  const api = tls === null ? [] : shownAs('api', () => tls.cert)
  return etcdCertFile === null ? api : [...api, ...shownAs('etcd', () => readTextFile(etcdCertFile))]
}

/** None where it cannot be read just now. */
function shownAs(use: ShownCertificate['use'], read: () => string): readonly ShownCertificate[] {
  try {
    return [{ use, expiresAt: expiryOf(read()) }]
  } catch {
    return []
  }
}

function describeExpiry(use: ShownCertificate['use'], expiresAt: Instant, now: Instant): string {
  const option = use === 'api' ? '--tls-cert-file' : '--etcd-cert-file'
  if (expiresAt <= now) return `the certificate in ${option} has expired: replace the file with a renewed one`
  return `the certificate in ${option} ends ${timeLeft(expiresAt, now)}: replace the file with a renewed one, which is used without a restart`
}
