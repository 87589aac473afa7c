// Secrets at rest: AES-256-GCM under a key in a file of its own, outside the store, so that whoever has a copy of the
// store alone has none of them.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { describeError } from '../../lib/io/log.js'
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

export interface SecretBox {
  /** What of a secret may be stored. It opens only at the same `place`. */
  seal(secret: string, place: string): string
  open(sealed: string, place: string): string
}

export interface SecretBoxOptions {
  readonly keyFile: string
  /** Whether anything is sealed already: then a key that is missing is lost, and a new one would not do. */
  readonly inUse: () => boolean
}

const algorithm = 'aes-256-gcm'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** A box whose key is read, or made, when it is first needed. */
export function openSecretBox({ keyFile, inUse }: SecretBoxOptions): SecretBox {
  let known: Buffer | null = null
  const key = (): Buffer => {
    known ??= readKey(keyFile) ?? makeKey(keyFile, inUse())
    return known
  }
  return {
    seal: (secret, place) => {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key(), nonce, { authTagLength: tagBytes })
      cipher.setAAD(Buffer.from(place))
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return `1:${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')}`
    },
    open: (sealed, place) => {
      const bytes = Buffer.from(sealed.replace(/^1:/, ''), 'base64')
      const tagEnd = nonceBytes + tagBytes
      try {
        const decipher = createDecipheriv(algorithm, key(), bytes.subarray(0, nonceBytes), {
          authTagLength: tagBytes,
        })
        decipher.setAAD(Buffer.from(place))
        decipher.setAuthTag(bytes.subarray(nonceBytes, tagEnd))
        return Buffer.concat([decipher.update(bytes.subarray(tagEnd)), decipher.final()]).toString('utf8')
      } catch (cause) {
        if (cause instanceof SecretError) throw cause
        const message = `the key in ${keyFile} does not open the secret ${place}`
        const hint = 'restore the key that it was set with, or set it again'
        throw new SecretError('secret/wrong-key', message, hint, { cause })
      }
    },
  }
}

/** What is wrong with the file of a key; null where it is well, or not there yet. */
export function keyFileProblem(path: string): SecretError | null {
  try {
    readKey(path)
    return null
  } catch (error) {
    if (error instanceof SecretError) return error
    throw error
  }
}

function readKey(path: string): Buffer | null {
  const text = readOrNull(path)
  if (text === null) return null
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length === keyBytes) return key
  const message = `${path} holds no key: ${keyBytes} bytes in base64 are expected`
  throw new SecretError('secret/bad-key', message, 'restore it, or name another file with --secret-key-file')
}

function readOrNull(path: string): string | null {
  try {
    return readPrivateFile(path, 'owner')
  } catch (error) {
    if (error instanceof ExposedFileError)
      throw new SecretError('secret/key-exposed', error.message, error.hint)
    if (codeOf(error) === 'ENOENT') return null
    throw unusable(path, error)
  }
}

/** The file appears whole or not at all, and whoever is first decides. */
function makeKey(path: string, inUse: boolean): Buffer {
  if (inUse) {
    const hint = 'restore the file, or name it with --secret-key-file'
    throw new SecretError('secret/no-key', `there are secrets, and their key is not at ${path}`, hint)
  }
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeDurably(draft, `${randomBytes(keyBytes).toString('base64')}\n`)
    try {
      linkSync(draft, path)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    } finally {
      unlinkSync(draft)
    }
  } catch (error) {
    throw unusable(path, error)
  }
  const made = readKey(path)
  if (made === null) throw unusable(path, new Error('it is gone again'))
  return made
}

function writeDurably(path: string, text: string): void {
  const fd = openSync(path, 'wx', 0o600)
  try {
    writeSync(fd, text)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

function unusable(path: string, cause: unknown): SecretError {
  const reason = codeOf(cause) ?? describeError(cause)
  const message = `the key of the secrets cannot be kept in ${path}: ${reason}`
  return new SecretError('secret/key-unusable', message, 'name another file with --secret-key-file', {
    cause,
  })
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
