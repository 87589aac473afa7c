// What is wrong with certificates and keys, before a connection fails of it.
import { X509Certificate } from 'node:crypto'
import { createSecureContext, type SecureContextOptions } from 'node:tls'

/** Why these cannot be used together, in OpenSSL's words; null where they can. */
export function tlsFault(files: Pick<SecureContextOptions, 'ca' | 'cert' | 'key'>): string | null {
  try {
    createSecureContext(files)
    return files.ca === undefined ? null : faultOfAuthorities(String(files.ca))
  } catch (error) {
    return error instanceof Error ? (error.message.split(':').at(-1) ?? '') : String(error)
  }
}

/** OpenSSL trusts the certificates up to the first that it cannot read, and says nothing: nobody, if that is the first. */
function faultOfAuthorities(pem: string): string | null {
  const begun = pem.split(/-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/).length - 1
  if (begun === 0) return 'it holds no certificate'
  const whole = pem.match(/-----BEGIN ([A-Z0-9 ]*CERTIFICATE)-----[^-]*-----END \1-----/g) ?? []
  if (whole.length < begun) return `certificate ${whole.length + 1} in it is cut off`
  const bad = whole.findIndex((one) => !isReadable(one))
  return bad === -1 ? null : `certificate ${bad + 1} in it cannot be read`
}

function isReadable(pem: string): boolean {
  try {
    return new X509Certificate(pem).validTo !== ''
  } catch {
    return false
  }
}
