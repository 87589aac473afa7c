// Sealing for a change: secrets that nobody gave (32 random bytes in the form of Standard Webhooks), and values that callers give.
import { randomBytes } from 'node:crypto'
import type { SecretMaker } from '../../changes/generated-secrets.js'
import type { Seal } from '../../changes/meta.js'
import { isProblem, type Problem } from '../../changes/problem.js'
import type { Change } from '../../changes/services.js'
import { secretPrefix } from '../../notify/signature.js'
import type { Decision } from '../../store/decision.js'
import type { KeyedBox } from '../../store/io/secret-box.js'
import { secretKeyKey } from '../../store/records.js'
import type { ClusterView } from '../../store/view.js'

/** Makes secrets, and seals them in the daemon's box. */
export function secretMaker(box: KeyedBox, view: Pick<ClusterView, 'revisionOf'>): SecretMaker {
  return {
    make: () => asSecret(randomBytes(32)),
    seal: (secret, place) => box.seal(secret, place),
    // Who lacks the key of the cluster would take all that is sealed for lost.
    opens: (sealed) => box.keyState().problem !== null || box.opens(sealed),
    keyHeld: () => keyHeld(box, view),
  }
}

/** 32 bytes as a secret. */
export function asSecret(bytes: Buffer): string {
  return `${secretPrefix}${bytes.toString('base64')}`
}

/** Decides on a change that may seal something: where it does, it takes effect only while the key in use is the same. */
export function sealing<C extends Change>(
  box: KeyedBox,
  view: Pick<ClusterView, 'revisionOf'>,
  decide: (seal: Seal) => C | Problem,
): C | Problem {
  let isSealed = false
  const change = decide((secret, place) => {
    isSealed = true
    return box.seal(secret, place)
  })
  if (!isSealed || isProblem(change)) return change
  const held = keyHeld(box, view)
  return {
    ...change,
    decidedOn: [...change.decidedOn, ...held.decidedOn],
    ops: [...change.ops, ...held.ops],
  }
}

/** Whoever seals first names the key: two machines with keys of their own never both do. */
function keyHeld(box: KeyedBox, view: Pick<ClusterView, 'revisionOf'>): Decision {
  const isNamed = view.revisionOf(secretKeyKey) !== 0
  return {
    decidedOn: [secretKeyKey],
    ops: isNamed ? [] : [{ op: 'put', key: secretKeyKey, value: box.inUse() }],
  }
}
