// The part of etcd's protocol that is spoken here (decision 8).
import type protobuf from 'protobufjs'
import { etcdMessages } from './messages.js'

/** One of etcd's procedures. */
export interface Method<Q, A> {
  readonly path: string
  readonly requestSerialize: (request: Q) => Buffer
  readonly responseDeserialize: (bytes: Buffer) => A
}

/** A number of 64 bits in an answer. Revisions are counted, so they fit into a number; ids of leases and clusters do not. */
export interface Int64 {
  toNumber(): number
  toString(): string
  isZero(): boolean
}

export interface Header {
  readonly cluster_id: Int64
  readonly revision: Int64
}

export interface KeyValue {
  readonly key: Buffer
  readonly value: Buffer
  readonly create_revision: Int64
  readonly mod_revision: Int64
  readonly lease: Int64
}

/** Keys from `key` up to `range_end`; without that `key` alone. */
export interface RangeRequest {
  readonly key: Buffer
  readonly range_end?: Buffer
  readonly limit?: number
  /** As of when; 0 is now. */
  readonly revision?: number
}

export interface RangeAnswer {
  readonly header: Header
  readonly kvs: readonly KeyValue[]
  /** Whether there are more than was asked for. */
  readonly more: boolean
  /** How many keys the range has, from where it was asked for. */
  readonly count: Int64
}

/** Only equality is ever asked for, which is the number 0. */
export type Comparison =
  | { readonly key: Buffer; readonly target: typeof compareTarget.mod; readonly mod_revision: number }
  | { readonly key: Buffer; readonly target: typeof compareTarget.value; readonly value: Buffer }

export const compareTarget = { mod: 2, value: 3 } as const

export type Operation =
  | { readonly request_put: { readonly key: Buffer; readonly value: Buffer; readonly lease?: string } }
  | { readonly request_delete_range: { readonly key: Buffer; readonly range_end?: Buffer } }
  | { readonly request_txn: TxnRequest }

export interface TxnRequest {
  readonly compare: readonly Comparison[]
  readonly success: readonly Operation[]
  readonly failure?: readonly Operation[]
}

interface TxnAnswer {
  readonly header: Header
  readonly succeeded: boolean
}

/** Of transactions that went as one request: what became of each. */
interface GroupAnswer {
  readonly header: Header
  readonly responses: readonly { readonly response_txn: { readonly succeeded: boolean } | null }[]
}

export interface WatchRequest {
  readonly create_request: {
    readonly key: Buffer
    readonly range_end: Buffer
    readonly start_revision: number
    readonly prev_kv: boolean
  }
}

export interface WatchAnswer {
  readonly header: Header
  readonly created: boolean
  readonly canceled: boolean
  readonly compact_revision: Int64
  readonly cancel_reason: string
  readonly events: readonly WatchEvent[]
}

export interface WatchEvent {
  readonly type: (typeof eventType)[keyof typeof eventType]
  readonly kv: KeyValue
  readonly prev_kv: KeyValue | null
}

export const eventType = { put: 0, delete: 1 } as const

export interface LeaseRequest {
  readonly ID: string
}

export interface LeaseAnswer {
  readonly ID: Int64
  /** In seconds; none are left of a lease that has ended. */
  readonly TTL: Int64
}

/** What etcd can be asked, as far as it is. */
export interface Methods {
  readonly authenticate: Method<
    { readonly name: string; readonly password: string },
    { readonly token: string }
  >
  readonly compact: Method<{ readonly revision: number; readonly physical: boolean }, object>
  /** A transaction of nothing but transactions, each with comparisons of its own. */
  readonly group: Method<TxnRequest, GroupAnswer>
  readonly grant: Method<{ readonly TTL: number }, LeaseAnswer>
  readonly keepAlive: Method<LeaseRequest, LeaseAnswer>
  readonly range: Method<RangeRequest, RangeAnswer>
  readonly revoke: Method<LeaseRequest, object>
  readonly status: Method<object, { readonly version: string }>
  readonly timeToLive: Method<LeaseRequest, LeaseAnswer>
  readonly txn: Method<TxnRequest, TxnAnswer>
  readonly watch: Method<WatchRequest, WatchAnswer>
}

/** Made when a store is opened: commands that open none need none of it. */
export function loadMethods(): Methods {
  const messages = etcdMessages()
  const method = <Q, A>(path: string, request: string, answer: string): Method<Q, A> => ({
    path: `/etcdserverpb.${path}`,
    ...codecOf(messages.lookupType(request), messages.lookupType(answer)),
  })
  return {
    authenticate: method('Auth/Authenticate', 'AuthenticateRequest', 'AuthenticateResponse'),
    compact: method('KV/Compact', 'CompactionRequest', 'CompactionResponse'),
    group: method('KV/Txn', 'TxnRequest', 'GroupResponse'),
    grant: method('Lease/LeaseGrant', 'LeaseGrantRequest', 'LeaseGrantResponse'),
    keepAlive: method('Lease/LeaseKeepAlive', 'LeaseKeepAliveRequest', 'LeaseKeepAliveResponse'),
    range: method('KV/Range', 'RangeRequest', 'RangeResponse'),
    revoke: method('Lease/LeaseRevoke', 'LeaseRevokeRequest', 'LeaseRevokeResponse'),
    status: method('Maintenance/Status', 'StatusRequest', 'StatusResponse'),
    timeToLive: method('Lease/LeaseTimeToLive', 'LeaseTimeToLiveRequest', 'LeaseTimeToLiveResponse'),
    txn: method('KV/Txn', 'TxnRequest', 'TxnResponse'),
    watch: method('Watch/Watch', 'WatchRequest', 'WatchResponse'),
  }
}

/** Messages are written as they are given and read as they come, without a copy of each in between. */
function codecOf<Q, A>(request: protobuf.Type, answer: protobuf.Type): Omit<Method<Q, A>, 'path'> {
  return {
    requestSerialize: (message) => request.encode(message as object).finish() as Buffer,
    responseDeserialize: (bytes) => answer.decode(bytes) as A,
  }
}
