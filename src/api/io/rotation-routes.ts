// The route that takes another key for the secrets.
import type { FastifyInstance } from 'fastify'
import type { Problem } from '../../changes/problem.js'
import { nextKey, putInUse, type Reseal, resealSome } from '../../changes/rotation.js'
import { paths, type SecretRotateRequest, type SecretRotateResponse } from '../../contract/contract.js'
import { secretRotateRequest } from '../../contract/requests.js'
import type { Actor } from '../../model/actor.js'
import type { KeyedBox } from '../../store/io/secret-box.js'
import { namedKeyIn, secretKeyKey } from '../../store/records.js'
import { type Sealed, sealedIn } from '../../store/sealed.js'
import { type ApiContext, actorOf, applyChange, orRefuse } from './context.js'
import { asSecret } from './make-secret.js'

export function rotationRoutes(server: FastifyInstance, context: ApiContext): void {
  server.post<{ Body: SecretRotateRequest }>(
    paths.rotateSecrets,
    { schema: { body: secretRotateRequest } },
    (request): Promise<SecretRotateResponse> => rotate(context, actorOf(request), request.body.lost === true),
  )
}

/** Names the new key, then seals everything with it: cut off in between, it is gone on with by asking again. */
async function rotate(context: ApiContext, by: Actor, isLost: boolean): Promise<SecretRotateResponse> {
  const { registry, secrets, log } = context
  const { view } = registry
  secrets.reread()
  const { fingerprint } = await applyChange(context, by, (now) => {
    const named = inUse(context)
    const { fingerprints: here, problem } = secrets.keyState()
    const sealed = [...sealedIn(now)]
    const leavesSome = sealed.some((one) => !secrets.opens(one))
    const hasMade = isLost && named === here.at(-1) && madeSecrets(secrets, sealed).length > 0
    const next = orRefuse(nextKey(now, { here, named, problem, leavesSome, hasMade }, isLost))
    return { ...putInUse(named, next.fingerprint), fingerprint: next.fingerprint }
  })
  const resealed = await resealAll(context, by, fingerprint, resealing(secrets, fingerprint))
  if (isLost) await resealAll(context, by, fingerprint, remaking(secrets))
  const sealed = [...sealedIn(view)]
  const lost = sealed.filter((one) => !secrets.opens(one)).map(({ of }) => of)
  log.info('secrets', 'now sealing with this secret key', { key: fingerprint, resealed, lost: lost.length })
  return {
    fingerprint,
    resealed,
    made: isLost ? madeSecrets(secrets, sealed) : [],
    lost: lost.sort(),
  }
}

async function resealAll(
  context: ApiContext,
  by: Actor,
  fingerprint: string,
  reseal: Reseal,
): Promise<number> {
  let all = 0
  while (true) {
    const { resealed } = await applyChange(context, by, (now) =>
      inUse(context) === fingerprint ? resealSome(now, reseal) : rotatedElsewhere,
    )
    if (resealed === 0) return all
    all += resealed
  }
}

/** Seals with the key in use what another one opens. */
function resealing(secrets: KeyedBox, fingerprint: string): Reseal {
  return ({ text, place }) => {
    if (secrets.opens({ text, place }, fingerprint) || !secrets.opens({ text, place })) return null
    return secrets.seal(secrets.open(text, place), place)
  }
}

/**
 * Makes another secret in place of each that was made and that nothing opens. It follows from the key and the place: where the
 * answer did not arrive, asking again tells the same ones.
 */
function remaking(secrets: KeyedBox): Reseal {
  return (sealed) =>
    !sealed.isMade || secrets.opens(sealed)
      ? null
      : secrets.seal(asSecret(secrets.derive(sealed.place)), sealed.place)
}

/** Those of what is sealed that were made so, now or by an earlier request. */
function madeSecrets(secrets: KeyedBox, sealed: readonly Sealed[]): SecretRotateResponse['made'] {
  return sealed.flatMap(({ isMade, of, place, text }) => {
    if (!isMade || !secrets.opens({ text, place })) return []
    const secret = asSecret(secrets.derive(place))
    return secrets.open(text, place) === secret ? [{ of, secret }] : []
  })
}

function inUse({ registry }: ApiContext): string | null {
  return namedKeyIn(registry.entryAt(secretKeyKey)?.value)
}

const rotatedElsewhere: Problem = {
  status: 409,
  code: 'api/contended',
  message: 'the key of the secrets was changed by somebody else meanwhile',
  hint: 'try again',
}
