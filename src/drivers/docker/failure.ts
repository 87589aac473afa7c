// What Docker's errors mean. Docker gives a sentence; what can be done about it depends on what the sentence says.
import type { UnitFailure } from '../../model/unit.js'

/** Why a container could not be started, from Docker's sentence (`State.Error`, or the answer to a start). */
export function startFailure(message: string): UnitFailure {
  return {
    message: message.trim(),
    ...(startCauses.find(({ says }) => says.test(message))?.means ?? unknownCause),
  }
}

/** A disk without room, whether a pull or a start met it. */
export const diskFull = /no space left on device|disk quota exceeded/i

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
