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
    : `"${text}" is not an image name`
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
