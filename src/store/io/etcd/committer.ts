// Asks etcd for transactions. Those that are asked for while others are on their way wait for the answer to these, and share a
// request then: a request costs this process and etcd more than what is in it.
import { invariant } from '../../../lib/invariant.js'
import { isFull, LeaseEndedError, StoreError, type TxnResult } from '../../store.js'
import { groupRequest, groupsOf, mayBeGrouped, type Transaction, transactionsAtMost } from './grouping.js'
import type { EtcdKeys } from './keys.js'
import { madeThoughRefused } from './made-though-refused.js'
import { EtcdFailure, type Members } from './members.js'
import type { TxnRequest } from './protocol.js'
import { leasesOf, txnRequest } from './txn.js'

/** A far or slow etcd has several requests under way: no transaction waits longer than this for the answer to another one. */
const holdMs = 4

/** A transaction that waits for those on their way. */
interface Waiting extends Transaction {
  readonly request: TxnRequest
  readonly resolve: (result: TxnResult | Promise<TxnResult>) => void
  readonly reject: (error: unknown) => void
}

export class Committer {
  readonly #members: Members
  readonly #keys: EtcdKeys
  #waiting: Waiting[] = []
  #hold: NodeJS.Timeout | undefined
  #onTheWay = 0

  constructor(members: Members, keys: EtcdKeys) {
    this.#members = members
    this.#keys = keys
  }

  /** `Store.txn`. */
  async commit(transaction: Transaction): Promise<TxnResult> {
    const { compare, ops } = transaction
    const request = txnRequest(this.#keys, compare, ops)
    const isAlone = this.#onTheWay === 0 && this.#waiting.length === 0
    if (isAlone || !mayBeGrouped(transaction)) {
      // What came before is not overtaken.
      this.#send()
      return this.#single(transaction, request)
    }
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) this.#hold = setTimeout(() => this.#send(), holdMs)
      this.#waiting.push({ compare, ops, request, resolve, reject })
      if (this.#waiting.length === transactionsAtMost) this.#send()
    })
  }

  #send(): void {
    clearTimeout(this.#hold)
    const waiting = this.#waiting
    this.#waiting = []
    for (const group of groupsOf(waiting)) {
      const [first, second] = group
      if (first !== undefined && second === undefined) first.resolve(this.#single(first, first.request))
      else this.#together(group)
    }
  }

  async #single({ ops }: Transaction, request: TxnRequest): Promise<TxnResult> {
    const { methods } = this.#members
    this.#onTheWay += 1
    try {
      const kind = ops.length === 0 ? 'read' : 'write'
      const { header, succeeded } = await this.#members.ask(methods.txn, request, kind)
      return { committed: succeeded, revision: header.revision.toNumber() }
    } catch (error) {
      if (error instanceof EtcdFailure && error.kind === 'lease-ended')
        throw new LeaseEndedError(leasesOf(ops).join(' or '))
      const made = isFull(error) ? await madeThoughRefused(this.#members, request) : null
      if (made === null) throw error
      return made
    } finally {
      this.#answered()
    }
  }

  /** What waits goes after the turn: who was answered may ask for the next in it. */
  #answered(): void {
    this.#onTheWay -= 1
    if (this.#onTheWay === 0 && this.#waiting.length > 0) setImmediate(() => this.#send())
  }

  #together(group: readonly Waiting[]): void {
    this.#ask(group).then(
      (results) => {
        for (const [at, { resolve }] of group.entries()) resolve(results[at] as TxnResult)
      },
      (error: unknown) => {
        // Nothing of the group was written, for the sake of one of them perhaps.
        if (isRefusal(error)) for (const one of group) one.resolve(this.#again(one, error))
        else for (const { reject } of group) reject(error)
      },
    )
  }

  /** One of a group that was refused as a whole, alone. */
  async #again(one: Waiting, error: unknown): Promise<TxnResult> {
    const made = isFull(error) ? await madeThoughRefused(this.#members, one.request) : null
    return made ?? (await this.#single(one, one.request))
  }

  async #ask(group: readonly Waiting[]): Promise<readonly TxnResult[]> {
    const request = groupRequest(group.map((one) => one.request))
    this.#onTheWay += 1
    try {
      const { header, responses } = await this.#members.ask(this.#members.methods.group, request, 'write')
      invariant(responses.length === group.length, 'etcd answers each transaction of a group')
      const revision = header.revision.toNumber()
      return responses.map(({ response_txn }) => {
        invariant(response_txn !== null, 'etcd answers a transaction with what became of it')
        return { committed: response_txn.succeeded, revision }
      })
    } finally {
      this.#answered()
    }
  }
}

/** Whether etcd took nothing of a request for what is in it. */
function isRefusal(error: unknown): boolean {
  return error instanceof StoreError && ['store/full', 'store/too-large', 'store/io'].includes(error.code)
}
