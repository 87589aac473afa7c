// Follows the changes under a prefix over as many connections as it takes. What was seen last is counted here, by the
// revision of each change: a response's own revision may lie beyond changes that are still to come.
import { setMaxListeners } from 'node:events'
import type { ClientDuplexStream } from '@grpc/grpc-js'
import { type Change, type ChangeBatch, CompactedError, type Revision } from '../../store.js'
import { closedError } from '../errors.js'
import { deniedError, failureOf } from './errors.js'
import type { EtcdKeys } from './keys.js'
import type { Members } from './members.js'
import { wait } from './patience.js'
import { eventType, type WatchAnswer, type WatchEvent, type WatchRequest } from './protocol.js'

/** The wait before a watch is set up again. */
const againMs = 250

/** `Store.watch`. */
export async function* watchKeys(
  members: Members,
  keys: EtcdKeys,
  prefix: string,
  after: Revision,
  signal: AbortSignal,
): AsyncGenerator<ChangeBatch, void, undefined> {
  // Many watches end with one signal; that is no leak.
  setMaxListeners(0, signal, members.closing)
  let seen = after
  for (let denials = 0, failures = 0; !signal.aborted; ) {
    let reason: string
    try {
      for await (const batch of followOnce(members, keys, prefix, seen, signal)) {
        if (batch === 'watching') denials = failures = 0
        else {
          seen = batch.revision
          yield batch
        }
      }
      reason = 'the watch ended'
    } catch (error) {
      if (signal.aborted) return
      if (members.closing.aborted) throw closedError()
      if (error instanceof CompactedError) throw error
      const failure = failureOf(error)
      // The first denial may be a token that has run out.
      if (failure.kind === 'refused' && (failure.error.code !== 'store/denied' || denials > 0)) throw error
      if (failure.kind === 'refused' || failure.kind === 'token') {
        denials += 1
        members.dropToken()
        continue
      }
      reason = failure.kind === 'unreachable' ? failure.reason : failure.kind
    }
    if (signal.aborted) return
    failures += 1
    // A watch that ends once may only have to turn to another member.
    if (failures > 1) members.failed(reason)
    await members.pause(againMs, signal)
  }
}

/** Follows on one connection until it ends. */
async function* followOnce(
  members: Members,
  keys: EtcdKeys,
  prefix: string,
  after: Revision,
  signal: AbortSignal,
): AsyncGenerator<ChangeBatch | 'watching', void, undefined> {
  const endpoint = await members.pick(members.requestTimeoutMs, signal)
  const { token } = members
  const stream = endpoint.stream(members.methods.watch, await members.metadata(endpoint))
  const end = (): void => stream.cancel()
  // What ends it is thrown by the loop below; what comes after that is of no interest.
  stream.on('error', () => {})
  const endWait = wait(members.requestTimeoutMs, () => {
    endpoint.dropIfSilentFor(members.requestTimeoutMs)
    end()
  })
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  let created = false
  try {
    stream.write(createRequest(keys, prefix, after))
    for await (const response of stream as ClientDuplexStream<WatchRequest, WatchAnswer> &
      AsyncIterable<WatchAnswer>) {
      endpoint.heard()
      if (response.canceled) throw cancellation(response)
      if (response.created) {
        created = true
        endWait()
        members.checkCluster(response.header.cluster_id)
        await members.checkHistory()
        members.succeeded()
        yield 'watching'
      }
      yield* batchesOf(members, keys, response.events)
    }
  } finally {
    endWait()
    signal.removeEventListener('abort', end)
    if (!created) members.blame(endpoint, token)
    stream.cancel()
  }
}

function createRequest(keys: EtcdKeys, prefix: string, after: Revision): WatchRequest {
  return { create_request: { ...keys.range(prefix), start_revision: after + 1, prev_kv: true } }
}

function cancellation({ compact_revision, cancel_reason }: WatchAnswer): Error {
  if (!compact_revision.isZero()) return new CompactedError(compact_revision.toNumber())
  return /permission denied|auth token/i.test(cancel_reason)
    ? deniedError(cancel_reason)
    : new Error(`etcd ended the watch: ${cancel_reason}`)
}

/** etcd sends all changes of a revision together, and revisions in order. */
function* batchesOf(
  members: Members,
  keys: EtcdKeys,
  events: readonly WatchEvent[],
): Generator<ChangeBatch, void, undefined> {
  let changes: Change[] = []
  let revision = 0
  for (const event of events) {
    const of = event.kv.mod_revision.toNumber()
    if (of !== revision && changes.length > 0) {
      yield { revision, changes }
      changes = []
    }
    revision = of
    if (event.type === eventType.put) members.saw(event.kv)
    changes.push(changeOf(keys, event))
  }
  if (changes.length > 0) yield { revision, changes }
}

function changeOf(keys: EtcdKeys, { type, kv, prev_kv }: WatchEvent): Change {
  const previous = prev_kv === null ? null : keys.entry(prev_kv)
  if (type === eventType.delete) return { type: 'delete', key: keys.decode(kv.key), previous }
  const entry = keys.entry(kv)
  return { type: 'put', key: entry.key, entry, previous }
}
