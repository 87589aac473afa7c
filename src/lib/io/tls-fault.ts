// What is wrong with certificates and keys, before a connection fails of it.
import { createSecureContext, type SecureContextOptions } from 'node:tls'

/** Why these cannot be used together, in OpenSSL's words; null where they can. */
export function tlsFault(files: Pick<SecureContextOptions, 'ca' | 'cert' | 'key'>): string | null {
  try {
    createSecureContext(files)
    return null
  } catch (error) {
    return error instanceof Error ? (error.message.split(':').at(-1) ?? '') : String(error)
  }
}
