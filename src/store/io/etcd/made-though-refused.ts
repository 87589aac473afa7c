// What became of a write that etcd refused for want of space. It refuses later ones before it makes them; the one with
// which it becomes full passed that check, is made by every member, and is refused all the same (seen with etcd 3.4.23).
import { StoreError, type TxnResult } from '../../store.js'
import { hintUnknown } from './errors.js'
import type { Members } from './members.js'
import type { KeyValue, Operation, TxnRequest } from './protocol.js'

type Put = Extract<Operation, { readonly request_put: unknown }>['request_put']

/**
 * The outcome of a transaction that was refused, if everything that it puts is there and was written by one change; null
 * where it is not, so that it was not made. Throws `store/unreachable`, as of unknown outcome, where etcd does not answer.
 */
export async function madeThoughRefused(members: Members, request: TxnRequest): Promise<TxnResult | null> {
  let revision: number | null = null
  for (const put of putsOf(request.success)) {
    const found = await read(members, put.key)
    if (found === undefined || !isFrom(put, found)) return null
    const written = found.mod_revision.toNumber()
    if (revision !== null && revision !== written) return null
    revision = written
  }
  return revision === null ? null : { committed: true, revision }
}

async function read(members: Members, key: Buffer): Promise<KeyValue | undefined> {
  try {
    return (await members.ask(members.methods.range, { key }, 'read')).kvs[0]
  } catch (error) {
    if (error instanceof StoreError && error.code === 'store/unreachable')
      throw new StoreError(error.code, error.message, hintUnknown)
    throw error
  }
}

function isFrom(put: Put, { value, lease }: KeyValue): boolean {
  return put.value.equals(value) && (put.lease ?? '0') === lease.toString()
}

/** Those of transactions within the transaction are of the same change. */
function putsOf(operations: readonly Operation[]): readonly Put[] {
  return operations.flatMap((operation) => {
    if ('request_put' in operation) return [operation.request_put]
    return 'request_txn' in operation ? putsOf(operation.request_txn.success) : []
  })
}
