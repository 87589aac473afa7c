// Certificates and password for etcd, from files that may be replaced while the daemon runs.
import { readFileSync } from 'node:fs'
import { CommandError, exitCodes } from '../cli/command-error.js'
import { describeError } from '../lib/io/log.js'
import type { EtcdSecrets, EtcdTls } from '../store/io/etcd/etcd.js'
import type { EtcdSettings } from './store-options.js'

/**
 * Reads the files, and gives what is in them at each call; the same objects until something has changed. The first call
 * throws CommandError when a file cannot be read. Later ones go on with what was read last: a renewal may be half done.
 */
export function openEtcdSecrets(settings: EtcdSettings): () => EtcdSecrets {
  let texts: readonly (string | null)[] | null = null
  let secrets: EtcdSecrets = { tls: null, login: null }
  return () => {
    try {
      const now = textsOf(settings)
      if (texts?.every((text, at) => text === now[at]) !== true) secrets = secretsOf(settings, now)
      texts = now
    } catch (error) {
      if (texts === null) throw error
    }
    return secrets
  }
}

function textsOf({ tls, password }: EtcdSettings): readonly (string | null)[] {
  const files = [tls?.caFile, tls?.certFile, tls?.keyFile].map((file) => readIfNamed(file ?? null))
  return [
    ...files,
    password === null ? null : 'text' in password ? password.text : withoutEnd(read(password.file)),
  ]
}

function secretsOf({ tls, user }: EtcdSettings, texts: readonly (string | null)[]): EtcdSecrets {
  const [authority = null, certificate = null, key = null, password = null] = texts
  const bytes = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text))
  const files: EtcdTls = { authority: bytes(authority), certificate: bytes(certificate), key: bytes(key) }
  return {
    tls: tls && files,
    login: user === null || password === null ? null : { name: user, password },
  }
}

function withoutEnd(password: string): string {
  return password.replace(/\r?\n$/, '')
}

function readIfNamed(file: string | null): string | null {
  return file === null ? null : read(file)
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const message = `${file} cannot be read: ${describeError(error)}`
    throw new CommandError(exitCodes.invalid, 'cli/unreadable', message)
  }
}
