// The file with the keys of the secrets: a key in base64 on each line, the newest last.
import { createHmac, randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from '../../lib/io/error-code.js'
import { describeError } from '../../lib/io/log.js'
import { makeOnce } from '../../lib/io/make-once.js'
import { ExposedFileError, readPrivateFile } from '../../lib/io/private-file.js'

/** Codes: `secret/no-key`, `secret/key-exposed`, `secret/bad-key`, `secret/key-unusable`, `secret/wrong-key`. */
export class SecretError extends Error {
  override readonly name = 'SecretError'
  readonly code: string
  readonly hint: string
  constructor(code: string, message: string, hint: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.hint = hint
  }
}

/** A key, and the name that may be told of it. */
export interface SecretKey {
  readonly bytes: Buffer
  readonly fingerprint: string
}

const keyBytes = 32

/** What is wrong with the file of a key; null where it is well, or not there yet. */
export function keyFileProblem(path: string): SecretError | null {
  try {
    readKeys(path)
    return null
  } catch (error) {
    if (error instanceof SecretError) return error
    throw error
  }
}

/** The keys in a file, the newest last; none where there is no file. Throws SecretError. */
export function readKeys(path: string): readonly SecretKey[] {
  const text = readOrNull(path)
  if (text === null) return []
  const lines = text.trim().split(/\s+/)
  const keys = lines.map((line) => Buffer.from(line, 'base64'))
  if (keys.every(({ length }) => length === keyBytes))
    return keys.map((bytes) => ({ bytes, fingerprint: fingerprintOf(bytes) }))
  const message = `${path} holds no key: ${keyBytes} bytes in base64 are expected on each line`
  throw new SecretError('secret/bad-key', message, 'restore it, or name another file with --secret-key-file')
}

/** A hash with the key of a text that everybody knows: it tells keys apart, and nothing of them. */
function fingerprintOf(key: Buffer): string {
  return createHmac('sha256', key).update('the fingerprint of a key of secrets').digest('hex').slice(0, 16)
}

function readOrNull(path: string): string | null {
  try {
    return readPrivateFile(path, 'owner')
  } catch (error) {
    if (error instanceof ExposedFileError)
      throw new SecretError('secret/key-exposed', error.message, error.hint)
    if (errorCode(error) === 'ENOENT') return null
    throw unusable(path, error)
  }
}

/** Makes a key. Whoever is first decides. */
export function makeKey(path: string): readonly SecretKey[] {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    makeOnce(path, `${randomBytes(keyBytes).toString('base64')}\n`)
  } catch (error) {
    throw unusable(path, error)
  }
  const made = readKeys(path)
  if (made.length === 0) throw unusable(path, new Error('it is gone again'))
  return made
}

function unusable(path: string, cause: unknown): SecretError {
  const reason = errorCode(cause) ?? describeError(cause)
  const message = `the key of the secrets cannot be kept in ${path}: ${reason}`
  return new SecretError('secret/key-unusable', message, 'name another file with --secret-key-file', {
    cause,
  })
}
