// Another key for the secrets: which one, whether the machines have it, and what is still sealed with another.
import { byKeys } from '../lib/sort.js'
import type { KeyProblem, Machine } from '../model/machine.js'
import { secretKeyKey } from '../store/records.js'
import { type Sealed, sealedIn } from '../store/sealed.js'
import type { ClusterView } from '../store/view.js'
import type { Problem } from './problem.js'
import type { Change } from './services.js'

/** The keys of the daemon that is asked. */
interface RotationKeys {
  /** The newest last. */
  readonly here: readonly string[]
  /** The one in use; null where none is named. */
  readonly named: string | null
  /** What keeps it from the cluster's secrets. */
  readonly problem: KeyProblem | null
  /** Whether anything is sealed that it cannot open. */
  readonly leavesSome: boolean
  /** Whether secrets were made in place of lost ones: the answer that told them may not have arrived. */
  readonly hasMade: boolean
}

/** The newest key of the daemon that is asked, if all that open secrets now could open them with it; or why not. */
export function nextKey(
  view: Pick<ClusterView, 'machines'>,
  keys: RotationKeys,
  isLost: boolean,
): { readonly fingerprint: string } | Problem {
  const { here, named, problem } = keys
  const fingerprint = here.at(-1)
  if (fingerprint === undefined) return noKeyHere
  const machines = [...view.machines.values()].sort(byKeys(({ hostname }) => hostname))
  if (isLost) return whyNotLost(machines, keys) ?? { fingerprint }
  if (problem !== null) return foreignHere
  if (named === null || named === fingerprint) return { fingerprint }
  const lacking = machines.filter((one) => lacksNext(one, named, fingerprint))
  return lacking.length === 0 ? { fingerprint } : notEverywhere(lacking, fingerprint)
}

/** Who lacks the key in use as well opens no secrets now, and is no worse off. */
function lacksNext({ secretKeys }: Machine, named: string, next: string): boolean {
  if (secretKeys === undefined) return true
  return secretKeys.fingerprints.includes(named) && !secretKeys.fingerprints.includes(next)
}

const noKeyHere: Problem = {
  status: 409,
  code: 'secret/no-key',
  message: 'this daemon has no key of the secrets',
  hint: 'ask a machine that has it (mariposa machine list), or add a key to its file first',
}

const foreignHere: Problem = {
  status: 409,
  code: 'secret/wrong-key',
  message: 'this daemon does not have the key in use, and cannot decrypt the secrets',
  hint: 'ask a machine that has it; --lost discards the secrets of a key that no machine has any more',
}

function notEverywhere(lacking: readonly Machine[], fingerprint: string): Problem {
  const names = lacking.map(({ hostname }) => hostname).join(', ')
  return {
    status: 409,
    code: 'secret/not-everywhere',
    message: `the new key ${fingerprint} is not known to be on ${names}`,
    hint: 'copy the file of the keys there, and have its daemon reload (SIGHUP); mariposa machine list shows what each has',
  }
}

function whyNotLost(
  machines: readonly Machine[],
  { named, problem, leavesSome, hasMade }: RotationKeys,
): Problem | null {
  const holder = machines.find(({ secretKeys }) => named !== null && secretKeys?.fingerprints.includes(named))
  if (problem === null ? leavesSome || hasMade : holder === undefined) return null
  return {
    status: 409,
    code: 'secret/not-lost',
    message:
      problem === null
        ? 'no key is lost: this daemon can decrypt all secrets'
        : `the key in use is not lost: ${holder?.hostname ?? ''} has it`,
    hint: 'leave --lost out',
  }
}

/** From here on new secrets are sealed with this key. */
export function putInUse(named: string | null, fingerprint: string): Change {
  return {
    decidedOn: [secretKeyKey],
    ops: named === fingerprint ? [] : [{ op: 'put', key: secretKeyKey, value: fingerprint }],
    events: [],
    tasks: [],
  }
}

/** What is to be stored in place of something sealed; null where it stays as it is. */
export type Reseal = (sealed: Sealed) => string | null

/** How much one change seals anew: a store takes no more at once than so much. */
const sealedPerChange = { number: 20, characters: 256 * 1024 }

interface ResealChange extends Change {
  readonly resealed: number
}

/** Seals some of what is sealed with another key anew; nothing when all is done. */
export function resealSome(view: ClusterView, reseal: Reseal): ResealChange {
  const ops: Change['ops'][number][] = []
  let characters = 0
  for (const sealed of sealedIn(view)) {
    if (ops.length >= sealedPerChange.number || characters >= sealedPerChange.characters) break
    const text = reseal(sealed)
    if (text === null) continue
    ops.push(sealed.replacedBy(text))
    characters += text.length
  }
  return { decidedOn: [secretKeyKey], ops, events: [], tasks: [], resealed: ops.length }
}
