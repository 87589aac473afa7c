// Docker image references, by the grammar of the distribution project: [host[:port]/]path[:tag][@digest].
import { isMisspeltAddress } from '../lib/address.js'

const component = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/
const host =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*|\[[0-9a-fA-F:]+\])(?::\d{1,5})?$/
const tag = /^\w[\w.-]{0,127}$/
const digest = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/

/** Why a text is no image reference, as the end of a sentence; undefined when it is one. */
export function imageProblem(text: string): string | undefined {
  const [named = '', hash, ...more] = text.split('@')
  if (more.length > 0) return 'it has more than one @'
  if (hash !== undefined && !digest.test(hash)) return 'a digest is written sha256: and 64 hexadecimal digits'
  if (hash?.startsWith('sha256:') && hash.length !== 71) return 'a sha256 digest has 64 hexadecimal digits'
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1)
  if (colon !== -1 && !tag.test(named.slice(colon + 1)))
    return 'a tag has letters, digits, _ . and -, at most 128'
  return pathProblem(colon === -1 ? named : named.slice(0, colon))
}

function pathProblem(path: string): string | undefined {
  const [first = '', ...rest] = path.split('/')
  const isHost = rest.length > 0 && (/[.:A-Z]/.test(first) || first === 'localhost')
  if (isHost && (!host.test(first) || isMisspeltAddress(first.replace(/:\d+$/, ''))))
    return `${first} is not the host of a registry`
  const parts = isHost ? rest : [first, ...rest]
  const wrong = parts.find((part) => !component.test(part))
  if (wrong === undefined) return path.length > 255 ? 'its name is longer than 255 characters' : undefined
  if (wrong === '') return 'a part of its name is empty'
  return component.test(wrong.toLowerCase())
    ? `names of images are in lower case: ${wrong.toLowerCase()}`
    : `${wrong} is not a valid part of a name: a-z, 0-9, and between them . _ -`
}
