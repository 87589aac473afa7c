// What Docker's errors mean. Docker gives a sentence; what can be done about it depends on what the sentence says.
import type { UnitFailure } from '../../model/unit.js'

/** Why a container could not be started, from Docker's sentence (`State.Error`, or the answer to a start). */
export function startFailure(message: string): UnitFailure {
  return {
    message: message.trim(),
    ...(startCauses.find(({ says }) => says.test(message))?.means ?? unknownCause),
  }
}

const diskFull = /no space left on device|disk quota exceeded/i

type Meaning = Pick<UnitFailure, 'code' | 'permanent'>

const unknownCause: Meaning = { code: 'docker/failed', permanent: false }

/** Sentences of dockerd 20.10 and later; the first that fits decides. */
const startCauses: readonly { readonly says: RegExp; readonly means: Meaning }[] = [
  {
    says: /port is already allocated|address already in use/i,
    means: { code: 'docker/port-taken', permanent: false },
  },
  { says: /no command specified/i, means: { code: 'docker/command-not-found', permanent: true } },
  {
    says: /executable file not found|exec: "[^"]*": (?:stat .*)?no such file or directory|exec: "[^"]*": permission denied|exec format error|exec: "[^"]*": is a directory/i,
    means: { code: 'docker/command-not-found', permanent: true },
  },
  {
    says: /unable to find user|unable to find group/i,
    means: { code: 'docker/user-not-found', permanent: true },
  },
  { says: diskFull, means: { code: 'docker/disk-full', permanent: false } },
  { says: /network \S+ not found/i, means: { code: 'docker/network-missing', permanent: false } },
]

/** What became of a pull, from Docker's sentence: what the registry answered, or why it could not be asked. */
export function pullFailure(message: string): Pick<UnitFailure, 'code' | 'permanent'> {
  if (diskFull.test(message)) return { code: 'docker/disk-full', permanent: false }
  return { code: 'docker/image-missing', permanent: !passes.test(message) && refusals.test(message) }
}

/** Whether the registry said that it has too much to do just now, or that we ask too often. */
export function isOverloaded(message: string): boolean {
  return overloaded.test(message)
}

const overloaded = /too ?many ?requests|HTTP status:? (?:429|503)\b|\b429\b|service unavailable/i
const passes = new RegExp(
  `dial tcp|lookup |timeout|connection refused|connection reset|no route to host|TLS handshake|EOF|HTTP status:? 5\\d\\d|${overloaded.source}`,
  'i',
)
const refusals =
  /not found|manifest unknown|does not exist|no such image|denied|unauthorized|no basic auth credentials|no matching manifest|invalid reference format/i
