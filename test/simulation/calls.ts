// Pipelines that call trigger URLs: straight into what a daemon decides, or over the network with a secret and a body, as
// they truly come. Whoever hears no answer calls again, another daemon maybe, by the same name.
import { ProblemError } from '../../src/api/io/context.js'
import type { Problem } from '../../src/changes/problem.js'
import { decideCall } from '../../src/changes/trigger-calls.js'
import { hmacSha256, sha1 } from '../../src/lib/hash.js'
import { triggerPath } from '../../src/model/trigger-url.js'
import { StoreError } from '../../src/store/store.js'
import { type ClusterView, serviceKey } from '../../src/store/view.js'
import type { Clockwork, Dice } from './clockwork.js'
import type { Network } from './network.js'
import { NoAnswer, NobodyThere, outside } from './network.js'
import type { Node } from './node.js'
import { type Deed, project } from './scenario.js'
import { contentOf, seal } from './sealing.js'

/** What is sent with a call. */
export interface CallBody {
  readonly bytes: Uint8Array
  /** Null: the call does not say. */
  readonly type: string | null
  /** A word that no other body has; nobody but the run may ever see it. */
  readonly word: string
}

export interface CallAnswer {
  readonly task: string
  readonly repeated: boolean
}

/** One attempt at a call. Throws ProblemError where it is refused, and what `isOutage` knows where nobody knows. */
export type CallOnce = (deed: Deed, attempt: number, body: CallBody | null) => Promise<CallAnswer>

/** What a body looks like: as its trigger wants it, or not. */
export const bodySorts = ['json', 'json', 'form', 'bytes', 'nothing'] as const
/** How a call shows that it may: by the secret itself, or signed. Some have one that is wrong. */
export const proofs = ['secret', 'secret', 'signed'] as const

/** Begins the words that nobody may see. */
export const hushed = 'hush-'

/** The body of a call by its name; `other`: a name that has been used for another one. */
export function bodyOf({ atMs, details }: Deed, other = false): CallBody | null {
  const { sends = 'nothing', id = '' } = details
  const word = `${hushed}${sha1(`${atMs} ${id} ${other}`).slice(0, 16)}`
  switch (sends as (typeof bodySorts)[number]) {
    case 'json':
      return { bytes: Buffer.from(JSON.stringify({ word, n: 7, odd: null })), type: 'application/json', word }
    case 'form':
      return { bytes: Buffer.from(`word=${word}&n=7`), type: 'application/x-www-form-urlencoded', word }
    case 'bytes':
      return { bytes: Buffer.concat([Buffer.from([0, 255, 10]), Buffer.from(word)]), type: null, word }
    case 'nothing':
      return null
  }
}

interface CallsParts {
  readonly clockwork: Clockwork
  readonly nodes: readonly Node[]
  readonly dice: Dice
}

/** How long a pipeline waits for an answer. */
const answerWithinMs = 10_000

/** Asks what a daemon decides, without a way there. */
export function directCalls(
  { nodes, dice }: CallsParts,
  within: <T>(answer: Promise<T>) => Promise<T>,
): CallOnce {
  return async ({ who: service, details }, attempt) => {
    const { trigger: name = '', id = '' } = details
    const daemon = dice.pick(nodes.flatMap((node) => node.daemon ?? []))
    if (daemon === undefined) throw new NobodyThere('no daemon is there')
    const call = { project, service, name, id, body: { bytes: new Uint8Array(), type: null, print: '' } }
    const keeping = { id: `${id}-${attempt}`, seal }
    return await within(daemon.change((now, at) => decideCall(now, call, keeping, at)))
  }
}

/** Goes to an address of a daemon, whichever, with what its caller was shown when the trigger was made. */
export function callsOverNetwork({ clockwork, nodes, dice }: CallsParts, network: Network): CallOnce {
  const secrets = new Map<Deed, string>()
  return async (deed, _, body) => {
    const { who: service, details } = deed
    const { trigger: name = '', id = '', proof = 'secret' } = details
    const node = dice.pick(nodes)
    const view = nodes.flatMap(({ daemon }) => daemon ?? [])[0]?.registry.view
    if (node === undefined || view === undefined) throw new NobodyThere('no daemon is there')
    const place = { project, service, name }
    // Who calls again shows what it has shown before.
    const secret = secrets.get(deed) ?? secretIn(view, place) ?? 'nobody has made this'
    secrets.set(deed, secret)
    const shown = proof === 'wrong' ? 'whsec_d3Jvbmcgd3JvbmcgeXM=' : secret
    const bytes = body?.bytes ?? new Uint8Array()
    const answer = await network.ask({ from: outside, to: node.name, withinMs: answerWithinMs }, () =>
      node.knock('triggers', {
        method: 'POST',
        path: triggerPath(place),
        headers: {
          ...(body?.type != null && { 'content-type': body.type }),
          ...(proof === 'signed'
            ? signatureOf(shown, id, bytes, clockwork.now)
            : { authorization: `Bearer ${shown}`, 'idempotency-key': id }),
        },
        body: body === null ? null : bytes,
        // Each of its own, so that who is refused keeps no other from being let in.
        from: `10.${[0, 2, 4].map((at) => Number.parseInt(sha1(id).slice(at, at + 2), 16)).join('.')}`,
      }),
    )
    return answerOf(answer.status, answer.text)
  }
}

function answerOf(status: number, text: string): CallAnswer {
  const told = JSON.parse(text) as CallAnswer & { error: Omit<Problem, 'status'> }
  if (status === 202) return { task: told.task, repeated: told.repeated }
  if (status === 503) throw new StoreError('store/unreachable', told.error.message, '')
  throw new ProblemError({ ...told.error, status: status as Problem['status'] })
}

function secretIn(
  view: ClusterView,
  { service, name }: { readonly service: string; readonly name: string },
): string | null {
  const made = view.triggersOf(serviceKey(project, service)).get(name)?.madeSecret
  return made == null ? null : (contentOf(made)?.secret ?? null)
}

/** As Standard Webhooks says it. */
function signatureOf(secret: string, id: string, bytes: Uint8Array, now: number): Record<string, string> {
  const at = `${Math.floor(now / 1000)}`
  const key = secret.replace(/^whsec_/, '')
  return {
    'webhook-id': id,
    'webhook-timestamp': at,
    'webhook-signature': `v1,${hmacSha256(key, `${id}.${at}.`, bytes)}`,
  }
}

/** Whether nobody knows what came of something. */
export function isOutage(error: unknown): boolean {
  return error instanceof StoreError || error instanceof NoAnswer || error instanceof NobodyThere
}
