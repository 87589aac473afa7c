// Names of images, as Docker reads them (distribution/reference).

const word = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const host = '(?=[^/]*[.:]|localhost/)[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?(?::[0-9]+)?'
const tag = '[\\w][\\w.-]{0,127}'
const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}'

/** `[host[:port]/]path[:tag][@algorithm:digest]`, the path in lower case. */
const reference = new RegExp(`^(?:${host}/)?${word}(?:/${word})*(?::${tag})?(?:@${digest})?$`)

/** Why text cannot name an image; null when it can. */
export function imageProblem(text: string): string | null {
  if (reference.test(text)) return null
  return /[A-Z]/.test(text.replace(/[:@].*$/, '')) && reference.test(text.toLowerCase())
    ? 'the name of an image is in lower case'
    : `"${text}" is no name of an image`
}

/** The registry that an image comes from, as `~/.docker/config.json` names it. */
export function registryOf(image: string): string {
  const [host = '', ...path] = image.split('/')
  const isHost = path.length > 0 && (/[.:]/.test(host) || host === 'localhost')
  return isHost && host !== 'docker.io' ? host : 'https://index.docker.io/v1/'
}

/** An image's name with the digest that its tag means. */
export function withDigest(image: string, digest: string): string {
  return `${image}@${digest}`
}

/** The digest under which a registry gave an image, of those that a machine has noted for it; null for none. */
export function digestNoted(image: string, noted: readonly string[]): string | null {
  const own = repositoryOf(image)
  const found = noted
    .map((one) => one.split('@'))
    .find(([repository = '']) => repositoryOf(repository) === own)
  return found?.[1] ?? null
}

/** Without tag, and without what Docker leaves out of the names on its own hub. */
function repositoryOf(image: string): string {
  const colon = image.indexOf(':', image.lastIndexOf('/') + 1)
  const named = colon === -1 ? image : image.slice(0, colon)
  return named.replace(/^(index\.)?docker\.io\//, '').replace(/^library\//, '')
}

export interface Credentials {
  readonly username: string
  readonly password: string
  readonly serveraddress: string
}

/**
 * The credentials for an image's registry in the text of `~/.docker/config.json`: `auths` alone; null where it has
 * none. Credential helpers are programs of the user's desktop and are not asked.
 */
export function credentialsFor(image: string, config: string): Credentials | null {
  const serveraddress = registryOf(image)
  const auth = authOf(config, serveraddress)
  if (auth === null) return null
  const colon = auth.indexOf(':')
  if (colon <= 0) return null
  return { username: auth.slice(0, colon), password: auth.slice(colon + 1), serveraddress }
}

function authOf(config: string, registry: string): string | null {
  try {
    const { auths } = JSON.parse(config) as { auths?: Record<string, { auth?: unknown } | undefined> }
    const entry = auths?.[registry] ?? auths?.[`https://${registry}`]
    if (typeof entry?.auth !== 'string') return null
    return new TextDecoder().decode(Uint8Array.from(atob(entry.auth), (char) => char.charCodeAt(0)))
  } catch {
    return null
  }
}
