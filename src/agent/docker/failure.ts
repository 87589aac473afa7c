// What Docker's errors mean. Docker gives a sentence; what can be done about it depends on what the sentence says.
import type { UnitFailure } from '../../model/unit.js'

/** Why a container could not be started, from Docker's sentence (`State.Error`, or the answer to a start). */
export function startFailure(message: string): UnitFailure {
  return {
    message: message.trim(),
    ...(startCauses.find(({ says }) => says.test(message))?.means ?? unknownCause),
  }
}

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
  { says: /network \S+ not found/i, means: { code: 'docker/network-missing', permanent: false } },
]

/** Whether a pull that failed so would fail again: the registry answered, and has no such image for us. */
export function isImageRefused(message: string): boolean {
  return !outOfReach.test(message) && refusals.test(message)
}

const outOfReach = /dial tcp|lookup |timeout|connection refused|no route to host|TLS handshake/i
const refusals =
  /not found|manifest unknown|does not exist|no such image|denied|unauthorized|no basic auth credentials|no matching manifest|invalid reference format/i
