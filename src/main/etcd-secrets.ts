// Certificates and password for etcd, from files that may be replaced while the daemon runs.
import { CommandError, exitCodes } from '../cli/command-error.js'
import { systemClock } from '../lib/io/clock.js'
import { describeError } from '../lib/io/log.js'
import { ExposedFileError, readPrivateFile, readTrustFile } from '../lib/io/private-file.js'
import { tlsFault } from '../lib/io/tls-fault.js'
import type { EtcdSecrets } from '../store/io/etcd/etcd.js'
import type { EtcdTls } from '../store/io/etcd/tls.js'
import type { EtcdSettings } from './store-options.js'
import { renewalProblem } from './tls-check.js'

/**
 * Reads the files, and gives what is in them at each call; the same objects until something has changed. The first call
 * throws CommandError when a file cannot be read. Later ones go on with what was read last: a renewal may be half done.
 * `onPassword` is told each password that is read. `onKept` is told, once for each reason, why what is in the files now is not used.
 */
export function openEtcdSecrets(
  settings: EtcdSettings,
  onKept: (why: string) => void = () => {},
  onPassword: (password: string) => void = () => {},
): () => EtcdSecrets {
  let told: string | null = null
  let texts: readonly (string | null)[] | null = null
  let secrets: EtcdSecrets = { tls: null, login: null }
  return () => {
    try {
      const now = textsOf(settings)
      if (texts?.every((text, at) => text === now[at]) !== true) {
        const next = secretsOf(settings, now)
        if (texts !== null) refuseExpired(texts[1] ?? null, now[1] ?? null)
        secrets = next
      }
      texts = now
      if (secrets.login !== null) onPassword(secrets.login.password)
      told = null
    } catch (error) {
      if (texts === null) throw error
      const why = describeError(error)
      if (why !== told) onKept(why)
      told = why
    }
    return secrets
  }
}

function textsOf({ tls, password }: EtcdSettings): readonly (string | null)[] {
  return [
    readIfNamed(tls?.caFile ?? null, readTrustFile),
    readIfNamed(tls?.certFile ?? null, readTrustFile),
    readIfNamed(tls?.keyFile ?? null, readPrivateFile),
    password === null
      ? null
      : 'text' in password
        ? password.text
        : withoutEnd(read(password.file, readPrivateFile)),
  ]
}

function secretsOf({ tls, user }: EtcdSettings, texts: readonly (string | null)[]): EtcdSecrets {
  const [authority = null, certificate = null, key = null, password = null] = texts
  const bytes = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text))
  const files: EtcdTls = { authority: bytes(authority), certificate: bytes(certificate), key: bytes(key) }
  if (tls !== null) checkUsable(files)
  return {
    tls: tls && files,
    login: user === null || password === null ? null : { name: user, password },
  }
}

/** Of a renewal that is half done the key is of another certificate: what was there before is kept until it is whole. */
function checkUsable({ authority, certificate, key }: EtcdTls): void {
  const why = tlsFault({
    ...(authority !== null && { ca: authority }),
    ...(certificate !== null && { cert: certificate }),
    ...(key !== null && { key }),
  })
  if (why === null) return
  const message = `--etcd-ca-file, --etcd-cert-file and --etcd-key-file cannot be used: ${why}`
  const hint = 'give PEM files, and the key that the certificate was made for'
  throw new CommandError(exitCodes.invalid, 'daemon/bad-option', message, { hint })
}

/** A good certificate stays until there is another good one. */
function refuseExpired(before: string | null, after: string | null): void {
  const isSame = after === null || after === before
  const why = isSame ? null : renewalProblem(after, '--etcd-cert-file', systemClock.now())
  if (why !== null) throw new CommandError(exitCodes.invalid, 'daemon/bad-option', why)
}

function withoutEnd(password: string): string {
  return password.replace(/\r?\n$/, '')
}

type Reader = (file: string) => string

function readIfNamed(file: string | null, reader: Reader): string | null {
  return file === null ? null : read(file, reader)
}

function read(file: string, reader: Reader): string {
  try {
    const text = reader(file)
    if (text.trim() === '') throw new Error('it is empty')
    return text
  } catch (error) {
    if (error instanceof ExposedFileError)
      throw new CommandError(exitCodes.invalid, 'daemon/exposed', error.message, { hint: error.hint })
    const message = `${file} cannot be read: ${describeError(error)}`
    throw new CommandError(exitCodes.invalid, 'cli/unreadable', message)
  }
}
