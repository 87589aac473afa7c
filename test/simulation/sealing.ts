// How daemons of a simulated cluster keep secrets: by the product's rules of who may open what, and without chance. What is
// sealed looks like nothing that it holds.
import { type KeyedBox, SecretError } from '../../src/store/io/secret-box.js'

/** Every machine has the key. */
export const keyName = 'simulated'
const beginning = 'sealed:'

export function seal(secret: string, place: string): string {
  return `${beginning}${Buffer.from(`${place}\n${secret}`).toString('base64')}`
}

/** Throws SecretError where it was sealed for another place. */
export function open(sealed: string, place: string): string {
  const found = contentOf(sealed)
  if (found !== null && found.place === place) return found.secret
  throw new SecretError('secret/wrong-key', `the secret of ${place} was sealed for another place`, '')
}

/** What is sealed, whatever for; null for what nobody sealed. */
export function contentOf(sealed: string): { readonly place: string; readonly secret: string } | null {
  if (!sealed.startsWith(beginning)) return null
  const text = Buffer.from(sealed.slice(beginning.length), 'base64').toString()
  const end = text.indexOf('\n')
  return { place: text.slice(0, end), secret: text.slice(end + 1) }
}

export const simulatedBox: KeyedBox = {
  seal,
  open,
  opens: ({ text, place }) => contentOf(text)?.place === place,
  keyState: () => ({ fingerprints: [keyName], problem: null, unnamed: null }),
  inUse: () => keyName,
  derive: (place) => Buffer.from(place),
  reread: () => {},
}
