// Secrets that nobody gave: 32 random bytes in the form of Standard Webhooks.
import { randomBytes } from 'node:crypto'
import { secretPrefix } from '../../notify/signature.js'
import type { SecretBox } from '../../store/io/secret-box.js'
import type { SecretMaker } from '../made-secrets.js'

/** Makes secrets, and seals them in the daemon's box. */
export function secretMaker(box: SecretBox): SecretMaker {
  return {
    make: () => `${secretPrefix}${randomBytes(32).toString('base64')}`,
    seal: (secret, place) => box.seal(secret, place),
  }
}
