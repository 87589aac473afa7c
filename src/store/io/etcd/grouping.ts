// Which transactions can go to etcd as one request. Each keeps its comparisons and its outcome: it is a transaction within
// one that only holds them together.
import { type Compare, type Op, sizeOf } from '../../store.js'
import type { Operation, TxnRequest } from './protocol.js'

export interface Transaction {
  readonly compare: readonly Compare[]
  readonly ops: readonly Op[]
}

/** Of the 128 that etcd counts, level by level, half are for the transactions and half for what each of them holds. */
export const transactionsAtMost = 64
/** etcd takes 1.5 MiB unless told otherwise; what is larger gains nothing by company. */
const [bytesEach, bytesInAll] = [64 * 1024, 256 * 1024]

/**
 * Whether a transaction may share a request: what is refused of one is refused of all, and what etcd looks at beside
 * comparisons (leases), or cannot tell the keys of, it gets by itself.
 */
export function mayBeGrouped({ compare, ops }: Transaction): boolean {
  return (
    ops.length > 0 &&
    ops.length <= transactionsAtMost &&
    compare.length <= transactionsAtMost &&
    ops.every((op) => op.op === 'delete' || (op.op === 'put' && op.lease === undefined)) &&
    bytesOf(ops) <= bytesEach
  )
}

/**
 * Puts transactions together, in few groups. etcd compares for all of a request before it writes anything of it, and takes no
 * key twice: those that meet at a key that one of them writes are in groups of their own, in the order in which they came.
 */
export function groupsOf<T extends Transaction>(all: readonly T[]): readonly (readonly T[])[] {
  const groups: Group<T>[] = []
  for (const one of all) {
    const after = groups.findLastIndex((group) => group.meets(one)) + 1
    const open = groups.slice(after).find((group) => group.hasRoomFor(one))
    if (open !== undefined) open.add(one)
    else groups.push(new Group(one))
  }
  return groups.map(({ members }) => members)
}

/**
 * The request for a group. What it would do if its comparisons failed, of which it has none, is there for etcd's reckoning
 * alone: without space it refuses requests that put something, and does not see what transactions within them put.
 */
export function groupRequest(members: readonly TxnRequest[]): TxnRequest {
  const success = members.map((request_txn) => ({ request_txn }))
  const put = members.flatMap((member) => member.success).find(isPut)
  if (put === undefined) return { compare: [], success }
  const { key } = put.request_put
  return { compare: [], success, failure: [{ request_put: { key, value: Buffer.alloc(0) } }] }
}

function isPut(operation: Operation): operation is Extract<Operation, { request_put: unknown }> {
  return 'request_put' in operation
}

class Group<T extends Transaction> {
  readonly members: T[] = []
  readonly #written = new Set<string>()
  readonly #compared = new Set<string>()
  #bytes = 0

  constructor(first: T) {
    this.add(first)
  }

  add(one: T): void {
    this.members.push(one)
    this.#bytes += bytesOf(one.ops)
    for (const { key } of one.compare) this.#compared.add(key)
    for (const key of writtenBy(one.ops)) this.#written.add(key)
  }

  hasRoomFor({ ops }: T): boolean {
    return this.members.length < transactionsAtMost && this.#bytes + bytesOf(ops) <= bytesInAll
  }

  meets({ compare, ops }: T): boolean {
    return (
      compare.some(({ key }) => this.#written.has(key)) ||
      writtenBy(ops).some((key) => this.#written.has(key) || this.#compared.has(key))
    )
  }
}

function writtenBy(ops: readonly Op[]): readonly string[] {
  return ops.flatMap((op) => (op.op === 'delete-prefix' ? [] : [op.key]))
}

function bytesOf(ops: readonly Op[]): number {
  return ops.reduce((sum, op) => sum + sizeOf(op), 0)
}
