// A transaction as etcd takes it: no key twice, and at most 128 operations per level.
import type { Compare, LeaseId, Op } from '../../store.js'
import { tooLargeError } from './errors.js'
import { type EtcdKeys, successor } from './keys.js'
import { type Comparison, compareTarget, type Operation, type TxnRequest } from './protocol.js'

/** etcd's --max-txn-ops unless told otherwise; nested transactions share it from level to level. */
const operationsAtMost = 128

/** The request for a transaction. Throws `store/too-large` when etcd could not take it. */
export function txnRequest(keys: EtcdKeys, compare: readonly Compare[], ops: readonly Op[]): TxnRequest {
  const requests = requestsOf(keys, ops)
  const widths = widthsFor(compare.length, requests.length)
  if (widths === null) {
    const what = `${compare.length} comparisons and ${requests.length} operations at once`
    throw tooLargeError(what, 'make it in parts: some 120 services, units or keys of metadata at once')
  }
  return {
    compare: compare.map((one) => comparison(keys, one)),
    success: nest(requests, widths),
  }
}

/** The leases that a transaction puts keys on. */
export function leasesOf(ops: readonly Op[]): readonly LeaseId[] {
  return [...new Set(ops.flatMap((op) => (op.op === 'put' && op.lease !== undefined ? [op.lease] : [])))]
}

function comparison(keys: EtcdKeys, compare: Compare): Comparison {
  const key = keys.encode(compare.key)
  return 'value' in compare
    ? { key, target: compareTarget.value, value: Buffer.from(compare.value) }
    : { key, target: compareTarget.mod, mod_revision: compare.modRevision }
}

/** The last operation on a key counts, so that etcd sees each key once. */
function requestsOf(keys: EtcdKeys, ops: readonly Op[]): readonly Operation[] {
  const last = new Map<string, Extract<Op, { op: 'put' }> | null>()
  const prefixes = new Set<string>()
  for (const op of ops) {
    if (op.op !== 'delete-prefix') last.set(op.key, op.op === 'put' ? op : null)
    else {
      prefixes.add(op.prefix)
      for (const key of last.keys()) if (key.startsWith(op.prefix)) last.delete(key)
    }
  }
  const single = [...last].map(([key, put]) => (put === null ? deleteOne(keys, key) : putOne(keys, put)))
  if (prefixes.size === 0) return single
  const kept = [...last].flatMap(([key, put]) => (put === null ? [] : [keys.encode(key)]))
  kept.sort(Buffer.compare)
  return [...[...prefixes].flatMap((prefix) => deleteRange(keys, prefix, kept)), ...single]
}

function putOne(keys: EtcdKeys, { key, value, lease }: Extract<Op, { op: 'put' }>): Operation {
  const put = { key: keys.encode(key), value: Buffer.from(value) }
  return { request_put: lease === undefined ? put : { ...put, lease } }
}

function deleteOne(keys: EtcdKeys, key: string): Operation {
  return { request_delete_range: { key: keys.encode(key) } }
}

/** Deletes what is under a prefix but for the keys that the same transaction puts after it. `kept` is sorted. */
function deleteRange(keys: EtcdKeys, prefix: string, kept: readonly Buffer[]): readonly Operation[] {
  const { key: start, range_end: end } = keys.range(prefix)
  const holes = kept.filter((key) => key.compare(start) >= 0 && key.compare(end) < 0)
  const starts = [start, ...holes.map(successor)]
  return starts.flatMap((key, at) => {
    const range_end = holes[at] ?? end
    return key.compare(range_end) < 0 ? [{ request_delete_range: { key, range_end } }] : []
  })
}

/** How many operations each level may hold so that all fit; null when they cannot. */
function widthsFor(compares: number, count: number): readonly number[] | null {
  if (compares > operationsAtMost) return null
  if (count <= operationsAtMost) return [operationsAtMost]
  for (const levels of [2, 3]) {
    const outer = Math.max(compares, Math.floor(operationsAtMost / levels))
    const inner = Math.floor((operationsAtMost - outer) / (levels - 1))
    if (outer * inner ** (levels - 1) >= count) return [outer, ...Array<number>(levels - 1).fill(inner)]
  }
  return null
}

/** Packs operations into transactions within the transaction; they are still one change. */
function nest(ops: readonly Operation[], widths: readonly number[]): Operation[] {
  const [, ...deeper] = widths
  if (deeper.length === 0 || ops.length <= (widths[0] ?? 0)) return [...ops]
  const holds = deeper.reduce((product, width) => product * width, 1)
  const packed: Operation[] = []
  for (let from = 0; from < ops.length; from += holds) {
    const success = nest(ops.slice(from, from + holds), deeper)
    packed.push({ request_txn: { compare: [], success } })
  }
  return packed
}
