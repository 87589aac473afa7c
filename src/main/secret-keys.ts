// Whether this daemon has the key that the cluster's secrets are sealed with: compared by fingerprint, whenever either may
// have changed.
import { describeError, type Log } from '../lib/io/log.js'
import type { KeyProblem, SecretKeysHere } from '../model/machine.js'
import type { Registry } from '../store/io/registry.js'
import { type KeyedBox, openSecretBox } from '../store/io/secret-box.js'
import { namedKeyIn, type RecordKind, secretKeyKey } from '../store/records.js'
import { sealedIn } from '../store/sealed.js'
import { isFull, isOutOfReach } from '../store/store.js'

/** The box of a daemon's secrets, whose key is held to the one that the cluster names. */
export function openClusterBox(registry: Registry, keyFile: string): KeyedBox {
  return openSecretBox({
    keyFile,
    inUse: () => !registry.isComplete() || registry.view.hasSecrets(),
    named: () => namedKey(registry),
    sealed: () => sealedIn(registry.view),
  })
}

/** The fingerprint of the key in use; null where the store names none. */
function namedKey(registry: Pick<Registry, 'entryAt'>): string | null {
  return namedKeyIn(registry.entryAt(secretKeyKey)?.value)
}

export interface SecretKeysWatch {
  /** As the cluster is told. */
  now(): SecretKeysHere
  /** Looks again: the file may have changed. */
  look(): void
  stop(): void
}

interface Parts {
  readonly registry: Registry
  readonly secrets: KeyedBox
  readonly log: Log
  /** Called when what the cluster is told has changed. */
  readonly onChange: () => void
}

const problems: Readonly<Record<KeyProblem, string>> = {
  'no-key':
    'does not have the key of the secrets: it cannot encrypt or decrypt secrets, and gets no instances that need one',
  'wrong-key':
    'has another key than the one that the secrets are sealed with: it cannot encrypt or decrypt secrets, and gets no instances that need one',
}

/** What is sealed, or where it opens. */
const bearing: readonly RecordKind[] = ['meta', 'receiver', 'trigger', 'registryLogin', 'callBody']

/** Follows the key in use and the keys here; names the one in use where a daemon of before has sealed with it. */
export function watchSecretKeys({ registry, secrets, log, onChange }: Parts): SecretKeysWatch {
  let told: SecretKeysHere = { fingerprints: [] }
  let isFollowing = false
  let naming = false
  const look = (): void => {
    const { fingerprints, problem, unnamed } = secrets.keyState()
    const next: SecretKeysHere = { fingerprints, ...(problem !== null && { problem }) }
    const isNews = JSON.stringify(next) !== JSON.stringify(told)
    if (problem !== null && problem !== told.problem) tellProblem(log, problem, namedKey(registry), next)
    if (problem === null && told.problem !== undefined) log.info('secrets', 'secret key loaded')
    told = next
    if (unnamed !== null && registry.isComplete() && !naming) {
      naming = true
      const done = (): void => {
        naming = false
      }
      name(registry, unnamed, log).then(done, done)
    }
    if (isNews && isFollowing) onChange()
  }
  // Where nothing is sealed there is nothing to compare, and metadata may be set some thousand times a second.
  const isSealing = (): boolean => registry.view.hasSecrets() || told.problem !== undefined
  const unsubscribe = registry.onChange((kinds, changes) => {
    const isNamed = namedKey(registry) !== null
    if (changes.some(({ key }) => key === secretKeyKey)) look()
    else if (!isNamed && isSealing() && bearing.some((kind) => kinds.has(kind))) look()
  })
  look()
  isFollowing = true
  return { now: () => told, look, stop: unsubscribe }
}

function tellProblem(
  log: Log,
  problem: KeyProblem,
  inUse: string | null,
  { fingerprints }: SecretKeysHere,
): void {
  log.warn('secrets', problems[problem], {
    has: fingerprints.join(',') || 'none',
    inUse: inUse ?? 'not named yet',
    hint: 'copy the file of the key from a machine that has it, and reload (SIGHUP)',
  })
}

async function name(registry: Registry, fingerprint: string, log: Log): Promise<void> {
  const modRevision = registry.view.revisionOf(secretKeyKey)
  try {
    await registry.commit(
      [{ key: secretKeyKey, modRevision }],
      [{ op: 'put', key: secretKeyKey, value: fingerprint }],
    )
  } catch (error) {
    if (!isOutOfReach(error) && !isFull(error))
      log.warn('secrets', `cannot record the secret key in use: ${describeError(error)}`)
  }
}
