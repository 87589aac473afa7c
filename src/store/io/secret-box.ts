// Secrets at rest: AES-256-GCM under a key in a file of its own, outside the store, so that whoever has a copy of the
// store alone has none of them. The cluster names the key that is in use by its fingerprint; the file may hold others.
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import type { KeyProblem } from '../../model/machine.js'
import { makeKey, readKeys, SecretError, type SecretKey } from './key-file.js'

export { keyFileProblem, SecretError } from './key-file.js'

/** Seals and opens secrets. */
export interface SecretBox {
  /** What of a secret may be stored. It opens only at the same `place`. */
  seal(secret: string, place: string): string
  open(sealed: string, place: string): string
}

/** A box that knows its keys from those of others. */
export interface KeyedBox extends SecretBox {
  /** The keys that the file holds now, and what keeps this box from the cluster's secrets. Never throws. */
  keyState(): KeyState
  /** The fingerprint of the key that it seals with. Throws SecretError where it cannot. */
  inUse(): string
  /** Whether it opens something, and with the key of a fingerprint where one is named. */
  opens(sealed: SealedText, fingerprint?: string): boolean
  /** 32 bytes that nobody can tell without the key that it seals with: the same ones for a place each time. */
  derive(place: string): Buffer
  /** Reads the file anew: keys come into it while a daemon runs. Throws SecretError, and goes on with those of before. */
  reread(): void
}

interface KeyState {
  /** The newest last. */
  readonly fingerprints: readonly string[]
  readonly problem: KeyProblem | null
  /** The key that the secrets are sealed with, where this box has it and the cluster has not named it yet. */
  readonly unnamed: string | null
}

export interface SealedText {
  readonly text: string
  readonly place: string
}

interface SecretBoxOptions {
  readonly keyFile: string
  /** Whether anything may be sealed already: then a key that is missing is lost, and a new one would not do. */
  readonly inUse: () => boolean
  /** The fingerprint of the key that the cluster's secrets are sealed with; null where it has named none. */
  readonly named?: () => string | null
  /** What is sealed. */
  readonly sealed?: () => Iterable<SealedText>
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** A box whose key is read, or made, when it is first needed. */
export function openSecretBox(options: SecretBoxOptions): KeyedBox {
  return new Box(options)
}

class Box implements KeyedBox {
  readonly #options: SecretBoxOptions
  #known: readonly SecretKey[] = []

  constructor(options: SecretBoxOptions) {
    this.#options = options
    this.seal = this.seal.bind(this)
    this.open = this.open.bind(this)
  }

  seal(secret: string, place: string): string {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv(algorithm, this.#sealing().bytes, nonce, { authTagLength: tagBytes })
    cipher.setAAD(Buffer.from(place))
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    return `1:${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')}`
  }

  open(sealed: string, place: string): string {
    const found = openedBy(this.#keys(), sealed, place) ?? openedBy(this.#newKeys(), sealed, place)
    if (found !== null) return found
    if (this.#known.length === 0) throw this.#missing()
    const message = `the key in ${this.#options.keyFile} does not open the secret ${place}`
    throw new SecretError(
      'secret/wrong-key',
      message,
      'restore the key that it was set with, or set it again',
    )
  }

  keyState(): KeyState {
    this.#newKeys()
    const fingerprints = this.#known.map(({ fingerprint }) => fingerprint)
    const named = this.#named()
    const lacking: KeyProblem = fingerprints.length === 0 ? 'no-key' : 'wrong-key'
    if (named !== null) {
      return { fingerprints, problem: fingerprints.includes(named) ? null : lacking, unnamed: null }
    }
    const [first] = this.#sealed()
    if (first === undefined) return { fingerprints, problem: null, unnamed: null }
    const opening = this.#opening()
    return { fingerprints, problem: opening === null ? lacking : null, unnamed: opening?.fingerprint ?? null }
  }

  inUse(): string {
    return this.#sealing().fingerprint
  }

  opens({ text, place }: SealedText, fingerprint?: string): boolean {
    const keys = fingerprint === undefined ? this.#keys() : this.#keys().filter(isCalled(fingerprint))
    return openedBy(keys, text, place) !== null
  }

  derive(place: string): Buffer {
    return createHmac('sha256', this.#sealing().bytes).update(`a secret that was made for ${place}`).digest()
  }

  reread(): void {
    const read = readKeys(this.#options.keyFile)
    // A file that is gone takes nothing away from a daemon that has the key.
    if (read.length > 0) this.#known = read
  }

  #named(): string | null {
    return this.#options.named?.() ?? null
  }

  #sealed(): Iterable<SealedText> {
    return this.#options.sealed?.() ?? []
  }

  #sealing(): SecretKey {
    const named = this.#named()
    if (named !== null) {
      const found = this.#keys().find(isCalled(named)) ?? this.#newKeys().find(isCalled(named))
      if (found !== undefined) return found
      throw this.#known.length === 0 ? this.#missing() : this.#foreign()
    }
    if (this.#keys().length === 0) this.#make()
    const key = this.#opening()
    if (key === null) throw this.#foreign()
    return key
  }

  /** Where the cluster has named no key: the one that opens what is sealed, or the newest where nothing is. */
  #opening(): SecretKey | null {
    const newestFirst = [...this.#keys()].reverse()
    let isAnything = false
    for (const { text, place } of this.#sealed()) {
      isAnything = true
      const key = newestFirst.find((one) => openedBy([one], text, place) !== null)
      if (key !== undefined) return key
    }
    return isAnything ? null : (newestFirst[0] ?? null)
  }

  #keys(): readonly SecretKey[] {
    if (this.#known.length === 0) this.reread()
    return this.#known
  }

  /** As the file has them by now; those of before where it cannot be read. */
  #newKeys(): readonly SecretKey[] {
    try {
      this.reread()
    } catch (error) {
      if (!(error instanceof SecretError)) throw error
    }
    return this.#known
  }

  #make(): void {
    if (this.#options.inUse()) throw this.#missing()
    this.#known = makeKey(this.#options.keyFile)
  }

  #missing(): SecretError {
    const message = `there are secrets, and their key is not at ${this.#options.keyFile}`
    return new SecretError('secret/no-key', message, 'restore the file, or name it with --secret-key-file')
  }

  #foreign(): SecretError {
    const message = `the key in ${this.#options.keyFile} is not the one that the secrets of this cluster are sealed with`
    const hint = 'copy the file from a machine that has the key: mariposa machine list'
    return new SecretError('secret/wrong-key', message, hint)
  }
}

function isCalled(wanted: string): (key: SecretKey) => boolean {
  return ({ fingerprint }) => fingerprint === wanted
}

function openedBy(keys: readonly SecretKey[], sealed: string, place: string): string | null {
  const bytes = Buffer.from(sealed.replace(/^1:/, ''), 'base64')
  for (const key of keys) {
    const text = opened(key, bytes, place)
    if (text !== null) return text
  }
  return null
}

function opened({ bytes: key }: SecretKey, bytes: Buffer, place: string): string | null {
  const tagEnd = nonceBytes + tagBytes
  try {
    const nonce = bytes.subarray(0, nonceBytes)
    const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
    decipher.setAAD(Buffer.from(place))
    decipher.setAuthTag(bytes.subarray(nonceBytes, tagEnd))
    return Buffer.concat([decipher.update(bytes.subarray(tagEnd)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
